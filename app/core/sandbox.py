"""Calls functions in a child process: those that handle files of unknown origin.

A crafted or damaged file may make a parser hang, crash, eat memory or block the interpreter; in a child, none
of that reaches the program. One child answers many calls, since starting it takes longer than reading a small
file; after a crash or some hundred calls a new one takes its place. Calls and their arguments are pickled,
but only plain data comes back. Whatever the child logs is logged here. It gets no secret variables and, where
the system can forbid it, no network (:mod:`app.config.confinement`). Children are spawned, which works in a
checkout, an installed program and a packaged one (whose ``main`` begins with
``multiprocessing.freeze_support()``).
"""

import atexit
import contextlib
import functools
import io
import json
import logging
import math
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Self, TypeVar

from app.config.confinement import drop_secrets, forbid_network, guard_secrets, limit
from app.domain.cancel import CancelToken
from app.domain.errors import (
    ConnectionTrouble,
    FileNotOpened,
    LecternError,
    ModelMissing,
    ReaderStopped,
    ServerBusy,
    UnreadableFile,
    UserError,
)
from app.domain.messages import Message

FRAME_LIMIT = 128 * 2**20
"""Bytes of a reply or note at most."""

_BYTES, _JSON, _REFUSAL, _NOTE, _LOG = b"=", b"{", b"!", b"~", b"#"  # the first byte of each
_MEMORY = 2 * 2**30
_SECONDS = 120.0
_DEPTH = 5000  # nested calls; pages have elements some hundred deep
_ERRORS: dict[str, Callable[[Message], LecternError]] = {
    error.__name__: error
    for error in (
        *(UserError, UnreadableFile, FileNotOpened, ReaderStopped),
        *(ModelMissing, ConnectionTrouble, ServerBusy),
    )
}
_POLL = 0.05  # seconds between two looks at the token
_LONGEST_PAUSE = 3600.0  # seconds; the system's calls take no longer ones
_WATCH = 0.2  # seconds between two looks of a child at its parent and its processor time
_GRACE = 5.0  # seconds for an idle child to end once its connection is closed
_OVERSPENT = 85  # exit status of a child that used up its processor time, unless the system ended it:
_OVERSPENT_STATUSES = (_OVERSPENT, -getattr(signal, "SIGXCPU", _OVERSPENT))
# Signals that end a program. Its children leave them to it, even if all of them receive one.
_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_KILLS = (-signal.SIGTERM, -9)  # exit statuses; the system sends signal 9 when it runs out of memory

_log = logging.getLogger(__name__)

R = TypeVar("R")


class ChildFailed(Exception):
    """There is no reply."""


class ChildDied(ChildFailed):
    """The child ended before it replied."""


class ChildKilled(ChildDied):
    """Something outside killed the child, such as the system when it runs out of memory."""


class ChildOutOfMemory(ChildDied):
    """The memory of the child did not suffice for a call."""


class ChildTimedOut(ChildFailed):
    """The child took too long by the clock and was killed."""


class ChildOverspent(ChildFailed):
    """The child used up the processor time of a call."""


