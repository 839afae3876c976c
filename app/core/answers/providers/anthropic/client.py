"""The connection to a model server: what is sent there, and what comes back as events or as a whole.

Which fields a server takes is learned from what it refuses and remembered in a :class:`ServerMemory`.
The SDK is handed over by the module that imports it, as late as that may be.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from app.core.answers.providers.anthropic import error_messages
from app.core.answers.providers.anthropic.errors import ErrorMapper
from app.core.answers.providers.anthropic.message_reader import events_of
from app.core.answers.providers.anthropic.request_builder import Fields
from app.core.answers.providers.anthropic.server_traits import (
    Capabilities,
    field_to_drop,
    knows_search_results,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.answers.model_settings import ModelSettings
    from app.core.answers.providers.anthropic.request_builder import RequestBuilder
    from app.core.answers.providers.anthropic.server_traits import ServerMemory
    from app.domain.errors import LecternError

_log = logging.getLogger(__name__)

_NO_KEY = "no-key"  # the SDK insists on one; servers that need none do not look at it
# A model server on this computer is not behind the network's proxy.
_DIRECTLY = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
_LIST_TIMEOUT = 5.0
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})
# How servers answer to a field, and to a whole way of asking, that they do not know.
_UNKNOWN_FIELD = frozenset({400, 422})
_UNKNOWN_WAY = _UNKNOWN_FIELD | {404, 405, 500, 501}


class EventStream:
    """The events of one answer; a server that does not stream gives them all at once."""

    def __init__(self, faults: ErrorMapper, stream: Any = None, message: object = None) -> None:  # noqa: ANN401 - the SDK's
        self._faults = faults
        self._stream = stream
        self._events = events_of(message)

    def __aiter__(self) -> Self:
        """Iterate over the events, once."""
        return self

    async def __anext__(self) -> object:
        """Return the next event as it comes."""
        if self._stream is not None:
            return await self._stream.__anext__()
        for event in self._events:
            return event
        raise StopAsyncIteration

    async def close(self) -> None:
        """Close the connection and let the SDK's generator run to its end, so that no task is left."""
        if self._stream is None:
            return
        await self._stream.close()
        with suppress(*self._faults.every):
            async for _ in self._stream:
                pass


