"""A list of rows in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHeaderView, QTreeWidget

if TYPE_CHECKING:
    from collections.abc import Sequence


def column_list(columns: Sequence[str], name: str) -> QTreeWidget:
    """Return a list whose first column takes the room left over."""
    rows = QTreeWidget()
    rows.setHeaderLabels(list(columns))
    rows.setAccessibleName(name)
    rows.setRootIsDecorated(False)
    rows.setUniformRowHeights(True)
    rows.setAllColumnsShowFocus(True)
    header = rows.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in range(1, len(columns)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return rows
