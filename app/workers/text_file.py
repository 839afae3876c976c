"""Reads a text file in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QThread, Signal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class TextFileThread(QThread):
    """Reads one of the program's own files, then deletes itself."""

    read = Signal(str)  # The text; empty if the file cannot be read

    def __init__(self, path: Path) -> None:
        # Not a child of the dialog, which may close before the disk responds.
        application = QCoreApplication.instance()
        assert application is not None
        super().__init__(application)
        self.setObjectName("text file")
        self._path = path
        self.finished.connect(self.deleteLater)
        application.aboutToQuit.connect(self.await_end)

    def run(self) -> None:
        try:
            self.read.emit(self._path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            self.read.emit("")

    def await_end(self) -> None:
        # A slot of this object, so that the connection ends with it.
        self.wait()


def read_text_file(path: Path, receiver: Callable[[str], None]) -> None:
    """Pass the text to ``receiver``, a method of a Qt object, unless the object is gone by then."""
    thread = TextFileThread(path)
    thread.read.connect(receiver)
    thread.start()
