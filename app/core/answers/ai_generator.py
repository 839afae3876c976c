"""Asks the model and yields its answer as events; the only module that imports ``anthropic``.

The loop is our own and bounded: the model may search a number of times, then the last request takes
the tools away. Requests and answers travel as the dictionaries they are on the wire; the SDK gives
transport, authentication, the reading of events and the classes of errors. Whatever the server or the
network does wrong is mapped here into :mod:`app.domain.errors`, and the API key is in none of it.
"""

from __future__ import annotations

import asyncio
import importlib
from contextlib import aclosing
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from app.core.answers.citations import AnswerComposer
from app.core.answers.model_settings import ModelSettings
from app.core.answers.providers.anthropic import error_messages
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.anthropic.model_list import read_model_list
from app.core.answers.providers.anthropic.request_builder import RequestBuilder, search_query
from app.core.answers.providers.anthropic.server_traits import Capabilities, ServerMemory
from app.core.answers.tools import ToolOutcome
from app.domain.errors import ServerBusy
from app.domain.events import (
    AnswerCitation,
    AnswerText,
    AnswerUsage,
    AnswerWaiting,
    SearchStarted,
    SourcesFound,
)
from app.domain.model_servers import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from app.core.answers.providers.anthropic.client import EventStream
    from app.core.answers.providers.anthropic.message_reader import ToolCall
    from app.core.answers.tools import ToolManager
    from app.domain.conversations import ChatMessage
    from app.domain.errors import LecternError
    from app.domain.model_servers import ModelInfo
    from app.domain.scope import Scope

__all__ = ["TOO_LONG", "AIGenerator", "GenerationEnd", "GenerationEvent", "ModelSettings", "import_sdk"]

_MOST_PAUSES = 5
_MOST_CALLS = 8
_MOST_MODELS = 1000
_MOST_WAITS = 5

TOO_LONG = "too_long"
"""Stop reason of our own: the answer went on without end."""

_NOTES = {
    "max_tokens": "The answer reached its length limit and stops here.",
    "refusal": "The model declined to answer this question.",
    "model_context_window_exceeded": (
        "This chat has become too long for the model. Start a new chat to go on."
    ),
    "tool_use": (
        "The model went on searching instead of answering. "
        "Ask again, or choose another model in the settings."
    ),
    "pause_turn": "The model paused too often to finish. Ask again.",
    TOO_LONG: "The answer went on without end and was stopped here.",
}


@dataclass(frozen=True, slots=True)
class GenerationEnd:
    """The last thing :meth:`AIGenerator.generate` yields.

    Attributes:
        stop_reason: the API's, or :data:`TOO_LONG`.
        model: who answered, by the server's own account.
        note: a sentence for the user where the answer is not simply complete, else None.
    """

    stop_reason: str
    model: str
    note: str | None = None


GenerationEvent = (
    SearchStarted | SourcesFound | AnswerText | AnswerCitation | AnswerUsage | AnswerWaiting | GenerationEnd
)


