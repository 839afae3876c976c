"""Paints the rows of lists and trees: a name, and muted text at the right."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.ui.widgets.theme import Theme, row_height

GAP = 8
MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)
Index = QModelIndex | QPersistentModelIndex


class RowDelegate(QStyledItemDelegate):
    """Paints the parts of rows of one height."""

    height: int

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(self.height))

    def paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, *, selected: bool = False
    ) -> QRect:
        """Paint background, focus and check box as the style sheet has them; return the remaining area."""
        self.initStyleOption(option, index)
        option.text = ""
        if selected:
            option.state |= QStyle.StateFlag.State_Selected
        style = option.widget.style() if option.widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        area: QRect = option.rect.adjusted(GAP, 0, -GAP, 0)
        if option.features & QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator:
            check = QStyle.SubElement.SE_ItemViewItemCheckIndicator
            box = style.subElementRect(check, option, option.widget)
            if QApplication.isRightToLeft():
                area.setRight(box.left() - GAP)
            else:
                area.setLeft(box.right() + GAP)
        return area

    def small(self, font: QFont) -> QFont:
        small = QFont(font)
        small.setPixelSize(Theme.current().caption)
        return small

    @staticmethod
    def beside(area: QRect, taken: int, *, at_end: bool) -> QRect:
        """Return the rest of ``area`` beside something at its end, or at its beginning."""
        at_right = at_end is not QApplication.isRightToLeft()
        return area.adjusted(0, 0, -taken, 0) if at_right else area.adjusted(taken, 0, 0, 0)

    def paint_at_right(
        self, painter: QPainter, area: QRect, font: QFont, text: str, most: int | None = None
    ) -> None:
        """Paint a small, muted text at the end of ``area``, which then ends before it.

        The end is at the right, or at the left where Qt mirrors windows for the language.
        A text wider than ``most`` pixels is cut.
        """
        small = self.small(font)
        if most is not None:
            text = QFontMetrics(small).elidedText(text, Qt.TextElideMode.ElideRight, most)
        painter.setFont(small)
        painter.setPen(QColor(Theme.current().text_muted))
        painter.drawText(area, MIDDLE | int(Qt.AlignmentFlag.AlignRight), text)
        taken = QFontMetrics(small).horizontalAdvance(text) + GAP
        rest = self.beside(area, taken, at_end=True)
        area.setRect(rest.x(), rest.y(), rest.width(), rest.height())

    def paint_lines(self, painter: QPainter, area: QRect, font: QFont, lines: Sequence[str]) -> None:
        painter.setFont(font)
        painter.setPen(QColor(Theme.current().text))
        spacing = QFontMetrics(font).lineSpacing()
        top = area.center().y() + 1 - len(lines) * spacing // 2
        for row, line in enumerate(lines):
            painter.drawText(QRect(area.left(), top + row * spacing, area.width(), spacing), MIDDLE, line)

    def paint_name(self, painter: QPainter, area: QRect, font: QFont, name: str) -> None:
        painter.setFont(font)
        painter.setPen(QColor(Theme.current().text))
        shown = QFontMetrics(font).elidedText(name, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, MIDDLE, shown)
