"""Limits on what a server sends, kept while the bytes arrive and before anything is made of them."""

import zlib
from collections.abc import AsyncGenerator
from contextlib import aclosing

from app.core.answers.model_settings import ModelSettings

_MOST_LINES = 1000  # of one event: the SDK's effort grows with their square
_LARGEST_ERROR = 64_000  # bytes of an error that are read; its sentence comes first
_UNPACKED = 64_000  # bytes at a time
_BOUNDARIES = (b"\n\n", b"\r\r", b"\r\n\r\n")


class TooMuchSent(Exception):
    """The server sent more than any answer holds."""


class Unreadable(Exception):
    """The server sent its answer in a form that was not asked for."""


class SentElsewhere(Exception):
    """The server wants the question, with the key, to go to another host."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.host = host


async def bounded(
    chunks: AsyncGenerator[bytes, None], settings: ModelSettings, *, is_stream: bool, is_error: bool
) -> AsyncGenerator[bytes, None]:
    """Yield the bytes of a response; of an error, only as much as is worth reading.

    Raises:
        TooMuchSent: the response, or one event of a stream, is longer than the settings allow.
    """
    most = _LARGEST_ERROR if is_error else settings.most_bytes if is_stream else settings.largest_body
    received = 0
    event = _Event(settings.largest_event)
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


async def gunzipped(chunks: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
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


class _Event:
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
