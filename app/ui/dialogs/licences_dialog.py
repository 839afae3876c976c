"""The licences of the software that Lectern brings along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.workers.text_file import read_text_file

if TYPE_CHECKING:
    from pathlib import Path

    from app.ui.shell.theme import Theme

_LINES_A_TURN = 400  # laid out in a few milliseconds


class LicencesDialog(QDialog):
    """Shows a long text without making anyone wait for its end.

    Attributes:
        text: the view of it.
    """

    def __init__(self, path: Path, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self._waiting: list[str] = []
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(self._show_more)
        title = QLabel(self.tr("What Lectern is made of"))
        title.setProperty("role", "lead")
        explained = QLabel(
            self.tr("The software of others inside Lectern, and the licences under which it may be used.")
        )
        explained.setProperty("role", "muted")
        explained.setWordWrap(True)
        self.text = QPlainTextEdit(self.tr("Reading…"))
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setAccessibleName(self.tr("Licences"))
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(theme.type.caption)
        self.text.setFont(font)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)

        heads = QVBoxLayout()
        heads.setSpacing(4)
        heads.addWidget(title)
        heads.addWidget(explained)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(heads)
        layout.addWidget(self.text, 1)
        layout.addLayout(buttons)
        self.resize(860, 600)
        self.text.setFocus()
        read_text_file(path, self._begin)

    @property
    def is_complete(self) -> bool:
        """Whether the end of the text is shown."""
        return not self._more.isActive() and not self._waiting

    def _begin(self, text: str) -> None:
        self.text.clear()
        self._waiting = text.split("\n") if text else [self.tr("The file with the licences can not be read.")]
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
