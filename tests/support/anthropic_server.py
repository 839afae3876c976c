"""A loopback server that speaks the Messages protocol, scripted by the test.

As strict as the real one about what it is sent (see :mod:`tests.support.message_checks`), and able
to fail in every way a real one does (see :mod:`tests.support.scripted_turns`)::

    with AnthropicServer() as server:
        server.script(Turn(Text("Hello.")))
        client = AsyncAnthropic(base_url=server.url, api_key=server.key)

Without a script it answers by itself: it searches for the question and writes what it found, with
citations. By hand: ``python -m tests.support.anthropic_server --port 8765 --word-delay 0.03``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import select
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.chat_protocol import as_messages
from tests.support.message_checks import DEFAULT_MODELS, IssuedTurns, Model, Rejected, check
from tests.support.scripted_turns import (
    Assembler,
    Cut,
    ErrorReply,
    Gate,
    Malformed,
    Reply,
    StreamError,
    Turn,
    Wait,
    steps,
)
from tests.support.self_answering import SelfAnswering
from tests.support.streamed_answer import Gone, StreamedAnswer

Script = Callable[[dict[str, Any]], Reply]
_POLL = 0.01
_ASKED = ("/v1/messages", "/v1/chat/completions")


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived; ``body`` is None where there was none."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any] | None
    sent: dict[str, Any] | None = None  # if that is another one


class AnthropicServer:
    """The server and its script.

    Attributes:
        provider: of the settings for the client; for "openai" requests are read as the other protocol's.
        url: base URL for the client.
        key: the only API key that is accepted.
        requests: every request in order.
        rejections: why requests were refused, in order.
    """

    def __init__(
        self,
        *,
        key: str = "test-key",
        models: tuple[Model, ...] = DEFAULT_MODELS,
        port: int = 0,
        word_delay: float = 0.0,
        lists_models: bool = True,
        provider: str = "anthropic",
    ) -> None:
        self.provider = provider
        self.key = key
        self.models = models
        self.lists_models = lists_models
        self.requests: list[Recorded] = []
        self.rejections: list[str] = []
        self.disconnects = threading.Semaphore(0)
        self._script: deque[Reply] = deque()
        self._answering: Script = SelfAnswering(word_delay)
        self._scripted = False
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._issued = IssuedTurns()
        self._cached_prefixes: set[str] = set()
        self._connections: set[socket.socket] = set()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = _Server(("127.0.0.1", port), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def message_requests(self) -> list[dict[str, Any]]:
        """The bodies of all requests for an answer."""
        with self._lock:
            return [item.body for item in self.requests if item.path in _ASKED and item.body]

    @property
    def sent_bodies(self) -> list[dict[str, Any]]:
        """The bodies of all requests for an answer as they were sent, in whichever protocol."""
        with self._lock:
            return [item.sent for item in self.requests if item.path in _ASKED and item.sent]

    @property
    def open_connections(self) -> int:
        """How many clients are connected."""
        with self._lock:
            return len(self._connections)

    def script(self, *replies: Reply) -> None:
        """Answer the next requests with these, in order; after the last every request fails."""
        with self._lock:
            self._scripted = True
            self._script.extend(replies)

    def forget(self) -> None:
        """Drop what was recorded and what is left of the script."""
        with self._lock:
            self.requests.clear()
            self.rejections.clear()
            self._script.clear()

    def answer_with(self, script: Script) -> None:
        """Answer every request with what ``script`` makes of it."""
        with self._lock:
            self._scripted = False
            self._answering = script

    def start(self) -> AnthropicServer:
        """Begin to serve in a thread."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End every connection and wait for the thread."""
        self._stopping.set()
        self._http.shutdown()
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            _drop(connection)
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> AnthropicServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    # What the handler needs.

    def connected(self, connection: socket.socket) -> None:
        """Note a new connection."""
        with self._lock:
            self._connections.add(connection)

    def disconnected(self, connection: socket.socket) -> None:
        """Note the end of a connection."""
        with self._lock:
            self._connections.discard(connection)
        self.disconnects.release()

    def record(self, request: Recorded) -> None:
        """Keep a request for the test."""
        with self._lock:
            self.requests.append(request)

    def reply_to(self, body: dict[str, Any]) -> Reply:
        """Check the request and return the scripted answer."""
        with self._lock:
            try:
                check(body, self.models, self._issued)
            except Rejected as refused:
                self.rejections.append(str(refused))
                return ErrorReply(refused.status, refused.kind, str(refused))
            if not self._scripted:
                return self._answering(body)
            if not self._script:
                self.rejections.append("the script has no more turns")
                return ErrorReply(418, "api_error", "the script has no more turns")
            return self._script.popleft()

    def remember(self, message: dict[str, Any]) -> None:
        """Keep an answer, which must come back unchanged."""
        with self._lock:
            self._issued.remember(message)

    def usage(self, body: dict[str, Any]) -> dict[str, int]:
        """Count tokens (four characters each) and pretend to cache system prompt and tools."""
        prefix = json.dumps([body.get("system"), body.get("tools"), body.get("model")])
        cached = len(prefix) // 4 if "cache_control" in prefix else 0
        whole = max(1, len(json.dumps(body)) // 4)
        digest = hashlib.sha256(prefix.encode()).hexdigest()
        with self._lock:
            known = digest in self._cached_prefixes
            if cached:
                self._cached_prefixes.add(digest)
        return {
            "input_tokens": max(1, whole - cached),
            "cache_creation_input_tokens": 0 if known else cached,
            "cache_read_input_tokens": cached if known else 0,
        }

    def wait_at(self, gate: Gate, connection: socket.socket) -> None:
        """Block until the gate opens; raise when the client or the server goes away."""
        gate.reached.set()
        while not gate.opened.wait(_POLL):
            if self._stopping.is_set() or _closed_by_peer(connection):
                raise Gone


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as the base has it
        """A client that goes away is not an error here; anything else is shown."""
        if not isinstance(sys.exception() if hasattr(sys, "exception") else sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: AnthropicServer

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.owner.connected(self.connection)

    def finish(self) -> None:
        self.owner.disconnected(self.connection)
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on standard error."""

    def do_GET(self) -> None:
        """Models."""
        address = urlsplit(self.path)
        self.owner.record(Recorded("GET", address.path, dict(self.headers), None))
        if not self._key_is_good():
            return
        if not self.owner.lists_models or not address.path.startswith("/v1/models"):
            self._send_error(ErrorReply(404, "not_found_error", "Not found"))
        elif address.path == "/v1/models":
            self._send_json(200, self._model_page(parse_qs(address.query)))
        else:
            name = address.path.rpartition("/")[2]
            found = [model for model in self.owner.models if model.id == name]
            if found:
                self._send_json(200, found[0].as_dict())
            else:
                self._send_error(ErrorReply(404, "not_found_error", f"model: {name}"))

    def do_POST(self) -> None:
        """Messages and token counting."""
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = None
        path, sent, refused = urlsplit(self.path).path, body, None
        if path == _ASKED[1] and isinstance(body, dict):
            try:
                body = as_messages(body)
            except Rejected as error:
                refused = ErrorReply(error.status, error.kind, str(error))
        self.owner.record(Recorded("POST", path, dict(self.headers), body, sent))
        if not self._key_is_good():
            return
        if not isinstance(body, dict):
            self._send_error(ErrorReply(400, "invalid_request_error", "The body is not a JSON object"))
        elif path == "/v1/messages/count_tokens":
            self._send_json(200, {"input_tokens": max(1, len(json.dumps(body)) // 4)})
        elif refused:
            self._send_error(refused)
        elif path in _ASKED:
            self._answer(body)
        else:
            self._send_error(ErrorReply(404, "not_found_error", "Not found"))

    def _key_is_good(self) -> bool:
        sent = self.headers.get("x-api-key") or (self.headers.get("authorization") or "").removeprefix(
            "Bearer "
        )
        if self.owner.provider == "anthropic" and not self.headers.get("anthropic-version"):
            self._send_error(
                ErrorReply(400, "invalid_request_error", "anthropic-version: header is required")
            )
            return False
        if sent != self.owner.key:
            self._send_error(ErrorReply(401, "authentication_error", "invalid x-api-key"))
            return False
        return True

    def _model_page(self, query: dict[str, list[str]]) -> dict[str, Any]:
        limit = int(query.get("limit", ["20"])[0])
        after = query.get("after_id", [""])[0]
        ids = [model.id for model in self.owner.models]
        begin = ids.index(after) + 1 if after in ids else 0
        page = [model.as_dict() for model in self.owner.models[begin : begin + limit]]
        return {
            "data": page,
            "first_id": page[0]["id"] if page else None,
            "last_id": page[-1]["id"] if page else None,
            "has_more": begin + limit < len(ids),
        }

    def _answer(self, body: dict[str, Any]) -> None:
        reply = self.owner.reply_to(body)
        try:
            if isinstance(reply, ErrorReply):
                self._send_error(reply)
                return
            if reply.hold:
                self.owner.wait_at(reply.hold, self.connection)
            if body.get("stream"):
                StreamedAnswer(self, self.owner, reply, body).send()
            else:
                self._send_whole(reply, body)
        except (Gone, OSError):
            self.close_connection = True
            _drop(self.connection)

    def _send_whole(self, turn: Turn, body: dict[str, Any]) -> None:
        assembler = Assembler()
        for step in steps(turn, body, self.owner.usage(body)):
            if isinstance(step, Wait):
                self.owner.wait_at(step.gate, self.connection)
            elif isinstance(step, Cut | Malformed):
                raise Gone
            elif isinstance(step, StreamError):
                self._send_error(ErrorReply(529, step.type, step.message))
                return
            elif isinstance(step, dict):
                assembler.add(step)
        self.owner.remember(assembler.message)
        self._send_json(200, assembler.message)

    def _send_error(self, reply: ErrorReply) -> None:
        if reply.body is None:
            error = {"type": reply.type, "message": reply.message}
            self._send_json(reply.status, {"type": "error", "error": error}, reply.headers)
        else:
            self._send(reply.status, reply.body.encode(), reply.content_type, reply.headers)

    def _send_json(self, status: int, data: object, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(data).encode(), "application/json", headers or {})

    def _send(self, status: int, data: bytes, content_type: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": content_type, "request-id": "req_0", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _closed_by_peer(connection: socket.socket) -> bool:
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


def _drop(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # already gone


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A loopback server that speaks the Messages protocol.")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--key", default="test-key")
    parser.add_argument("--word-delay", type=float, default=0.03, help="seconds between two words")
    options = parser.parse_args()
    server = AnthropicServer(key=options.key, port=options.port, word_delay=options.word_delay)
    with server:
        sys.stderr.write(f"ANTHROPIC_BASE_URL={server.url} ANTHROPIC_API_KEY={server.key}\n")
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            sys.stderr.write("stopped\n")


if __name__ == "__main__":
    main()
