"""A real Chroma server on loopback, and a proxy in front of it that fails as servers and networks do.

The fixtures are in ``tests/conftest.py``: ``chroma_server`` runs one server for all tests, and
``chroma_database`` is an empty database on it, of the test alone::

    def test_it(chroma_database: ServerAddress) -> None:
        with ChromaProxy(chroma_database.url) as proxy:
            proxy.fault = Fault(status=503, on="/query")
            connection = ServerConnection(proxy.address_of(chroma_database))
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from app.domain.shared import DEFAULT_TENANT, ServerAddress

if TYPE_CHECKING:
    from collections.abc import Mapping

_TLS = Path(__file__).parent.parent / "data" / "tls"
AUTHORITY, OTHER_AUTHORITY = _TLS / "authority.pem", _TLS / "other_authority.pem"
"""The authority that signed the certificate of a proxy with TLS, and another one."""

_PATIENCE = 180.0  # seconds for the server to start on a busy computer
_NOT_PASSED_ON = ("host", "connection", "accept-encoding", "transfer-encoding", "content-length")


class ChromaServer:
    """``chroma run`` on a port of its own, with its files in a folder. Can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = int(free.getsockname()[1])
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> ChromaServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "it is not running"
        return self._process.pid

    def start(self) -> None:
        """Start the server and wait until it answers."""
        program = Path(sys.executable).with_name("chroma.exe" if sys.platform == "win32" else "chroma")
        place = ["--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self._port)]
        self._process = subprocess.Popen(
            [program, "run", *place], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + _PATIENCE
        while True:
            with suppress(URLError, OSError):
                self._ask("/heartbeat")
                return
            assert self._process.poll() is None, "the server has ended"
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.05)

    def kill(self) -> None:
        """End the server at once, whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def new_database(self) -> ServerAddress:
        """Return an empty database that nothing else uses."""
        name = f"test-{uuid.uuid4().hex[:12]}"
        self._ask(f"/tenants/{DEFAULT_TENANT}/databases", {"name": name})
        return ServerAddress(self.url, database=name)

    def make_collection(
        self, address: ServerAddress, name: str, metadata: Mapping[str, object] | None
    ) -> None:
        """Make a collection as somebody else's program would."""
        path = f"/tenants/{address.tenant}/databases/{address.database}/collections"
        self._ask(path, {"name": name, "metadata": metadata})

    def delete_collection(self, address: ServerAddress, name: str) -> None:
        path = f"/tenants/{address.tenant}/databases/{address.database}/collections/{name}"
        self._ask(path, method="DELETE")

    def _ask(self, path: str, content: dict[str, object] | None = None, method: str | None = None) -> None:
        data = None if content is None else json.dumps(content).encode()
        headers = {"Content-Type": "application/json"}
        request = Request(f"{self.url}/api/v2{path}", data, headers, method=method)
        with urlopen(request, timeout=_PATIENCE) as answer:
            answer.read()


@dataclass(frozen=True, slots=True)
class Fault:
    """What a proxy does instead of passing requests on."""

    on: str = ""  # part of the paths of the requests that it concerns; any if empty
    after: int = 0  # so many of them are passed on before it begins
    times: int = sys.maxsize  # it concerns so many of them; the others are passed on
    status: int = 0  # of the answer that takes the place of the server's
    body: bytes = b"{}"  # of that answer
    headers: tuple[tuple[str, str], ...] = ()  # of that answer
    is_silent: bool = False  # nothing comes at all
    trickles: bool = False  # the server's answer comes, a byte every tenth of a second
    cuts: bool = False  # half the server's answer comes, and the connection ends
    endless: bool = False  # the answer begins, and goes on for ever


@dataclass(frozen=True, slots=True)
class Seen:
    """A request as it arrived; names of headers in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class ChromaProxy:
    """Passes requests on to a server, except for what its fault says.

    Attributes:
        target: URL of the server.
        has_tls: whether it speaks HTTPS, with a certificate for ``localhost`` signed by :data:`AUTHORITY`.
        token: what it asks for as bearer; nothing if empty.
        fault: how it fails now; None while it works.
        seen: all requests in order.
        stuck: is set once a request is answered with silence or a trickle.
    """

    target: str
    has_tls: bool = False
    token: str = ""
    fault: Fault | None = None
    seen: list[Seen] = field(default_factory=list)
    stuck: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.ended = threading.Event()
        handler = type("Handler", (_Handler,), {"proxy": self})
        self._http = _Quiet(("127.0.0.1", 0), handler)
        if self.has_tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(_TLS / "server.pem")
            self._http.tls = context
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        scheme, name = ("https", "localhost") if self.has_tls else ("http", "127.0.0.1")
        return f"{scheme}://{name}:{self._http.server_address[1]}"

    def address_of(self, address: ServerAddress, ca_file: Path | str = "") -> ServerAddress:
        """Return the way to a database of the target through this proxy."""
        return replace(address, url=self.url, ca_file=str(ca_file))

    def __enter__(self) -> ChromaProxy:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def fault_for(self, path: str) -> Fault | None:
        """Return the fault for a request, which counts."""
        fault = self.fault
        if fault is None or fault.on not in path or fault.times <= 0:
            return None
        if fault.after:
            self.fault = replace(fault, after=fault.after - 1)
            return None
        self.fault = replace(fault, times=fault.times - 1)
        return fault


class _Quiet(ThreadingHTTPServer):
    """Lets clients go when they like, and shakes hands in the thread of each connection."""

    daemon_threads = True
    tls: ssl.SSLContext | None = None

    def finish_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        if self.tls is not None:
            try:
                request = self.tls.wrap_socket(request, server_side=True)
            except OSError:  # the client does not trust the certificate
                return
        super().finish_request(request, client_address)
        if self.tls is not None:
            request.close()

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    proxy: ChromaProxy
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def do_PUT(self) -> None:
        self._answer()

    def do_DELETE(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _answer(self) -> None:
        proxy = self.proxy
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        proxy.seen.append(Seen(self.command, self.path, headers, body))
        fault = proxy.fault_for(self.path)
        if proxy.token and headers.get("authorization") != f"Bearer {proxy.token}":
            self._send(401, b'{"error":"AuthorizationError","message":"Unauthorized"}', {})
        elif fault is not None and fault.is_silent:
            self._hang()
        elif fault is not None and fault.endless:
            self._pour()
        elif fault is not None and fault.status:
            self._send(fault.status, fault.body, dict(fault.headers))
        else:
            self._pass_on(body, headers, fault)

    def _pass_on(self, body: bytes, headers: dict[str, str], fault: Fault | None) -> None:
        server = http.client.HTTPConnection(urlsplit(self.proxy.target).netloc)
        kept = {name: value for name, value in headers.items() if name not in _NOT_PASSED_ON}
        server.request(self.command, self.path, body or None, kept)
        answer = server.getresponse()
        content = answer.read()
        server.close()
        self._send(answer.status, content, {"Content-Type": "application/json"}, fault)

    def _send(self, status: int, content: bytes, headers: dict[str, str], fault: Fault | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if fault is not None and fault.cuts:
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
        elif fault is not None and fault.trickles:
            self.proxy.stuck.set()
            for begin in range(len(content)):
                if self.proxy.ended.wait(0.1):
                    break
                self.wfile.write(content[begin : begin + 1])
            self.close_connection = True
        else:
            self.wfile.write(content)

    def _hang(self) -> None:
        self.proxy.stuck.set()
        self.proxy.ended.wait()
        self.close_connection = True

    def _pour(self) -> None:
        self.send_response(200)
        self.end_headers()
        while not self.proxy.ended.is_set():
            self.wfile.write(b" " * 2**20)
