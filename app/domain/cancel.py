"""Cancelling and pausing: one token, one exception."""

from __future__ import annotations

import threading
import time


class Cancelled(Exception):
    """The user asked to stop. Caught at the border of a worker or command, never shown."""


class CancelToken:
    """Passed into long work, which calls :meth:`check` between steps. Thread-safe.

    Work that can be paused is held in :meth:`rest`, which whoever runs it calls where nothing is
    locked and nothing half done; :meth:`check` never waits.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._cancelled = False
        self._paused = False
        self._rested = 0.0

    def cancel(self) -> None:
        """Ask the work to stop, paused or not; returns at once."""
        with self._changed:
            self._cancelled = True
            self._changed.notify_all()

    @property
    def cancelled(self) -> bool:
        """Whether stopping was asked for."""
        return self._cancelled

    def check(self) -> None:
        """Raise :class:`Cancelled` if stopping was asked for."""
        if self._cancelled:
            raise Cancelled

    def pause(self) -> None:
        """Ask the work to rest at the next place where it can; returns at once."""
        with self._changed:
            self._paused = True

    def resume(self) -> None:
        """Let the work go on; returns at once."""
        with self._changed:
            self._paused = False
            self._changed.notify_all()

    @property
    def paused(self) -> bool:
        """Whether a pause was asked for."""
        return self._paused

    @property
    def seconds_rested(self) -> float:
        """How long :meth:`rest` has held the work altogether."""
        return self._rested

    def rest(self) -> None:
        """Wait as long as the work is paused; cancelling it ends the wait."""
        began = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self._cancelled or not self._paused)
        self._rested += time.monotonic() - began
