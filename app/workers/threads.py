"""Running a worker object in a thread of its own, and ending it in order."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


class ImportThread(QThread):
    """Imports modules beside the window, which answers meanwhile; ``finished`` tells when it is over.

    A module that can not be imported is left to whoever imports it next, who gets the error.
    """

    def __init__(self, *modules: str) -> None:
        super().__init__()
        self.setObjectName("imports")
        self._modules = modules

    def run(self) -> None:
        """Import them; Qt calls this in the new thread."""
        for module in self._modules:
            with suppress(ImportError):
                importlib.import_module(module)


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
