"""The bar that brings removed courses back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QWidget

from app.ui.text_labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.removal import TrashEntry
    from app.ui.theme import Theme

SHOWN_MS = 15_000


class RemovedBar(QFrame):
    """Says what was removed and offers Undo for some seconds, longer while the pointer is on it.

    Signals:
        undo_requested: tuple of the documents to bring back.
    """

    undo_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._documents: tuple[int, ...] = ()
        self.setProperty("notice", "info")
        self.text = ElidedLabel()
        self.undo = QPushButton(self.tr("Undo"))
        self.undo.setProperty("kind", "link")
        self.undo.clicked.connect(self._take_back)
        self._close = QToolButton()
        self._close.setIconSize(QSize(14, 14))
        self._close.setAccessibleName(self.tr("Close"))
        self._close.setToolTip(self.tr("Close"))
        self._close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self.text, 1)
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

    def show_removed(self, entries: Sequence[TrashEntry]) -> None:
        """Courses were removed just now."""
        self._documents = tuple(key for entry in entries for key in entry.documents)
        if not self._documents:
            return
        self.text.setText(
            self.tr("Removed “{0}”").format(entries[0].course_title)
            if len(entries) == 1
            else self.tr("Removed {0} courses").format(self.locale().toString(len(entries)))
        )
        self.show()
        self.timer.start()

    def dismiss(self) -> None:
        """Vanish; what was removed stays in the trash."""
        self._documents = ()
        self.timer.stop()
        self.hide()

    def _take_back(self) -> None:
        documents = self._documents
        self.dismiss()
        if documents:
            self.undo_requested.emit(documents)

    def _time_out(self) -> None:
        if self.underMouse() or self.undo.hasFocus():
            self.timer.start()
        else:
            self.dismiss()
