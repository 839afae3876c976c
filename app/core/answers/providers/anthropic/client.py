"""The HTTP connection to a server of the Messages protocol; the only module that imports ``anthropic``.

The SDK gives transport, authentication, the reading of events and the classes of errors. Requests and
answers travel as the dictionaries they are on the wire.
"""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncGenerator, Awaitable
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

from app.core.answers.model_settings import ModelSettings
from app.core.answers.providers.anthropic.errors import ErrorMapper, Fault
from app.core.answers.providers.anthropic.message_reader import events_of
from app.core.answers.providers.anthropic.server_traits import ServerTraits
from app.domain.errors import RequestRefused
from app.domain.messages import Message

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

_MESSAGES = "/v1/messages"
_NO_KEY = "no-key"  # the SDK insists on one; servers that need none ignore it
# A model server on this computer is not behind the network's proxy.
_DIRECTLY = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
_LIST_TIMEOUT = 5.0

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
                raise RequestRefused(Message("answers.address_unusable"))
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
        return await self._safely(self._client.get(path, cast_to=object, options=options))

    async def post(self, path: str, body: dict[str, Any]) -> object:
        """Send a request and return the whole answer."""
        # Nothing comes before the last word is written, which is no silence.
        options = {"timeout": max(self.settings.timeout_whole, self.settings.timeout_read)}
        return await self._safely(self._client.post(path, body=body, cast_to=object, options=options))

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None] | Fault:
        """Send the request of an answer and return its events; a :class:`Fault` among them is the last."""
        if "stream" not in self.traits.lacking:
            return await self._safely(self._stream(body))
        answer = await self.post(_MESSAGES, {**body, "stream": False})
        return answer if isinstance(answer, Fault) else _whole(answer)

    async def _safely(self, request: Awaitable[_T]) -> _T | Fault:
        try:
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
        with suppress(ValueError):
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
        try:
            # A client of our own, since the SDK's complains when it cannot be built.
            http_client = sdk.DefaultAsyncHttpxClient(timeout=timeout, mounts=dict(_DIRECTLY))
        except (http.InvalidURL, ValueError, ImportError):  # an address or a proxy that cannot be used
            return None
        return sdk.AsyncAnthropic(
            api_key=settings.api_key or _NO_KEY,
            base_url=settings.address,
            timeout=timeout,
            max_retries=0,  # tried again by the provider, where it can be stopped
            open_telemetry=False,
            http_client=http_client,
        )


async def _whole(message: object) -> AsyncGenerator[object, None]:
    for event in events_of(message):
        yield event


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
