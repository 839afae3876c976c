"""The tree of courses and lessons as an item model."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.ui.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.models import Course, LessonInfo

_Index = QModelIndex | QPersistentModelIndex


class Role(IntEnum):
    """What the delegate and the sidebar ask for beside the display text."""

    COURSE_TITLE = Qt.ItemDataRole.UserRole + 1
    COUNT = Qt.ItemDataRole.UserRole + 2
    LINK = Qt.ItemDataRole.UserRole + 3
    IS_SAMPLE = Qt.ItemDataRole.UserRole + 4


class CourseTreeModel(QAbstractItemModel):
    """Courses, each with its lessons; takes a new state by changing only what differs.

    It filters by itself: taking rows out of an unfolded tree one by one, as a proxy model does,
    takes seconds where there are thousands.

    An index of a lesson carries its course's key, a number that is never used again; one of a
    course carries 0. So rows may come and go without an index pointing at something gone.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._new_key = count(1)
        self._library: tuple[Course, ...] = ()
        self._wanted = ""
        self._courses: list[Course] = []
        self._keys: list[int] = []
        self._rows: dict[int, int] = {}

    def set_courses(self, courses: Sequence[Course]) -> None:
        """Show ``courses`` in the order given; expanded rows stay expanded, the view stays put."""
        self._library = tuple(courses)
        self._take(self._matching())

    def set_filter(self, text: str) -> None:
        """Show only courses and lessons whose names contain ``text``; empty shows all.

        A course that matches keeps all its lessons, one that does not those that do.
        """
        wanted = text.strip().casefold()
        if wanted != self._wanted:
            self._wanted = wanted
            self._reset(self._matching())

    def is_empty(self) -> bool:
        """Return whether there are no courses at all, shown or not."""
        return not self._library

    def matches_itself(self, row: int) -> bool:
        """Return whether the course in ``row`` is shown for its own sake, not for its lessons'."""
        return self._wanted in self._course_words(self._courses[row])

    def find(self, course_title: str) -> QModelIndex:
        """Return the index of a shown course; invalid if it is not shown."""
        titles = [course.title for course in self._courses]
        return self.index(titles.index(course_title), 0) if course_title in titles else QModelIndex()

    # Qt's model interface

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        """Return the index of a course, or of a lesson under ``parent``."""
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, 0, self._keys[parent.row()] if parent.isValid() else 0)

    def parent(self, child: _Index) -> QModelIndex:  # type: ignore[override]  # the stub knows only QObject.parent
        """Return the course of a lesson."""
        row = self._rows.get(child.internalId()) if child.isValid() else None
        return QModelIndex() if row is None else self.createIndex(row, 0, 0)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of courses, or of a course's lessons."""
        if not parent.isValid():
            return len(self._courses)
        return 0 if parent.internalId() else len(self._courses[parent.row()].lessons)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Return 1."""
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        """Return what ``role`` asks of a course or lesson."""
        if not index.isValid():
            return None
        owner = self._rows.get(index.internalId())
        if owner is None:
            return self._course_data(self._courses[index.row()], role)
        course = self._courses[owner]
        return self._lesson_data(course, course.lessons[index.row()], role)

    # What rows say

    def _course_data(self, course: Course, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Role.COURSE_TITLE:
                return course.title
            case Qt.ItemDataRole.AccessibleTextRole:
                sample = self.tr(", sample course") if course.is_sample else ""
                return f"{course.title}, {self._passages(course.passages)}{sample}"
            case Qt.ItemDataRole.ToolTipRole:
                files = len(course.files)
                in_files = self.tr("in 1 file") if files == 1 else self.tr("in {0} files").format(files)
                lines = [course.title, course.instructor, f"{self._passages(course.passages)} {in_files}"]
                return plain_tool_tip("\n".join(line for line in lines if line))
            case Role.COUNT:
                return course.passages
            case Role.LINK:
                return course.link
            case Role.IS_SAMPLE:
                return course.is_sample
        return None

    def _lesson_data(self, course: Course, lesson: LessonInfo, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._lesson_name(lesson)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self._lesson_name(lesson)}, {self._passages(lesson.passages)}"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(f"{self._lesson_name(lesson)}\n{self._passages(lesson.passages)}")
            case Role.COURSE_TITLE:
                return course.title
            case Role.COUNT:
                return lesson.passages
            case Role.LINK:
                return lesson.link
            case Role.IS_SAMPLE:
                return False
        return None

    def _lesson_name(self, lesson: LessonInfo) -> str:
        if lesson.number is None:
            return lesson.title or self.tr("Text outside the lessons")
        if not lesson.title:
            return self.tr("Lesson {0}").format(lesson.number)
        return f"{lesson.number} · {lesson.title}"

    def _passages(self, number: int) -> str:
        if number == 1:
            return self.tr("1 passage")
        return self.tr("{0} passages").format(QLocale().toString(number))

    # Filtering

    def _matching(self) -> list[Course]:
        """Return the courses to show, each with the lessons to show."""
        if not self._wanted:
            return list(self._library)
        found: list[Course] = []
        for course in self._library:
            if self._wanted in self._course_words(course):
                found.append(course)
                continue
            lessons = tuple(
                one for one in course.lessons if self._wanted in self._lesson_name(one).casefold()
            )
            if lessons:
                found.append(replace(course, lessons=lessons))
        return found

    def _course_words(self, course: Course) -> str:
        return f"{course.title} {course.instructor or ''}".casefold()

    # Changes

    def _take(self, courses: Sequence[Course]) -> None:
        titles = [course.title for course in courses]
        wanted = set(titles)
        kept = [course.title for course in self._courses if course.title in wanted]
        here = set(kept)
        if kept != [title for title in titles if title in here]:
            self._reset(courses)
            return
        for row in reversed(range(len(self._courses))):
            if self._courses[row].title not in wanted:
                self._remove(row)
        for row, course in enumerate(courses):
            if row < len(self._courses) and self._courses[row].title == course.title:
                self._update(row, course)
            else:
                self._insert(row, course)

    def _reset(self, courses: Sequence[Course]) -> None:
        self.beginResetModel()
        self._courses = list(courses)
        self._keys = [next(self._new_key) for _ in courses]
        self._number_rows()
        self.endResetModel()

    def _insert(self, row: int, course: Course) -> None:
        self.beginInsertRows(QModelIndex(), row, row)
        self._courses.insert(row, course)
        self._keys.insert(row, next(self._new_key))
        self._number_rows()
        self.endInsertRows()

    def _remove(self, row: int) -> None:
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._courses[row], self._keys[row]
        self._number_rows()
        self.endRemoveRows()

    def _update(self, row: int, course: Course) -> None:
        old = self._courses[row]
        if old == course:
            return
        parent = self.index(row, 0)
        before, after = len(old.lessons), len(course.lessons)
        if after > before:
            self.beginInsertRows(parent, before, after - 1)
            self._courses[row] = course
            self.endInsertRows()
        elif after < before:
            self.beginRemoveRows(parent, after, before - 1)
            self._courses[row] = course
            self.endRemoveRows()
        self._courses[row] = course
        self.dataChanged.emit(parent, parent)
        if after:
            self.dataChanged.emit(self.index(0, 0, parent), self.index(after - 1, 0, parent))

    def _number_rows(self) -> None:
        self._rows = {key: row for row, key in enumerate(self._keys)}
