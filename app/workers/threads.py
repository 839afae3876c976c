"""Running a worker object in a thread of its own, and ending it in order."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject


class FunctionThread(QThread):
    """Runs a function beside the window, which answers meanwhile; ``finished`` tells when it is over.

    Args:
        name: of the thread.
        function: mostly imports. What can not be imported is left to whoever imports it next, who gets
            the error.
    """

    def __init__(self, name: str, function: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName(name)
        self._function = function

    def run(self) -> None:
        """Call it; Qt calls this in the new thread."""
        with suppress(ImportError):
            self._function()


def start_in_thread(worker: QObject, name: str) -> QThread:
    """Move a worker into a new running thread; its slots then run there."""
    thread = QThread()
    thread.setObjectName(name)
    worker.moveToThread(thread)
    thread.start()
    return thread


def end_thread(thread: QThread) -> None:
    """Let the slot that is running finish, then end the thread; cancel long work before."""
    thread.quit()
    thread.wait()
