"""Reading a text file beside the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QThread, Signal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class TextFileThread(QThread):
    """Reads one file that comes with the program, then goes away by itself.

    Signals:
        read: the text; an empty one when the file could not be read.
    """

    read = Signal(str)

    def __init__(self, path: Path) -> None:
        # Not the asking dialog's: it may be closed before the disk has answered.
        application = QCoreApplication.instance()
        assert application is not None
        super().__init__(application)
        self.setObjectName("text file")
        self._path = path
        self.finished.connect(self.deleteLater)
        application.aboutToQuit.connect(self.await_end)

    def run(self) -> None:
        """Read it; Qt calls this in the new thread."""
        try:
            self.read.emit(self._path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            self.read.emit("")

    def await_end(self) -> None:
        """Let the program end only when the file is closed."""
        self.wait()


def read_text_file(path: Path, receiver: Callable[[str], None]) -> None:
    """Have ``receiver``, a method of a Qt object, called with the text; not at all if it is gone by then."""
    thread = TextFileThread(path)
    thread.read.connect(receiver)
    thread.start()
