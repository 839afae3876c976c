"""The line above the courses that says what is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.domain.scope import scope_parts
from app.ui.widgets.building import Cell, hbox
from app.ui.widgets.buttons import link_button
from app.ui.widgets.text_labels import ElidedLabel

if TYPE_CHECKING:
    from app.domain.scope import Scope

_HEIGHT = 24


class ScopeLine(QWidget):
    """Says how many courses are searched, and offers to search all again.

    Signals:
        everything_requested: search all courses again.
    """

    everything_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = ElidedLabel()
        self._label.setProperty("role", "caption")
        self._everything = link_button(self.tr("Search all"), self.everything_requested.emit)
        self._everything.setProperty("scale", "caption")
        self._everything.setToolTip(self.tr("Untick all courses, so that every course is searched"))
        hbox(Cell(self._label, 1), self._everything, margins=(8, 0, 4, 0), spacing=8, parent=self)
        self.setFixedHeight(_HEIGHT)
        self._everything.hide()

    def set_scope(self, scope: Scope) -> None:
        parts = scope_parts(scope)
        if not parts:
            text = self.tr("Searching all courses")
        elif any(part.others_too for part in parts):
            text = self.tr("Searching all courses, with limits")
        else:
            text = self.tr("Searching %Ln course(s)", None, len(parts))
        self._label.setText(text)
        self._everything.setVisible(not scope.is_everything)
