"""Child processes: used again, replaced, limited, killed; the parent never hangs."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from filelock import FileLock, Timeout

from app.core.sandbox import (
    FRAME_LIMIT,
    ChildDied,
    ChildKilled,
    ChildOutOfMemory,
    ChildOverspent,
    ChildTimedOut,
    Sandbox,
)
from app.domain.cancel import Cancelled, CancelToken
from app.domain.messages import LITERAL, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

pytestmark = pytest.mark.slow

NAME = "lectern-test"
LIMIT = 30.0  # seconds for a child to end on a busy machine


def do(request: bytes, tell: Callable[[Message], None]) -> bytes:
    """Do in the child what a test asks for."""

    def note(word: bytes) -> None:
        tell(Message(LITERAL, text=word.decode()))

    verb, _, rest = request.partition(b" ")
    if verb == b"note":
        for word in rest.split():
            note(word)
    elif verb == b"log":
        logging.getLogger("app.child").warning("%s", rest.decode())
    elif verb == b"exit":
        os._exit(int(rest))
    elif verb == b"kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif verb == b"raise":
        raise ZeroDivisionError(rest.decode())
    elif verb == b"loop":
        note(b"started")
        while True:
            pass
    elif verb == b"flood":
        while True:
            note(b"more")
    elif verb == b"wait":
        time.sleep(float(rest))
    elif verb == b"use":
        end = time.process_time() + float(rest)
        while time.process_time() < end:
            pass
    elif verb == b"choke":
        re.match(r"(a+)+b", "a" * 64)  # never ends, and holds the interpreter
    elif verb in (b"hold", b"grip"):
        with FileLock(rest.decode()):
            note(b"held")
            if verb == b"grip":
                re.match(r"(a+)+b", "a" * 64)  # never ends, and holds the interpreter
            while True:
                pass
    elif verb == b"eat":
        return b"x" * int(rest)
    elif verb == b"pid":
        return str(os.getpid()).encode()
    return rest.upper()


def ask(
    child: Sandbox,
    request: bytes,
    token: CancelToken | None = None,
    on_note: Callable[[bytes], object] = lambda _: None,
    *,
    cpu_seconds: float | None = None,
) -> bytes:
    def hear(step: Message) -> None:
        on_note(str(step).encode())

    return child.call(bytes, do, request, token=token, progress=hear, seconds=cpu_seconds)


@pytest.fixture
def child() -> Iterator[Sandbox]:
    child = Sandbox("test")
    yield child
    child.close()
    assert not running()


def running() -> list[int | None]:
    return [process.pid for process in multiprocessing.active_children() if process.name == NAME]


def test_one_process_answers_many_requests(child: Sandbox) -> None:
    assert not running()
    assert ask(child, b"say hello") == b"HELLO"
    used = running()
    assert ask(child, b"say " + b"x" * 5_000_000) == b"X" * 5_000_000
    assert running() == used


def test_it_can_be_started_before_the_first_request(child: Sandbox) -> None:
    assert not child.is_alive
    child.start()
    (started,) = running()
    child.start()
    assert int(ask(child, b"pid")) == started
    child.kill()
    assert not child.is_alive
    child.kill()


def test_too_long_a_reply_is_no_reply(child: Sandbox) -> None:
    with pytest.raises(ChildDied):
        ask(child, b"eat %d" % (FRAME_LIMIT + 1))
    assert not running()


def test_notes_arrive_before_the_reply(child: Sandbox) -> None:
    notes: list[bytes] = []
    assert ask(child, b"note one two", on_note=notes.append) == b"ONE TWO"
    assert notes == [b"one", b"two"]


def test_what_it_logs_is_logged_here(child: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    ask(child, b"log something is odd")
    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.WARNING, f"{NAME}: something is odd")
    ]


@pytest.mark.parametrize("request_", [b"exit 9", b"raise boom"])
def test_a_crash_is_noticed_and_the_next_request_starts_another(
    child: Sandbox, tmp_path: Path, request_: bytes
) -> None:
    child = Sandbox("test", output=tmp_path / "output.txt")
    ask(child, b"say hello")
    with pytest.raises(ChildDied, match="ended with status"):
        ask(child, request_)
    assert not running()
    assert ask(child, b"say again") == b"AGAIN"
    child.close()
    assert ("boom" in (tmp_path / "output.txt").read_text(encoding="utf-8")) == (request_ == b"raise boom")


def test_a_process_killed_while_idle_is_replaced(child: Sandbox) -> None:
    first = int(ask(child, b"pid"))
    os.kill(first, getattr(signal, "SIGKILL", signal.SIGTERM))
    for process in multiprocessing.active_children():
        if process.pid == first:
            process.join(LIMIT)
    assert int(ask(child, b"pid")) != first


def test_what_cannot_be_sent_starts_nothing(child: Sandbox) -> None:
    for _ in range(2):
        with pytest.raises((AttributeError, pickle.PicklingError)):
            child.call(bytes, lambda: b"")
        assert not child.is_alive
        assert not running()


def test_a_limit_of_time_takes_no_thread() -> None:
    """A timer that fires as the reply comes would kill the child of the next request."""
    child = Sandbox("test", seconds=LIMIT)
    before, during = threading.active_count(), []
    ask(child, b"note one", on_note=lambda _: during.append(threading.active_count()))
    child.close()
    assert during == [before]


@pytest.mark.parametrize("request_", [b"loop", b"flood"])
def test_one_that_takes_too_long_is_killed(request_: bytes) -> None:
    child = Sandbox("test", seconds=2)
    with pytest.raises(ChildTimedOut, match="2 seconds"):
        ask(child, request_)
    assert not running()


@pytest.mark.parametrize(
    "request_",
    [
        b"loop",
        pytest.param(
            b"choke",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="no limit of processor time there"),
        ),
    ],
)
def test_one_that_uses_too_much_processor_time_ends(request_: bytes) -> None:
    child = Sandbox("test", seconds=20 * LIMIT)
    with pytest.raises(ChildOverspent, match="1 seconds of processor time"):
        ask(child, request_, cpu_seconds=1)
    assert not running()
    assert ask(child, b"say again") == b"AGAIN"
    child.close()


def test_waiting_uses_no_processor_time_and_each_request_has_its_own() -> None:
    child = Sandbox("test", seconds=20 * LIMIT)
    first = ask(child, b"pid")
    ask(child, b"wait 2.5", cpu_seconds=1)
    for _ in range(3):
        ask(child, b"use 0.6", cpu_seconds=1)
    assert ask(child, b"pid") == first
    child.close()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_being_killed_from_outside_is_not_a_crash(child: Sandbox) -> None:
    def kill(number: signal.Signals) -> None:
        for process in multiprocessing.active_children():
            if process.pid is not None and process.name == NAME:
                os.kill(process.pid, number)

    with pytest.raises(ChildKilled):
        ask(child, b"loop", on_note=lambda _: kill(signal.SIGKILL))
    with pytest.raises(ChildDied) as caught:
        ask(child, b"loop", on_note=lambda _: kill(signal.SIGSEGV))
    assert not isinstance(caught.value, ChildKilled)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_what_ended_it_is_known_where_other_threads_look_at_it(child: Sandbox) -> None:
    """Whoever starts a child collects the exit statuses of all that have ended, as looking for them does."""
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            multiprocessing.active_children()

    threads = [threading.Thread(target=look) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for _ in range(10):
            with pytest.raises(ChildKilled):
                ask(child, b"kill")
    finally:
        done.set()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(interval)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_signals_that_end_programs_are_left_to_the_parent(child: Sandbox) -> None:
    pid = int(ask(child, b"pid"))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(pid, number)
    assert int(ask(child, b"pid")) == pid


AT_THE_END = """
import sys
from app.core.sandbox import Sandbox
from tests.core.test_sandbox import ask
if __name__ == "__main__":
    child = Sandbox("test")
    print(ask(child, b"pid").decode())