class Sandbox:
    """Calls functions in a child process, started by the first call and again after it ended.

    Thread-safe: calls wait for each other.

    Args:
        name: of the process.
        seconds: limit for one call by the clock, for one that waits, say for a disk.
        memory: bytes of address space, where the system can limit it.
        most_calls: after which a new child takes its place, with what the parsers did not give back.
        output: file that receives what the child prints.
        network: the child may open connections.
        answers: the child may only answer whoever connects to it.
        programs: the child runs other programs, which end with it and may talk to each other.
    """

    def __init__(
        self,
        name: str,
        *,
        seconds: float = _SECONDS,
        memory: int | None = _MEMORY,
        most_calls: float = math.inf,
        output: Path | None = None,
        network: bool = False,
        answers: bool = False,
        programs: bool = False,
    ) -> None:
        self._name = f"lectern-{name}"
        self._seconds = seconds
        self._cpu_seconds: float | None = None
        self._programs = programs
        self._args = (_Limits(seconds, memory), output, network, answers, programs)
        self._most_calls = most_calls
        self._lock = threading.Lock()
        self._process: multiprocessing.context.SpawnProcess | None = None
        self._connection: Connection | None = None
        self._answered = 0  # calls since the child was started

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_alive(self) -> bool:
        """Whether the child was started and has not ended."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> None:
        """Start the child unless it is running; returns before it is ready, in a quarter of a second."""
        if self.is_alive:
            return
        self.kill()
        guard_secrets()
        context = multiprocessing.get_context("spawn")
        connection, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, *self._args), name=self._name, daemon=True)
        try:
            with _ending_held_back():
                process.start()
        except BaseException:
            connection.close()
            raise
        finally:
            theirs.close()
        self._process, self._connection = process, connection
        _started.add(self)
        self._answered = 0

    def call(
        self,
        made: Callable[[Any], R],
        work: Callable[..., object],
        *arguments: object,
        seconds: float | None = None,
        token: CancelToken | None = None,
        progress: Callable[[Message], None] | None = None,
    ) -> R:
        """Call a function of a module in the child, for some ``seconds`` of processor time at most.

        It returns bytes, or what JSON holds, and ``made`` makes the result of that: plain data only, since a
        file may have led the child astray. What ``made`` cannot use counts as none. With ``progress``, its
        last argument receives messages that arrive there.

        Raises:
            LecternError: it was raised in the child.
            ChildFailed: the child ended, or took too long.
            Cancelled: the token was cancelled; the child was killed.
        """
        while not self._lock.acquire(timeout=_POLL):
            if token is not None:
                token.check()
        try:
            if token is not None:
                token.check()  # the child may be quicker than a look at the token
            if self._answered >= self._most_calls:
                self.close()
            kind, reply = self._ask((work, arguments, progress is not None), token, progress, seconds)
        finally:
            self._lock.release()
        try:
            if kind != _REFUSAL:
                return made(reply if kind == _BYTES else json.loads(reply))
            name, message = json.loads(reply)
            if name == MemoryError.__name__:
                raise ChildOutOfMemory
            raise _ERRORS[name](Message.from_json(message))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ChildDied("its reply means nothing") from error

    def close(self) -> None:
        """Let an idle child end properly; a later call starts a new one."""
        if self._connection is not None and self._process is not None:
            self._connection.close()  # which the child notices
            self._process.join(_GRACE)
        self.kill()

    def kill(self) -> None:
        """End the child at once, whatever it is doing."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._process is not None:
            if self._programs:
                _end_programs(self._process.pid)
            self._process.kill()
            self._process.join(_GRACE)
            with contextlib.suppress(ValueError):  # a network drive that does not answer keeps it
                self._process.close()
            self._process = None

    def _ask(
        self,
        request: tuple[object, ...],
        token: CancelToken | None,
        progress: Callable[[Message], None] | None,
        cpu_seconds: float | None,
    ) -> tuple[bytes, bytes]:
        """Send a request and return the reply with its kind. Unless it returns, the child is gone."""
        sent = pickle.dumps((cpu_seconds, *request))
        self.start()
        self._cpu_seconds = cpu_seconds
        until = time.monotonic() + self._seconds
        try:
            try:
                self._connection.send_bytes(sent)  # type: ignore[union-attr]
            except OSError as error:
                raise self._death() from error
            while True:
                reply = self._receive(until, token)
                kind, payload = reply[:1], reply[1:]
                if kind in (_BYTES, _JSON, _REFUSAL):
                    self._answered += 1
                    return kind, payload
                if kind == _LOG:
                    with contextlib.suppress(ValueError, TypeError):  # a file may have led it astray
                        level, message = json.loads(payload)
                        _log.log(int(level), "%s: %s", self._name, message)
                elif progress is not None:
                    progress(Message.from_json(payload.decode()))
        except BaseException:  # a late reply must not be taken for that to the next call
            self.kill()
            raise

    def _receive(self, until: float, token: CancelToken | None) -> bytes:
        assert self._connection is not None
        assert self._process is not None
        pause = _LONGEST_PAUSE if token is None else _POLL
        has_come = False
        while not has_come:
            if token is not None:
                token.check()
            left = until - time.monotonic()
            if left <= 0:
                raise ChildTimedOut(f"{self._name} took more than {self._seconds} seconds")
            has_come = bool(wait([self._connection, self._process.sentinel], min(pause, left)))
        try:
            if not self._connection.poll():
                raise EOFError
            return self._connection.recv_bytes(FRAME_LIMIT)
        except (EOFError, OSError) as error:
            raise self._death() from error

    def _death(self) -> Exception:
        assert self._process is not None
        until = time.monotonic() + _GRACE
        self._process.join(_GRACE)
        # A thread that starts another child collects the status of this one too and stores it a moment later.
        while (status := self._process.exitcode) is None and time.monotonic() < until:
            time.sleep(0.001)
        if self._cpu_seconds is not None and status in _OVERSPENT_STATUSES:
            return ChildOverspent(f"{self._name} used {self._cpu_seconds} seconds of processor time")
        kind = ChildKilled if status in _KILLS else ChildDied
        return kind(f"the process {self._name} ended with status {status}")


