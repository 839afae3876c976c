"""The view of the course tree: painting of rows, mouse and keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.ui.courses.model import Role

if TYPE_CHECKING:
    from app.ui.widgets.theme import Theme

ROW_HEIGHT = 32
_GAP = 8
# In a narrower tree the badge is only an icon, to leave room for titles.
_WORD_BADGE_WIDTH = 300


class CourseDelegate(QStyledItemDelegate):
    """Paints a row: name, badge of a sample course, and the right-aligned number of passages."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint background and focus in the sheet's style, then the row's parts from the right."""
        self.initStyleOption(option, index)
        name, option.text = option.text, ""
        widget = option.widget
        style = widget.style() if widget else QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)

        area: QRect = option.rect.adjusted(_GAP, 0, -_GAP, 0)
        box = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, widget)
        area.setLeft(box.right() + _GAP)
        font: QFont = option.font
        small = QFont(font)
        small.setPixelSize(self.theme.type.caption)
        painter.save()
        area.setRight(self._paint_count(painter, area, small, index.data(Role.COUNT)) - _GAP)
        if index.data(Role.IS_SAMPLE):
            wide = widget is None or widget.width() >= _WORD_BADGE_WIDTH
            area.setRight(self._paint_badge(painter, area, small, wide) - _GAP)
        if not index.parent().isValid():
            font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text))
        shown = QFontMetrics(font).elidedText(name, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), shown)
        painter.restore()

    def _paint_count(self, painter: QPainter, area: QRect, font: QFont, number: int) -> int:
        """Paint the number of passages; return its left edge."""
        text = QLocale().toString(number)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.text_muted))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.AlignmentFlag.AlignRight), text)
        return area.right() - QFontMetrics(font).horizontalAdvance(text)

    def _paint_badge(self, painter: QPainter, area: QRect, font: QFont, wide: bool) -> int:
        """Paint the badge of a sample course; return its left edge."""
        if not wide:
            size = 16
            box = QRect(area.right() - size, area.center().y() - size // 2 + 1, size, size)
            self.theme.tinted_icon("sample", self.theme.text_muted).paint(painter, box)
            return box.left()
        word = self.tr("sample")
        metrics = QFontMetrics(font)
        width, height = metrics.horizontalAdvance(word) + 12, metrics.height() + 2
        frame = QRectF(area.right() - width, area.center().y() - height / 2 + 1, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.border), 1))
        painter.setBrush(QColor(self.theme.surface_alt))
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(QColor(self.theme.text_muted))
        painter.setFont(font)
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), word)
        return int(frame.left())


class CourseTree(QTreeView):
    """The tree: Enter or a double click opens an entry, Delete removes its course, Space ticks it.

    Signals:
        entry_opened: index of a course or lesson.
        removal_asked: index of the course, or of a lesson in it.
    """

    entry_opened = Signal(QModelIndex)
    removal_asked = Signal(QModelIndex)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._delegate = CourseDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(20)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setMinimumHeight(2 * ROW_HEIGHT)
        # It takes the height that is left, so that the rest of the sidebar is never squeezed.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.doubleClicked.connect(self.entry_opened)

    def set_theme(self, theme: Theme) -> None:
        self._delegate.theme = theme
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the entry; on its check box, count as a second click."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.check_box(index).contains(event.position().toPoint()):
            press = QMouseEvent(
                QEvent.Type.MouseButtonPress,
                event.position(),
                event.globalPosition(),
                event.button(),
                event.buttons(),
                event.modifiers(),
            )
            self.mousePressEvent(press)
        else:
            super().mouseDoubleClickEvent(event)

    def check_box(self, index: QModelIndex) -> QRect:
        """Return the rectangle of a row's check box in the viewport."""
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        return self.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter; remove on Delete, or Backspace as on a Mac's keyboard."""
        index = self.currentIndex()
        if index.isValid() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entry_opened.emit(index)
        elif index.isValid() and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removal_asked.emit(index)
        else:
            super().keyPressEvent(event)
