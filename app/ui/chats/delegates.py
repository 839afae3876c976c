"""Paints the rows of the chats, and edits a title in its row."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QDate,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTime,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.ui.chats.models import Role

if TYPE_CHECKING:
    from app.ui.widgets.theme import Theme

ROW_HEIGHT = 36
_HIT_HEIGHT = 72
_LINE = 18
_GAP = 8
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
_Index = QModelIndex | QPersistentModelIndex


def short_date(then: float, now: datetime | None = None) -> str:
    """Return the time of day, "Yesterday", the weekday, or the date, whichever is enough.

    Args:
        then: seconds since the epoch.
        now: the current time by default.
    """
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


class _RowDelegate(QStyledItemDelegate):
    """Paints a row's background and, on one line, title and date."""

    height = ROW_HEIGHT

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, self.height)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> QRect:
        """Paint background and focus as the style sheet has them; return the remaining area."""
        self.initStyleOption(option, index)
        option.text = ""
        if index.data(Role.SHOWN):
            option.state |= QStyle.StateFlag.State_Selected
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        room: QRect = option.rect
        return room.adjusted(_GAP, 0, -_GAP, 0)

    def _small(self, font: QFont) -> QFont:
        small = QFont(font)
        small.setPixelSize(self.theme.type.caption)
        return small

    def _paint_date(self, painter: QPainter, area: QRect, font: QFont, updated: float) -> int:
        """Paint the date at the right; return where it begins."""
        text = short_date(updated)
        small = self._small(font)
        painter.setFont(small)
        painter.setPen(QColor(self.theme.text_muted))
        painter.drawText(area, _MIDDLE | int(Qt.AlignmentFlag.AlignRight), text)
        return area.right() - QFontMetrics(small).horizontalAdvance(text)

    def _paint_title(self, painter: QPainter, area: QRect, font: QFont, title: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text))
        shown = QFontMetrics(font).elidedText(title, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, _MIDDLE, shown)


class ConversationDelegate(_RowDelegate):
    """Title, a dot while an answer is being written, a pin, and the date of last use."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        area = self._paint_ground(painter, option, index)
        painter.save()
        area.setRight(self._paint_date(painter, area, option.font, index.data(Role.UPDATED)) - _GAP)
        if index.data(Role.PINNED):
            box = QRect(area.right() - 14, area.center().y() - 6, 14, 14)
            self.theme.tinted_icon("pin", self.theme.text_muted).paint(painter, box)
            area.setRight(box.left() - _GAP // 2)
        if index.data(Role.ANSWERING):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.accent))
            painter.drawEllipse(QPointF(area.left() + 3.5, area.center().y() + 0.5), 3.5, 3.5)
            area.setLeft(area.left() + 7 + _GAP)
        self._paint_title(painter, area, option.font, index.data())
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("Title of the chat"))
        editor.setMaxLength(80)
        return editor

    def setEditorData(self, editor: QWidget, index: _Index) -> None:
        """Fill the editor once, so that a refreshed list does not undo what was typed."""
        if not editor.property("filled"):
            editor.setProperty("filled", True)
            super().setEditorData(editor, index)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: _Index) -> None:
        area: QRect = option.rect
        editor.setGeometry(area.adjusted(0, 1, 0, -1))


class HitDelegate(_RowDelegate):
    """A search hit: title and date, and below them two lines around the match."""

    height = _HIT_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        area = self._paint_ground(painter, option, index)
        painter.save()
        line = QRect(area.left(), area.top() + 8, area.width(), 20)
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        line.setRight(self._paint_date(painter, line, option.font, index.data(Role.UPDATED)) - _GAP)
        self._paint_title(painter, line, bold, index.data())
        below = QRect(area.left(), area.top() + 29, area.width(), 2 * _LINE)
        self._paint_snippet(painter, below, self._small(option.font), index)
        painter.restore()

    def _paint_snippet(self, painter: QPainter, area: QRect, font: QFont, index: _Index) -> None:
        text = index.data(Role.SNIPPET) or self.tr("Found in the title.")
        layout = QTextLayout(text, font)
        wrapping = QTextOption()
        wrapping.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(wrapping)
        layout.setFormats([self._mark(start, end) for start, end in index.data(Role.MARKS)])
        layout.beginLayout()
        for number in range(2):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(area.width())
            line.setPosition(QPointF(0, number * _LINE))
        layout.endLayout()
        painter.setPen(QColor(self.theme.text_muted))
        layout.draw(painter, QPointF(area.topLeft()))

    def _mark(self, start: int, end: int) -> QTextLayout.FormatRange:
        mark = QTextLayout.FormatRange()
        mark.start, mark.length = start, end - start
        mark.format = QTextCharFormat()
        mark.format.setBackground(QColor(self.theme.highlight))
        mark.format.setForeground(QColor(self.theme.text))
        return mark
