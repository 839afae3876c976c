"""Hints to an answer: where to look, what to look for, the passage with gaps, and feedback on a try.

The steps rest on the sentence that an answer without a model would quote first. What a model writes is shown
only without the words that this sentence has and the question lacks.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.core.answers.citations import GenerationEnd, GenerationEvent
from app.core.answers.passage_answer import literal, place_of
from app.core.answers.picking import pick_sentences
from app.core.answers.proof.claims import plain
from app.core.answers.service import Asked
from app.core.answers.side_request import ask_cheapest
from app.core.documents.text.languages import certain_language_of
from app.core.documents.text.markdown_structure import heading_marks
from app.core.rag_system import RAGSystem
from app.core.search.terms import content_terms, stop_stems
from app.domain.conversations import Exchange, StopReason
from app.domain.documents import becomes_markdown
from app.domain.errors import LecternError
from app.domain.events import AnswerText, AnswerUsage, SourcesFound
from app.domain.messages import Message, rendered
from app.domain.model_servers import Usage
from app.domain.search import are_covered
from app.domain.sources import Source, nearest_lessons
from app.domain.words import one_spaced, words_in
from app.features.study.kinds import GAP
from app.features.study.model.hints import LAST, NOTHING, begun_with, is_try, step_of

_LONGEST_TRY = 2_000  # characters
_LONGEST_HINT = 500
_TOKENS = 200
_ATTEMPTS = 2
_MOST_OF_IT = 2 / 3  # of the words
_SHOWN = 0.2  # of the answer's words, in the sentence with gaps; ``tests.tools.benchmarks.hints``
_MOST_NAMED = 6  # words
_LONGEST_PASSAGE = 1_500  # characters, for a model
_NUMBERED = {"page": "hints.where_page", "scan": "hints.where_page"} | dict.fromkeys(
    ("slide", "slide_scan"), "hints.where_slide"
)
_WORD = re.compile(r"[^\W_]+")
_GAPS = re.compile(rf"{re.escape(GAP)}(?:[\s,.'’/()–-]{{0,3}}{re.escape(GAP)})+")


@dataclass(frozen=True, slots=True)
class Target:
    """The sentence that a student is led to.

    Attributes:
        places: where it stands, then the next best lesson, as sources without their text; a place whose name
            would give the answer away is left out.
        heading: the heading above the first place.
        passage: the text around the sentence.
        sentence: the sentence that answers, without Markdown.
        hidden: the terms of the answer.
        shown: the commonest of these, which the sentence with gaps keeps, so that it can be read.
        asked: the terms of the question.
    """

    places: tuple[Source, ...]
    heading: str
    passage: str
    sentence: str
    hidden: frozenset[str]
    shown: frozenset[str]
    asked: Set[str]

    def covered(self, known: Set[str] = frozenset()) -> str:
        """Return the sentence as a quotation, with gaps for rare words of the answer that are not known."""
        hidden = self.hidden - self.shown - known

        def shown(word: re.Match[str]) -> str:
            return GAP if content_terms(word[0]) & hidden else word[0]

        return f"> {literal(_GAPS.sub(GAP, _WORD.sub(shown, self.sentence)))}"

    def words_of(self, terms: Set[str]) -> list[str]:
        """Return the words of the sentence with some of these terms, one for each."""
        words = {frozenset(content_terms(word) & terms): word for word in words_in(self.sentence)}
        return [word for found, word in words.items() if found]


class HintWriter:
    """Writes the steps; thread-safe."""

    def __init__(self, rag: RAGSystem) -> None:
        self._rag = rag

    async def write(self, asked: Asked) -> AsyncGenerator[GenerationEvent, None]:
        exchange = asked.exchange
        begun = begun_with((*asked.before, exchange)) or exchange
        if is_try(exchange) and (refusal := _refusal(exchange.question)):
            yield AnswerText(rendered(refusal))
            return
        found: Sequence[Source] = ()
        async with aclosing(self._rag.answers.look_up(begun.question, asked.history, begun.scope)) as events:
            async for event in events:
                if isinstance(event, SourcesFound):
                    found = event.sources
                else:
                    yield event
        if not are_covered([source.hit for source in found]):
            before = asked.before[-1:]
            was_there = before and step_of(before[0]) and before[0].stop_reason != NOTHING
            yield AnswerText(rendered(Message("hints.gone" if was_there else "hints.nothing")))
            yield GenerationEnd(NOTHING, "")
            return
        target = await asyncio.to_thread(self.target, begun.question, found)
        yield SourcesFound(target.places[: 2 if step_of(exchange) == 1 else 1])
        if asked.connection is not None and (is_try(exchange) or step_of(exchange) == 2):
            ended, usage, by_model = await self._by_model(asked, begun.question, target)
            yield ended
            yield AnswerUsage(usage)
            if by_model:
                yield AnswerText(by_model)
                return
        yield AnswerText(_without_model(target, exchange))

    def target(self, question: str, found: Sequence[Source]) -> Target:
        """Return what is to be found among sources, best first."""
        pick = pick_sentences(question, found, self._rag.embedder, alone=True)[0]
        source, sentence = pick.source, one_spaced(plain(pick.text))
        common = stop_stems(certain_language_of(source.hit.text))
        asked = content_terms(question) - common
        hidden = frozenset(content_terms(sentence) - common - asked)
        others = [one for one in nearest_lessons(found) if _lesson_of(one) != _lesson_of(source)]
        place, heading = self._place(source, pick.start, hidden)
        places = [place, *(self._place(one, one.hit.start, hidden)[0] for one in others[:1])]
        named = [one for one in places if not _gives_away(one.hit.course_title, hidden)]
        numbered = tuple(replace(one, n=n) for n, one in enumerate(named, 1))
        passage = one_spaced(source.hit.text)[:_LONGEST_PASSAGE]
        return Target(numbered, heading, passage, sentence, hidden, self._commonest(hidden), asked)

    def _commonest(self, hidden: Set[str]) -> frozenset[str]:
        """Return the terms of an answer that reveal least: those in most passages, without numbers."""
        frequency = self._rag.catalog.passages.frequency
        terms = sorted(filter(str.isalpha, hidden), key=lambda term: (-frequency(term), len(term), term))
        return frozenset(terms[: int(_SHOWN * len(hidden))])

    def _place(self, source: Source, at: int, hidden: Set[str]) -> tuple[Source, str]:
        """Return the heading above a position as a source, and its words; nothing of the text below it."""
        lesson = self._rag.search.lesson_text(source)
        start, end, heading = source.hit.start, source.hit.start, ""
        marks = heading_marks(lesson.text) if becomes_markdown(source.hit.path) else ()
        for mark in marks:
            name = str(mark.anchor.value).rpartition(" › ")[2]
            if lesson.start + mark.start > at:
                break
            if not _gives_away(name, hidden):
                heading, start = name, lesson.start + mark.start
                end = start + len(lesson.text[mark.start :].partition("\n")[0])
        text = lesson.text[start - lesson.start : end - lesson.start]
        if heading in (source.hit.course_title, source.hit.lesson_title):
            heading = ""
        title = "" if _gives_away(source.hit.lesson_title, hidden) else source.hit.lesson_title
        hit = replace(source.hit, start=start, end=end, text=text, lesson_title=title)
        return replace(source, hit=hit, sentences=((start, end),) if text else ()), heading

    async def _by_model(
        self, asked: Asked, question: str, target: Target
    ) -> tuple[GenerationEnd, Usage, str]:
        """Return how a model's hint ended, its cost, and the hint; an empty one if it gives away too much."""
        exchange, connection = asked.exchange, asked.connection
        assert connection is not None
        tried = exchange.question if is_try(exchange) else ""
        hidden = target.hidden - content_terms(tried)
        parts = [
            f"Question: {question}",
            f"Passage: {target.passage}",
            f"Sentence that answers: {target.sentence}",
            f"Words that must not appear: {', '.join(target.words_of(hidden))}",
        ]
        parts += [f"The student's answer: {tried}"] if tried else []
        usage, who, note = Usage(), connection.model, Message("hints.said_too_much")
        for _ in range(_ATTEMPTS):
            try:
                reply, spent, who = await ask_cheapest(
                    connection,
                    self._rag.answers.make_provider,
                    "hint_try" if tried else "hint",
                    "\n\n".join(parts),
                    _TOKENS,
                )
            except LecternError as error:
                note = error.message
                break
            cost = spent.cost if usage.cost is None else usage.cost + (spent.cost or 0.0)
            usage = replace(usage + spent, cost=cost)
            said = reply.strip()
            given_away = [word for word in words_in(said) if content_terms(word) & hidden]
            if said and not given_away and len(said) <= _LONGEST_HINT:
                return GenerationEnd(StopReason.END, who), usage, said
            parts.append(f"Your last reply was refused for these words: {', '.join(given_away)}")
        return GenerationEnd(StopReason.END, who, note), usage, ""


