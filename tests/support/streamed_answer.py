"""Writes one scripted answer as server-sent events."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Protocol

from tests.support.chat_protocol import Chunks
from tests.support.scripted_turns import Assembler, Cut, Malformed, Pace, StreamError, Turn, Wait, steps

if TYPE_CHECKING:
    import socket
    from http.server import BaseHTTPRequestHandler

    from tests.support.scripted_turns import Gate


class Gone(Exception):
    """The connection is over."""


class Owner(Protocol):
    """What an answer needs of its server."""

    def usage(self, body: dict[str, Any]) -> dict[str, int]:
        """Count the tokens of a request."""

    def wait_at(self, gate: Gate, connection: socket.socket) -> None:
        """Block until the gate opens."""

    def remember(self, message: dict[str, Any]) -> None:
        """Keep what was answered."""


class StreamedAnswer:
    """Writes one answer as server-sent events in chunked encoding."""

    def __init__(
        self, handler: BaseHTTPRequestHandler, owner: Owner, turn: Turn, body: dict[str, Any]
    ) -> None:
        self._handler = handler
        self._owner = owner
        self._turn = turn
        self._body = body
        self._left = turn.cut_after_bytes
        self._chunks = Chunks() if handler.path.endswith("/chat/completions") else None
        self._assembler = Assembler()

    def send(self) -> None:
        """Write headers and events; raises ``Gone`` when the connection ends before the answer does."""
        self._handler.send_response(200)
        self._handler.send_header("content-type", "text/event-stream; charset=utf-8")
        self._handler.send_header("request-id", "req_0")
        self._handler.send_header("transfer-encoding", "chunked")
        self._handler.end_headers()
        for step in steps(self._turn, self._body, self._owner.usage(self._body)):
            if isinstance(step, Wait):
                self._owner.wait_at(step.gate, self._handler.connection)
            elif isinstance(step, Pace):
                if step.seconds:
                    time.sleep(step.seconds)
            elif isinstance(step, StreamError):
                error = {"type": step.type, "message": step.message}
                self._write_event("error", json.dumps({"type": "error", "error": error}))
                break
            elif isinstance(step, Malformed):
                self._write_event("content_block_delta", step.data)
            elif isinstance(step, Cut):
                if not step.clean:
                    raise Gone
                break
            else:
                self._assembler.add(step)
                self._send_step(step)
        self._owner.remember(self._assembler.message)
        self._handler.wfile.write(b"0\r\n\r\n")

    def _send_step(self, step: dict[str, Any]) -> None:
        if self._chunks is None:
            self._write_event(step["type"], json.dumps(step, ensure_ascii=False))
            return
        for chunk in self._chunks.of(step):
            self._write_event("", chunk)

    def _write_event(self, name: str, data: str) -> None:
        frame = (f"event: {name}\n" if name and not self._chunks else "").encode()
        frame += f"data: {data}\n\n".encode()
        if self._left is not None and len(frame) > self._left:
            self._write(frame[: self._left])
            raise Gone
        if self._left is not None:
            self._left -= len(frame)
        self._write(frame)

    def _write(self, frame: bytes) -> None:
        if frame:
            self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(frame), frame))
