"""Pictures of the progress, and bars of the passages with items."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QScrollArea,
    QSizePolicy,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from app.domain.plain_text import harmless
from app.ui.widgets.announcements import announce
from app.ui.widgets.numbers import number_text
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, row_height, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFocusEvent, QKeyEvent, QPaintEvent

    from app.features.study.model.making import LessonCoverage


_TOP = QModelIndex()
_LESSON = Qt.ItemDataRole.UserRole + 1
_BAR = 8  # pixels
_THINNEST = 2.0


class CoverageList(QListView):
    """Shows the lessons that items are made from, below their courses, and where in them they stand."""

    def __init__(self) -> None:
        super().__init__()
        self._lessons = _Model(self)
        self.setAccessibleName(self.tr("What is covered"))
        self.setModel(self._lessons)
        self.setItemDelegate(_Delegate(self))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)

    @property
    def lessons(self) -> tuple[LessonCoverage, ...]:
        return tuple(row for row in self._lessons.rows if not isinstance(row, str))

    def set_lessons(self, lessons: Sequence[LessonCoverage]) -> None:
        self._lessons.beginResetModel()
        self._lessons.rows = []
        for title, of_course in groupby(lessons, key=attrgetter("course_title")):
            self._lessons.rows += [harmless(title), *of_course]
        self._lessons.endResetModel()

    def update_lesson(self, lesson: LessonCoverage) -> None:
        """Show a lesson as it is covered now."""
        key = _key(lesson)
        for row, known in enumerate(self._lessons.rows):
            if not isinstance(known, str) and _key(known) == key:
                self._lessons.rows[row] = lesson
                self._lessons.dataChanged.emit(self._lessons.index(row), self._lessons.index(row))


class _Model(QAbstractListModel):
    rows: list[LessonCoverage | str] = []  # a course's title stands above its lessons

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = _LESSON) -> Any:  # noqa: ANN401
        row = self.rows[index.row()]
        name = row if isinstance(row, str) else _name(row)
        if role == _LESSON:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return name
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tool_tip(name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return name if isinstance(row, str) else f"{name}: {_count(row)}"
        return None


class _Delegate(RowDelegate):
    """A lesson's name and count, above a bar as long as the lesson with what is covered filled in."""

    height = 44

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, scaled(self.height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area = self.paint_ground(painter, option, index)
        lesson: LessonCoverage | str = index.data(_LESSON)
        painter.save()
        if isinstance(lesson, str):
            bold = QFont(option.font)
            bold.setWeight(QFont.Weight.DemiBold)
            self.paint_name(painter, area.adjusted(0, scaled(10), 0, 0), bold, lesson)
            painter.restore()
            return
        line = QRect(area.left(), area.top() + 4, area.width(), QFontMetrics(option.font).height())
        self.paint_at_right(painter, line, option.font, _count(lesson))
        self.paint_name(painter, line, option.font, _name(lesson))
        bar = QRectF(area.left(), line.bottom() + 4, area.width(), scaled(_BAR))
        _paint_bar(painter, bar, lesson)
        painter.restore()


def _paint_bar(painter: QPainter, bar: QRectF, lesson: LessonCoverage) -> None:
    """Paint a lesson's text from its beginning to its end: passages, and those that have items."""
    theme = Theme.current()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.surface_alt))
    painter.drawRoundedRect(bar, 2, 2)
    scale = bar.width() / max(lesson.length, 1)
    for place, (start, end) in enumerate(lesson.passages):
        width = max((end - start) * scale - 1, _THINNEST)
        left = bar.left() + start * scale
        if QApplication.isRightToLeft():
            left = bar.right() - start * scale - width
        painter.setBrush(QColor(theme.accent if place in lesson.covered else theme.border_strong))
        painter.drawRect(QRectF(left, bar.top(), width, bar.height()))


def _name(lesson: LessonCoverage) -> str:
    return numbered_lesson(lesson.number, lesson.title) or harmless(lesson.course_title)


