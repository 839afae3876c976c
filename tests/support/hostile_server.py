"""A loopback server that answers with whatever bytes it is told to, however wrong.

What :mod:`tests.support.anthropic_server` sends follows the protocol; here nothing has to::

    with HostileServer(Answer(b"data: {", headers=SSE, then="hang")) as server:
        ...

The cases themselves are in :mod:`tests.support.hostile_cases`.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

SSE = {"content-type": "text/event-stream; charset=utf-8"}
JSON = {"content-type": "application/json"}
HTML = {"content-type": "text/html"}

_LINGER = ("hh" if os.name == "nt" else "ii", 1, 0)  # close with a reset

Body = bytes | Callable[[], Iterable[bytes]]


@dataclass(frozen=True)
class Answer:
    """One answer of the server: a status line, headers and a body, or bytes that are none of these."""

    body: Body = b""  # the bytes, or what yields them, perhaps for ever
    status: str | None = "200 OK"  # None: the body is all that is sent, with no head before it
    headers: dict[str, str] = field(default_factory=lambda: SSE)
    then: Literal["close", "hang", "reset"] = "close"  # what comes after the body
    every: float = 0.0  # seconds between two pieces of the body


NOT_FOUND = Answer(b"{}", "404 Not Found", JSON)


class HostileServer:
    """Answers the nth request for an answer with the nth of ``answers``, later ones with the last.

    Requests for models get ``models``.
    """

    def __init__(self, *answers: Answer, models: Answer = NOT_FOUND) -> None:
        self.requests: list[bytes] = []  # the head of each request for an answer
        self._answers = answers
        self._models = models
        self._stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._guard = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> HostileServer:
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._guard:
            for connection in self._connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=work)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._guard:
                self._connections.add(connection)
            self._start(lambda connection=connection: self._serve(connection))  # type: ignore[misc]

    def _serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            head = self._read_request(connection)
            if head:
                self._send(connection, self._answer_to(head))
        with self._guard:
            self._connections.discard(connection)

    def _read_request(self, connection: socket.socket) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            more = connection.recv(65536)
            if not more:
                return b""
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        left = int(lengths[0].partition(b":")[2]) - len(body) if lengths else 0
        while left > 0:
            left -= len(connection.recv(65536)) or left
        return head

    def _answer_to(self, head: bytes) -> Answer:
        if not head.startswith((b"POST /v1/messages ", b"POST /v1/chat/completions ")):
            return self._models
        with self._guard:
            self.requests.append(head)
            return self._answers[min(len(self.requests), len(self._answers)) - 1]

    def _send(self, connection: socket.socket, answer: Answer) -> None:
        if answer.status is not None:
            lines = [f"HTTP/1.1 {answer.status}", "connection: close"]
            lines += [f"{name}: {value}" for name, value in answer.headers.items()]
            connection.sendall("\r\n".join([*lines, "", ""]).encode())
        for piece in [answer.body] if isinstance(answer.body, bytes) else answer.body():
            connection.sendall(piece)
            if self._stopping.wait(answer.every) if answer.every else self._stopping.is_set():
                return
        if answer.then == "hang":
            connection.settimeout(0.05)
            while not self._stopping.is_set():
                with suppress(TimeoutError):
                    if not connection.recv(65536):
                        return
        elif answer.then == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(*_LINGER))
