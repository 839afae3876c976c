"""Which parts of each lesson have items: a list with a bar a lesson."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QListView, QStyleOptionViewItem

from app.domain.plain_text import harmless
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

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
