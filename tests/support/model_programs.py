"""Doubles of the programs that run models on this computer, on free ports of loopback::

with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama:
    asyncio.run(find_servers({"Ollama": ollama.port}))
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

_LISTS = {"Ollama": "/api/tags", "LM Studio": "/api/v1/models", "llama.cpp": "/v1/models"}


class ModelProgram:
    """Lists its models as the program of that name does; the double of Ollama also pulls.

    Attributes:
        body: is sent instead of the list.
        models: ids and sizes.
        answers: whether it does; a request waits until it does.
        sizes: of the layers of the model that is pulled.
        hold_after: bytes after which a pull waits for ``go_on``; None for no wait.
        pulled: the models it was asked to pull.
        ended: a pull was broken off by who had asked for it.
        fails: what it says instead of pulling.
    """

    def __init__(self, name: str, *models: tuple[str, int], body: bytes | None = None) -> None:
        self.name, self.models, self.body = name, list(models), body
        self.answers, self.go_on, self.holding, self.ended = (threading.Event() for _ in range(4))
        self.answers.set()
        self.sizes = (2_400_000_000, 1_000)
        self.hold_after: int | None = None
        self.pulled: list[str] = []
        self.fails = ""
        self._done = 0  # bytes of the first layer, which are kept when a pull is broken off
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port = self._server.server_address[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.answers.set()
        self.go_on.set()
        self._server.shutdown()
        self._server.server_close()

    def listed(self) -> dict[str, Any]:
        """Return the models with the fields that the program names them by."""
        if self.name == "Ollama":
            return {"models": [{"name": name, "model": name, "size": size} for name, size in self.models]}
        if self.name == "LM Studio":
            return {
                "models": [{"type": "llm", "key": name, "size_bytes": size} for name, size in self.models]
            }
        entries = [{"id": name, "owned_by": "llamacpp", "meta": {"size": size}} for name, size in self.models]
        return {"models": [{"name": name} for name, _ in self.models], "object": "list", "data": entries}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        program = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                program.answers.wait(30)
                is_list = self.path == _LISTS[program.name]
                listed = json.dumps(program.listed()).encode() if program.body is None else program.body
                self._begin(200 if is_list else 404)
                self.wfile.write(listed if is_list else b"404 page not found")

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                program.pulled.append(asked["model"])
                self._begin(200)
                try:
                    self._pull(asked["model"])
                except OSError:
                    program.ended.set()

            def _pull(self, model: str) -> None:
                self._say(status="pulling manifest")
                if program.fails:
                    self._say(error=program.fails)
                    return
                for layer, size in enumerate(program.sizes):
                    step = max(size // 6, 1)
                    for done in range(0 if layer else program._done, size + 1, step):
                        program._done = done if not layer else program._done
                        self._say(status="pulling", digest=f"sha256:{layer}", total=size, completed=done)
                        if program.hold_after is not None and done >= program.hold_after:
                            program.holding.set()
                            while not program.go_on.wait(0.02):  # which notices who has gone
                                self._say(
                                    status="pulling", digest=f"sha256:{layer}", total=size, completed=done
                                )
                program.models.insert(0, (model, sum(program.sizes)))
                self._say(status="success")

            def _begin(self, status: int) -> None:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()

            def _say(self, **line: object) -> None:
                self.wfile.write(json.dumps(line).encode() + b"\n")
                self.wfile.flush()

            def log_message(self, *_: object) -> None:
                pass

        return Handler
