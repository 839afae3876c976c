"""The line above the courses that says what is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.ui.widgets.text_labels import ElidedLabel

if TYPE_CHECKING:
    from app.domain.scope import Scope

_HEIGHT = 24


class ScopeLine(QWidget):
    """Says whether everything is searched or only what is ticked, and offers to go back.

    Signals:
        everything_requested: all courses are to be searched again.
    """

    everything_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = ElidedLabel()
        self._label.setProperty("role", "caption")
        self._everything = QPushButton(self.tr("Everything"))
        self._everything.setProperty("kind", "link")
        self._everything.setProperty("scale", "caption")
        self._everything.setToolTip(self.tr("Clear all ticks: every course is searched"))
        self._everything.clicked.connect(lambda: self.everything_requested.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self._label, 1)
        row.addWidget(self._everything)
        self.setFixedHeight(_HEIGHT)
        self._everything.hide()

    def set_scope(self, scope: Scope) -> None:
        everything = scope.is_everything
        self._label.setText(
            self.tr("All courses are searched") if everything else self.tr("Only what is ticked")
        )
        self._everything.setVisible(not everything)