class AIGenerator:
    """Answers questions with one model; belongs to one event loop."""

    def __init__(self, settings: ModelSettings, memory: ServerMemory | None = None) -> None:
        """Prepare; nothing is imported or connected yet.

        Args:
            settings: whom to ask.
            memory: what is known of servers; pass the same one to every generator of a program.
        """
        self._settings = settings
        self.server = AnthropicClient(settings, memory or ServerMemory(), import_sdk)

    async def aclose(self) -> None:
        """Close all connections. The generator can be used again afterwards."""
        await self.server.aclose()

    async def generate(
        self, question: str, history: Sequence[ChatMessage], scope: Scope, tools: ToolManager
    ) -> AsyncGenerator[GenerationEvent, None]:
        """Answer a question.

        Wrap it in :func:`contextlib.aclosing` when it may not be read to its end.

        Args:
            question: as the user wrote it.
            history: the exchanges to remember, as turns, oldest first.
            scope: what the question is restricted to, for telling the model; the tools enforce it.
            tools: of this answer alone.

        Yields:
            Events as they happen, last of all a :class:`GenerationEnd`.

        Raises:
            LecternError: the answer could not be had or broke off. What was yielded before stands.
            asyncio.CancelledError: passes through at once, in every phase.
        """
        request = RequestBuilder(question, history, scope, tools.get_tool_definitions())
        composer = AnswerComposer(tools.ledger)
        usage = Usage()
        searches = pauses = 0
        while True:
            if request.has_tools and self.server.lacks("tools"):
                query = search_query(question, history)
                yield SearchStarted(query)
                outcome = await asyncio.to_thread(tools.search_first, query)
                request.answer_from(outcome)
                yield SourcesFound(outcome.sources)
            may_search = request.has_tools and searches < self._settings.max_rounds
            reader = MessageReader(composer, usage)
            try:
                async with aclosing(self._read(request, composer, reader, may_search=may_search)) as events:
                    async for event in events:
                        yield event
            except _ToolsRefused:
                continue
            usage = reader.usage
            reason = _reason(reader)
            if reason == "pause_turn" and pauses < _MOST_PAUSES:
                pauses += 1
                request.add_assistant(reader.content)
                continue
            if reason != "tool_use" or not may_search:
                yield GenerationEnd(reason, reader.model or self._settings.model, _note(reason, composer))
                return
            searches += 1
            async with aclosing(self._run_calls(reader, request, tools)) as searching:
                async for step in searching:
                    yield step
            composer.begin_paragraph()

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """Return the models the server offers, newest first, retired ones left out.

        Raises:
            LecternError: the list could not be had.
        """
        await self.server.ready()
        entries: list[object] = []
        after: object = None
        while len(entries) < _MOST_MODELS:
            query = f"?limit=100&after_id={quote(str(after), safe='')}" if after else "?limit=100"
            failure: LecternError | None = None
            try:
                page = await self.server.get("/v1/models" + query)
            except self.server.faults.every as error:
                failure = self.server.faults.mapped(error)
            if failure:  # outside the handler: the SDK's error knows more than may be shown
                raise failure
            listed = page if isinstance(page, dict) else {}
            data = listed.get("data")
            entries += data if isinstance(data, list) else []
            after = listed.get("last_id") if data and listed.get("has_more") else None
            if not after:
                break
        for entry in entries:
            if isinstance(entry, dict) and isinstance(entry.get("id"), str):
                self.server.memory.learn(self._settings.address, entry["id"], Capabilities.of(entry))
        return read_model_list(entries)

    # One request

    async def _read(
        self, request: RequestBuilder, composer: AnswerComposer, reader: MessageReader, *, may_search: bool
    ) -> AsyncGenerator[AnswerText | AnswerCitation | AnswerUsage | AnswerWaiting, None]:
        """Send the request and yield what the user gets to see of the answer."""
        waits = 0
        stream: EventStream | None = None
        while stream is None:
            try:
                stream = await self._open(request, composer, may_search=may_search)
            except ServerBusy as error:
                if not self._waits_for(error, waits):
                    raise
                busy = error
            if stream is None:
                waits += 1
                async for waiting in self._count_down(busy):
                    yield waiting
        failure: LecternError | None = None
        try:
            async for event in stream:
                for seen in reader.feed(event):
                    yield seen
                if self._is_endless(reader, composer):
                    reader.stop_reason, reader.complete = TOO_LONG, True
                    break
        except self.server.faults.every as error:
            failure = self.server.faults.mapped(error)
        finally:
            await stream.close()
        for seen in composer.finish():
            yield seen
        if failure is None and not reader.complete:
            broken = error_messages.broken_off if reader.began else error_messages.garbled
            failure = broken(self.server.faults.server)
        if failure:
            raise failure

    async def _open(
        self, request: RequestBuilder, composer: AnswerComposer, *, may_search: bool
    ) -> EventStream:
        """Return the answer's stream; what the server does not take is dropped, what fails tried again."""
        server = self.server
        await server.ready()
        await server.learn_capabilities()
        delays = iter(self._settings.retry_delays)
        while True:
            fields = server.fields()
            composer.marks = not fields.citations
            try:
                return await server.ask(request.body(fields, may_search=may_search))
            except server.faults.every as error:
                refused = server.refused_part(error, fields, request)
                delay = next(delays, None) if not refused and server.faults.worth_retrying(error) else None
                failure = server.faults.mapped(error)
            if refused:
                server.drop(refused)
            elif delay is None:
                raise failure
            if refused == "tools":
                raise _ToolsRefused
            await asyncio.sleep(delay or 0)

    def _waits_for(self, busy: ServerBusy, waits: int) -> bool:
        """Whether to wait until the server wants to be asked again."""
        wanted = busy.retry_after
        return wanted is not None and wanted <= self._settings.longest_wait and waits < _MOST_WAITS

    async def _count_down(self, busy: ServerBusy) -> AsyncGenerator[AnswerWaiting, None]:
        for left in range(max(1, ceil(busy.retry_after or 0)), 0, -1):
            yield AnswerWaiting(left, busy.reason)
            await asyncio.sleep(self._settings.second)
        yield AnswerWaiting(0, busy.reason)

    async def _run_calls(
        self, reader: MessageReader, request: RequestBuilder, tools: ToolManager
    ) -> AsyncGenerator[SearchStarted | SourcesFound, None]:
        """Run the calls of a turn and add their results to the request."""
        results: list[tuple[ToolCall, ToolOutcome]] = []
        for call in reader.tool_calls:
            started = tools.announce(call.name, call.arguments)
            if started:
                yield started
            outcome = await self._run(call, tools, len(results))
            results.append((call, outcome))
            if started:
                yield SourcesFound(outcome.sources)
        request.add_assistant(reader.content)
        request.add_results(results)

    async def _run(self, call: ToolCall, tools: ToolManager, done: int) -> ToolOutcome:
        if done >= _MOST_CALLS:
            return ToolOutcome.of_text(
                f"Only {_MOST_CALLS} calls can be made at a time; this one was not.", is_error=True
            )
        # Searching is work for a processor and a database: in a thread, so that stopping does not wait.
        return await asyncio.to_thread(tools.execute_tool, call.name, call.arguments)

    def _is_endless(self, reader: MessageReader, composer: AnswerComposer) -> bool:
        longest = self._settings.longest_answer
        return composer.length > longest or reader.characters > 4 * longest


class _ToolsRefused(Exception):
    """The server does not know tools: search first, then ask."""


def _reason(reader: MessageReader) -> str:
    """Return why the model stopped, by what it did rather than by what it says."""
    reason = reader.stop_reason or "end_turn"
    if reason in ("end_turn", "stop_sequence", "tool_use"):
        if reader.tool_calls:
            return "tool_use"
        return "end_turn" if reason == "tool_use" else reason
    return reason


def _note(reason: str, composer: AnswerComposer) -> str | None:
    if not composer.length and reason in ("end_turn", "stop_sequence"):
        return "The model wrote nothing. Ask again, or in other words."
    return _NOTES.get(reason)


def import_sdk() -> tuple[Any, Any]:
    """Import the SDK and what it sends with, which takes seconds on a slow machine. Connects to nothing.

    Thousands of modules: not before the window is there, and the library can be searched.
    """
    return importlib.import_module("anthropic"), importlib.import_module("httpx2")
