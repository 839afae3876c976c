"""The model server of ``lectern --selfcheck``: quotes the first passage that comes with a question.

It listens on the loopback address only, and only during the check.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "selfcheck"


@contextmanager
def scripted_model() -> Iterator[str]:
    """Serve inside a ``with`` block; give the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="model", daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error silent."""

    def do_GET(self) -> None:
        """List the model as one that cites, as Anthropic's server does: it is not tried out first."""
        abilities = {"citations": {"supported": True}, "thinking": {"supported": False}}
        entry = {"type": "model", "id": self.path.rpartition("/")[2], "capabilities": abilities}
        self._send("application/json", json.dumps(entry))

    def do_POST(self) -> None:
        key = self.headers.get("x-api-key") or self.headers.get("authorization", "").removeprefix("Bearer ")
        if key != KEY:
            self.send_error(401)
            return
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        events = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _answer(request))
        self._send("text/event-stream; charset=utf-8", "".join(events))

    def _send(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()  # closing the connection ends the answer
        self.wfile.write(text.encode())


def _answer(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    blocks = [block for message in request["messages"] for block in message["content"]]
    found = next(block for block in blocks if block["type"] == "search_result")
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
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_0", "type": "message", "role": "assistant", "model": request["model"]}
    yield {"type": "message_start", "message": {**message, "content": [], "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    for delta in (
        {"type": "text_delta", "text": sentence},
        {"type": "citations_delta", "citation": citation},
    ):
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": usage}
    yield {"type": "message_stop"}