def _count(lesson: LessonCoverage) -> str:
    return f"{len(lesson.covered)}/{len(lesson.passages)}"


def _key(lesson: LessonCoverage) -> tuple[str, int | None, str]:
    return lesson.course_title, lesson.number, lesson.title


_HEIGHT, _GAP = 150, 4
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Home: -1000, Qt.Key.Key_End: 1000}
_ROW = 44


class _Chart(QWidget):
    """A chart whose parts can be pointed at, or stepped through with the arrow keys."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()  # of the parts: what they show, in words
        self.current = -1  # the part that has the keyboard
        self._keys = _STEPS
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def area(self, part: int) -> QRect:
        """Return where a part is drawn."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        """Say in a tool tip what is pointed at."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            parts = range(len(self.names))
            at = next((part for part in parts if self.area(part).contains(event.pos())), -1)
            QToolTip.showText(event.globalPos(), plain_tool_tip(self.names[at]) if at >= 0 else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self._keys.get(Qt.Key(event.key()))
        if step is None or not self.names:
            super().keyPressEvent(event)
        else:
            self._go_to(min(max(self.current + step, 0), len(self.names) - 1))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self.names and event.reason() != Qt.FocusReason.MouseFocusReason:
            self._go_to(max(self.current, 0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        QToolTip.hideText()
        self.update()

    def _go_to(self, part: int) -> None:
        self.current = part
        self.update()
        area = self.area(part)
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and (content := above.widget()) is not None:
            middle = self.mapTo(content, area.center())
            above.ensureVisible(middle.x(), middle.y(), 0, area.height() // 2 + _ROW)
        QToolTip.showText(
            self.mapToGlobal(area.bottomLeft() + QPoint(0, _GAP)), plain_tool_tip(self.names[part])
        )
        announce(self, self.names[part])

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus() and 0 <= self.current < len(self.names):
            painter.setPen(QPen(QColor(Theme.current().text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.area(self.current).adjusted(1, 1, -1, -1))


class BarChart(_Chart):
    """A bar for each day; its height stands at the highest, and days below some of them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._values: tuple[int, ...] = ()
        self._marks: dict[int, str] = {}

    def show_values(self, values: Sequence[int], names: Sequence[str], marks: dict[int, str]) -> None:
        """Show values; ``names`` say each in words, ``marks`` stand below some of them."""
        self._values, self.names, self._marks = tuple(values), tuple(names), marks
        self.setAccessibleDescription("; ".join(names))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(300), scaled(_HEIGHT))

    def area(self, part: int) -> QRect:
        plot = self._plot()
        width = plot.width() / max(len(self._values), 1)
        left = plot.left() + part * width
        if QApplication.isRightToLeft():
            left = plot.right() + 1 - (part + 1) * width
        return QRect(round(left), plot.top(), round(left + width) - round(left), plot.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, plot, top = Theme.current(), self._plot(), max((*self._values, 1))
        painter = QPainter(self)
        painter.setFont(self._small())
        self._paint_scale(painter, plot, top)
        for at, value in enumerate(self._values):
            area = self.area(at)
            if value:
                height = max(round(plot.height() * value / top), 2)
                bar = QRect(area.left() + 1, plot.bottom() + 1 - height, max(area.width() - 2, 1), height)
                painter.fillRect(bar, QColor(theme.accent))
            if at in self._marks:
                painter.setPen(QColor(theme.text_muted))
                below = QRect(area.center().x() - 100, plot.bottom() + _GAP, 200, self._line())
                painter.drawText(
                    _inside(below, self.rect(), painter.fontMetrics(), self._marks[at]),
                    int(Qt.AlignmentFlag.AlignHCenter),
                    self._marks[at],
                )
        self._paint_focus(painter)

    def _paint_scale(self, painter: QPainter, plot: QRect, top: int) -> None:
        theme = Theme.current()
        for value in {0, top // 2 if top > 3 else 0, top}:
            y = plot.bottom() - round(plot.height() * value / top)
            painter.setPen(QColor(theme.border_strong if value == 0 else theme.border))
            painter.drawLine(plot.left(), y, plot.right(), y)
            painter.setPen(QColor(theme.text_muted))
            beside = QRect(0, y - self._line() // 2, plot.left() - _GAP, self._line())
            painter.drawText(
                beside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), number_text(value)
            )

    def _plot(self) -> QRect:
        top = max((*self._values, 1))
        left = QFontMetrics(self._small()).horizontalAdvance(number_text(top)) + 2 * _GAP
        half = self._line() // 2
        return self.rect().adjusted(left, half + 1, -1, -self._line() - _GAP)

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(Theme.current().caption)
        return font

    def _line(self) -> int:
        return QFontMetrics(self._small()).height()


class Share(NamedTuple):
    """A row of a chart of shares."""

    name: str
    counts: tuple[int, int, int]  # known, learning, new
    words: str  # the counts, such as ``12 known, 3 learning, 5 new``


class ShareChart(_Chart):
    """A row for each lesson: known is filled, learning hatched, new empty; beside the name in words."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._rows: tuple[Share, ...] = ()
        self._keys = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Home: -10_000, Qt.Key.Key_End: 10_000}

    def show_rows(self, rows: Sequence[Share]) -> None:
        self._rows = tuple(rows)
        self.names = tuple(f"{row.name}: {row.words}" for row in rows)
        self.setAccessibleDescription("; ".join(self.names[:50]))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(scaled(300), len(self._rows) * row_height(_ROW))

    def area(self, part: int) -> QRect:
        height = row_height(_ROW)
        return QRect(0, part * height, self.width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, height = QPainter(self), row_height(_ROW)
        shown = event.rect()
        for at in range(shown.top() // height, min(shown.bottom() // height + 1, len(self._rows))):
            self._paint_row(painter, self.area(at).adjusted(2, 4, -2, -6), self._rows[at])
        self._paint_focus(painter)

    def _paint_row(self, painter: QPainter, area: QRect, row: Share) -> None:
        theme, metrics = Theme.current(), self.fontMetrics()
        bar = QRectF(area.adjusted(0, area.height() - scaled(10), 0, 0))
        text = area.adjusted(0, 0, 0, -scaled(10) - 2)
        small = QFont(self.font())
        small.setPixelSize(theme.caption)
        painter.setFont(small)
        painter.setPen(QColor(theme.text_muted))
        end, middle = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignVCenter
        painter.drawText(text, int(end | middle), row.words)
        room = text.width() - QFontMetrics(small).horizontalAdvance(row.words) - 2 * _GAP
        painter.setFont(self.font())
        painter.setPen(QColor(theme.text))
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideRight, max(room, 0))
        painter.drawText(text, int(Qt.AlignmentFlag.AlignLeft | middle), name)
        self._paint_bar(painter, bar, row.counts)

    @staticmethod
    def _paint_bar(painter: QPainter, bar: QRectF, counts: tuple[int, int, int]) -> None:
        colour, total = QColor(Theme.current().accent), max(sum(counts), 1)
        known, learning = (bar.width() * count / total for count in counts[:2])
        painter.fillRect(QRectF(bar.left(), bar.top(), known, bar.height()), colour)
        hatched = QBrush(colour, Qt.BrushStyle.BDiagPattern)
        painter.fillRect(QRectF(bar.left() + known, bar.top(), learning, bar.height()), hatched)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5))


def _inside(area: QRect, room: QRect, metrics: QFontMetrics, text: str) -> QRect:
    """Return the area, moved so that a text in its middle is inside the room."""
    half = metrics.horizontalAdvance(text) // 2
    middle = min(max(area.center().x(), room.left() + half), room.right() - half)
    moved = QRect(area)
    moved.moveCenter(QPoint(middle, area.center().y()))
    return moved
