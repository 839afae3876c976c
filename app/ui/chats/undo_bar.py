"""The bar that takes a deletion back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from app.ui.text_labels import ElidedLabel

if TYPE_CHECKING:
    from app.ui.theme import Theme

SHOWN_MS = 10_000


class UndoBar(QFrame):
    """Says what was deleted and offers Undo for some seconds, longer while the pointer is on it.

    Signals:
        undo_requested: tuple of the conversations to restore, all that were deleted since it showed.
    """

    undo_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._deleted: list[int] = []
        self.setProperty("notice", "info")
        self._text = ElidedLabel()
        self.undo = QPushButton(self.tr("Undo"))
        self.undo.setProperty("kind", "link")
        self.undo.clicked.connect(self.take_back)
        self._close = QToolButton()
        self._close.setIconSize(QSize(14, 14))
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setToolTip(self.tr("Close"))
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self._text, 1)
        row.addWidget(self.undo)
        row.addWidget(self._close)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(SHOWN_MS)
        self.timer.timeout.connect(self._time_out)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw the icon in the colours of ``theme``."""
        self._close.setIcon(theme.tinted_icon("close", theme.text_muted))

    def add(self, conversation_id: int, title: str) -> None:
        """A conversation was deleted."""
        self._deleted.append(conversation_id)
        count = len(self._deleted)
        self._text.setText(
            self.tr("Deleted “{0}”").format(title)
            if count == 1
            else self.tr("Deleted {0} chats").format(self.locale().toString(count))
        )
        self.show()
        self.timer.start()

    def take_back(self) -> None:
        """Restore what was deleted."""
        deleted = tuple(self._deleted)
        self.dismiss()
        if deleted:
            self.undo_requested.emit(deleted)

    def dismiss(self) -> None:
        """Vanish; what was deleted stays so."""
        self._deleted.clear()
        self.timer.stop()
        self.hide()

    def _time_out(self) -> None:
        if self.underMouse() or self.undo.hasFocus():
            self.timer.start()
        else:
            self.dismiss()
