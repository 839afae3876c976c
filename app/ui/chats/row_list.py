"""A list whose rows are opened by a click or Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QStyledItemDelegate

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QKeyEvent


class RowList(QListView):
    """Rows of equal height, so that a thousand cost no more than ten; F2 edits, Delete removes."""

    opened = Signal(QModelIndex)  # the row that was clicked or chosen with Enter
    removal_requested = Signal(QModelIndex)  # the row to remove

    def __init__(self, model: QAbstractItemModel, delegate: QStyledItemDelegate) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self.opened)

    @property
    def is_editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter; ask for removal on Delete, or Backspace on a Mac's keyboard."""
        index = self.currentIndex()
        if self.is_editing or not index.isValid():
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(index)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removal_requested.emit(index)
        else:
            super().keyPressEvent(event)
