"""Waiting for a server and for other threads that ask it, with an end."""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LOOK = 0.05  # seconds between two looks at what may end it


class TooLate(Exception):
    """The server has had its time."""


class Closed(Exception):
    """Another thread closes the connection."""


class Watch(CancelToken):
    """Ends what waits for a server: when it is cancelled, takes too long, or the connection is closed."""

    def __init__(self, given: CancelToken | None, closing: threading.Event, seconds: float) -> None:
        super().__init__()
        self._given = given
        self._closing = closing
        self._until = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until it is too late."""
        return self._until - time.monotonic()

    def check(self) -> None:
        """Raise Cancelled, Closed or TooLate."""
        if self._given is not None:
            self._given.check()
        if self._closing.is_set():
            raise Closed
        if self.left < 0:
            raise TooLate

    def wait(self, seconds: float) -> None:
        """Wait, unless it ends first."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.check()
            self._closing.wait(_LOOK)


class Turns:
    """Lets threads go on one at a time, in the order in which they came.

    A lock would let a thread that makes many requests keep out one that makes a single one.
    """

    def __init__(self) -> None:
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def mine(self, check: Callable[[], None]) -> Iterator[None]:
        """Wait for this thread's turn; ``check`` raises what ends the wait."""
        me = object()
        with self._changed:
            self._waiting.append(me)
        try:
            with self._changed:
                while self._waiting[0] is not me:
                    check()
                    self._changed.wait(_LOOK)
            yield
        finally:
            with self._changed:
                self._waiting.remove(me)
                self._changed.notify_all()
