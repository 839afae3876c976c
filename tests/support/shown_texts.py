"""All texts of the open windows: what is drawn, what a tool tip says, and what a screen reader reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QMainWindow,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_PROPERTIES = (
    "text",
    "title",
    "toolTip",
    "statusTip",
    "accessibleName",
    "accessibleDescription",
    "placeholderText",
    "windowTitle",
    "prefix",
    "suffix",
    "specialValueText",
)
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)


def all_texts() -> Iterator[tuple[str, QObject]]:
    """Yield the texts of all visible windows, each with what shows it."""
    for top in QApplication.topLevelWidgets():
        if top.isVisible():
            for part in (top, *top.findChildren(QWidget), *top.findChildren(QAction)):
                yield from ((text, part) for text in _texts(part) if text)


def _texts(part: QObject) -> Iterator[str]:
    for name in _PROPERTIES:
        value = part.property(name)
        if isinstance(value, str) and not (name == "text" and part.inherits("QLineEdit")):
            yield value
    match part:
        case QComboBox():
            yield from (part.itemText(row) for row in range(part.count()))
        case QTabBar():
            yield from (part.tabText(tab) for tab in range(part.count()))
        case QAbstractItemView():
            if part.model() is not None:
                yield from _of_model(part.model(), QModelIndex())
        case QTextEdit() | QPlainTextEdit() if part.isReadOnly():
            yield part.toPlainText()
        case QMainWindow():
            yield part.statusBar().currentMessage()


def _of_model(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)
    if not parent.isValid():
        for column in range(columns):
            header = model.headerData(column, Qt.Orientation.Horizontal)
            yield header if isinstance(header, str) else ""
    for row in range(model.rowCount(parent)):
        for column in range(columns):
            index = model.index(row, column, parent)
            yield from (str(value) for role in _ROLES if isinstance(value := index.data(role), str))
        if not isinstance(model, QAbstractListModel):
            yield from _of_model(model, model.index(row, 0, parent))
