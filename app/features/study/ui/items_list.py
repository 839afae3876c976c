"""A list of items, in which the reader keeps the place while items come and go."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import QListView

from app.features.study.ui.items_delegate import ItemDelegate
from app.features.study.ui.items_model import ItemsModel, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.features.study.model.items import Item

_Flag = QItemSelectionModel.SelectionFlag


class ItemsList(QListView):
    """Shows an ItemsModel; rows have one height, so that thousands are laid out at once."""

    def __init__(self) -> None:
        super().__init__()
        self.items = ItemsModel(self)
        self.setModel(self.items)
        self.setItemDelegate(ItemDelegate(self))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def selected_rows(self) -> list[range]:
        """Return the rows selected, in order; quicker than the index of each if there are thousands."""
        chosen = self.selectionModel().selection()
        parts = (chosen.at(place) for place in range(chosen.count()))
        return sorted((range(part.top(), part.bottom() + 1) for part in parts), key=lambda part: part.start)

    def selected(self) -> list[Item]:
        """Return the items that are selected, in the order of the list."""
        return self.items.items_in(self.selected_rows())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep what is at the top of the view there, and what is selected, while other rows come and go."""
        bar, top = self.verticalScrollBar(), self._top()
        item: Item | None = top.data(Role.ITEM)
        current: Item | None = self.currentIndex().data(Role.ITEM)
        height, chosen = self.visualRect(top).top(), [one.item_id for one in self.selected()]
        yield
        selection = QItemSelection()
        for part in self.items.rows_of(chosen):
            selection.select(self.items.index(part.start), self.items.index(part.stop - 1))
        self.selectionModel().select(selection, _Flag.ClearAndSelect)
        if current is not None:
            self.selectionModel().setCurrentIndex(self.items.find(current.item_id), _Flag.NoUpdate)
        if item is not None and (now := self.items.find(item.item_id)).isValid():
            bar.setValue(bar.value() + self.visualRect(now).top() - height)

    def _top(self) -> QModelIndex:
        """Return the first item that can be seen, not the lesson above it; invalid if there is none."""
        first = self.indexAt(QPoint(1, 1))
        if first.isValid() and first.data(Role.ITEM) is None:
            return self.items.index(first.row() + 1)
        return first
