"""Cancelling and pausing: one token, one exception."""

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
        self.cancelled = False
        self.paused = False
        self.seconds_rested = 0.0  # total time that rest() has waited
        self._changed = threading.Condition()

    def cancel(self) -> None:
        """Request cancellation, paused or not; returns at once."""
        with self._changed:
            self.cancelled = True
            self._changed.notify_all()

    def check(self) -> None:
        """Raise :class:`Cancelled` if cancellation was requested."""
        if self.cancelled:
            raise Cancelled

    def pause(self) -> None:
        """Make the work wait in its next :meth:`rest`; returns at once."""
        self.paused = True

    def resume(self) -> None:
        with self._changed:
            self.paused = False
            self._changed.notify_all()

    def rest(self) -> None:
        """Wait while the work is paused; cancelling ends the wait."""
        began = time.monotonic()
        with self._changed:
            self._changed.wait_for(lambda: self.cancelled or not self.paused)
        self.seconds_rested += time.monotonic() - began
