"""A loopback server with the routes of the Hugging Face hub that a download uses.

It serves the files of a folder as one model, whole or from an offset, and can fail as the real one does::

    with HubServer(folder) as server:
        server.stand_in(monkeypatch)
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.core.downloads import HubFile, Snapshot
from app.core.embedding import hub
from app.core.local_models import service

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

REVISION = "0123456789abcdef0123456789abcdef01234567"
LOGIN_PAGE = b"<!DOCTYPE html><html><title>Welcome to Hotel Wi-Fi</title>Please sign in.</html>"
_PIECE = 1 << 14


@dataclass
class Requested:
    """A request as it arrived; ``offset`` is where its range begins."""

    method: str
    path: str
    headers: dict[str, str]
    offset: int = 0


@dataclass
class HubServer:
    """Serves one model.

    Attributes:
        folder: holds the files.
        name: of the model.
        status: answered to every request instead of what it asks for, such as 503.
        is_portal: whether every request gets the login page of a network.
        is_whole: whether files are sent from their beginning, whatever was asked for.
        damaged: path of a file that arrives with its last byte changed.
        cut_after: bytes of a file after which its first connection is closed.
        hold_after: bytes of a file after which nothing more comes until :attr:`go_on` is set.
        requests: all requests in order.
    """

    folder: Path
    name: str = "tiny/model"
    status: int = 0
    is_portal: bool = False
    is_whole: bool = False
    damaged: str = ""
    cut_after: int | None = None
    hold_after: int | None = None
    requests: list[Requested] = field(default_factory=list)
    holding: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        handler = type("Handler", (_Handler,), {"hub": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def snapshot(self) -> Snapshot:
        """The files, as the program knows them in advance."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return Snapshot(
            self.name,
            REVISION,
            tuple(
                HubFile(path.relative_to(self.folder).as_posix(), path.stat().st_size, _sha256(path))
                for path in paths
            ),
        )

    def __enter__(self) -> HubServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.go_on.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let this model be the one for all languages, and this server the hub."""
        monkeypatch.setattr(hub, "MULTILINGUAL_FILES", self.snapshot)
        monkeypatch.setenv("HF_ENDPOINT", self.url)

    def offer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let its only file be the one model that Lectern runs itself, as it is when it is asked for."""
        monkeypatch.setattr(service, "entries", lambda: {"small": self._entry()})
        monkeypatch.setenv("HF_ENDPOINT", self.url)

    def _entry(self) -> dict[str, Any]:
        (path,) = self.folder.iterdir()
        return {
            "id": "small",
            "name": "Small",
            "repository": self.name,
            "revision": REVISION,
            "files": [[path.name, path.stat().st_size, _sha256(path)]],
            "licence": "Apache-2.0",
            "memory": 0,
            "ollama": "small",
        }


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self) -> None:
        hub, path = self.hub, urlsplit(self.path).path
        headers = {name.lower(): value for name, value in self.headers.items()}
        begin = headers.get("range", "bytes=0-")[6:].partition("-")[0]
        hub.requests.append(Requested(self.command, path, headers, int(begin or 0)))
        files = f"/{hub.name}/resolve/{REVISION}/"
        if hub.is_portal:
            self._send(200, LOGIN_PAGE, {"Content-Type": "text/html"})
        elif hub.status:
            self._send(hub.status, b"{}", {"Content-Type": "application/json"})
        elif path.startswith(files) and (hub.folder / path.removeprefix(files)).is_file():
            self._send_file(path.removeprefix(files), 0 if hub.is_whole else int(begin or 0))
        else:
            self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})

    def _send_file(self, name: str, offset: int) -> None:
        hub = self.hub
        content = (hub.folder / name).read_bytes()
        if name == hub.damaged:
            content = content[:-1] + bytes([content[-1] ^ 1])
        headers = {
            "X-Repo-Commit": REVISION,
            "ETag": f'"{hashlib.sha1(content).hexdigest()}"',
            "Accept-Ranges": "bytes",
        }
        if offset:
            headers["Content-Range"] = f"bytes {offset}-{len(content) - 1}/{len(content)}"
        self._send(206 if offset else 200, content, headers, offset)

    def _send(self, status: int, content: bytes, headers: dict[str, str], offset: int = 0) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content) - offset)}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        hub = self.hub
        for begin in range(offset, len(content), _PIECE):
            if hub.hold_after is not None and begin >= hub.hold_after:
                hub.holding.set()
                hub.go_on.wait()
            if hub.cut_after is not None and begin >= hub.cut_after:
                hub.cut_after = None
                self.close_connection = True
                return
            try:
                self.wfile.write(content[begin : begin + _PIECE])
            except OSError:  # whoever asked has gone
                self.close_connection = True
                return


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
