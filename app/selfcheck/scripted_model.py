"""The model server of ``lectern --selfcheck``: searches once, then quotes the first passage found.

It listens on the loopback address only, and only during the check.
"""

import contextlib
import json
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

KEY = "selfcheck"
_LONGEST = 1 << 22  # bytes read of a request
# Linux: the requests that get and set the flags of a network interface, and the flag for "up".
_GET_FLAGS, _SET_FLAGS, _IS_UP = 0x8913, 0x8914, 0x1
_FLAGS = struct.Struct("16sh14x")
_POLL = 0.02  # seconds between checks for the end of serving


class ScriptedModel:
    """Serves at ``url`` inside a ``with`` block, and counts the ``answers``."""

    def __init__(self) -> None:
        self.answers = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": self}))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(_POLL,), name="model", daemon=True)

    def __enter__(self) -> Self:
        _bring_up_loopback()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _bring_up_loopback() -> None:
    """Bring up the loopback interface, which is down in a new network namespace on Linux.

    Only the creator of the namespace is allowed to; for anyone else, nothing happens.
    """
    if sys.platform != "linux":
        return
    import fcntl  # exists on Linux only

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket, contextlib.suppress(OSError):
        _, flags = _FLAGS.unpack(fcntl.ioctl(any_socket, _GET_FLAGS, _FLAGS.pack(b"lo", 0)))
        if not flags & _IS_UP:
            fcntl.ioctl(any_socket, _SET_FLAGS, _FLAGS.pack(b"lo", flags | _IS_UP))


class _Handler(BaseHTTPRequestHandler):
    model: ScriptedModel

    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error silent."""

    def do_GET(self) -> None:
        """List the model as one that cites, as Anthropic's server does: it is not tried out first."""
        if not self.path.startswith("/v1/models/"):
            self.send_error(404)
            return
        abilities = {"citations": {"supported": True}, "thinking": {"supported": False}}
        entry = {"type": "model", "id": self.path.rpartition("/")[2], "capabilities": abilities}
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(entry).encode())

    def do_POST(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), _LONGEST)
        request = json.loads(self.rfile.read(length))
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        if self.path.partition("?")[0] != "/v1/messages" or key != KEY:
            self.send_error(404)
            return
        self.model.answers += 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.end_headers()  # closing the connection ends the answer
        for event in _events(request):
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())


def _events(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an answer of one block: a search, or the first sentence of the passage found."""
    found = _first_result(request)
    if found is None:
        reason = "tool_use"
        block = {"type": "tool_use", "id": "toolu_0", "name": "search_course_content", "input": {}}
        deltas: list[dict[str, Any]] = [
            {"type": "input_json_delta", "partial_json": '{"query": "passages and their sources"}'}
        ]
    else:
        reason = "end_turn"
        block = {"type": "text", "text": ""}
        sentence = found["content"][0]["text"]
        citation = {
            "type": "search_result_location",
            "source": found["source"],
            "title": found["title"],
            "cited_text": sentence,
            "search_result_index": 0,
            "start_block_index": 0,
            "end_block_index": 1,
        }
        deltas = [
            {"type": "text_delta", "text": sentence},
            {"type": "citations_delta", "citation": citation},
        ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_0", "type": "message", "role": "assistant", "model": request.get("model", "")}
    yield {"type": "message_start", "message": {**message, "content": [], "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    delta = {"stop_reason": reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}}
    yield {"type": "message_stop"}


def _first_result(request: dict[str, Any]) -> dict[str, Any] | None:
    for message in request["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        for block in blocks:
            parts = block.get("content") if block["type"] == "tool_result" else [block]
            for part in parts if isinstance(parts, list) else ():
                if part["type"] == "search_result":
                    return dict(part)
    return None
