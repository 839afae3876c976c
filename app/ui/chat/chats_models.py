"""Item models of the conversations and of search hits in them."""

from __future__ import annotations

from enum import IntEnum, auto
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.conversations import Conversation, ConversationHit

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class Role(IntEnum):
    """What delegates and pane read besides the display text."""

    ID = Qt.ItemDataRole.UserRole + 1
    UPDATED = auto()
    PINNED = auto()
    ANSWERING = auto()
    EXCHANGE = auto()
    SNIPPET = auto()
    MARKS = auto()
    SHOWN = auto()


class ConversationModel(QAbstractListModel):
    """All conversations; applies a new list as a set of changes, so that the current row stays current."""

    renamed = Signal(int, str)  # number and new title, after a title was edited

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Conversation] = []
        self._answering: frozenset[int] = frozenset()
        self._shown: int | None = None

    def set_conversations(self, wanted: Sequence[Conversation]) -> None:
        if not self._rows or not wanted:
            self.beginResetModel()
            self._rows = list(wanted)
            self.endResetModel()
            return
        kept = {item.id for item in wanted}
        for row in range(len(self._rows) - 1, -1, -1):
            if self._rows[row].id not in kept:
                self.beginRemoveRows(_TOP, row, row)
                del self._rows[row]
                self.endRemoveRows()
        known = {item.id for item in self._rows}
        for row, item in enumerate(wanted):
            if item.id not in known:
                self.beginInsertRows(_TOP, row, row)
                self._rows.insert(row, item)
                self.endInsertRows()
                continue
            if self._rows[row].id != item.id:
                old = self.find(item.id).row()
                self.beginMoveRows(_TOP, old, old, _TOP, row)
                self._rows.insert(row, self._rows.pop(old))
                self.endMoveRows()
            if self._rows[row] != item:
                self._rows[row] = item
                self.dataChanged.emit(self.index(row), self.index(row))

    def set_answering(self, ids: frozenset[int]) -> None:
        changed = ids ^ self._answering
        self._answering = ids
        self._tell_changed(*changed)

    def set_shown(self, conversation_id: int | None) -> None:
        before, self._shown = self._shown, conversation_id
        self._tell_changed(before, conversation_id)

    def find(self, conversation_id: int | None) -> QModelIndex:
        """Return the index of a conversation; invalid if it is not listed."""
        return self.index(next((row for row, one in enumerate(self._rows) if one.id == conversation_id), -1))

    def title_of(self, conversation_id: int) -> str:
        return next((item.title for item in self._rows if item.id == conversation_id), "")

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        item = self._rows[index.row()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tool_tip(item.title)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.tr("{0}, pinned").format(item.title) if item.pinned else item.title
        values: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: item.title,
            Qt.ItemDataRole.EditRole: item.title,
            Role.ID: item.id,
            Role.UPDATED: item.updated,
            Role.PINNED: item.pinned,
            Role.ANSWERING: item.id in self._answering,
            Role.SHOWN: item.id == self._shown,
        }
        return values.get(role)

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Announce a new title; it is shown once it is stored."""
        title = " ".join(str(value).split())
        item = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not title or title == item.title:
            return False
        self.renamed.emit(item.id, title)
        return True

    def _tell_changed(self, *conversation_ids: int | None) -> None:
        for index in map(self.find, conversation_ids):
            if index.isValid():
                self.dataChanged.emit(index, index)


class HitModel(QAbstractListModel):
    """Search hits, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[ConversationHit, ...] = ()

    def set_hits(self, hits: Sequence[ConversationHit]) -> None:
        self.beginResetModel()
        self._hits = tuple(hits)
        self.endResetModel()

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        hit = self._hits[index.row()]
        values: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: hit.conversation.title,
            Qt.ItemDataRole.AccessibleTextRole: f"{hit.conversation.title}: {hit.snippet}",
            Role.ID: hit.conversation.id,
            Role.UPDATED: hit.conversation.updated,
            Role.EXCHANGE: hit.exchange_id or 0,
            Role.SNIPPET: hit.snippet,
            Role.MARKS: hit.marks,
        }
        return values.get(role)
