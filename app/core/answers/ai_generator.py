"""Asks the model and yields its answer as events: a bounded loop of replies and tool calls.

The model may search a number of times; the last request shows it the same tools, but none may be called. The
provider knows how to speak to its server.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from app.core.answers.citations import AnswerComposer, ComposedEvent, GenerationEnd, GenerationEvent
from app.core.answers.grounding import OwnSearch, Ungrounded, held_back
from app.core.answers.likeness import TextEmbedder
from app.core.answers.prompts import course_list, load_prompt, scope_note
from app.core.answers.providers.base import (
    BlockEnd,
    CitedSentences,
    ModelProvider,
    ModelSettings,
    ReplyEnd,
    ReplyEvent,
    Step,
    TextDelta,
    ToolCall,
    ToolOutcome,
    Turn,
    Unseen,
)
from app.core.answers.short_prompts import ShortPrompts
from app.core.answers.side_request import until_answered
from app.core.answers.sources import SentWhole
from app.core.answers.tools import ToolManager
from app.core.documents.figures import page_of
from app.domain.cancel import CancelToken
from app.domain.conversations import ChatMessage, StopReason
from app.domain.errors import LecternError
from app.domain.events import (
    AnswerCitation,
    AnswerText,
    AnswerUsage,
    LookupStarted,
    ModelLoading,
    ReadingStarted,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Source

_MOST_PAUSES = 5
_MOST_CALLS = 8

_NOTES: dict[str, str] = {
    StopReason.LENGTH: "answers.length_limit",
    StopReason.REFUSED: "answers.declined",
    StopReason.CONTEXT_FULL: "answers.chat_too_long",
    StopReason.TOOL_CALLS: "answers.only_searched",
    StopReason.PAUSED: "answers.only_paused",
    StopReason.ENDLESS: "answers.endless",
}


@dataclass(slots=True)
class _Reply:
    """What one reply has brought so far; its visible text is in the composer."""

    usage: Usage
    calls: list[ToolCall] = field(default_factory=list)
    characters: int = 0
    began: bool = False
    end: ReplyEnd = field(default_factory=lambda: ReplyEnd(StopReason.ENDLESS, "", None))


MOST_PICTURES = 4  # of pages, in one answer; they are made for it and kept nowhere

SeePages = Callable[[Sequence[Source], int, CancelToken], dict[int, bytes]]
"""Returns at most so many pages that show more than text, as JPEGs by the numbers of their sources."""


class SentPages:
    """Adds pictures of the pages that passages are from to the turns of one answer."""

    def __init__(self, see: SeePages) -> None:
        self._see = see
        self._looked: set[tuple[str, int]] = set()

    async def add_to(self, turn: Turn) -> None:
        """Put the pages of passages that are new beside them."""
        room = MOST_PICTURES - len(turn.pages)
        new: dict[tuple[str, int], Source] = {}
        for source in turn.passages:
            page = page_of(source.hit)
            if page is not None and (source.hit.path, page) not in self._looked:
                new.setdefault((source.hit.path, page), source)
        if not room or not new:
            return
        self._looked.update(new)
        token = CancelToken()
        try:
            turn.pages |= await asyncio.to_thread(self._see, tuple(new.values()), room, token)
        finally:
            token.cancel()  # the thread does not end with the answer


class AIGenerator:
    """Answers questions with one model, within the limits of ``settings``; belongs to one event loop.

    ``see`` gives the pages of passages, for settings that send them along.
    """

    def __init__(
        self,
        settings: ModelSettings,
        provider: ModelProvider,
        see: SeePages | None = None,
        embedder: TextEmbedder | None = None,
    ) -> None:
        self._settings = settings
        self._provider = provider
        self._see = see if settings.send_pages and not settings.short else None
        self._short = ShortPrompts(embedder) if settings.short else None

    async def aclose(self) -> None:
        """Close all connections. The generator can be used again afterwards."""
        await self._provider.aclose()

    async def probe(self) -> None:
        """Find out what the model can do, if that is not known; see :meth:`ModelProvider.probe`."""
        await self._provider.probe()

    async def generate(
        self,
        question: str,
        history: Sequence[ChatMessage],
        scope: Scope,
        tools: ToolManager,
        kept: Sequence[Source] = (),
        whole: Sequence[SearchHit] = (),
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Answer a question; yields events as they happen, last of all a :class:`GenerationEnd`.

        Wrap it in :func:`contextlib.aclosing` when it may not be read to its end.

        Args:
            question: as the user wrote it.
            history: the exchanges to remember, oldest first, each as a turn of the user and the model's.
            scope: what the question is restricted to, to tell the model; the tools enforce it.
            tools: of this answer alone.
            kept: the sources that the last answer rests on; a follow-up may rest on them too.
            whole: all text of the scope, if it is to go along.

        Raises:
            LecternError: there is no answer, or it broke off. What was yielded before stands.
            asyncio.CancelledError: passes through at once, in every phase.
        """
        # The scope goes into the user's turn, where it does not disturb what is cached.
        unseen = {source.n: source for source in (await asyncio.to_thread(tools.registry.add, whole))[0]}
        notes = (scope_note(scope), load_prompt("whole_scope") if unseen else "")
        texts = tuple(text for text in (*notes, question) if text.strip())
        preface = course_list(await asyncio.to_thread(tools.titles))
        turn = Turn(texts or ("?",), preface, tuple(history), tools.get_tool_definitions())
        pictures = SentPages(self._see) if self._see else None
        if unseen:
            turn.documents = tuple(unseen.values())
            yield SentWhole(turn.documents)
        shown = ""
        async with OwnSearch(question, history, tools, () if self._short else kept) as own:
            if self._short is not None and (refusal := await self._short.not_covered(own)):
                for said in refusal:
                    yield said
                return
            answering = _Answering(self._settings, self._provider, turn, tools, own, pictures, self._short)
            async with aclosing(answering.events()) as events:
                async for event in events:
                    if isinstance(event, SentWhole):
                        unseen |= {source.n: source for source in event.sources}
                    cited = event.citation.source_n if isinstance(event, AnswerCitation) else 0
                    if source := unseen.pop(cited, None):
                        yield SourcesFound((source,))
                    shown += event.text if isinstance(event, AnswerText) else ""
                    yield event
        if self._short is not None:
            self._short.remember(turn, answering.written, shown, tools.registry.sources)


