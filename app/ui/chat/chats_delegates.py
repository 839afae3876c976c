"""Paints the rows of the chats, and edits a title in its row."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QPointF, QRect, QSize, Qt, QTime
from PySide6.QtGui import QColor, QFont, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleOptionViewItem, QWidget

from app.ui.chat.chats_models import Role
from app.ui.widgets.row_delegate import GAP, Index, RowDelegate
from app.ui.widgets.theme import Theme, scaled

_LINE = 18


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


class ConversationDelegate(RowDelegate):
    """Title, a dot while an answer is being written, a pin, and the date of last use."""

    height = 36

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index, selected=index.data(Role.SHOWN))
        painter.save()
        self.paint_at_right(painter, area, option.font, short_date(index.data(Role.UPDATED)))
        theme, mirrored = Theme.current(), QApplication.isRightToLeft()
        if index.data(Role.PINNED):
            side = scaled(14)
            left = area.left() if mirrored else area.right() - side
            box = QRect(left, area.center().y() + 1 - side // 2, side, side)
            theme.icon("pin", theme.text_muted).paint(painter, box)
            area = self.beside(area, side + GAP // 2, at_end=True)
        if index.data(Role.ANSWERING):
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
        self.paint_at_right(painter, line, option.font, short_date(index.data(Role.UPDATED)))
        self.paint_name(painter, line, bold, index.data())
        below = QRect(area.left(), area.top() + scaled(29), area.width(), 2 * scaled(_LINE))
        self._paint_snippet(painter, below, self.small(option.font), index)
        painter.restore()

    def _paint_snippet(self, painter: QPainter, area: QRect, font: QFont, index: Index) -> None:
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
