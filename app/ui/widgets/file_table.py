"""Tables of files, and lists of rows in columns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QTreeWidget, QWidget

from app.ui.widgets.building import vbox
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, row_height

_Index = QModelIndex | QPersistentModelIndex
_File = TypeVar("_File")

_ROW_HEIGHT = 32
_FIRST_COLUMN = 240
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class FileTableModel(QAbstractTableModel, Generic[_File]):
    """A row for each file; all columns but the first are muted.

    ``cells`` returns what a file's row says, a text a column; ``details`` its tool tip.
    """

    def __init__(
        self,
        headings: Sequence[str],
        cells: Callable[[_File], Sequence[str]],
        details: Callable[[_File], str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._headings, self._cells, self._details = headings, cells, details
        self._muted = QColor(Theme.current().text_muted)
        self.files: list[_File] = []

    def set_files(self, files: Iterable[_File]) -> None:
        self.beginResetModel()
        self.files = list(files)
        self.endResetModel()

    def add_files(self, files: Sequence[_File]) -> None:
        first = len(self.files)
        self.beginInsertRows(QModelIndex(), first, first + len(files) - 1)
        self.files.extend(files)
        self.endInsertRows()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.files)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._headings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        file = self.files[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._cells(file)[index.column()]
            case Qt.ItemDataRole.ForegroundRole if index.column():
                return self._muted
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(self._details(file))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's QVariant
        if orientation != Qt.Orientation.Horizontal:
            return None
        return {
            Qt.ItemDataRole.DisplayRole: self._headings[section],
            Qt.ItemDataRole.TextAlignmentRole: _LEFT,
        }.get(Qt.ItemDataRole(role))


class FileTable(QTableView, Generic[_File]):
    """Whole rows without a grid; long paths are elided instead of scrolled.

    Ctrl+C copies the selected rows as ``as_text`` writes them, a line each; Enter is the dialog's.
    """

    def __init__(
        self, model: FileTableModel[_File], accessible_name: str, as_text: Callable[[_File], str]
    ) -> None:
        super().__init__(showGrid=False, wordWrap=False)
        self._files = model
        self._as_text = as_text
        self.setModel(model)
        self.setAccessibleName(accessible_name)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(row_height(_ROW_HEIGHT))
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.resizeSection(0, _FIRST_COLUMN)

    def file_at(self, index: QModelIndex) -> _File:
        return self._files.files[index.row()]

    def selected_files(self) -> list[_File]:
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._files.files[row] for row in rows]

    def copy(self, files: Iterable[_File]) -> None:
        QGuiApplication.clipboard().setText("\n".join(map(self._as_text, files)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy(self.selected_files())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)


def in_card(view: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("panel", "card")
    vbox(view, parent=card, margins=(8, 4, 8, 8))
    return card


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
