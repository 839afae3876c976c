"""The tree of courses and lessons as an item model."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum, auto
from itertools import count
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.domain.courses import LessonInfo
from app.domain.plain_text import harmless
from app.domain.scope import Scope, ticked, with_renamed, with_ticks
from app.ui.widgets.numbers import files_text, lessons_text
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course

_Index = QModelIndex | QPersistentModelIndex


class Role(IntEnum):
    """What the delegate and the sidebar read besides the display text."""

    COURSE_TITLE = Qt.ItemDataRole.UserRole + 1
    COUNT = auto()  # of the lessons shown of a course; None for a lesson
    LINK = auto()
    IS_SAMPLE = auto()
    LESSON_NUMBER = auto()
    LESSON_TITLE = auto()
    FILES = auto()  # paths of the course or lesson
    DUE = auto()  # how many cards of a course are due; 0 for a lesson


class CourseTreeModel(QAbstractItemModel):
    """Courses, each with its lessons; an update changes only the rows that differ.

    It filters by itself: a proxy model removes the rows of an expanded tree one by one, which takes seconds
    with thousands of them. The index of a lesson carries its course's key, a number that is never used
    again, and that of a course 0, so that no index points at something else when rows come and go.

    Questions are restricted to the ticked rows; without ticks they search everything. Ticking a course
    ticks all its lessons, including those that the filter hides.
    """

    scope_changed = Signal(object)  # the Scope after the user ticked or unticked something
    renamed = Signal(str, str)  # the title of a course and the one that the user wrote instead

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.scope = Scope()
        self._ticks: dict[str, frozenset[int | None]] = {}
        self._new_key = count(1)
        self._library: tuple[Course, ...] = ()
        self._wanted = ""
        self._due: dict[str, int] = {}
        self._courses: list[Course] = []
        self._keys: list[int] = []
        self._rows: dict[int, int] = {}

    def set_courses(self, courses: Sequence[Course]) -> None:
        """Show courses in this order; expanded rows stay expanded."""
        self._library = tuple(courses)
        self._ticks.clear()
        self._take(self._matching())

    def follow_rename(self, old: str, new: str) -> None:
        """Show a course under its new title, in its place."""
        self._library = tuple(replace(one, title=new) if one.title == old else one for one in self._library)
        self._courses = [replace(one, title=new) if one.title == old else one for one in self._courses]
        self._ticks.clear()
        self.scope = with_renamed(self.scope, old, new)
        if (row := self.find(new).row()) >= 0:
            self._tell_changed(row, [])

    def set_scope(self, scope: Scope) -> None:
        if scope == self.scope:
            return
        self.scope = scope
        self._ticks.clear()
        for row in range(len(self._courses)):
            self._tell_changed(row, [Qt.ItemDataRole.CheckStateRole, Qt.ItemDataRole.AccessibleTextRole])

    def set_due(self, due: dict[str, int]) -> None:
        """Show how many cards are due, by the titles of courses."""
        before, self._due = self._due, due
        for row, course in enumerate(self._courses):
            if before.get(course.title, 0) != due.get(course.title, 0):
                self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    def set_filter(self, text: str) -> None:
        """Show only courses and lessons whose names contain ``text``; a matching course keeps all lessons."""
        wanted = text.strip().casefold()
        if wanted != self._wanted:
            self._wanted = wanted
            self._reset(self._matching())

    def is_empty(self) -> bool:
        """Return whether there are no courses, with or without the filter."""
        return not self._library

    def matches_itself(self, row: int) -> bool:
        """Return whether the course itself, not only one of its lessons, matches the filter."""
        return self._wanted in self._course_words(self._courses[row])

    def find(self, course_title: str) -> QModelIndex:
        """Return the index of a course; invalid if the filter hides it."""
        titles = [course.title for course in self._courses]
        return self.index(titles.index(course_title), 0) if course_title in titles else QModelIndex()

    def lessons_in(self, index: _Index, files: Sequence[str]) -> int:
        """Return how many lessons of a lesson's course these files hold."""
        course = self._whole(self._courses[index.parent().row()])
        return sum(not set(files).isdisjoint(lesson.files) for lesson in course.lessons)

    def name(self, index: _Index) -> str:
        """Return what a row is called."""
        owner = self._rows.get(index.internalId())
        course = self._courses[index.row() if owner is None else owner]
        return self._name(course if owner is None else course.lessons[index.row()])

    # Qt's model interface

    def index(self, row: int, column: int, parent: _Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if column != 0 or row < 0:
            return QModelIndex()
        if not parent.isValid():  # without rowCount(): it is asked for thousands of rows at once
            return self.createIndex(row, 0, 0) if row < len(self._courses) else QModelIndex()
        if parent.internalId() or row >= len(self._courses[parent.row()].lessons):
            return QModelIndex()
        return self.createIndex(row, 0, self._keys[parent.row()])

    def parent(self, child: _Index) -> QModelIndex:  # type: ignore[override]  # the stub knows only QObject.parent
        row = self._rows.get(child.internalId()) if child.isValid() else None
        return QModelIndex() if row is None else self.createIndex(row, 0, 0)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._courses)
        return 0 if parent.internalId() else len(self._courses[parent.row()].lessons)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        if not index.isValid():
            return None
        owner = self._rows.get(index.internalId())
        course = self._courses[index.row() if owner is None else owner]
        lesson = None if owner is None else course.lessons[index.row()]
        part = lesson or course
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return self._name(part)
            case Qt.ItemDataRole.AccessibleTextRole:
                if lesson is not None:
                    return self._name(lesson)
                sample = self.tr(", sample course") if course.is_sample else ""
                due = self._due.get(course.title, 0)
                cards = self.tr(", %Ln card(s) due", None, due) if due else ""
                return (
                    f"{self._name(course)}, {lessons_text(len(self._whole(course).lessons))}{cards}{sample}"
                )
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(self._details(part))
            case Qt.ItemDataRole.CheckStateRole:
                return self._course_tick(course) if lesson is None else self._lesson_tick(course, lesson)
            case Role.COURSE_TITLE:
                return course.title
            case Role.COUNT:
                return len(course.lessons) if lesson is None else None
            case Role.LINK:
                return part.link
            case Role.FILES:
                return part.files
            case Role.DUE:
                return self._due.get(course.title, 0) if lesson is None else 0
            case Role.IS_SAMPLE:
                return part is course and course.is_sample
            case Role.LESSON_NUMBER:
                return None if lesson is None else lesson.number
            case Role.LESSON_TITLE:
                return None if lesson is None else lesson.title
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid():
            flags |= Qt.ItemFlag.ItemIsUserCheckable
            if not index.internalId():
                flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: ANN401
        if role == Qt.ItemDataRole.EditRole and index.isValid():
            self._rename(self._courses[index.row()].title, " ".join(str(value).split()))
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        course = self._whole(self._courses[self._rows.get(index.internalId(), index.row())])
        every = {lesson.number for lesson in course.lessons}
        changed = {index.data(Role.LESSON_NUMBER)} if index.parent().isValid() else every
        before = self._ticked(course)
        after = before | changed if Qt.CheckState(value) == Qt.CheckState.Checked else before - changed
        self.set_scope(with_ticks(self.scope, course, after, self._library))
        self.scope_changed.emit(self.scope)
        return True

    def _rename(self, title: str, wanted: str) -> None:
        """Ask for another title; the course is shown with it once the library has it."""
        if wanted and wanted != harmless(title):
            self.renamed.emit(title, wanted)

    def _whole(self, shown: Course) -> Course:
        """Return a course with all its lessons, hidden ones included."""
        return next((course for course in self._library if course.title == shown.title), shown)

    def _ticked(self, course: Course) -> frozenset[int | None]:
        if course.title not in self._ticks:
            self._ticks[course.title] = ticked(self.scope, self._whole(course))
        return self._ticks[course.title]

    def _course_tick(self, course: Course) -> Qt.CheckState:
        found = self._ticked(course)
        if not found:
            return Qt.CheckState.Unchecked
        whole = found >= {lesson.number for lesson in self._whole(course).lessons}
        return Qt.CheckState.Checked if whole else Qt.CheckState.PartiallyChecked

    def _lesson_tick(self, course: Course, lesson: LessonInfo) -> Qt.CheckState:
        found = lesson.number in self._ticked(course)
        return Qt.CheckState.Checked if found else Qt.CheckState.Unchecked

    def _name(self, part: Course | LessonInfo) -> str:
        title = harmless(part.title)  # an imported library may hold any
        if not isinstance(part, LessonInfo):
            return title
        if part.number is None:
            return title or self.tr("Text outside the lessons")
        return f"{part.number} · {title}" if title else self.tr("Lesson {0}").format(part.number)

    def _details(self, part: Course | LessonInfo) -> str:
        if isinstance(part, LessonInfo):
            return self._name(part)
        lessons, files = lessons_text(len(self._whole(part).lessons)), files_text(len(part.files))
        held = self.tr("{lessons} in {files}").format(lessons=lessons, files=files)
        due = self._due.get(part.title, 0)
        cards = self.tr("%Ln card(s) due", None, due) if due else ""
        return harmless("\n".join(line for line in (part.title, part.instructor, held, cards) if line))

    def _matching(self) -> list[Course]:
        if not self._wanted:
            return list(self._library)
        found: list[Course] = []
        for course in self._library:
            lessons = tuple(one for one in course.lessons if self._wanted in self._name(one).casefold())
            if self._wanted in self._course_words(course):
                found.append(course)
            elif lessons:
                found.append(replace(course, lessons=lessons))
        return found

    def _course_words(self, course: Course) -> str:
        return f"{course.title} {course.instructor or ''}".casefold()

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
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._courses[row], self._keys[row]
                self._number_rows()
                self.endRemoveRows()
        for row, course in enumerate(courses):
            if row < len(self._courses) and self._courses[row].title == course.title:
                self._update(row, course)
            else:
                self.beginInsertRows(QModelIndex(), row, row)
                self._courses.insert(row, course)
                self._keys.insert(row, next(self._new_key))
                self._number_rows()
                self.endInsertRows()

    def _reset(self, courses: Sequence[Course]) -> None:
        self.beginResetModel()
        self._courses = list(courses)
        self._keys = [next(self._new_key) for _ in courses]
        self._number_rows()
        self.endResetModel()

    def _update(self, row: int, course: Course) -> None:
        if self._courses[row] == course:
            return
        parent = self.index(row, 0)
        before, after = self.rowCount(parent), len(course.lessons)
        if after > before:
            self.beginInsertRows(parent, before, after - 1)
            self._courses[row] = course
            self.endInsertRows()
        elif after < before:
            self.beginRemoveRows(parent, after, before - 1)
            self._courses[row] = course
            self.endRemoveRows()
        self._courses[row] = course
        self._tell_changed(row, [])

    def _tell_changed(self, row: int, roles: list[int]) -> None:
        """Announce changes in the row of a course and in those of its lessons; no roles mean all."""
        course = self.index(row, 0)
        self.dataChanged.emit(course, course, roles)
        if lessons := self.rowCount(course):
            self.dataChanged.emit(self.index(0, 0, course), self.index(lessons - 1, 0, course), roles)

    def _number_rows(self) -> None:
        self._rows = {key: row for row, key in enumerate(self._keys)}
