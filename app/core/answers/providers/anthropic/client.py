"""The HTTP connection to a server of the Messages protocol; the only module that imports ``anthropic``.

The SDK gives transport, authentication, the reading of events and the classes of errors. Requests and
answers travel as the dictionaries they are on the wire.
"""

import asyncio
import json
import logging
import socket
import threading
import zlib
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing, suppress
from functools import cached_property
from typing import Any, TypeVar

from app.core.answers.providers.anthropic.errors import (
    ErrorMapper,
    Fault,
    SentElsewhere,
    TooMuchSent,
    Unreadable,
    proxy_of,
)
from app.core.answers.providers.anthropic.message_reader import events_of
from app.core.answers.providers.anthropic.server_memory import ServerTraits
from app.core.answers.providers.base import ModelSettings
from app.domain.errors import RequestRefused
from app.domain.messages import Message

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_MESSAGES = "/v1/messages"
_NO_KEY = "no-key"  # the SDK insists on one; servers that need none ignore it
_LIST_TIMEOUT = 5.0  # seconds without data
_LISTED_WITHIN = 20.0  # seconds

_MOST_LINES = 1000  # of one event: the SDK's effort grows with their square
_LARGEST_ERROR = 64_000  # bytes of an error that are read; its sentence comes first
_UNPACKED = 64_000  # bytes at a time
_BOUNDARIES = (b"\n\n", b"\r\r", b"\r\n\r\n")

_importing = threading.Lock()