class _Answering:
    """Alternates between replies and tool calls until there is an answer to one question."""

    def __init__(
        self,
        settings: ModelSettings,
        provider: ModelProvider,
        turn: Turn,
        tools: ToolManager,
        own: OwnSearch,
        pictures: SentPages | None,
        short: ShortPrompts | None,
    ) -> None:
        self._settings = settings
        self._provider = provider
        self._turn = turn
        self._tools = tools
        self._own = own
        self._pictures = pictures
        self._short = short
        self.written = ""  # by the model, with its marks
        self._composer = AnswerComposer(tools.registry)

    async def events(self) -> AsyncGenerator[GenerationEvent, None]:
        turn, usage = self._turn, Usage()
        searches = pauses = 0
        if kept := await self._own.keep(turn):
            yield SourcesFound(kept)
        while True:
            turn.may_call = searches < self._settings.max_rounds
            reply = _Reply(usage)
            async with aclosing(self._ask(reply)) as events:
                async for event in events:
                    yield event
            usage, reason = reply.usage, _reason(reply)
            if reason == StopReason.PAUSED and pauses < _MOST_PAUSES:
                pauses += 1
                turn.steps.append(Step(reply.end.reply))
            elif reason == StopReason.TOOL_CALLS and turn.tools and turn.may_call:
                searches += 1
                async with aclosing(_run_calls(reply, turn, self._tools)) as searching:
                    async for step in searching:
                        yield step
                self._composer.begin_paragraph()
            else:
                model = reply.end.model or self._settings.model
                yield GenerationEnd(reason, model, _note(reason, self._composer))
                return

    async def _ask(self, reply: _Reply) -> AsyncGenerator[GenerationEvent, None]:
        """Ask until there is a reply; yield what the user sees of it."""
        failure: LecternError | None = None
        attempts: AsyncGenerator[GenerationEvent, None] = until_answered(
            lambda: self._attempt(reply), self._settings, lambda: reply.began
        )
        try:
            async with aclosing(attempts) as events:
                async for event in events:
                    yield event
        except LecternError as error:
            failure = error
        for seen in self._composer.finish():
            yield seen
        if failure is not None:
            raise failure

    async def _attempt(self, reply: _Reply) -> AsyncGenerator[GenerationEvent, None]:
        turn, own, composer = self._turn, self._own, self._composer
        usage_before, longest = reply.usage, self._settings.longest_answer
        async with aclosing(self._make_ready()) as steps:
            async for step in steps:
                yield step
        composer.marks = not turn.cites
        answer = self._provider.reply(turn)
        try:
            async with aclosing(answer if own.is_grounded(turn) else held_back(answer, own.covers)) as events:
                async for event in events:
                    reply.began = reply.began or isinstance(event, TextDelta | ToolCall)
                    if isinstance(event, ModelLoading):
                        yield event
                    if isinstance(event, Usage):
                        reply.usage = usage_before + event
                        yield AnswerUsage(reply.usage)
                    room, cut = longest - composer.taken, False
                    if isinstance(event, TextDelta):
                        event, cut = TextDelta(event.text[:room]), len(event.text) >= room
                        self.written += event.text
                    for seen in _take(event, composer, reply):
                        yield seen
                    if cut or reply.characters > 4 * longest:
                        break
        except Ungrounded:  # it was read, if for nothing: what it used stays counted
            reply.began = False
            own.wanted = True
            if not turn.steps and not await own.leans():
                self._provider.remember(searches=False)
            turn.steps.clear()
            raise

    async def _make_ready(self) -> AsyncGenerator[GenerationEvent, None]:
        """Prepare the turn for what the model can do; search first if it needs the passages along."""
        turn, abilities = self._turn, await self._provider.abilities()
        if self._short is not None:
            async with aclosing(self._short.write(turn, self._own)) as written:
                async for event in written:
                    yield event
            return
        if turn.tools and not abilities.tools:
            turn.tools = ()
            turn.steps.clear()
        # In doubt too: a model that does not search invents.
        along = self._settings.send_passages or not abilities.tools or not abilities.searches
        if not turn.steps and (along or self._own.wanted):
            async with aclosing(self._own.send_along(turn)) as steps:
                async for step in steps:
                    yield step
        if not abilities.pictures:
            turn.pages.clear()
        elif self._pictures is not None:
            await self._pictures.add_to(turn)
        turn.cites = abilities.citations
        names = ["system", *(["searching"] if turn.tools else []), *([] if turn.cites else ["marks"])]
        turn.system = tuple(map(load_prompt, names))


