"""The look of a table of files: whole rows, no grid, long paths cut instead of scrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel

_ROW_HEIGHT = 32
_FIRST_COLUMN = 240


def lay_out(table: QTableView, model: QAbstractItemModel, accessible_name: str) -> None:
    """Give a table its model and its look; the last column takes what room is left."""
    table.setModel(model)
    table.setAccessibleName(accessible_name)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setStretchLastSection(True)
    header.resizeSection(0, _FIRST_COLUMN)