def _refusal(tried: str) -> Message | None:
    """Return why a try cannot be compared, if it cannot."""
    if len(tried) > _LONGEST_TRY:
        return Message("hints.try_too_long", count=len(tried), most=_LONGEST_TRY)
    return None if content_terms(tried) else Message("hints.try_empty")


def _gives_away(name: str, hidden: Set[str]) -> bool:
    """Return whether a name consists of words of the answer, or has half of these."""
    words = content_terms(name)
    return bool(words & hidden) and (words <= hidden or 2 * len(words & hidden) >= len(hidden))


def _lesson_of(source: Source) -> tuple[str, int | None, str]:
    hit = source.hit
    return hit.course_title, hit.lesson_number, hit.lesson_title


def _where(target: Target) -> list[Message]:
    if not target.places:
        return [Message("hints.nameless")]
    (place, *others), anchor = map(_named, target.places), target.places[0].hit.anchor
    found = Message("hints.where", place=place)
    if target.heading:
        found = Message("hints.where_heading", place=place, heading=literal(target.heading))
    elif anchor and anchor.kind in _NUMBERED:
        found = Message(_NUMBERED[anchor.kind], place=place, number=anchor.value)
    return [found, *(Message("hints.else", place=other) for other in others)]


def _named(source: Source) -> str:
    lesson, course = place_of(source)
    return f"**{lesson}**{course}"


