"""Child processes that serve test after test."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from app.core.sandbox import Sandbox

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


class KeptSandbox(Sandbox):
    """The real one, whose child works on for the next of its kind: starting one takes longer than most tests.

    Attributes:
        idle: a child of each kind that waits for the next, with its connection and the calls it has answered.
    """

    idle: ClassVar[dict[str, tuple[SpawnProcess | None, Connection | None, int]]] = {}

    @property
    def _kind(self) -> str:
        return f"{self._name} {self._args}"

    def start(self) -> None:
        if not self.is_alive and self._kind in self.idle:
            self.kill()
            self._process, self._connection, self._answered = self.idle.pop(self._kind)
        super().start()

    def close(self) -> None:
        is_fit = self.is_alive and self._answered < self._most_calls and not self._programs
        if is_fit and self._kind not in self.idle:
            self.idle[self._kind] = self._process, self._connection, self._answered
            self._process = self._connection = None
        else:
            super().close()

    @classmethod
    def end_idle(cls) -> None:
        """End those that wait."""
        for process, connection, _ in cls.idle.values():
            assert process is not None
            assert connection is not None
            connection.close()  # which the child notices
            process.join()
        cls.idle.clear()
