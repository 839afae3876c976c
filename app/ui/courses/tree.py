"""The view of the course tree: painting of rows, mouse and keys."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
)

from app.ui.courses.model import Role
from app.ui.widgets.row_delegate import GAP, Index, RowDelegate
from app.ui.widgets.theme import Theme

ROW_HEIGHT = 32
# In a narrower tree the badge is only an icon, to leave room for titles.
_WORD_BADGE_WIDTH = 300


class CourseDelegate(RowDelegate):
    """Paints a row: name, badge of a sample course, and the right-aligned number of passages."""

    height = ROW_HEIGHT

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        font: QFont = option.font
        painter.save()
        self.paint_at_right(painter, area, font, QLocale().toString(index.data(Role.COUNT)))
        if index.data(Role.IS_SAMPLE):
            wide = option.widget is None or option.widget.width() >= _WORD_BADGE_WIDTH
            area.setRight(self._paint_badge(painter, area, self.small(font), wide) - GAP)
        if not index.parent().isValid():
            font.setWeight(QFont.Weight.DemiBold)
        self.paint_name(painter, area, font, index.data())
        painter.restore()

    def _paint_badge(self, painter: QPainter, area: QRect, font: QFont, wide: bool) -> int:
        """Paint the badge of a sample course; return its left edge."""
        theme = Theme.current()
        if not wide:
            size = 16
            box = QRect(area.right() - size, area.center().y() - size // 2 + 1, size, size)
            theme.icon("sample", theme.text_muted).paint(painter, box)
            return box.left()
        word = self.tr("sample")
        metrics = QFontMetrics(font)
        width, height = metrics.horizontalAdvance(word) + 12, metrics.height() + 2
        frame = QRectF(area.right() - width, area.center().y() - height / 2 + 1, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.surface_alt))
        painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.setPen(QColor(theme.text_muted))
        painter.setFont(font)
        painter.drawText(frame, int(Qt.AlignmentFlag.AlignCenter), word)
        return int(frame.left())


class CourseTree(QTreeView):
    """The tree: Enter or a double click opens an entry, Delete removes its course, Space ticks it."""

    entry_opened = Signal(QModelIndex)  # index of a course or lesson
    removal_asked = Signal(str)  # title of a course

    def __init__(self) -> None:
        super().__init__()
        self.setItemDelegate(CourseDelegate(self))
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

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the entry; on its check box, count as a second click."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.check_box(index).contains(event.position().toPoint()):
            self.mousePressEvent(event)
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
            self.removal_asked.emit(index.data(Role.COURSE_TITLE))
        else:
            super().keyPressEvent(event)