_started: weakref.WeakSet[Sandbox] = weakref.WeakSet()


@atexit.register  # before multiprocessing asks daemons to end, in a way that they ignore
def _kill_all() -> None:
    for child in list(_started):
        child.kill()


def _end_programs(pid: int | None) -> None:
    """End the programs that a child has started, and it with them."""
    if sys.platform == "win32":
        command = ["taskkill", "/F", "/T", "/PID", str(pid)]
        subprocess.run(command, check=False, capture_output=True, creationflags=subprocess.CREATE_NO_WINDOW)
    else:
        with contextlib.suppress(OSError, TypeError):  # it is gone, or leads no group yet
            os.killpg(pid, signal.SIGKILL)  # type: ignore[arg-type]


# In the child


@dataclass
class _Limits:
    """What one call may use; ``until`` is the processor time of the process at which it ends itself."""

    seconds: float
    memory: int | None
    until: float = math.inf

    def begin(self, cpu_seconds: float | None) -> None:
        """Start counting for a call."""
        used = time.process_time()
        if cpu_seconds is not None:
            self.until = used + cpu_seconds
        # For a call that never ends and holds the interpreter, so that no thread can watch it.
        limit("RLIMIT_CPU", int(used + (cpu_seconds or 2 * self.seconds)) + 2)


@contextlib.contextmanager
def _ending_held_back() -> Iterator[None]:
    """Hold back signals that end programs from a child, whose interpreter starts, until it ignores them."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # its first start would let them through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(
    connection: Connection,
    limits: _Limits,
    output: Path | None,
    network: bool,
    answers: bool,
    programs: bool,
) -> None:
    if programs and sys.platform != "win32":
        os.setsid()  # leads a group, in which its programs are
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    if output is not None:
        _redirect_output(output)
    threading.Thread(target=_watch, args=(limits, programs), daemon=True).start()
    if limits.memory is not None:
        limit("RLIMIT_AS", limits.memory)
    sys.setrecursionlimit(_DEPTH)
    drop_secrets()
    has_network = "" if network else forbid_network(but_local=programs, but_answers=answers)

    def send(kind: bytes, payload: bytes) -> None:
        connection.send_bytes(kind + payload)

    log = logging.getLogger("app")
    log.addHandler(_LogSender(functools.partial(send, _LOG)))
    log.setLevel(logging.INFO)
    log.propagate = False
    if has_network:
        _log.info("It is not cut off from the network: %s", has_network)
    with contextlib.suppress(EOFError, OSError):  # the parent has closed the connection
        while True:
            cpu_seconds, work, arguments, is_told = pickle.loads(connection.recv_bytes())
            limits.begin(cpu_seconds)
            if is_told:
                arguments += (lambda step: send(_NOTE, step.to_json().encode()),)
            reply = _reply(work, arguments)
            limits.until = math.inf
            send(*reply)


def _reply(work: Callable[..., object], arguments: tuple[object, ...]) -> tuple[bytes, bytes]:
    try:
        found = work(*arguments)
        return (_BYTES, found) if isinstance(found, bytes) else (_JSON, _encoded(found))
    except LecternError as error:
        return _REFUSAL, _encoded([type(error).__name__, error.message.to_json()])
    except MemoryError:
        pass  # what was read is freed before there is a reply
    return _REFUSAL, _encoded([MemoryError.__name__, ""])


def _encoded(reply: object) -> bytes:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


class _LogSender(logging.Handler):
    def __init__(self, send: Callable[[bytes], None]) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        self._send(json.dumps([record.levelno, self.format(record)]).encode())


def _watch(limits: _Limits, programs: bool) -> None:
    """End this process once a call has used up its processor time, or the parent has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    while parent.is_alive():
        if time.process_time() > limits.until:
            os._exit(_OVERSPENT)
        parent.join(_WATCH)
    if programs:
        _end_programs(os.getpid())
    os._exit(1)


def _redirect_output(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    # A program with a window may have no streams on Windows.
    raw = os.fdopen(2, "wb", 0)
    sys.stdout = sys.stderr = io.TextIOWrapper(raw, "utf-8", "replace", write_through=True)
