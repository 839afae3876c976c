"""The list of chats and of hits in them: item models, and the painting of rows."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum, auto
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTime,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QPainter, QStandardItem, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleOptionViewItem, QWidget

from app.domain.conversations import Conversation, ConversationHit
from app.ui.widgets.row_delegate import GAP, Index, RowDelegate
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class ChatRole(IntEnum):
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
    """All conversations; the current row stays current when the list changes."""

    renamed = Signal(int, str)  # number and new title, after a title was edited

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Conversation] = []
        self._answering: frozenset[int] = frozenset()
        self._shown: int | None = None

    def set_conversations(self, wanted: Sequence[Conversation]) -> None:
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        meant = [self._rows[one.row()].id for one in held]
        self._rows = list(wanted)
        self.changePersistentIndexList(held, [self.find(one) for one in meant])
        self.layoutChanged.emit()

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
            ChatRole.ID: item.id,
            ChatRole.UPDATED: item.updated,
            ChatRole.PINNED: item.pinned,
            ChatRole.ANSWERING: item.id in self._answering,
            ChatRole.SHOWN: item.id == self._shown,
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


def hit_row(hit: ConversationHit) -> QStandardItem:
    """Return the row of a search hit."""
    row = QStandardItem(hit.conversation.title)
    row.setEditable(False)
    row.setAccessibleText(f"{hit.conversation.title}: {hit.snippet}")
    row.setData(hit.conversation.id, ChatRole.ID)
    row.setData(hit.conversation.updated, ChatRole.UPDATED)
    row.setData(hit.exchange_id or 0, ChatRole.EXCHANGE)
    row.setData(hit.snippet, ChatRole.SNIPPET)
    row.setData(hit.marks, ChatRole.MARKS)
    return row


_LINE = 18


def short_date(then: float, now: datetime | None = None) -> str:
    """Return the time of day, "Yesterday", the weekday, or the date, whichever is enough."""
    now = now or datetime.now()
    moment = datetime.fromtimestamp(then)
    locale = QLocale()
    date = QDate(moment.year, moment.month, moment.day)
    days = (now.date() - moment.date()).days
    if days == 0:
        return locale.toString(QTime(moment.hour, moment.minute), QLocale.FormatType.ShortFormat)
    if days == 1:
        return QCoreApplication.translate("ChatDates", "Yesterday")
    if 1 < days < 7:
        return locale.toString(date, "ddd")
    recent = moment.year == now.year or timedelta() < now - moment < timedelta(days=180)
    return locale.toString(date, "d MMM" if recent else "d MMM yyyy")


class ConversationDelegate(RowDelegate):
    """Title, a dot while an answer is being written, a pin, and the date of last use."""

    height = 36

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index, selected=index.data(ChatRole.SHOWN))
        painter.save()
        self.paint_at_right(painter, area, option.font, short_date(index.data(ChatRole.UPDATED)))
        theme, mirrored = Theme.current(), QApplication.isRightToLeft()
        if index.data(ChatRole.PINNED):
            side = scaled(14)
            left = area.left() if mirrored else area.right() - side
            box = QRect(left, area.center().y() + 1 - side // 2, side, side)
            theme.icon("pin", "text_muted").paint(painter, box)
            area = self.beside(area, side + GAP // 2, at_end=True)
        if index.data(ChatRole.ANSWERING):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            x = area.right() - 3.5 if mirrored else area.left() + 3.5
            painter.drawEllipse(QPointF(x, area.center().y() + 0.5), 3.5, 3.5)
            area = self.beside(area, 7 + GAP, at_end=False)
        self.paint_name(painter, area, option.font, index.data())
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("Title of the chat"))
        editor.setMaxLength(80)
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fill the editor once, so that a refreshed list does not undo what was typed."""
        if not editor.property("filled"):
            editor.setProperty("filled", True)
            super().setEditorData(editor, index)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        area: QRect = option.rect
        editor.setGeometry(area.adjusted(0, 1, 0, -1))


class HitDelegate(RowDelegate):
    """A search hit: title and date, and below them two lines around the match."""

    height = 72

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, scaled(self.height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        painter.save()
        line = QRect(area.left(), area.top() + scaled(8), area.width(), scaled(20))
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        self.paint_at_right(painter, line, option.font, short_date(index.data(ChatRole.UPDATED)))
        self.paint_name(painter, line, bold, index.data())
        below = QRect(area.left(), area.top() + scaled(29), area.width(), 2 * scaled(_LINE))
        self._paint_snippet(painter, below, self.small(option.font), index)
        painter.restore()

    def _paint_snippet(self, painter: QPainter, area: QRect, font: QFont, index: Index) -> None:
        text = index.data(ChatRole.SNIPPET) or self.tr("Found in the title.")
        layout = QTextLayout(text, font)
        wrapping = QTextOption()
        wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(wrapping)
        layout.setFormats([self._mark(start, end) for start, end in index.data(ChatRole.MARKS)])
        layout.beginLayout()
        for number in range(2):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            line.setPosition(QPointF(0, number * scaled(_LINE)))
        layout.endLayout()
        painter.setPen(QColor(Theme.current().text_muted))
        layout.draw(painter, QPointF(area.topLeft()))

    def _mark(self, start: int, end: int) -> QTextLayout.FormatRange:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length = start, end - start
        mark.format = Theme.current().highlighted()
        mark.format.setForeground(QColor(Theme.current().text))
        return mark
