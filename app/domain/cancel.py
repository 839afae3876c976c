"""Cancelling and pausing: one token, one exception."""

from __future__ import annotations

import threading
import time


class Cancelled(Exception):
    """The user cancelled. Caught at the border of a worker or command, never shown."""


class CancelToken:
    """Cancels and pauses long work, which calls :meth:`check` between its steps. Thread-safe.

    Pausing blocks in :meth:`rest`, which the runner of the work calls where nothing is locked or half
    done; :meth:`check` never waits.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._cancelled = False
        self._paused = False
        self._rested = 0.0

    def cancel(self) -> None:
        """Request cancellation, paused or not; returns at once."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def check(self) -> None:
        """Raise :class:`Cancelled` if cancellation was requested."""
        if self._cancelled:
            raise Cancelled

    def pause(self) -> None:
        """Make the work wait in its next :meth:`rest`; returns at once."""
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def seconds_rested(self) -> float:
        """Total time that :meth:`rest` has waited."""
        return self._rested

    def rest(self) -> None:
        """Wait while the work is paused; cancelling ends the wait."""
        began = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._cancelled or not self._paused)
        self._rested += time.monotonic() - began
