"""Asks the model and yields its answer as events; the only module that imports ``anthropic``.

The loop is our own and bounded: the model may search a number of times, then the last request takes
the tools away. Requests and answers travel as the dictionaries they are on the wire; the SDK gives
transport, authentication, the reading of events and the classes of errors. Whatever the server or the
network does wrong is mapped here into :mod:`app.domain.errors`, and the API key is in none of it.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from app.core.answers import api_errors
from app.core.answers.citations import AnswerComposer
from app.core.answers.faults import Faults
from app.core.answers.message_reader import MessageReader
from app.core.answers.model_list import read_model_list
from app.core.answers.model_settings import ModelSettings
from app.core.answers.request_builder import Fields, RequestBuilder
from app.core.answers.search_tools import ToolOutcome
from app.core.answers.server_traits import Capabilities, ServerMemory, field_to_drop, knows_search_results
from app.domain.events import AnswerCitation, AnswerText, AnswerUsage, SearchStarted, SourcesFound
from app.domain.models import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    import anthropic

    from app.core.answers.message_reader import ToolCall
    from app.core.answers.search_tools import ToolManager
    from app.domain.errors import LecternError
    from app.domain.models import Message, ModelInfo, Scope

_log = logging.getLogger(__name__)

__all__ = ["TOO_LONG", "AIGenerator", "GenerationEnd", "GenerationEvent", "ModelSettings"]

_NO_KEY = "no-key"  # the SDK insists on one; servers that need none do not look at it
# A model server on this computer is not behind the network's proxy.
_DIRECTLY = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
_MOST_PAUSES = 5
_MOST_CALLS = 8
_MOST_MODELS = 1000
_LIST_TIMEOUT = 5.0
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})

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


GenerationEvent = SearchStarted | SourcesFound | AnswerText | AnswerCitation | AnswerUsage | GenerationEnd


class AIGenerator:
    """Answers questions with one model; belongs to one event loop."""

    def __init__(self, settings: ModelSettings, memory: ServerMemory | None = None) -> None:
        """Prepare; nothing is imported or connected yet.

        Args:
            settings: whom to ask.
            memory: what is known of servers; pass the same one to every generator of a program.
        """
        self._settings = settings
        self._memory = memory or ServerMemory()
        self._base_url = settings.address
        self._client: anthropic.AsyncAnthropic | None = None

    async def prepare(self) -> None:
        """Import the SDK, which takes seconds on a slow machine. Connects to nothing."""
        await asyncio.to_thread(_sdk)

    async def aclose(self) -> None:
        """Close all connections. The generator can be used again afterwards."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def generate(
        self, question: str, history: Sequence[Message], scope: Scope, tools: ToolManager
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
            may_search = searches < self._settings.max_rounds
            reader = MessageReader(composer, usage)
            async with aclosing(self._read(request, composer, reader, may_search=may_search)) as events:
                async for event in events:
                    yield event
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
            composer.begin_paragraph()

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """Return the models the server offers, newest first, retired ones left out.

        Raises:
            LecternError: the list could not be had.
        """
        await self._ready()
        entries: list[object] = []
        after: object = None
        while len(entries) < _MOST_MODELS:
            query = f"?limit=100&after_id={quote(str(after), safe='')}" if after else "?limit=100"
            failure: LecternError | None = None
            try:
                page = await self._get("/v1/models" + query)
            except self._faults.every as error:
                failure = self._faults.mapped(error)
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
                self._memory.learn(self._base_url, entry["id"], Capabilities.of(entry))
        return read_model_list(entries)

    # One request

    async def _read(
        self, request: RequestBuilder, composer: AnswerComposer, reader: MessageReader, *, may_search: bool
    ) -> AsyncGenerator[AnswerText | AnswerCitation | AnswerUsage, None]:
        """Send the request and yield what the user gets to see of the answer."""
        stream = await self._open(request, composer, may_search=may_search)
        failure: LecternError | None = None
        try:
            async for event in stream:
                for seen in reader.feed(event):
                    yield seen
                if self._is_endless(reader, composer):
                    reader.stop_reason, reader.complete = TOO_LONG, True
                    break
        except self._faults.every as error:
            failure = self._faults.mapped(error)
        finally:
            await self._close(stream)
        for seen in composer.finish():
            yield seen
        if failure is None and not reader.complete:
            broken = api_errors.broken_off if reader.began else api_errors.garbled
            failure = broken(self._faults.server)
        if failure:
            raise failure

    async def _open(
        self, request: RequestBuilder, composer: AnswerComposer, *, may_search: bool
    ) -> anthropic.AsyncStream[object]:
        """Return the answer's stream; what the server does not take is dropped, what fails tried again."""
        client = await self._ready()
        await self._learn_capabilities()
        delays = iter(self._settings.retry_delays)
        while True:
            fields = self._fields()
            composer.marks = not fields.citations
            body = request.body(fields, may_search=may_search)
            try:
                return await client.post(
                    "/v1/messages",
                    body=body,
                    cast_to=object,
                    stream=True,
                    stream_cls=_sdk().AsyncStream[object],
                )
            except self._faults.every as error:
                dropped = self._drops(error, fields, request)
                delay = next(delays, None) if not dropped and self._faults.worth_retrying(error) else None
                failure = self._faults.mapped(error)
            if not dropped and delay is None:
                raise failure
            await asyncio.sleep(delay or 0)

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

    # What the server takes

    def _fields(self) -> Fields:
        settings = self._settings
        known = self._memory.capabilities(self._base_url, settings.model) or Capabilities()
        lacking = self._memory.lacking(self._base_url, settings.model)
        offers_effort = known.efforts is None or settings.effort in known.efforts
        room = 0 if known.thinks is False else settings.thinking_room
        limit = settings.max_tokens + room
        return Fields(
            model=settings.model,
            max_tokens=min(limit, known.max_tokens or limit),
            effort=settings.effort if offers_effort and "effort" not in lacking else None,
            thinking=known.between_tools and "thinking" not in lacking,
            cache_control="cache_control" not in lacking,
            citations="citations" not in lacking and knows_search_results(known, settings.model),
        )

    async def _learn_capabilities(self) -> None:
        """Ask once what the model can do; a server that has no such list is not asked again."""
        model = self._settings.model
        if self._memory.capabilities(self._base_url, model) is not None:
            return
        entry: object = None
        failure: LecternError | None = None
        try:
            entry = await self._get(f"/v1/models/{quote(model, safe='')}")
        except self._faults.every as error:
            if self._faults.reached(error):
                if self._faults.status(error) in _WILL_FAIL_AGAIN:
                    return  # the question itself will tell what is wrong
            elif self._faults.worth_retrying(error):
                return
            else:
                failure = self._faults.mapped(error)
        if failure:
            raise failure
        self._memory.learn(self._base_url, model, Capabilities.of(entry))

    def _drops(self, error: BaseException, fields: Fields, request: RequestBuilder) -> bool:
        """Whether the server refused a field that the answer can do without; it is then remembered."""
        if self._faults.status(error) not in (400, 422):
            return False
        sent = {"effort": fields.effort, "thinking": fields.thinking, "cache_control": fields.cache_control}
        sent["citations"] = fields.citations and request.has_passages
        name = field_to_drop(self._faults.said(error), frozenset(key for key, value in sent.items() if value))
        if name is None:
            return False
        _log.info("%s does not take %s for %s; it is left out.", self._faults.server.name, name, fields.model)
        self._memory.drop(self._base_url, self._settings.model, name)
        return True

    # Connection

    async def _ready(self) -> anthropic.AsyncAnthropic:
        if self._client is None:
            self._settings.check()
            await self.prepare()
            client = await asyncio.to_thread(self._connect)  # reads certificates: 0.3 s
            if client is None:
                raise api_errors.unusable_address()
            self._client = client
        return self._client

    @cached_property
    def _faults(self) -> Faults:
        return Faults(_sdk(), _http(), self._settings)

    def _connect(self) -> anthropic.AsyncAnthropic | None:
        settings = self._settings
        timeout = _http().Timeout(settings.timeout_read, connect=settings.timeout_connect)
        try:
            # A client of our own, since the SDK's complains when it can not be built.
            http_client = _sdk().DefaultAsyncHttpxClient(timeout=timeout, mounts=dict(_DIRECTLY))
        except self._faults.misconfigured:
            return None
        client: anthropic.AsyncAnthropic = _sdk().AsyncAnthropic(
            api_key=settings.api_key or _NO_KEY,
            base_url=self._base_url,
            timeout=timeout,
            max_retries=0,  # tried again here, where it can be seen and stopped
            open_telemetry=False,
            http_client=http_client,
        )
        return client

    async def _close(self, stream: anthropic.AsyncStream[object]) -> None:
        """Close the connection and let the SDK's generator run to its end, so that no task is left."""
        await stream.close()
        with suppress(*self._faults.every):
            async for _ in stream:
                pass

    async def _get(self, path: str) -> object:
        client = await self._ready()
        seconds = min(_LIST_TIMEOUT, self._settings.timeout_read)
        return await client.get(path, cast_to=object, options={"timeout": seconds})


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


def _sdk() -> Any:  # noqa: ANN401 - a module
    # Thousands of modules: imported when the first question is asked, not when the window opens.
    return importlib.import_module("anthropic")


def _http() -> Any:  # noqa: ANN401 - a module
    return importlib.import_module("httpx2")  # comes with the SDK, and as late
