"""A child has no secrets, no core dump and no network; what it needs, it still has."""

from __future__ import annotations

import multiprocessing
import os
import socket
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.config.secrets import KeyOrigin, KeyStore
from app.core.documents.reading import ReadingProcess
from app.core.sandbox import Sandbox
from app.core.search.chroma import ChromaProcess
from app.domain.cancel import CancelToken
from tests.support.format_samples import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "sk-ant-a-key-that-no-child-may-see"
SECRETS = {
    "ANTHROPIC_API_KEY": KEY,
    "ANTHROPIC_AUTH_TOKEN": "of the server",
    "ANTHROPIC_BASE_URL": "https://user:word@example.org",
    "HF_TOKEN": "of the hub",
    "AWS_SECRET_ACCESS_KEY": "of the cloud",
    "DB_PASSWORD": "of the database",
    "MY_NOTES": f"the key is {KEY}",
}
KEPT = {"LECTERN_TEST_PLAIN": "plain", "XDG_ACTIVATION_TOKEN": "of the desktop", "LECTERN_KEYBOARD": "qwerty"}


class Probe:
    """Answers what its process has and may do. Its thread starts before anything is forbidden."""

    def __init__(self) -> None:
        self._asked, self._early = threading.Event(), [""]
        self._thread = threading.Thread(target=self._connect_early, daemon=True)
        self._thread.start()

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def core_limit(self) -> int:
        import resource

        return resource.getrlimit(resource.RLIMIT_CORE)[0]

    def connect(self, port: int, path: str) -> list[str]:
        """Return the outcome of TCP, UDP, TCP over IPv6, a socket file, TCP in a thread, in an early one."""
        self._port = port
        tries: list[tuple[int, int, Any]] = [
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", port)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("::1", port)),
            (socket.AF_UNIX, socket.SOCK_STREAM, path),
        ]
        outcomes = [_attempt(*one) for one in tries]
        self._asked.set()
        self._thread.join()
        return outcomes + self._early

    def answer(self, port: int) -> list[int | str]:
        """Return a port on which a connection is answered, and the outcomes of reaching out."""
        server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=lambda: server.accept()[0].sendall(b"answer"), daemon=True).start()
        outcomes = [_attempt(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port))]
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            outcomes.append(_attempt(socket.AF_INET, kind, ("127.0.0.1", port), "sendto"))
            outcomes.append(_attempt(socket.AF_INET, kind, ("127.0.0.1", port), "sendmsg"))
        return [server.getsockname()[1], *outcomes]

    def still_works(self, folder: str) -> str:
        """Use a pair of sockets, a thread, a file and a process."""
        left, right = socket.socketpair()
        left.sendall(b"pair")
        Path(folder, "written").write_bytes(right.recv(4))
        done = subprocess.run([sys.executable, "-c", "print('process')"], capture_output=True, check=True)
        return Path(folder, "written").read_text(encoding="utf-8") + done.stdout.decode().strip()

    def _connect_early(self) -> None:
        self._asked.wait()
        self._early = [_attempt(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", self._port))]


@cache
def probe() -> Probe:
    return Probe()


def answer(verb: str, *arguments: object) -> object:
    return getattr(probe(), verb)(*arguments)


class NoLimit(int):
    """Makes the probe where a child receives it, which is before anything is forbidden."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _make_probe, ()


def _make_probe() -> None:
    probe()


def _attempt(family: int, kind: int, address: Any, way: str = "connect") -> str:  # noqa: ANN401 - of any family
    ways = {
        "connect": lambda made: made.connect(address),
        "sendto": lambda made: made.sendto(b"out", getattr(socket, "MSG_FASTOPEN", 0), address),
        "sendmsg": lambda made: made.sendmsg([b"out"], [], 0, address),
    }
    try:
        with socket.socket(family, kind) as made:
            ways[way](made)
    except OSError as error:
        return type(error).__name__
    return "connected"


@pytest.fixture
def child() -> Iterator[Sandbox]:
    with Sandbox("probe", memory=NoLimit()) as child:
        yield child


@pytest.fixture
def with_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (SECRETS | KEPT).items():
        monkeypatch.setenv(name, value)


def ask(child: Sandbox, *request: object) -> Any:  # noqa: ANN401 - any JSON
    return child.call(lambda found: found, answer, *request)


def children(name: str) -> set[int | None]:
    return {one.pid for one in multiprocessing.active_children() if one.name == name}


def environment_of(pid: int | None) -> str:
    """Return the environment a child was started with, as the system shows it."""
    return Path(f"/proc/{pid}/environ").read_text(encoding="utf-8", errors="replace")


def test_no_secret_reaches_a_child_and_all_else_does(child: Sandbox, with_secrets: None) -> None:
    found = ask(child, "environment")
    assert not SECRETS.keys() & found.keys()
    assert KEPT.items() <= found.items()
    assert KeyStore().read() == (KEY, KeyOrigin.ENVIRONMENT), "this process can still look it up"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="the system shows no environments")
@pytest.mark.usefixtures("own_children")
def test_neither_the_reader_nor_chroma_is_started_with_a_secret(tmp_path: Path, with_secrets: None) -> None:
    # The first index may take over a process that was started earlier.
    first, second = ChromaProcess(), ChromaProcess()
    with ReadingProcess() as reading:
        reading.read(FOLDER / "page.html", CancelToken())
        first.open(tmp_path / "first", fresh=False)
        started = children("lectern-index")
        second.open(tmp_path / "second", fresh=False)
        try:
            (index,) = children("lectern-index") - started
            (reader,) = children("lectern-reader")
            started_with = environment_of(reader), environment_of(index)
        finally:
            second.close()
            first.close()
    for environment in started_with:
        assert "LECTERN_TEST_PLAIN=plain" in environment
        assert not [name for name in SECRETS if f"{name}=" in environment]
        assert KEY not in environment


def test_a_command_hands_no_secret_to_any_process(tmp_path: Path) -> None:
    """Such as the tracker of multiprocessing, a browser, or a tool of the system."""
    other = "import os; print(sorted(os.environ))"
    if sys.platform != "win32":
        other += "; import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[0] <= 1)"
    script = (
        "import subprocess, sys; from app.main import main; main(['courses']);"
        f"subprocess.run([sys.executable, '-c', {other!r}], check=True)"
    )
    places = {f"LECTERN_{name}_DIR": str(tmp_path / name) for name in ("DATA", "CONFIG", "CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **SECRETS, **KEPT, **places},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not [name for name in SECRETS if repr(name) in done.stdout], done.stdout
    assert all(repr(name) in done.stdout for name in KEPT)
    if sys.platform != "win32":
        assert done.stdout.splitlines()[-1] == "True", "a crash of a child would leave a core dump"


@pytest.mark.skipif(sys.platform == "win32", reason="no core dumps")
def test_a_child_leaves_no_core_dump(child: Sandbox) -> None:
    # 1 is too little for any, and the only limit that dumps to a program obey.
    assert ask(child, "core_limit") == (1 if sys.platform == "linux" else 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system offers it simply")
@pytest.mark.parametrize("programs", [False, True])
def test_a_child_has_no_network_and_its_programs_only_files_to_talk_to_each_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, programs: bool
) -> None:
    child = Sandbox("probe", memory=NoLimit(), programs=programs)
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        path = str(tmp_path / "socket")
        local.bind(path)
        local.listen()
        port = server.getsockname()[1]
        with caplog.at_level("INFO"):
            outcomes = ask(child, "connect", port, path)
        if "not cut off from the network" in caplog.text:
            pytest.skip(caplog.text)  # a system without seccomp
        child.close()
        refused = "PermissionError"
        assert outcomes == [*[refused] * 3, "connected" if programs else refused, refused]
        socket.create_connection(("127.0.0.1", port)).close()  # here nothing is forbidden


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system offers it simply")
def test_a_child_that_answers_reaches_nobody_itself(caplog: pytest.LogCaptureFixture) -> None:
    child = Sandbox("probe", memory=NoLimit(), answers=True)
    with socket.create_server(("127.0.0.1", 0)) as server, caplog.at_level("INFO"):
        port, *outcomes = ask(child, "answer", server.getsockname()[1])
        if "not cut off from the network" in caplog.text:
            pytest.skip(caplog.text)  # a system without seccomp
        with socket.create_connection(("127.0.0.1", port)) as connection:
            assert connection.recv(6) == b"answer"
    child.close()
    assert outcomes == ["PermissionError"] * 5


def test_a_child_can_do_what_it_needs(child: Sandbox, tmp_path: Path) -> None:
    assert ask(child, "still_works", str(tmp_path)) == "pairprocess"
