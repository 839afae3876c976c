"""The HTTP connection to a server of the Messages protocol; the only module that imports ``anthropic``.

The SDK gives transport, authentication, the reading of events and the classes of errors. Requests and
answers travel as the dictionaries they are on the wire.
"""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.core.answers.providers.anthropic.errors import ErrorMapper
from app.core.answers.providers.anthropic.message_reader import events_of
from app.domain.errors import RequestRefused
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.core.answers.model_settings import ModelSettings

_NO_KEY = "no-key"  # the SDK insists on one; servers that need none ignore it
# A model server on this computer is not behind the network's proxy.
_DIRECTLY = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}
_LIST_TIMEOUT = 5.0

_importing = threading.Lock()


class AnthropicClient:
    """One server; belongs to one event loop.

    All methods but :meth:`open` and :meth:`aclose` raise what ``faults.every`` lists, and must be called
    after :meth:`open`.

    Attributes:
        streams: False asks for whole answers.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self.streams = True
        self._settings = settings
        self._client: Any = None

    @cached_property
    def faults(self) -> ErrorMapper:
        """What can go wrong on this connection."""
        return ErrorMapper(*import_sdk(), self._settings)

    async def open(self) -> None:
        """Import what is needed and make the client; connects to nothing.

        Raises:
            KeyProblem: there is no key, or it cannot be one.
            RequestRefused: the address is none.
        """
        if self._client is None:
            self._settings.check()
            await asyncio.to_thread(import_sdk)
            client = await asyncio.to_thread(self._connect)  # reads certificates: 0.3 s
            if client is None:
                raise RequestRefused(Message("answers.address_unusable"))
            self._client = client

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def get(self, path: str) -> object:
        seconds = min(_LIST_TIMEOUT, self._settings.timeout_read)
        found: object = await self._client.get(path, cast_to=object, options={"timeout": seconds})
        return found

    async def post(self, path: str, body: dict[str, Any]) -> object:
        """Send a request and return the whole answer."""
        # Nothing comes before the last word is written, which is no silence.
        seconds = max(self._settings.timeout_whole, self._settings.timeout_read)
        found: object = await self._client.post(path, body=body, cast_to=object, options={"timeout": seconds})
        return found

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Send the request of an answer and return its events; sets :attr:`streams` if it comes whole."""
        path = "/v1/messages"
        if not self.streams:
            return _whole(await self.post(path, {**body, "stream": False}))
        sdk, _ = import_sdk()
        stream = await self._client.post(
            path,
            body={**body, "stream": True},
            cast_to=object,
            stream=True,
            stream_cls=sdk.AsyncStream[object],
        )
        if "application/json" not in stream.response.headers.get("content-type", ""):
            return self._events(stream)
        answer = await stream.response.aread()
        await stream.close()
        try:
            message: object = json.loads(answer)
        except ValueError:
            return _whole(None)
        self.streams = False
        return _whole(message)

    async def _events(self, stream: Any) -> AsyncGenerator[object, None]:  # noqa: ANN401 - the SDK's
        try:
            async for event in stream:
                yield event
        finally:
            await stream.close()
            with suppress(*self.faults.every):
                async for _ in stream:  # lets the SDK's generator end, so that no task is left
                    pass

    def _connect(self) -> Any:  # noqa: ANN401 - the SDK's client
        sdk, http = import_sdk()
        settings = self._settings
        timeout = http.Timeout(settings.timeout_read, connect=settings.timeout_connect)
        try:
            # A client of our own, since the SDK's complains when it cannot be built.
            http_client = sdk.DefaultAsyncHttpxClient(timeout=timeout, mounts=dict(_DIRECTLY))
        except self.faults.misconfigured:
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
    # Two threads that import it at once may see half of a module: its modules import each other in circles.
    with _importing:
        # Here: thousands of modules, seconds on a slow machine, and the library can be searched without them.
        import anthropic
        import httpx2

    return anthropic, httpx2
