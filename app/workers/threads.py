"""Running a worker object in a thread of its own, and ending it in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


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