"""


def test_one_that_is_forgotten_ends_with_its_program() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_THE_END],
        capture_output=True,
        encoding="utf-8",
        timeout=4 * LIMIT,
        check=True,
    )
    assert int(done.stdout)
    assert done.stderr == ""


def test_cancelling_kills_it(child: Sandbox) -> None:
    token = CancelToken()
    with pytest.raises(Cancelled):
        ask(child, b"loop", token, lambda _: token.cancel())
    assert not running()


def test_an_error_of_the_listener_ends_the_request(child: Sandbox) -> None:
    def fail(_: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(child, b"note one", on_note=fail)
    assert not running()
    assert ask(child, b"say hello") == b"HELLO"


@pytest.mark.skipif(sys.platform != "linux", reason="only there the system limits a process's memory")
def test_memory_is_limited() -> None:
    with Sandbox("test", memory=400 * 2**20) as child:
        assert len(ask(child, b"eat 1000")) == 1000
        with pytest.raises(ChildOutOfMemory):
            ask(child, b"eat 900000000")


@pytest.mark.parametrize(
    ("verb", "seconds"),
    [
        (b"hold", 600),
        pytest.param(
            b"grip", 3, marks=pytest.mark.skipif(sys.platform == "win32", reason="no limit of processor time")
        ),
    ],
)
def test_it_ends_with_its_parent_in_the_middle_of_a_request(
    tmp_path: Path, verb: bytes, seconds: float
) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    owner = context.Process(target=_ask_and_be_killed, args=(theirs, verb, seconds, tmp_path / "lock"))
    owner.start()
    assert ours.recv_bytes() == b"held"
    with pytest.raises(Timeout):
        FileLock(tmp_path / "lock").acquire(timeout=0)
    owner.kill()
    owner.join()
    FileLock(tmp_path / "lock").acquire(timeout=4 * LIMIT)


def _ask_and_be_killed(connection: Connection, verb: bytes, seconds: float, lock: Path) -> None:
    child = Sandbox("test", seconds=seconds)
    child.start()
    ask(child, verb + b" " + os.fsencode(lock), on_note=connection.send_bytes)