class AnthropicClient:
    """One server; belongs to one event loop. :meth:`open` comes before any request.

    A request that fails returns a :class:`Fault` instead of raising it, so that no error that is raised
    is linked to one of the SDK's, which know the key.
    """

    def __init__(self, settings: ModelSettings, traits: ServerTraits) -> None:
        self.settings = settings
        self.traits = traits
        self._client: Any = None

    @cached_property
    def _errors(self) -> ErrorMapper:
        return ErrorMapper(*import_sdk(), self.settings)

    async def open(self) -> None:
        """Import the SDK and check the settings; connects to nothing."""
        if self._client is None:
            self.settings.check()
            await asyncio.to_thread(import_sdk)
            client = await asyncio.to_thread(self._connect)  # reads certificates: 0.3 s
            if client is None:
                raise RequestRefused(self._unusable())
            self._client = client

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def drop(self, name: str) -> None:
        """Do without a field or a way of asking from now on."""
        settings = self.settings
        _log.info("%s does not take %s for %s; it is left out.", settings.host, name, settings.model)
        self.traits.lacking.add(name)

    async def get(self, path: str) -> object:
        options = {"timeout": min(_LIST_TIMEOUT, self.settings.timeout_read)}
        request = self._client.get(path, cast_to=object, options=options)
        return await self._safely(request, min(_LISTED_WITHIN, self.settings.timeout_content))

    async def post(self, path: str, body: dict[str, Any]) -> object:
        """Send a request and return the whole answer."""
        # Nothing comes before the last word is written, which is no silence.
        seconds = max(self.settings.timeout_whole, self.settings.timeout_read)
        request = self._client.post(path, body=body, cast_to=object, options={"timeout": seconds})
        return await self._safely(request, seconds)

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None] | Fault:
        """Send the request of an answer and return its events; a :class:`Fault` among them is the last."""
        if "stream" not in self.traits.lacking:
            return await self._safely(self._stream(body), self.settings.timeout_content)
        answer = await self.post(_MESSAGES, {**body, "stream": False})
        return answer if isinstance(answer, Fault) else _whole(answer)

    async def _safely(self, request: Awaitable[_T], seconds: float) -> _T | Fault:
        try:
            async with asyncio.timeout(seconds):  # a server can go on for ever without ever being silent
                return await request
        except self._errors.every as error:
            return self._errors.fault(error)

    async def _stream(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Ask for a stream; a server that answers with a whole message is remembered."""
        sdk, _ = import_sdk()
        body = {**body, "stream": True}
        stream_of = sdk.AsyncStream[object]
        stream = await self._client.post(
            _MESSAGES, body=body, cast_to=object, stream=True, stream_cls=stream_of
        )
        if "application/json" not in stream.response.headers.get("content-type", ""):
            return self._events(stream)
        answer = await stream.response.aread()
        await stream.close()
        message: object = None
        with suppress(ValueError, RecursionError):
            message = json.loads(answer)
            self.drop("stream")
        return _whole(message)

    async def _events(self, stream: Any) -> AsyncGenerator[object, None]:  # noqa: ANN401 - the SDK's
        fault: Fault | None = None
        try:
            async for event in stream:
                yield event
        except self._errors.every as error:
            fault = self._errors.fault(error)
        finally:
            with suppress(*self._errors.every):  # which know the key, and say nothing about the answer
                await stream.close()
                async for _ in stream:  # lets the SDK's generator end, so that no task is left
                    pass
        if fault:
            yield fault

    def _connect(self) -> Any:  # noqa: ANN401 - the SDK's client
        sdk, http = import_sdk()
        settings = self.settings
        timeout = http.Timeout(settings.timeout_read, connect=settings.timeout_connect)
        options: dict[str, Any] = {"timeout": timeout, "event_hooks": {"response": [self._examine]}}
        if not proxy_of(settings.address):  # else the SDK looks for proxies, and fails at one it cannot use
            keep_alive = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
            options["transport"] = http.AsyncHTTPTransport(socket_options=keep_alive)
        try:
            # A client of our own, since the SDK's complains when it cannot be built.
            http_client = sdk.DefaultAsyncHttpxClient(**options)
        except (http.InvalidURL, ValueError, ImportError):  # an address or a proxy that cannot be used
            return None
        return sdk.AsyncAnthropic(
            api_key=settings.api_key or _NO_KEY,
            base_url=settings.address,
            timeout=timeout,
            max_retries=0,  # tried again by the provider, where it can be stopped
            open_telemetry=False,
            http_client=http_client,
            default_headers={"accept-encoding": "identity"},  # a small archive can hold any amount of data
        )

    async def _examine(self, response: Any) -> None:  # noqa: ANN401 - the HTTP library's
        """Refuse a response by its headers, or limit what is read of it."""
        _, http = import_sdk()
        if response.has_redirect_location:
            asked, target = response.request.url, response.request.url.join(response.headers["location"])
            is_upgrade = (asked.host, asked.scheme, target.scheme) == (target.host, "http", "https")
            if _origin(target) != _origin(asked) and not is_upgrade:
                raise SentElsewhere((target.netloc.decode("ascii", "replace") or f"{target.scheme}:")[:100])
        encoding = response.headers.pop("content-encoding", "identity").strip().lower()
        if encoding not in ("identity", "", "gzip", "x-gzip"):
            raise Unreadable(f"content-encoding: {encoding[:100]}")
        is_stream = "text/event-stream" in response.headers.get("content-type", "")
        original = response.stream
        plain = _gunzipped(aiter(original)) if "gzip" in encoding else aiter(original)
        limited = _bounded(plain, self.settings, is_stream=is_stream, is_error=response.is_error)

        class Bounded(http.AsyncByteStream):  # type: ignore[misc, name-defined]  # imported late
            def __aiter__(self) -> AsyncGenerator[bytes, None]:
                return limited

            async def aclose(self) -> None:
                await original.aclose()

        response.stream = Bounded()

    def _unusable(self) -> Message:
        proxy = proxy_of(self.settings.address)
        if not proxy:
            return Message("answers.address_unusable")
        is_socks = proxy.startswith("socks")
        return Message("answers.proxy_socks" if is_socks else "answers.proxy_unusable", proxy=proxy)


def _origin(url: Any) -> tuple[str, str, int | None]:  # noqa: ANN401 - the HTTP library's
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


async def _whole(message: object) -> AsyncGenerator[object, None]:
    for event in events_of(message):
        yield event
        await asyncio.sleep(0)  # a message can have a million blocks, and Stop has to be heard


async def _bounded(
    chunks: AsyncGenerator[bytes, None], settings: ModelSettings, *, is_stream: bool, is_error: bool
) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a response; of an error, only as much as is worth reading.

    Raises:
        TooMuchSent: the response, or one event of a stream, is longer than the settings allow.
    """
    most = _LARGEST_ERROR if is_error else settings.most_bytes if is_stream else settings.largest_body
    received = 0
    event = _EventSize(settings.largest_event)
    async with aclosing(chunks):
        async for chunk in chunks:
            received += len(chunk)
            if received > most and is_error:
                yield chunk[: len(chunk) - (received - most)]
                return
            if received > most:
                raise TooMuchSent
            if is_stream:
                event.add(chunk)
            yield chunk


async def _gunzipped(chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield the bytes that gzip packed, a little at a time: a small archive can hold any amount of data."""
    unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    async with aclosing(chunks):
        async for chunk in chunks:
            while chunk and not unpacker.eof:
                try:
                    yield unpacker.decompress(chunk, _UNPACKED)
                except zlib.error as error:
                    raise Unreadable("content-encoding: gzip") from error
                chunk = unpacker.unconsumed_tail


class _EventSize:
    """The size of the event of a stream that is being received."""

    def __init__(self, largest: int) -> None:
        self._largest = largest
        self._bytes = self._lines = 0
        self._end = b""

    def add(self, chunk: bytes) -> None:
        joined = self._end + chunk
        boundary = max(joined.rfind(mark) for mark in _BOUNDARIES)
        if boundary >= 0:
            self._bytes = self._lines = 0
            chunk = joined[boundary:]
        self._bytes += len(chunk)
        self._lines += chunk.count(b"\n") + chunk.count(b"\r")
        self._end = joined[-3:]
        if self._bytes > self._largest or self._lines > _MOST_LINES:
            raise TooMuchSent


def import_sdk() -> tuple[Any, Any]:
    """Import the SDK and the HTTP library below it; connects to nothing."""
    # Here: thousands of modules, seconds on a slow machine, and the library can be searched without them.
    # Two threads that import it at once may see half of a module: its modules import each other in circles.
    with _importing:
        try:
            import anthropic
        except ImportError:
            # PySide looks into each module that is imported, for which pydantic imports another one. It
            # guards against doing so within itself, but not against imports of another thread in between.
            import anthropic
        import httpx2

    return anthropic, httpx2
