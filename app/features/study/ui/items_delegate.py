"""Paints the rows of items and of the lessons above them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter

from app.features.study.ui.items_model import Role
from app.features.study.ui.words import kind_name, marks
from app.markup.signs import plain_text
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.theme import Theme, row_height, scaled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QStyleOptionViewItem

    from app.features.study.model.items import Item

_RIGHT = Qt.TextElideMode.ElideRight


class ItemDelegate(RowDelegate):
    """What an item asks, its answer below, its kind and marks at the end."""

    height = 46

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(row_height(self.height)))  # both lines grow

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        item: Item | None = index.data(Role.ITEM)
        painter.save()
        if item is None:
            bold = QFont(option.font)
            bold.setWeight(QFont.Weight.DemiBold)
            self.paint_name(painter, area.adjusted(0, scaled(10), 0, 0), bold, index.data())
        else:
            self._paint_item(painter, area, option.font, item)
        painter.restore()

    def _paint_item(self, painter: QPainter, area: QRect, font: QFont, item: Item) -> None:
        kind = " · ".join([kind_name(item.kind), *marks(item)])
        self.paint_at_right(painter, area, font, kind, area.width() // 2)
        small = self.small(font)
        line, below = QFontMetrics(font).lineSpacing(), QFontMetrics(small).lineSpacing()
        top = area.center().y() + 1 - (line + below) // 2
        self.paint_name(painter, QRect(area.left(), top, area.width(), line), font, _one_line(item.asked))
        under = QRect(area.left(), top + line, area.width(), below)
        painter.setFont(small)
        painter.setPen(QColor(Theme.current().text_muted))
        answer = QFontMetrics(small).elidedText(_one_line(item.answered), _RIGHT, area.width())
        painter.drawText(under, answer)


def _one_line(markdown: str) -> str:
    return " ".join(plain_text(markdown).split())
