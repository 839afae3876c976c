"""Cancelling: one token, one exception."""

from __future__ import annotations

import threading


class Cancelled(Exception):  # noqa: N818 - an outcome the user asked for, not an error
    """The user asked to stop. Caught at the border of a worker or command, never shown."""


class CancelToken:
    """Passed into long work, which calls :meth:`check` between steps. Thread-safe."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the work to stop; returns at once."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """Whether stopping was asked for."""
        return self._event.is_set()

    def check(self) -> None:
        """Raise :class:`Cancelled` if stopping was asked for."""
        if self._event.is_set():
            raise Cancelled
