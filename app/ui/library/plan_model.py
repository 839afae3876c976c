"""The tree of a plan as an item model: courses with their files, then the excluded files."""

from collections.abc import Callable, Iterable
from enum import IntEnum
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import (
    QItemSelection,
    QLocale,
    QModelIndex,
    QObject,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFont

from app.domain.courses import IngestPlan, LeftOutFile, PlannedFile, PlannedState, Use
from app.ui.library.group_model import GroupModel, Index
from app.ui.library.plan_edits import EditedPlan, Group, Item, is_free
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import files_text
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme

_USABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_TICKS = {True: Qt.CheckState.Checked, False: Qt.CheckState.Unchecked, None: Qt.CheckState.PartiallyChecked}


class Column(IntEnum):
    LESSON = 0
    FILE = 1
    USE = 2
    SIZE = 3


class PlanModel(GroupModel):
    """Shows a draft; every change goes through the model."""

    changed = Signal()  # the draft has changed

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        theme = Theme.current()
        self.draft = EditedPlan(IngestPlan((), (), ()))
        self.groups: list[Group] = []
        self.uses = {
            Use.TEACHING: self.tr("Teaching text"),
            Use.EXERCISE: self.tr("Exercise or exam"),
            Use.SOLUTION: self.tr("Solution"),
            Use.DATA: self.tr("Data"),
            Use.CODE: self.tr("Code"),
            Use.ABOUT: self.tr("About the course"),
        }
        self._muted = QColor(theme.text_muted)
        self._strong = QFont()
        self._strong.setWeight(QFont.Weight.DemiBold)

    def show_plan(self, plan: IngestPlan) -> None:
        draft = EditedPlan(plan)
        draft.take_over(self.draft)
        self.draft = draft
        self.change(lambda: None)

    def change(self, edit: Callable[[], object]) -> None:
        self.beginResetModel()
        edit()
        self.groups = self.draft.groups
        self.keys = [group.key for group in self.groups]
        self.rows_by_key = {key: row for row, key in enumerate(self.keys)}
        self.endResetModel()
        self.changed.emit()

    def group(self, index: Index) -> Group | None:
        """Return the group of a row or of a file's row."""
        if not index.isValid():
            return None
        return self.groups[self.group_row(index)]

    def item(self, index: Index) -> Item | None:
        """Return the file of a row; None for a group."""
        group = self.group(index)
        return None if group is None or not index.internalId() else group.items[index.row()]

    def is_course(self, index: Index) -> bool:
        group = self.group(index)
        return group is not None and not index.internalId() and bool(group.title)

    def chosen(self, selection: QItemSelection) -> list[tuple[Group, range]]:
        """Return the selected rows by group; a selected group counts as all its rows."""
        found: dict[int, tuple[Group, range]] = {}
        parts: list[tuple[Group, range]] = []
        for part in map(selection.at, range(selection.count())):
            parent = self.group(part.parent())
            if parent is None:
                for group in self.groups[part.top() : part.bottom() + 1]:
                    found[group.key] = group, range(len(group.items))
            else:
                parts.append((parent, range(part.top(), part.bottom() + 1)))
        return [*found.values(), *((group, rows) for group, rows in parts if group.key not in found)]

    def find(self, key: int) -> QModelIndex:
        """Return the index of a group; invalid if it is gone."""
        row = self.rows_by_key.get(key)
        return QModelIndex() if row is None else self.index(row, 0)

    # Qt's model interface: called for every expanded row, so it must be fast

    def row_count_of(self, row: int) -> int:
        return len(self.groups[row].items)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        group = self.group(index)
        if group is None:
            return None
        column = Column(index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole and column is Column.SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        item = self.item(index)
        if item is None:
            return self._group_data(group, column, role)
        return self._item_data(group, item, column, role)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's QVariant
        if role == Qt.ItemDataRole.DisplayRole:
            names = self.tr("Course and lessons"), self.tr("File"), self.tr("Used as"), self.tr("Size")
            return names[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section == Column.SIZE else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if not index.internalId():
            editable = index.column() == Column.LESSON and bool(self.groups[index.row()].title)
            flags = _USABLE | Qt.ItemFlag.ItemIsEditable if editable else _USABLE
        else:
            flags = _USABLE | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._can_be_ticked(index) else flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: ANN401
        """Tick files, or rename a course; another course's title joins the two."""
        group = self.group(index)
        if role == Qt.ItemDataRole.CheckStateRole and group is not None and self._can_be_ticked(index):
            self._tick(index, group, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or group is None or not self.is_course(index):
            return False
        title = " ".join(str(value).split())
        if self.draft.joins(group.key, title):
            # Not while the editor is still open: it would lose its row.
            QTimer.singleShot(0, self, lambda: self.change(lambda: self.draft.rename(group.key, title)))
            return True
        self.draft.rename(group.key, title)
        self.dataChanged.emit(index, index)
        self.changed.emit()
        return True

    def _can_be_ticked(self, index: Index) -> bool:
        """Return whether a row has a box: a file that the user decides about, or a group of such files."""
        group, item = self.group(index), self.item(index)
        if group is None or index.column() != Column.LESSON:
            return False
        if index.internalId():
            return item is not None and is_free(item)
        return any(map(is_free, group.items))

    def _tick(self, index: Index, group: Group, on: bool) -> None:
        item = self.item(index)
        items = group.items if item is None else [item]
        paths = [one.path for one in items if is_free(one)]
        edit = self.draft.include if on else self.draft.exclude
        if group not in self.draft.courses:  # its files go to another group
            self.change(lambda: edit(paths))
            return
        edit(paths)
        row = self.find(group.key)
        self.dataChanged.emit(row, row.siblingAtColumn(Column.SIZE))
        if count := self.rowCount(row):
            self.dataChanged.emit(self.index(0, 0, row), self.index(count - 1, Column.SIZE, row))
        self.changed.emit()

    def _group_data(self, group: Group, column: Column, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                if column is Column.LESSON:
                    return self._title(group)
                if column is Column.FILE:
                    return files_text(len(group.items))
                return _size(group.items) if column is Column.SIZE else None
            case Qt.ItemDataRole.CheckStateRole if column is Column.LESSON and any(map(is_free, group.items)):
                return _TICKS[self.draft.is_ticked(group)]
            case Qt.ItemDataRole.FontRole if column is Column.LESSON:
                return self._strong
            case Qt.ItemDataRole.ForegroundRole if column is not Column.LESSON:
                return self._muted
            case Qt.ItemDataRole.ToolTipRole if group.title:
                known = "" if group.is_new else "\n" + self.tr("This course is already in the library.")
                return plain_tool_tip(group.title + known)
        return None

    def _title(self, group: Group) -> str:
        if group is self.draft.excluded:
            return self.tr("Excluded")
        return group.title or self.tr("Included; their courses are found when they are read")

    def _item_data(self, group: Group, item: Item, column: Column, role: int) -> object:
        known = isinstance(item, PlannedFile) and item.state is PlannedState.UNCHANGED
        off = self.draft.is_excluded(group, item)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                use = self.draft.use_of(item)
                return self.uses.get(use) if column is Column.USE and use else _text(item, column)
            case Qt.ItemDataRole.CheckStateRole if column is Column.LESSON and is_free(item):
                return _TICKS[not off]
            case Qt.ItemDataRole.ForegroundRole if column is not Column.LESSON or known or off:
                return self._muted
            case Qt.ItemDataRole.ToolTipRole:
                note = self.tr("Already in the library, unchanged.") if known else _reason(item)
                return plain_tool_tip(f"{item.path}\n{note}".strip())
        return None


def _reason(item: Item) -> str:
    return shown(item.reason) if isinstance(item, LeftOutFile) else ""


def _text(item: Item, column: Column) -> str:
    name = PurePath(item.path).name
    if column is Column.SIZE:
        return _size([item])
    if column is Column.FILE:
        return _reason(item) or name
    if isinstance(item, LeftOutFile):
        return name if column is Column.LESSON else ""
    title = item.lesson_title or PurePath(item.path).stem
    return title if item.lesson_number is None else f"{item.lesson_number} · {title}"


def _size(items: Iterable[Item]) -> str:
    size = sum(item.size for item in items if isinstance(item, PlannedFile))
    return size_text(size) if size else ""


def size_text(size: int) -> str:
    """Return a number of bytes as people write it."""
    return QLocale().formattedDataSize(size, 0, QLocale.DataSizeFormat.DataSizeSIFormat)
