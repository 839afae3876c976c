"""A tree of two levels as an item model."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex

Index = QModelIndex | QPersistentModelIndex


class GroupModel(QAbstractItemModel):
    """Groups with rows below them; asked for thousands of rows at once, so it must be fast.

    The index of a row carries the key of its group, a number that is never used again, and that of a group
    0, so that no index points at something else when rows come and go.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys: list[int] = []  # of the groups, in their order
        self.rows_by_key: dict[int, int] = {}  # where the group of a key is

    def row_count_of(self, row: int) -> int:
        """Return how many rows a group has: none, unless a subclass says otherwise."""
        return 0

    def group_row(self, index: Index) -> int:
        """Return the row of the group that an index is, or belongs to."""
        return self.rows_by_key.get(index.internalId(), index.row())

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if row < 0 or column < 0 or parent.internalId():
            return QModelIndex()
        count = self.row_count_of(parent.row()) if parent.isValid() else len(self.keys)
        if row >= count:
            return QModelIndex()
        return self.createIndex(row, column, self.keys[parent.row()] if parent.isValid() else 0)

    def parent(self, child: Index) -> QModelIndex:  # type: ignore[override]  # the stub knows only QObject.parent
        row = self.rows_by_key.get(child.internalId()) if child.isValid() else None
        return QModelIndex() if row is None else self.createIndex(row, 0, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self.keys)
        return 0 if parent.internalId() or parent.column() else self.row_count_of(parent.row())

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1
