"""The HTTP connection to a server of chat completions; the only module here that imports ``httpx2``."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from functools import cached_property
from typing import Any

from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.connection import LIST_TIMEOUT, LISTED_WITHIN, http_client
from app.core.answers.providers.errors import ClientErrors, ErrorMapper, Fault
from app.core.answers.providers.wire import mapping, whole_number

_QUOTA = re.compile(r'"quotaId":\s*+"(\w++)')  # tells Gemini's limits of a day and of a minute apart


class _Failure(Exception):
    """What the client itself raises."""


class _Unsent(_Failure):
    """The request did not reach the server."""


class _Refused(_Failure):
    """An error of the server, by its status or within the stream of an answer.

    Most servers put what they say in ``error``, some beside it; Gemini makes a list of it.
    """

    def __init__(self, response: Any, body: object, text: str = "") -> None:  # noqa: ANN401 - imported late
        super().__init__(text)
        found = mapping(body[0] if isinstance(body, list) and body else body)
        error = found.get("error") or found
        said = error if isinstance(error, str) else mapping(error).get("message")
        error = mapping(error)
        kinds = (error.get(name) for name in ("type", "status", "code"))
        code = max(whole_number(error.get("status_code")), whole_number(error.get("code")))
        is_status = response.is_success and 400 <= code < 600
        self.response = response
        self.status_code = code if is_status else response.status_code
        self.type = next((kind for kind in kinds if isinstance(kind, str)), "error" if said else None)
        self.body = text
        self.api_message = said if isinstance(said, str) else None
        if self.api_message and (quota := _QUOTA.search(text)):
            self.api_message += f" ({quota[1]})"


class OpenAIClient:
    """One server; belongs to one event loop. :meth:`open` comes before any request."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        self._client: Any = None

    @cached_property
    def _errors(self) -> ErrorMapper:
        http = _import_http()
        return ErrorMapper(ClientErrors(_Failure, http.TimeoutException, _Unsent), http, self.settings)

    async def open(self) -> None:
        """Import the HTTP library and check the settings; connects to nothing."""
        if self._client is None:
            self.settings.check()
            http = await asyncio.to_thread(_import_http)
            # It reads certificates, which takes 0.3 s.
            self._client = await asyncio.to_thread(http_client, http.AsyncClient, http, self.settings)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def get(self, path: str) -> object:
        """Return the answer to a request; raises :class:`Fault`."""
        timeout = min(LIST_TIMEOUT, self.settings.timeout_read)
        read = self._read(path, timeout)
        return await self._errors.awaited(read, min(LISTED_WITHIN, self.settings.timeout_content))

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Send the request of an answer and return its events; they, too, raise :class:`Fault`."""
        sent = self._send("POST", "/chat/completions", json={**body, "stream": True})
        return self._events(await self._errors.awaited(sent, self.settings.timeout_content))

    async def _read(self, path: str, timeout: float) -> object:
        response = await self._send("GET", path, timeout=timeout)
        try:
            return json.loads(await response.aread())
        finally:
            await response.aclose()

    async def _send(self, method: str, path: str, **content: Any) -> Any:  # noqa: ANN401 - the response
        http, key = _import_http(), self.settings.api_key
        headers = {"authorization": f"Bearer {key}"} if key else {}
        request = self._client.build_request(method, self.settings.address + path, headers=headers, **content)
        try:
            response = await self._client.send(request, stream=True)
        except http.TimeoutException:
            raise
        except (http.TransportError, UnicodeError) as error:
            raise _Unsent from error
        if response.is_success:
            return response
        try:
            text = (await response.aread()).decode(errors="replace")
        finally:
            await response.aclose()
        raise _Refused(response, _loaded(text), text)

    async def _events(self, response: Any) -> AsyncGenerator[object, None]:  # noqa: ANN401
        fault: Fault | None = None
        try:
            async with aclosing(_data_of(aiter(response.stream))) as sent:
                async for text in sent:
                    event = text if text == "[DONE]" else json.loads(text)
                    if mapping(event).get("error"):
                        raise _Refused(response, event, text)
                    yield event
        except self._errors.every as error:
            fault = self._errors.fault(error)
        finally:
            with suppress(*self._errors.every):  # which know the key, and say nothing about the answer
                await response.aclose()
        if fault:
            raise fault


async def _data_of(chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[str, None]:
    """Yield the data of server-sent events.

    The library's own reader leaves generators behind that nobody ends.
    """
    rest, data = bytearray(), list[str]()
    async with aclosing(chunks):
        async for chunk in chunks:
            rest += chunk
            if b"\n" not in chunk:
                continue
            *lines, rest = rest.split(b"\n")
            for line in lines:
                text = line.rstrip(b"\r").decode()
                if text.startswith("data:"):
                    data.append(text.removeprefix("data:").removeprefix(" "))
                elif not text and data:
                    yield "\n".join(data)
                    data.clear()


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _import_http() -> Any:  # noqa: ANN401 - a module
    # Here: it takes 0.1 s, and the library can be searched without it.
    import httpx2

    return httpx2
