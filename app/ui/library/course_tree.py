"""The view of the course tree: painting of rows, mouse and keys."""

from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QLocale,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from app.ui.library.course_model import CourseTreeModel, Role
from app.ui.widgets.row_delegate import GAP, Index, RowDelegate
from app.ui.widgets.source_labels import TROUBLED, state_word
from app.ui.widgets.text_labels import wrapped
from app.ui.widgets.theme import Theme, scaled

ROW_HEIGHT = 32
_LINES = 2  # of a title at most
_LONGEST_TITLE = 200
_PADDING = 14  # above and below its lines
_SMALL_BADGE = 16
_PILL = 12  # pixels of a pill beside its text


class _Column(NamedTuple):
    """What the rows of all courses, or of all lessons, have in common."""

    font: QFont
    metrics: QFontMetrics
    small: QFontMetrics
    room: int  # in pixels, for the title and what stands right of it


class CourseDelegate(RowDelegate):
    """Paints a row: name, badge of a sample or shared course, and the number of its lessons at the right.

    The row of a server has an icon, its name, and how it is.
    """

    def __init__(self, tree: "CourseTree") -> None:
        super().__init__(tree)
        self._tree = tree
        self._columns: dict[bool, _Column] = {}  # of courses, and of lessons
        self._widths: dict[str, int] = {}  # of the titles of lessons

    def forget_sizes(self, *, with_font: bool) -> None:
        """Measure again: the width of the tree or its font has changed."""
        self._columns.clear()
        if with_font:
            self._widths.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return a row with the lines that its title needs.

        It is asked for every row at once, so it must be quick: 2,000 lessons are laid out at each width.
        """
        column = self._column(option, index)
        if index.internalId():
            name = self._tree.courses.name(index)
            width = self._widths.get(name)
            if width is None:
                width = self._widths[name] = column.metrics.horizontalAdvance(name)
            lines = _LINES if width > column.room else 1
        elif _is_server(index):
            lines = 1
        else:
            lines = len(self._lines(column, index))
        return QSize(0, max(ROW_HEIGHT, lines * column.metrics.lineSpacing() + _PADDING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        column = self._column(option, index)
        area = self.paint_ground(painter, option, index)
        if _is_server(index):
            self._paint_server(painter, area, option.font, index)
            return
        lines = self._lines(column, index)
        painter.save()
        self.paint_lines(painter, area, column.font, lines)
        if not index.internalId():
            self.paint_at_right(painter, area, option.font, _count(index))
            self._paint_due(painter, area, option.font, column, index)
        if badge := _badge(index):
            self._paint_icon(painter, area, badge, "text_muted")
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent, maxLength=_LONGEST_TITLE)
        editor.setProperty("compact", True)
        editor.setAccessibleName(self.tr("Title of the course"))
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Lay the field over the title, beside the check box."""
        area = QRect(option.rect)
        area.adjust(self._tree.check_width() + GAP // 2, 1, -1, -1)
        editor.setGeometry(QStyle.visualRect(option.direction, option.rect, area))

    def _column(self, option: QStyleOptionViewItem, index: Index) -> _Column:
        is_course = not index.internalId()
        if is_course not in self._columns:
            font, small = QFont(option.font), QFontMetrics(self.small(option.font))
            if is_course:
                font.setWeight(QFont.Weight.DemiBold)
            width = self._tree.viewport().width() - self._tree.indentation() * (1 if is_course else 2)
            room = width - self._tree.check_width() - 2 * GAP
            self._columns[is_course] = _Column(font, QFontMetrics(font), small, room)
        return self._columns[is_course]

    @staticmethod
    def _lines(column: _Column, index: Index) -> tuple[str, ...]:
        room = column.room
        if index.internalId():
            return wrapped(index.data(), column.font, room, _LINES)[0]
        room -= column.small.horizontalAdvance(_count(index)) + GAP
        if due := _due(index):
            room -= column.small.horizontalAdvance(due) + _PILL + GAP
        if _badge(index):
            room -= scaled(_SMALL_BADGE) + GAP
        return wrapped(index.data(), column.font, room, _LINES)[0]

    def _paint_due(self, painter: QPainter, area: QRect, font: QFont, column: _Column, index: Index) -> None:
        """Paint how many cards are due at the end of ``area``, which then ends before it."""
        if not (text := _due(index)):
            return
        theme, width = Theme.current(), column.small.horizontalAdvance(text) + _PILL
        height = column.small.height() + 2
        left = area.left() if QApplication.isRightToLeft() else area.right() - width
        pill = QRectF(left, area.center().y() - height / 2 + 1, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft))
        painter.drawRoundedRect(pill, height / 2, height / 2)
        painter.setFont(self.small(font))
        painter.setPen(QColor(theme.text))
        painter.drawText(pill, int(Qt.AlignmentFlag.AlignCenter), text)
        rest = self.beside(area, width + GAP, at_end=True)
        area.setRect(rest.x(), rest.y(), rest.width(), rest.height())

    def _paint_server(self, painter: QPainter, area: QRect, font: QFont, index: Index) -> None:
        library = index.data(Role.SERVER)
        is_troubled = library.state in TROUBLED
        painter.save()
        icon, role = ("warning", "warning") if is_troubled else ("server", "text_muted")
        self._paint_icon(painter, area, icon, role, at_end=False)
        if word := state_word(library.state):
            self.paint_at_right(painter, area, font, word)
        self.paint_name(painter, area, self.small(font), index.data())
        painter.restore()

    def _paint_icon(
        self, painter: QPainter, area: QRect, name: str, role: str, *, at_end: bool = True
    ) -> None:
        """Paint an icon at one end of ``area``, which then ends before it."""
        side = scaled(_SMALL_BADGE)
        at_left = at_end is QApplication.isRightToLeft()
        left = area.left() if at_left else area.right() - side
        place = QRect(left, area.center().y() - side // 2 + 1, side, side)
        Theme.icon(name, role).paint(painter, place)
        rest = self.beside(area, side + GAP, at_end=at_end)
        area.setRect(rest.x(), rest.y(), rest.width(), rest.height())


def _is_server(index: Index) -> bool:
    """Return whether a row stands for a server, not for one of its courses."""
    return index.data(Role.COURSE_TITLE) is None


def _badge(index: Index) -> str:
    """Return the icon of a sample, or of a course on a server; nothing for other rows."""
    if index.data(Role.IS_SAMPLE):
        return "sample"
    return "server" if not index.internalId() and index.data(Role.SERVER) is not None else ""


def _due(index: Index) -> str:
    """Return how many cards of a course are due."""
    due = index.data(Role.DUE)
    return QLocale().toString(due) if due else ""


def _count(index: Index) -> str:
    return QLocale().toString(index.data(Role.COUNT))


class CourseTree(QTreeView):
    """The tree: Enter or a double click opens an entry, Space ticks it, F2 and Delete are for its course."""

    entry_opened = Signal(QModelIndex)  # index of a server, course or lesson
    removal_asked = Signal(QModelIndex)  # of a server, course or lesson

    def __init__(self, courses: CourseTreeModel) -> None:
        super().__init__()
        self.courses = courses
        self.setModel(courses)
        self._delegate = CourseDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._measure_rows(with_font=False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure_rows(with_font=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the entry; on its check box, count as a second click."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.check_box(index).contains(event.position().toPoint()):
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def check_width(self) -> int:
        """Return how much of a row its check box takes."""
        row = QRect(0, 0, self.viewport().width(), ROW_HEIGHT)
        box = self._check_box_in(row)
        return row.right() - box.left() if self.isRightToLeft() else box.right()

    def check_box(self, index: QModelIndex) -> QRect:
        """Return the rectangle of a row's check box in the viewport."""
        return self._check_box_in(self.visualRect(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter; rename on F2; remove on Delete, or Backspace as on a Mac's keyboard."""
        index = self.currentIndex()
        is_editing = self.state() == QAbstractItemView.State.EditingState  # the field passes Enter on
        if is_editing or not index.isValid():
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entry_opened.emit(index)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removal_asked.emit(index)
        elif event.key() == Qt.Key.Key_F2:
            self.rename(index)
        else:
            super().keyPressEvent(event)

    def rename(self, index: QModelIndex) -> None:
        """Let the title of a course, or of a lesson's course, be written anew in its row."""
        if self.can_rename(index):
            course = index.parent() if index.parent().isValid() else index
            self.scrollTo(course)
            self.edit(course)

    def can_rename(self, index: QModelIndex) -> bool:
        course = index.parent() if index.parent().isValid() else index
        return bool(course.flags() & Qt.ItemFlag.ItemIsEditable)

    def _check_box_in(self, row: QRect) -> QRect:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = row
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
        return self.style().subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, self)

    def _measure_rows(self, *, with_font: bool) -> None:
        self._delegate.forget_sizes(with_font=with_font)
        self.scheduleDelayedItemsLayout()
