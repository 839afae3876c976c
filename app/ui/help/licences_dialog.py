"""The licences of the software that Lectern includes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import monospaced
from app.workers.text_file import read_text_file

if TYPE_CHECKING:
    from pathlib import Path

    from app.ui.widgets.theme import Theme

_LINES_A_TURN = 400  # laid out in a few milliseconds


class LicencesDialog(Dialog):
    """Shows a long text piece by piece, so that the window stays responsive.

    Attributes:
        text: the view of it.
    """

    def __init__(self, path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Licences"),
            parent,
            heading=self.tr("Software in Lectern"),
            text=self.tr("Lectern includes this software under these licences."),
        )
        self._waiting: list[str] = []
        self._more = QTimer(self, interval=0)
        self._more.timeout.connect(self._show_more)
        self.text = QPlainTextEdit(self.tr("Loading…"))
        monospaced(self.text, theme)
        self.text.setUndoRedoEnabled(False)
        self.text.setAccessibleName(self.tr("Licences"))
        self.body.addWidget(self.text)
        self.add_close()
        self.resize(860, 600)
        self.text.setFocus()
        read_text_file(path, self._begin)

    @property
    def is_complete(self) -> bool:
        return not self._more.isActive() and not self._waiting

    def _begin(self, text: str) -> None:
        self.text.clear()
        missing = self.tr("Lectern can't read its licence file. Reinstall Lectern to restore it.")
        self._waiting = text.split("\n") if text else [missing]
        self._show_more()
        self._more.start()

    def _show_more(self) -> None:
        now, self._waiting = self._waiting[:_LINES_A_TURN], self._waiting[_LINES_A_TURN:]
        if not now:
            self._more.stop()
            return
        # Not appendPlainText, which scrolls along.
        end = QTextCursor(self.text.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText("\n".join(now) + ("\n" if self._waiting else ""))
