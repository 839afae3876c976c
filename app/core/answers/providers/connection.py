"""The HTTP connection to a model server: through which proxy it goes, and how much is read of it.

The libraries are those of the provider: its SDK, if it has one, and the HTTP library below that.
"""

import socket
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from app.core.answers.providers.base import ModelSettings
from app.domain.errors import RequestRefused
from app.domain.messages import Message

LIST_TIMEOUT = 5.0  # seconds without data of a request that is no question
LISTED_WITHIN = 20.0  # seconds

_OWN_COMPUTER = ("localhost", "127.0.0.1", "::1")  # is not behind the network's proxy
_LARGEST_ERROR = 64_000  # bytes of an error that are read; its sentence comes first
_MOST_LINES = 1000  # of one event: the effort of SDKs grows with their square
_BOUNDARIES = (b"\n\n", b"\r\r", b"\r\n\r\n")
_PACKED = 50  # a packed response may be smaller by this, though a small archive can hold far more


class TooMuchSent(Exception):
    """The server sent more than any answer holds."""


def http_client(make: Any, http: Any, settings: ModelSettings) -> Any:  # noqa: ANN401 - imported late
    """Return a client of the class ``make``.

    It raises RequestRefused for an address or a proxy that cannot be used, and follows no redirection,
    which would take the question and the key to another place.
    """
    proxy = proxy_of(settings.address)
    options: dict[str, Any] = {
        "timeout": http.Timeout(settings.timeout_read, connect=settings.timeout_connect),
        "follow_redirects": False,
        "headers": {"accept-encoding": "identity"},
        "verify": (trusted := _trusted(http)),
    }
    if not proxy:  # else the library looks for proxies, and fails at one it cannot use
        keep_alive = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
        options["transport"] = http.AsyncHTTPTransport(verify=trusted, socket_options=keep_alive)

    class Bounded(http.AsyncByteStream):  # type: ignore[misc]  # imported late
        def __init__(self, response: Any) -> None:  # noqa: ANN401
            self._stream = response.stream
            self._bytes = _bounded(aiter(response.stream), response, settings)

        def __aiter__(self) -> AsyncGenerator[bytes, None]:
            return self._bytes

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def bound(response: Any) -> None:  # noqa: ANN401
        response.stream = Bounded(response)

    try:
        return make(**options, event_hooks={"response": [bound]})
    except (http.InvalidURL, ValueError, ImportError):
        pass
    if not proxy:
        raise RequestRefused(Message("answers.address_unusable"))
    is_socks = proxy.startswith("socks")
    raise RequestRefused(
        Message("answers.proxy_socks" if is_socks else "answers.proxy_unusable", proxy=proxy)
    )


@cache
def _trusted(http: Any) -> Any:  # noqa: ANN401
    """Return whom to trust, for all clients: reading the certificates takes 25 ms."""
    return http.create_ssl_context()


async def _bounded(
    chunks: AsyncGenerator[bytes, None],
    response: Any,  # noqa: ANN401
    settings: ModelSettings,
) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a response; of an error, only as much as is worth reading.

    Raises:
        TooMuchSent: the response, or one event of a stream, is longer than the settings allow.
    """
    is_stream = "text/event-stream" in response.headers.get("content-type", "")
    most = settings.most_bytes if is_stream else settings.largest_body
    if response.headers.get("content-encoding", "identity") != "identity":
        is_stream, most = False, settings.largest_body // _PACKED
    left = _LARGEST_ERROR if response.is_error else most
    event, lines, end = 0, 0, b""
    async with aclosing(chunks):
        async for chunk in chunks:
            if response.is_error and len(chunk) > left:
                yield chunk[:left]
                return
            left -= len(chunk)
            joined = end + chunk
            begin = max(joined.rfind(mark) for mark in _BOUNDARIES)
            if begin >= 0:
                event, lines = 0, 0
            fresh = chunk if begin < 0 else joined[begin:]
            event, lines = event + len(fresh), lines + fresh.count(b"\n") + fresh.count(b"\r")
            end = joined[-3:]
            if left < 0 or (is_stream and (event > settings.largest_event or lines > _MOST_LINES)):
                raise TooMuchSent
            yield chunk


def proxy_of(address: str) -> str:
    """Return scheme, host and port of the proxy that connections to an address go through, "" if none.

    Without user and password. It is found where the HTTP library looks for it.
    """
    from urllib.request import getproxies, proxy_bypass  # imports what speaks HTTP

    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if host in _OWN_COMPUTER or proxy_bypass(host):
            return ""
        proxies = getproxies()
        proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
        found = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        port = f":{found.port}" if found.port else ""
    except (ValueError, OSError):
        return ""
    return f"{found.scheme}://{found.hostname}{port}" if found.hostname else ""
