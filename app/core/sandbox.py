"""A child process in which functions of the program are called: those that handle what others have made.

A crafted or damaged file may make a parser hang, crash or eat memory; in a child none of that reaches the
program. One child answers many calls, since starting it takes longer than reading a small file; after a
crash, a kill or some hundred calls a new one takes its place.

The limit of time is one of processor time: on a busy machine a file takes longer, and is no worse for it.
"""

from __future__ import annotations

import json
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from app.core.child_process import ChildDied, ChildProcess
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

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.cancel import CancelToken

_MEMORY = 2 * 2**30
_CLOCK_SECONDS = 120.0
_POLL = 0.05  # seconds between two looks at the token
_DEPTH = 5000  # nested calls; pages have elements some hundred deep
_BYTES, _JSON, _REFUSAL = b"=", b"{", b"!"  # what a reply begins with
_ERRORS: dict[str, Callable[[Message], LecternError]] = {
    error.__name__: error
    for error in (
        *(UserError, UnreadableFile, FileNotOpened, ReaderStopped),
        *(ModelMissing, ConnectionTrouble, ServerBusy),
    )
}

R = TypeVar("R")


class ChildOutOfMemory(ChildDied):
    """The memory of the child did not suffice for a call."""


class Sandbox(ChildProcess):
    """Calls functions in a child process, started by the first call. Thread-safe: calls wait for each other.

    Args:
        name: of the process.
        seconds: limit for one call by the clock, for one that waits, say for a disk.
        memory: bytes of address space; None for as many as there are.
        most_calls: after which a new child takes its place, with what the parsers did not give back.
        output, network, programs: as for :class:`ChildProcess`.
    """

    def __init__(
        self,
        name: str,
        *,
        seconds: float | None = _CLOCK_SECONDS,
        memory: int | None = _MEMORY,
        most_calls: float = float("inf"),
        output: Path | None = None,
        network: bool = False,
        programs: bool = False,
    ) -> None:
        super().__init__(
            _answer,
            f"lectern-{name}",
            seconds=seconds,
            memory=memory,
            output=output,
            network=network,
            programs=programs,
        )
        self._most_calls = most_calls
        self._lock = threading.Lock()

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

        def tell(note: bytes) -> None:
            if progress is not None:
                progress(Message.from_json(note.decode()))

        while not self._lock.acquire(timeout=_POLL):
            if token is not None:
                token.check()
        try:
            if token is not None:
                token.check()  # the child may be quicker than a look at the token
            if self.answered >= self._most_calls:
                self.close()
            request = pickle.dumps((work, arguments, progress is not None))
            reply = self.ask(request, token, tell, cpu_seconds=seconds)
        finally:
            self._lock.release()
        kind, content = reply[:1], reply[1:]
        try:
            if kind != _REFUSAL:
                return made(content if kind == _BYTES else json.loads(content))
            name, message = json.loads(content)
            if name == MemoryError.__name__:
                raise ChildOutOfMemory
            raise _ERRORS[name](Message.from_json(message))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ChildDied("its reply means nothing") from error


# In the child


def _answer(request: bytes, note: Callable[[bytes], None]) -> bytes:
    sys.setrecursionlimit(_DEPTH)
    work, arguments, is_told = pickle.loads(request)  # of the program itself
    if is_told:
        arguments += (lambda step: note(step.to_json().encode()),)
    try:
        found = work(*arguments)
        return _BYTES + found if isinstance(found, bytes) else _JSON + _encoded(found)
    except LecternError as error:
        return _REFUSAL + _encoded([type(error).__name__, error.message.to_json()])
    except MemoryError:
        pass  # what was read is freed before there is a reply
    return _REFUSAL + _encoded([MemoryError.__name__, ""])


def _encoded(reply: object) -> bytes:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