def _what(target: Target) -> list[Message]:
    words = target.words_of(target.asked)[:_MOST_NAMED]
    lines = [Message("hints.words", words=_bold(words)) if words else Message("hints.other_words")]
    lines += [Message("hints.number")] if any(map(str.isdecimal, words_in(target.sentence))) else []
    return [*lines, Message("hints.length", n=len(words_in(target.sentence)))]


def _of_try(target: Target, tried: str) -> list[Message]:
    """Say which words of the answer a try has, and how many it lacks, without naming these."""
    known = target.hidden & content_terms(tried)
    had, left = target.words_of(known), target.words_of(target.hidden - known)
    if not had:
        return [Message("hints.try_none")]
    if len(had) >= _MOST_OF_IT * len(had + left):
        return [Message("hints.try_most", words=_bold(had))]
    lines = [Message("hints.try_some", words=_bold(had), n=len(left))]
    return lines + ([Message("hints.try_number")] if any(map(str.isdecimal, left)) else [])


def _bold(words: Sequence[str]) -> str:
    return ", ".join(f"**{literal(word)}**" for word in words)


def _without_model(target: Target, exchange: Exchange) -> str:
    step, tried = step_of(exchange), exchange.question if is_try(exchange) else ""
    if tried:
        lines = _of_try(target, tried)
    else:
        lines = {1: _where, 2: _what}[step](target) if step < LAST else [Message("hints.gaps")]
    text = " ".join(map(rendered, lines))
    return f"{text}\n\n{target.covered(content_terms(tried))}" if step == LAST else text