async def _run_calls(
    reply: _Reply, turn: Turn, tools: ToolManager
) -> AsyncGenerator[LookupStarted | SourcesFound | SentWhole, None]:
    """Run the calls of a reply and add it to the turn with their outcomes."""
    outcomes: list[tuple[ToolCall, ToolOutcome]] = []
    for call in reply.calls:
        started = tools.announce(call.name, call.arguments)
        if started:
            yield started
        if len(outcomes) < _MOST_CALLS:
            # In a thread: a search takes a processor and a database, and stopping must not wait.
            outcome = await asyncio.to_thread(tools.execute_tool, call.name, call.arguments)
        else:
            refusal = f"Only {_MOST_CALLS} calls can be made at a time; this one was not."
            outcome = ToolOutcome(refusal, is_error=True)
        outcomes.append((call, outcome))
        if isinstance(started, ReadingStarted):
            yield SentWhole(outcome.sources)
        elif started:
            yield SourcesFound(outcome.sources)
    turn.steps.append(Step(reply.end.reply, tuple(outcomes)))


def _take(event: ReplyEvent, composer: AnswerComposer, reply: _Reply) -> Sequence[ComposedEvent]:
    """Process an event of a reply; return what the user sees of it."""
    match event:
        case TextDelta(text):
            reply.characters += len(text)
            return composer.write(text)
        case Unseen(characters):
            reply.characters += characters
            composer.begin_paragraph()
        case CitedSentences():
            composer.cite(event)
        case BlockEnd():
            return composer.end_block()
        case ToolCall():
            reply.calls.append(event)
        case ReplyEnd():
            reply.end = event
    return ()


def _reason(reply: _Reply) -> str:
    """Return why the model stopped, judged by what it did, not by what it reports."""
    reason = reply.end.stop_reason
    if reason not in (StopReason.END, StopReason.STOP_SEQUENCE, StopReason.TOOL_CALLS):
        return reason
    if reply.calls:
        return StopReason.TOOL_CALLS
    return StopReason.END if reason == StopReason.TOOL_CALLS else reason


def _note(reason: str, composer: AnswerComposer) -> Message | None:
    if not composer.length and reason in (StopReason.END, StopReason.STOP_SEQUENCE):
        return Message("answers.empty")
    return Message(_NOTES[reason]) if reason in _NOTES else None
