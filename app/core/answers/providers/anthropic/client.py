"""The HTTP connection to a server of the Messages protocol; the only module that imports ``anthropic``.

The SDK gives transport, authentication, the reading of events and the classes of errors. Requests and
answers travel as the dictionaries they are on the wire.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import cached_property
from typing import Any

from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.connection import LIST_TIMEOUT, LISTED_WITHIN, http_client
from app.core.answers.providers.errors import ClientErrors, ErrorMapper, Fault

_MESSAGES = "/v1/messages"
_NO_KEY = "no-key"  # the SDK insists on one; servers that need none ignore it

_importing = threading.Lock()


class AnthropicClient:
    """One server; belongs to one event loop. :meth:`open` comes before any request."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._client: Any = None

    @cached_property
    def _errors(self) -> ErrorMapper:
        sdk, http = import_sdk()
        errors = ClientErrors(sdk.APIError, sdk.APITimeoutError, sdk.APIConnectionError)
        return ErrorMapper(errors, http, self.settings)

    async def open(self) -> None:
        """Import the SDK and check the settings; connects to nothing."""
        if self._client is None:
            self.settings.check()
            sdk, http = await asyncio.to_thread(import_sdk)
            # It reads certificates, which takes 0.3 s.
            client = await asyncio.to_thread(http_client, sdk.DefaultAsyncHttpxClient, http, self.settings)
            self._client = sdk.AsyncAnthropic(
                api_key=self.settings.api_key or _NO_KEY,
                base_url=self.settings.address,
                timeout=client.timeout,
                max_retries=0,  # the SDK waits without saying why, and not for a stream that has begun
                open_telemetry=False,
                http_client=client,
            )

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def get(self, path: str) -> object:
        """Return the answer to a request; raises :class:`Fault`."""
        options = {"timeout": min(LIST_TIMEOUT, self.settings.timeout_read)}
        request = self._client.get(path, cast_to=object, options=options)
        return await self._errors.awaited(request, min(LISTED_WITHIN, self.settings.timeout_content))

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Send the request of an answer and return its events; they, too, raise :class:`Fault`."""
        streams = {"stream": True, "stream_cls": import_sdk()[0].AsyncStream[object]}
        asked = self._client.post(_MESSAGES, body={**body, "stream": True}, cast_to=object, **streams)
        return self._events(await self._errors.awaited(asked, self.settings.timeout_content))

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
            raise fault


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
