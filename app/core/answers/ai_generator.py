"""Asks the model and yields its answer as events: a bounded loop of replies and tool calls.

The model may search a number of times; the last request shows it the same tools, but none may be called.
How a server is spoken to is the provider's business.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from math import ceil, inf

from app.core.answers.citations import AnswerComposer, ComposedEvent
from app.core.answers.model_settings import ModelSettings
from app.core.answers.prompts import load_prompt, scope_note
from app.core.answers.providers.base import (
    AbilityLost,
    BlockEnd,
    CitedSentences,
    ModelProvider,
    ReplyEnd,
    ReplyEvent,
    Step,
    TextDelta,
    ToolCall,
    ToolOutcome,
    Turn,
    Unseen,
)
from app.core.answers.tools import SEARCH_TOOL, ToolManager
from app.core.search.terms import content_terms
from app.domain.conversations import ChatMessage, StopReason
from app.domain.errors import LecternError, ServerBusy
from app.domain.events import AnswerUsage, AnswerWaiting, SearchStarted, SourcesFound
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope

_MOST_PAUSES = 5
_MOST_CALLS = 8
_MOST_WAITS = 5
_FEW_WORDS = 3

_NOTES: dict[str, str] = {
    StopReason.LENGTH: "answers.length_limit",
    StopReason.REFUSED: "answers.declined",
    StopReason.CONTEXT_FULL: "answers.chat_too_long",
    StopReason.TOOL_CALLS: "answers.only_searched",
    StopReason.PAUSED: "answers.only_paused",
    StopReason.ENDLESS: "answers.endless",
}


@dataclass(frozen=True, slots=True)
class GenerationEnd:
    """The last thing :meth:`AIGenerator.generate` yields."""

    stop_reason: str  # a StopReason, or the provider's own word
    model: str  # who answered, by the server's own account
    note: Message | None = None  # what to tell the user where the answer is not simply complete, else None


GenerationEvent = SearchStarted | SourcesFound | ComposedEvent | AnswerUsage | AnswerWaiting | GenerationEnd


@dataclass(slots=True)
class _Reply:
    """What one reply has brought so far; its visible text is in the composer."""

    usage: Usage
    calls: list[ToolCall] = field(default_factory=list)
    characters: int = 0
    began: bool = False
    end: ReplyEnd = field(default_factory=lambda: ReplyEnd(StopReason.ENDLESS, "", None))


class AIGenerator:
    """Answers questions with one model, within the limits of ``settings``; belongs to one event loop."""

    def __init__(self, settings: ModelSettings, provider: ModelProvider) -> None:
        self._settings = settings
        self._provider = provider

    async def aclose(self) -> None:
        """Close all connections. The generator can be used again afterwards."""
        await self._provider.aclose()

    async def generate(
        self, question: str, history: Sequence[ChatMessage], scope: Scope, tools: ToolManager
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Answer a question; yields events as they happen, last of all a :class:`GenerationEnd`.

        Wrap it in :func:`contextlib.aclosing` when it may not be read to its end.

        Args:
            question: as the user wrote it.
            history: the exchanges to remember, oldest first, each as a turn of the user and the model's.
            scope: what the question is restricted to, to tell the model; the tools enforce it.
            tools: of this answer alone.

        Raises:
            LecternError: there is no answer, or it broke off. What was yielded before stands.
            asyncio.CancelledError: passes through at once, in every phase.
        """
        # The scope goes into the user's turn, where it does not disturb what is cached.
        texts = tuple(text for text in (scope_note(scope), question) if text.strip())
        turn = Turn(texts or ("?",), tuple(history), tools.get_tool_definitions())
        composer = AnswerComposer(tools.registry)
        usage = Usage()
        searches = pauses = 0
        while True:
            turn.may_call = searches < self._settings.max_rounds
            reply = _Reply(usage)
            async with aclosing(self._ask(turn, composer, reply, tools)) as events:
                async for event in events:
                    yield event
            usage = reply.usage
            reason = _reason(reply)
            if reason == StopReason.PAUSED and pauses < _MOST_PAUSES:
                pauses += 1
                turn.steps.append(Step(reply.end.reply))
            elif reason == StopReason.TOOL_CALLS and turn.tools and turn.may_call:
                searches += 1
                async with aclosing(_run_calls(reply, turn, tools)) as searching:
                    async for step in searching:
                        yield step
                composer.begin_paragraph()
            else:
                model = reply.end.model or self._settings.model
                yield GenerationEnd(reason, model, _note(reason, composer))
                return

    async def _ask(
        self, turn: Turn, composer: AnswerComposer, reply: _Reply, tools: ToolManager
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Ask until there is a reply, and yield what the user gets to see of it."""
        usage_before, longest = reply.usage, self._settings.longest_answer
        waits = 0
        while True:
            abilities = await self._provider.abilities()
            if turn.tools and not abilities.tools:
                async for step in _search_first(turn, tools):
                    yield step
            turn.cites = abilities.citations
            composer.marks = not turn.cites
            names = ["system", *(["marks"] if composer.marks else []), *(["passages"] if turn.given else [])]
            turn.system = tuple(map(load_prompt, names))
            failure: LecternError | None = None
            try:
                async with aclosing(self._provider.reply(turn)) as events:
                    async for event in events:
                        reply.began = True
                        if isinstance(event, Usage):
                            reply.usage = usage_before + event
                            yield AnswerUsage(reply.usage)
                        for seen in _take(event, composer, reply):
                            yield seen
                        if composer.length > longest or reply.characters > 4 * longest:
                            break
            except AbilityLost:
                continue
            except LecternError as error:
                failure = error
            for seen in composer.finish():
                yield seen
            if failure is None:
                return
            if not isinstance(failure, ServerBusy) or reply.began or waits == _MOST_WAITS:
                raise failure
            seconds = inf if failure.retry_after is None else failure.retry_after
            if seconds > self._settings.longest_wait:
                raise failure
            waits += 1
            for left in range(max(1, ceil(seconds)), 0, -1):
                yield AnswerWaiting(left, failure.reason)
                await asyncio.sleep(self._settings.second)
            yield AnswerWaiting(0, failure.reason)


async def _search_first(turn: Turn, tools: ToolManager) -> AsyncGenerator[SearchStarted | SourcesFound, None]:
    """Search with the question itself, for models that cannot call tools, and offer none."""
    query = turn.question[-1]
    before = [said.content for said in turn.history if said.role == "user"]
    if before and len(content_terms(query)) < _FEW_WORDS:  # a short question leans on the one before
        query = f"{before[-1]} {query}"
    yield SearchStarted(query)
    outcome = await asyncio.to_thread(tools.execute_tool, SEARCH_TOOL, {"query": query})
    known = tools.registry.sources  # also of searches the model made before tools were refused
    turn.given = outcome if known == outcome.sources else ToolOutcome(sources=known)
    turn.tools = ()
    turn.steps.clear()
    yield SourcesFound(outcome.sources)


async def _run_calls(
    reply: _Reply, turn: Turn, tools: ToolManager
) -> AsyncGenerator[SearchStarted | SourcesFound, None]:
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
        if started:
            yield SourcesFound(outcome.sources)
    turn.steps.append(Step(reply.end.reply, tuple(outcomes)))


def _take(event: ReplyEvent, composer: AnswerComposer, reply: _Reply) -> Sequence[ComposedEvent]:
    """Take an event of a reply and return what the user gets to see of it."""
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
    """Return why the model stopped, by what it did rather than by what it says."""
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
