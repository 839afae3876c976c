"""Lectern's own search for a question, so that no answer about the courses begins without one.

A model that searches by itself gets passages when it asks for them; Lectern's search then only tells
whether the library covers the question. Any other model gets the passages along with the question.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from types import TracebackType

from app.core.answers.prompts import passages_note
from app.core.answers.providers.base import (
    AbilityLost,
    BlockEnd,
    CitedSentences,
    ReplyEnd,
    ReplyEvent,
    TextDelta,
    ToolCall,
    ToolOutcome,
    Turn,
)
from app.core.answers.sources import SentWhole
from app.core.answers.tools import OUTLINE_TOOL, READING_TOOL, SEARCH_TOOL, ToolManager
from app.core.search.named_places import named_course, named_lesson
from app.core.search.terms import content_terms
from app.domain.conversations import ChatMessage, StopReason
from app.domain.errors import LecternError
from app.domain.events import LookupStarted, ReadingStarted, SearchStarted, SourcesFound
from app.domain.search import SearchHit, SearchResults
from app.domain.sources import Source
from app.domain.words import is_courtesy

_FEW_WORDS = 2
# What points to something said before; "that" only where it stands for a thing.
_POINTS_BACK = re.compile(
    r"\b(it|its|they|them|their|he|him|his|she|her|this|these|those|former|latter)\b"
    r"|\bthat(?=\s*([?.!,]|$|is\b|was\b|means?\b|works?\b))|^\s*(and|but|so|or|what about|how about)\b"
    r"|\b(er|ihn|ihm|ihr|ihnen|ihre[mnrs]?|diese[mnrs]?|jene[mnrs]?|da(von|mit|für|bei|nach|durch|gegen))\b"
    r"|\b(dazu|darüber|daraus|daran|darin|(?-i:sie))\b|^\s*(und|aber|oder|also|was ist mit|wie ist es mit)\b"
    r"|\b(él|ellas?|ellos?|est[eao]s?|es[ao]s?|aquell[ao]s?|aquel|sus?)\b|^[\s¿]*(y|pero|entonces)\b",
    re.IGNORECASE,
)
# This course needs no question before it; nor does what points to the clause before.
_THIS_COURSE = re.compile(
    r"\b(?:this|these|diese[mnrs]?|est[eao]s?)\s+(?:course|class|lecture notes|notes|slides|kurs\w*|skript\w*"
    r"|curso|clase|apuntes)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;]|\b(?:and|but|or|because|when|if|und|aber|oder|weil|wenn|y|pero|porque|cuando|si)\b", re.IGNORECASE
)
_ABOUT_THE_WHOLE = re.compile(
    r"\b(lessons|course|class|outline|overview|syllabus|topics|instructor|teach(es|er)?|taught|link|about)\b"
    r"|\b(kurs|lektionen|dozent|unterrichtet|übersicht|curso|lecciones|profesor)",
    re.IGNORECASE,
)
# Models introduce a search with a sentence: longer text without one is an answer.
_LONGEST_PREAMBLE = 200
_HELD = (TextDelta, CitedSentences, BlockEnd, ToolCall, ReplyEnd)
# The parts of a comparison stand on both sides of the first, or behind the second, around the third.
_VERSUS = re.compile(r" (?:vs\.?|versus|differs? from|compared (?:with|to)|as opposed to) ", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:compare|between) ", re.IGNORECASE)
_AND = re.compile(r" (?:and|with|to) ", re.IGNORECASE)
_MOST_OF_A_COMPARISON = 8  # passages


class Ungrounded(AbilityLost):
    """A reply answered a question that the library covers without a search. Nothing of it was shown."""


@dataclass(frozen=True, slots=True)
class Searched:
    started: SearchStarted
    results: SearchResults
    leans: bool  # the question is a follow-up and means little without the one before
    whole: tuple[str, int | None] | None = None  # the course and lesson of which it asks for all


class OwnSearch:
    """The search for one question; it runs beside everything else until it is needed.

    Attributes:
        wanted: the model has shown that it needs the passages along with the question.
        was_sent: they go along with it.
    """

    def __init__(
        self, question: str, history: Sequence[ChatMessage], tools: ToolManager, kept: Sequence[Source] = ()
    ) -> None:
        self.wanted = False
        self.was_sent = False
        self.question = question
        self.history = history
        self.tools = tools
        self._kept = kept
        self._task: asyncio.Task[Searched] | None = None

    async def __aenter__(self) -> "OwnSearch":
        if not is_courtesy(self.question):
            self._task = asyncio.create_task(asyncio.to_thread(self._find))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def is_grounded(self, turn: Turn) -> bool:
        """Whether the model has passages, or an outline if that may answer the question."""
        by_outline = turn.has_called(OUTLINE_TOOL) and _ABOUT_THE_WHOLE.search(self.question)
        looked = turn.has_called(SEARCH_TOOL) or turn.has_called(READING_TOOL)
        return bool(turn.documents) or self.was_sent or looked or bool(by_outline)

    async def covers(self) -> bool:
        """Return whether the library most likely answers the question, and not by what was kept."""
        found = await self.found()
        return found is not None and found.results.covered is True and not self._is_kept(found.results)

    async def leans(self) -> bool:
        """Return whether the question is a follow-up, for which what was said before may be enough."""
        found = await self.found()
        return found is not None and found.leans

    async def keep(self, turn: Turn) -> tuple[Source, ...]:
        """Let a follow-up rest on the sources of the answer before; return them."""
        if turn.documents or not self._kept or not await self.leans():
            return ()
        known = await asyncio.to_thread(self.tools.search.keep, self._kept)
        if known:
            turn.given = ToolOutcome(passages_note(may_search=bool(turn.tools)), known)
        return known

    async def send_along(self, turn: Turn) -> AsyncGenerator[LookupStarted | SourcesFound | SentWhole, None]:
        """Put the passages before the question, with all that were found for this answer until now."""
        if turn.documents or self.was_sent or self._task is None:
            return
        self.was_sent = True
        found = await self.found()
        registry = self.tools.registry
        before = len(registry.sources)
        texts = []
        if found is not None:
            take = partial(self.tools.search.take, found.results, remark_known=False)
            if found.whole is not None:
                take = partial(self.tools.reading.execute, *found.whole)
            yield found.started if found.whole is None else ReadingStarted(*found.whole)
            outcome = await asyncio.to_thread(take)
            texts.append(outcome.text)
            if (course := found.started.course_name) and _ABOUT_THE_WHOLE.search(self.question):
                outline = await asyncio.to_thread(self.tools.outline.execute, course)
                texts.append(outline.text)
        if registry.sources:
            texts.insert(0, passages_note(may_search=bool(turn.tools)))
        turn.given = ToolOutcome("\n".join(filter(None, texts)), registry.sources)
        new = registry.sources[before:]
        yield SourcesFound(new) if found is None or found.whole is None else SentWhole(new)

    async def found(self) -> Searched | None:
        """Return what was found; None for a courtesy, or where the search failed."""
        if self._task is not None:
            with suppress(LecternError):  # a tool that fails tells the model; here is nobody to tell
                return await asyncio.shield(self._task)
        return None

    def _find(self) -> Searched:
        found = self._look()
        whole = self.tools.reading.place_asked_for(self.question)
        return found if whole is None else replace(found, whole=whole)

    def _look(self) -> Searched:
        course = named_course(self.question, self.tools.titles())
        lesson = named_lesson(self.question)
        *attempts, last = attempts_at(self.question, self.history)
        for query in attempts:
            found = self._search(query, course, lesson)
            if found.results.covered:
                return found
        return replace(self._search(last, course, lesson), leans=last != self.question)

    def _search(self, query: str, course: str | None, lesson: int | None) -> Searched:
        search = self.tools.search
        found = search.find(query, course, lesson)
        parts = compared(query)
        if parts:
            found = _interleaved(found, [search.find(part, course, lesson) for part in parts])
        if not found.covered and (course is not None or lesson is not None):
            # The words may only have looked like the name of a course or a lesson.
            anywhere = search.find(query)
            if anywhere.covered or not found.hits:
                return Searched(SearchStarted(query), anywhere, leans=False)
        return Searched(SearchStarted(query, course, lesson), found, leans=False)

    def _is_kept(self, results: SearchResults) -> bool:
        """Whether the best hit is among the sources that were there before anything was searched."""
        best = results.hits[0]
        return any(
            source.hit.document_id == best.document_id
            and source.hit.start < best.end
            and best.start < source.hit.end
            for source in self.tools.registry.sources
        )


async def held_back(
    events: AsyncGenerator[ReplyEvent, None], covers: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[ReplyEvent, None]:
    """Yield the events of a reply once they may be shown: after a call, or if the library has no answer.

    Raises:
        Ungrounded: the reply is an answer without a search. It is not read any further.
    """
    held: list[ReplyEvent] = []
    characters = 0
    may_pass = False
    async with aclosing(events):
        async for event in events:
            if may_pass or not isinstance(event, _HELD):
                yield event
                continue
            held.append(event)
            if isinstance(event, TextDelta):
                characters += len(event.text.strip())
            if not isinstance(event, ToolCall) and not _is_no_answer(event, characters):
                if not characters:
                    continue
                if await covers():
                    if characters > _LONGEST_PREAMBLE or isinstance(event, ReplyEnd):
                        raise Ungrounded
                    continue
            may_pass = True
            for one in held:
                yield one


def _is_no_answer(event: ReplyEvent, characters: int) -> bool:
    """Whether a reply ends without an answer: empty, or declined."""
    if not isinstance(event, ReplyEnd):
        return False
    return not characters or event.stop_reason in (StopReason.REFUSED, StopReason.CONTEXT_FULL)


def attempts_at(question: str, history: Sequence[ChatMessage]) -> tuple[str, ...]:
    """Return the queries for a question: the first that the library covers is meant, or else the last."""
    query = question if is_courtesy(question) else completed(question, history)
    if query == question or _points_back(question):
        return (query,)
    # A short question, but perhaps one that stands for itself: "What is RAG?"
    return question, query


def completed(question: str, history: Sequence[ChatMessage]) -> str:
    """Return a question with those before it that it leans on."""
    whole = question
    for said in reversed([said.content for said in history if said.role == "user"]):
        if not leans_on_history(question):
            break
        question, whole = said, f"{said} {whole}"
    return whole


def compared(question: str) -> list[str]:
    """Return the two things that a question compares; none if it compares nothing."""
    asked = " ".join(question.split())
    parts = _VERSUS.split(asked, maxsplit=1)
    begin = _COMPARED.search(asked)
    if len(parts) == 1 and begin:
        parts = _AND.split(asked[begin.end() :], maxsplit=1)
    return parts if len(parts) == 2 and all(map(content_terms, parts)) else []


def _interleaved(whole: SearchResults, parts: Sequence[SearchResults]) -> SearchResults:
    """Return the best hits of each part in turns, then those of the whole question."""
    in_turns = [hit for row in zip_longest(*(part.hits for part in parts)) for hit in row if hit]
    best: dict[tuple[int, int, int], SearchHit] = {}
    for hit in (*in_turns, *whole.hits):
        best.setdefault((hit.document_id, hit.start, hit.end), hit)
    hits = tuple(best.values())[:_MOST_OF_A_COMPARISON]
    return replace(whole, hits=hits, covered=whole.covered or any(part.covered for part in parts))


def leans_on_history(question: str) -> bool:
    """Whether a question has at most one word of its own, or points to something it does not name."""
    return len(content_terms(question)) < _FEW_WORDS or _points_back(question)


def _points_back(question: str) -> bool:
    """Whether a question points to something that neither it nor a clause of it names before."""
    question = _THIS_COURSE.sub("", question)
    first, *others = _CLAUSE_END.split(question, maxsplit=1)
    asked = first if others and content_terms(first) else question
    return _POINTS_BACK.search(asked) is not None