class AnthropicClient:
    """One server as one model is asked there; belongs to one event loop.

    Attributes:
        settings: whom to ask.
        memory: what is known of servers.
    """

    def __init__(
        self, settings: ModelSettings, memory: ServerMemory, load: Callable[[], tuple[Any, Any]]
    ) -> None:
        """Prepare; nothing is imported or connected yet.

        Args:
            settings: whom to ask.
            memory: shared by the servers of a program.
            load: imports and returns the SDK and the HTTP library below it.
        """
        self.settings = settings
        self.memory = memory
        self._load = load
        self._client: Any = None

    @cached_property
    def faults(self) -> ErrorMapper:
        """The exceptions of this connection, sorted."""
        return ErrorMapper(*self._load(), self.settings)

    def lacks(self, name: str) -> bool:
        """Whether the server is known not to take a field or a way of asking."""
        return name in self.memory.lacking(self.settings.address, self.settings.model)

    def drop(self, name: str) -> None:
        """Do without a field or a way of asking from now on."""
        said = "%s does not take %s for %s; it is left out."
        _log.info(said, self.faults.server.name, name, self.settings.model)
        self.memory.drop(self.settings.address, self.settings.model, name)

    async def ready(self) -> None:
        """Import what is needed and open the client; connects to nothing.

        Raises:
            KeyProblem: there is no key, or it can be none.
            RequestRefused: the address is none.
        """
        if self._client is None:
            self.settings.check()
            await asyncio.to_thread(self._load)
            client = await asyncio.to_thread(self._connect)  # reads certificates: 0.3 s
            if client is None:
                raise error_messages.unusable_address()
            self._client = client

    async def aclose(self) -> None:
        """Close all connections; the server can be used again afterwards."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    # The methods below raise what ErrorMapper.every lists, and must be called after ready().

    async def get(self, path: str) -> object:
        """Return what the server has at a path."""
        seconds = min(_LIST_TIMEOUT, self.settings.timeout_read)
        found: object = await self._client.get(path, cast_to=object, options={"timeout": seconds})
        return found

    async def post(self, path: str, body: dict[str, Any]) -> object:
        """Send a request and return the whole answer."""
        # Nothing comes before the last word is written, which is no silence.
        seconds = max(self.settings.timeout_whole, self.settings.timeout_read)
        found: object = await self._client.post(path, body=body, cast_to=object, options={"timeout": seconds})
        return found

    async def ask(self, body: dict[str, Any]) -> EventStream:
        """Send the request of an answer; one to a server that does not stream is sent so."""
        if self.lacks("stream"):
            return EventStream(
                self.faults, message=await self.post("/v1/messages", {**body, "stream": False})
            )
        sdk, _ = self._load()
        kind = sdk.AsyncStream[object]
        stream = await self._client.post(
            "/v1/messages", body={**body, "stream": True}, cast_to=object, stream=True, stream_cls=kind
        )
        if "application/json" not in stream.response.headers.get("content-type", ""):
            return EventStream(self.faults, stream)
        answer = await stream.response.aread()
        await stream.close()
        return EventStream(self.faults, message=self._whole(answer))

    def _whole(self, answer: bytes) -> object:
        """Read an answer that was to be streamed; it was written, so it is not asked for again."""
        try:
            message: object = json.loads(answer)
        except ValueError:
            return None
        self.drop("stream")
        return message

    # What the server takes

    def fields(self) -> Fields:
        """Return what a request may hold, by what is known of the model."""
        settings = self.settings
        known = self.memory.capabilities(settings.address, settings.model) or Capabilities()
        lacking = self.memory.lacking(settings.address, settings.model)
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

    async def learn_capabilities(self) -> None:
        """Ask once what the model can do; a server that has no such list is not asked again."""
        model = self.settings.model
        if self.memory.capabilities(self.settings.address, model) is not None:
            return
        entry: object = None
        failure: LecternError | None = None
        try:
            entry = await self.get(f"/v1/models/{quote(model, safe='')}")
        except self.faults.every as error:
            if self.faults.reached(error):
                if self.faults.status(error) in _WILL_FAIL_AGAIN:
                    return  # the question itself will tell what is wrong
            elif self.faults.worth_retrying(error):
                return
            else:
                failure = self.faults.mapped(error)
        if failure:
            raise failure
        self.memory.learn(self.settings.address, model, Capabilities.of(entry))

    def refused_part(self, error: BaseException, fields: Fields, request: RequestBuilder) -> str | None:
        """Return the part of a request that the server refused and an answer can do without."""
        status = self.faults.status(error)
        if status not in _UNKNOWN_WAY:
            return None
        sent = {"tools": request.has_tools, "stream": not self.lacks("stream")}
        if status in _UNKNOWN_FIELD:
            sent |= {
                "effort": bool(fields.effort),
                "thinking": fields.thinking,
                "cache_control": fields.cache_control,
                "citations": fields.citations and request.has_passages,
            }
        return field_to_drop(
            self.faults.said(error), frozenset(name for name, value in sent.items() if value)
        )

    # Connection

    def _connect(self) -> Any:  # noqa: ANN401 - the SDK's client
        sdk, http = self._load()
        settings = self.settings
        timeout = http.Timeout(settings.timeout_read, connect=settings.timeout_connect)
        try:
            # A client of our own, since the SDK's complains when it can not be built.
            http_client = sdk.DefaultAsyncHttpxClient(timeout=timeout, mounts=dict(_DIRECTLY))
        except self.faults.misconfigured:
            return None
        return sdk.AsyncAnthropic(
            api_key=settings.api_key or _NO_KEY,
            base_url=settings.address,
            timeout=timeout,
            max_retries=0,  # tried again by the generator, where it can be seen and stopped
            open_telemetry=False,
            http_client=http_client,
        )
