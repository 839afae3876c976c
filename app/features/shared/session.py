"""The HTTP session that chromadb's client speaks through, with the limits that chromadb does not set.

Imported only in the child process of :mod:`app.features.shared.server_process`.
"""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any, ClassVar, cast

import httpx
import truststore

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_ANSWER = 32 * 2**20
"""Bytes of an answer at most; 300 records as publishers write them have 5 MB."""

_OWN_COMPUTER = ("localhost", "127.0.0.1", "[::1]")  # never behind the network's proxy


class UnusableAnswer(Exception):
    """An answer is longer than anything that Lectern asks for, or packed although it must not be."""


class Session(httpx.Client):
    """Follows no redirect, waits for a limited time, and reads answers of a limited size.

    chromadb opens two sessions to a server. What is set here, and what is kept of the last answer, is
    therefore of the class.
    """

    seconds: ClassVar[float] = 5.0  # of silence, in each step of a request
    ca_file: ClassVar[str] = ""  # of authorities; the system's if empty
    last: ClassVar[httpx.Response | None] = None  # the last answer, unless none came

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - httpx's
        options["verify"] = _trusted(self.ca_file)
        options["follow_redirects"] = False  # the token would go along
        options["mounts"] = {f"all://{host}": None for host in _OWN_COMPUTER}
        super().__init__(**options)

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:  # noqa: ANN401 - httpx's
        Session.last = None
        request.extensions["timeout"] = httpx.Timeout(self.seconds).as_dict()
        request.headers["Accept-Encoding"] = "identity"
        response = super().send(request, **{**options, "stream": True})
        try:
            if response.headers.get("Content-Encoding", "identity") != "identity":
                raise UnusableAnswer  # a few bytes could become gigabytes
            response.stream = _Bounded(cast("httpx.SyncByteStream", response.stream))
            response.read()
        finally:
            response.close()
        Session.last = response
        return response


def _trusted(ca_file: str) -> ssl.SSLContext:
    """Return a context that trusts the authorities in a file and no others, or those of the system."""
    if ca_file:
        return ssl.create_default_context(cafile=ca_file)
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


class _Bounded(httpx.SyncByteStream):
    """The body of an answer, up to :data:`LARGEST_ANSWER`."""

    def __init__(self, stream: httpx.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > LARGEST_ANSWER:
                raise UnusableAnswer
            yield chunk

    def close(self) -> None:
        self._stream.close()
