"""Work that may hang, crash, eat memory or hold the interpreter, done in a process of its own.

A child process answers requests one at a time. Requests and replies are bytes; while it works on a
request the child may also send notes, and whatever it logs is logged here. It gets no secret variables and,
where the system can forbid it, no network (:mod:`app.config.confinement`). Children are spawned, which
works in a checkout, an installed program and a packaged one (whose ``main`` begins with
``multiprocessing.freeze_support()``).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import io
import json
import logging
import math
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Self

from app.config.confinement import drop_secrets, forbid_network, guard_secrets, limit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from pathlib import Path

    from app.domain.cancel import CancelToken

Handler = Callable[[bytes, Callable[[bytes], None]], bytes]
"""Answers one request in the child; its second argument sends a note. Must be picklable."""

FRAME_LIMIT = 128 * 2**20
"""Bytes of a reply or note at most."""

_REPLY, _NOTE, _LOG = b"=", b"~", b"!"  # each frame follows one of these
_POLL = 0.05  # seconds between two looks at the token
_LONGEST_PAUSE = 3600.0  # seconds; the system's calls take no longer ones
_WATCH = 0.2  # seconds between two looks of a child at its parent and its processor time
_GRACE = 5.0  # seconds for an idle child to end once its connection is closed
_OVERSPENT = 85  # exit status of a child that used up its processor time, unless the system ended it:
_OVERSPENT_STATUSES = (_OVERSPENT, -getattr(signal, "SIGXCPU", _OVERSPENT))
# Signals that end a program. Its children leave them to it, also where all of them receive one.
_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_KILLS = (-signal.SIGTERM, -9)  # exit statuses; the system sends signal 9 when it runs out of memory

_log = logging.getLogger(__name__)


class ChildFailed(Exception):
    """There is no reply."""


class ChildDied(ChildFailed):
    """The child ended before it replied."""


class ChildKilled(ChildDied):
    """Something outside killed the child, such as the system when it runs out of memory."""


class ChildTimedOut(ChildFailed):
    """The child took too long by the clock and was killed."""


class ChildOverspent(ChildFailed):
    """The child used up the processor time of a request."""


class ChildProcess:
    """A child process, started by the first request and again after it ended. For one thread at a time.

    Args:
        handler: answers the requests, in the child.
        name: of the process.
        seconds: limit for one request by the clock; without, it finishes its request when the parent ends.
        memory: bytes of address space, where the system can limit it.
        output: file that receives what the child prints.
        network: the child may open connections.
        programs: the child runs other programs, which end with it and may talk to each other.
    """

    def __init__(
        self,
        handler: Handler,
        name: str,
        *,
        seconds: float | None = None,
        memory: int | None = None,
        output: Path | None = None,
        network: bool = False,
        programs: bool = False,
    ) -> None:
        self._name = name
        self._seconds = seconds
        self._cpu_seconds: float | None = None
        self._programs = programs
        self._args = (handler, _Limits(seconds, memory), output, network, programs)
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self.answered = 0  # requests since the child was started

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
        self.answered = 0

    def ask(
        self,
        request: bytes,
        token: CancelToken | None = None,
        on_note: Callable[[bytes], None] = lambda _: None,
        *,
        cpu_seconds: float | None = None,
    ) -> bytes:
        """Send a request and return the reply. Unless it returns, the child is gone afterwards.

        ``cpu_seconds`` limit the processor time that the request uses, which other programs do not change.

        Raises ChildDied, ChildTimedOut, ChildOverspent or, if ``token`` was cancelled, Cancelled.
        """
        self.start()
        self._cpu_seconds = cpu_seconds
        until = math.inf if self._seconds is None else time.monotonic() + self._seconds
        try:
            try:
                self._connection.send_bytes(json.dumps(cpu_seconds).encode())  # type: ignore[union-attr]
                self._connection.send_bytes(request)  # type: ignore[union-attr]
            except OSError as error:
                raise self._death() from error
            while True:
                kind, payload = self._receive(until, token), self._receive(until, token)
                if kind == _REPLY:
                    self.answered += 1
                    return payload
                if kind == _NOTE:
                    on_note(payload)
                else:
                    with contextlib.suppress(ValueError, TypeError):  # a file may have led it astray
                        level, message = json.loads(payload)
                        _log.log(int(level), "%s: %s", self._name, message)
        except BaseException:  # a late reply must not be taken for that to the next request
            self.kill()
            raise

    def close(self) -> None:
        """Let an idle child end in order; a later request starts a new one."""
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


_started: weakref.WeakSet[ChildProcess] = weakref.WeakSet()


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
    """What one request may use; ``until`` is the processor time of the process at which it ends itself."""

    seconds: float | None
    memory: int | None
    until: float = math.inf

    def begin(self, cpu_seconds: float | None) -> None:
        """Start counting for a request."""
        used = time.process_time()
        if cpu_seconds is not None:
            self.until = used + cpu_seconds
        # For a request that never ends and holds the interpreter, so that no thread can watch it.
        if seconds := cpu_seconds or 2 * (self.seconds or 0):
            limit("RLIMIT_CPU", int(used + seconds) + 2)


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
    handler: Handler,
    limits: _Limits,
    output: Path | None,
    network: bool,
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
    if limits.seconds is not None:
        threading.Thread(target=_watch, args=(limits, programs), daemon=True).start()
    if limits.memory is not None:
        limit("RLIMIT_AS", limits.memory)
    drop_secrets()
    has_network = "" if network else forbid_network(but_local=programs)

    def send(kind: bytes, payload: bytes) -> None:
        connection.send_bytes(kind)
        connection.send_bytes(payload)

    log = logging.getLogger("app")
    log.addHandler(_LogSender(functools.partial(send, _LOG)))
    log.setLevel(logging.INFO)
    log.propagate = False
    if has_network:
        _log.info("It is not cut off from the network: %s", has_network)
    with contextlib.suppress(EOFError, OSError):  # the parent has closed the connection
        while True:
            cpu_seconds, request = json.loads(connection.recv_bytes()), connection.recv_bytes()
            limits.begin(cpu_seconds)
            reply = handler(request, functools.partial(send, _NOTE))
            limits.until = math.inf
            send(_REPLY, reply)


class _LogSender(logging.Handler):
    def __init__(self, send: Callable[[bytes], None]) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        self._send(json.dumps([record.levelno, self.format(record)]).encode())


def _watch(limits: _Limits, programs: bool) -> None:
    """End this process once a request has used up its processor time, or the parent has ended."""
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
