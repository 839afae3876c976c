"""The tree of courses and lessons as an item model, and what its rows say."""

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum, auto
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QModelIndex, QObject, Qt, Signal

from app.domain.courses import Course, LessonInfo
from app.domain.plain_text import harmless
from app.domain.scope import Scope, ticked, with_renamed, with_ticks
from app.domain.shared import SharedLibrary
from app.ui.library.group_model import GroupModel, Index
from app.ui.widgets.numbers import courses_text, files_text, lessons_text
from app.ui.widgets.source_labels import server_name, state_sentence, state_word
from app.ui.widgets.text_labels import plain_tool_tip


class ServerRow(NamedTuple):
    """Stands among courses as one without lessons, under a title that no course has."""

    title: str
    library: SharedLibrary
    lessons: tuple[LessonInfo, ...] = ()

    @classmethod
    def of(cls, library: SharedLibrary) -> "ServerRow":
        return cls(f"\0{library.address.key}", library)


def without_doubles(own: Sequence[Course], shared: Sequence[SharedLibrary]) -> tuple[SharedLibrary, ...]:
    """Return libraries without the courses whose title stands before them: a row is known by its title."""
    seen, libraries = {course.title for course in own}, []
    for library in shared:
        new = tuple(course for course in library.courses if course.title not in seen)
        seen.update(course.title for course in new)
        libraries.append(library if len(new) == len(library.courses) else replace(library, courses=new))
    return tuple(libraries)


tr = partial(QCoreApplication.translate, "CourseTreeModel")


def row_name(part: Course | LessonInfo) -> str:
    title = harmless(part.title)  # an imported library may hold any
    if not isinstance(part, LessonInfo):
        return title
    if part.number is None:
        return title or tr("Text outside the lessons")
    return f"{part.number} · {title}" if title else tr("Lesson {0}").format(part.number)


def spoken_course(course: Course, due: int, server: SharedLibrary | None) -> str:
    """Return what a screen reader says of a course with all its lessons, of whose cards some are due."""
    sample = tr(", sample course") if course.is_sample else ""
    cards = tr(", %Ln card(s) due", None, due) if due else ""
    at = "" if server is None else tr(", on {server}").format(server=server_name(server))
    return f"{row_name(course)}, {lessons_text(len(course.lessons))}{cards}{sample}{at}"


def details_of_course(course: Course, due: int, server: SharedLibrary | None) -> str:
    """Return the tool tip of a course with all its lessons."""
    held = lessons_text(len(course.lessons))
    if server is None:
        held = tr("{lessons} in {files}").format(lessons=held, files=files_text(len(course.files)))
    cards = tr("%Ln card(s) due", None, due) if due else ""
    about = "" if server is None else details_of_server(server)
    lines = course.title, course.instructor, held, cards, about
    return harmless("\n".join(line for line in lines if line))


def spoken_server(library: SharedLibrary) -> str:
    """Return what a screen reader says of a server's row."""
    parts = server_name(library), tr("shared library"), courses_text(len(library.courses))
    return ", ".join(filter(None, (*parts, state_word(library.state))))


def details_of_server(library: SharedLibrary) -> str:
    """Return the tool tip of a server: its name, how it is, and how old what is shown of it is."""
    on = tr("On the server {0}").format(server_name(library))
    lines = [on, state_sentence(library)]
    if library.fetched_at is not None:
        moment = QDateTime.fromSecsSinceEpoch(int(library.fetched_at))
        when = QLocale().toString(moment, QLocale.FormatType.ShortFormat)
        lines.append(tr("Courses listed: {0}").format(when))
    return "\n".join(lines)


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
    SERVER = auto()  # the SharedLibrary that a row belongs to; None for the own library


class CourseTreeModel(GroupModel):
    """Courses, each with its lessons; what is unfolded or selected stays so when the library changes.

    Those on a server follow the own ones, below a row for their server, which has neither tick nor title.

    It filters by itself: a proxy model removes the rows of an expanded tree one by one, which takes seconds
    with thousands of them.

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
        self._known: dict[str, int] = {}  # the key of each title ever shown
        self._library: tuple[Course, ...] = ()
        self._wanted = ""
        self._due: dict[str, int] = {}
        self._servers: dict[str, SharedLibrary] = {}  # by the titles of their courses
        self._shared: tuple[SharedLibrary, ...] = ()
        self._courses: list[Course | ServerRow] = []

    def set_courses(self, courses: Sequence[Course], shared: Sequence[SharedLibrary] = ()) -> None:
        """Show courses in this order, and those on servers after them; expanded rows stay expanded."""
        self._shared = without_doubles(courses, shared)
        self._servers = {course.title: library for library in self._shared for course in library.courses}
        self._library = (*courses, *(course for library in self._shared for course in library.courses))
        self._ticks.clear()
        self._show(self._matching())

    def follow_rename(self, old: str, new: str) -> None:
        """Show a course under its new title, in its place."""
        self._library = tuple(replace(one, title=new) if one.title == old else one for one in self._library)
        rows = self._courses
        self._courses = [
            replace(row, title=new) if not isinstance(row, ServerRow) and row.title == old else row
            for row in rows
        ]
        self._ticks.clear()
        if old in self._known:
            self._known[new] = self._known.pop(old)
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
            self._show(self._matching())

    def is_empty(self) -> bool:
        """Return whether there are no courses, with or without the filter."""
        return not (self._library or self._shared)

    def matches_itself(self, row: int) -> bool:
        """Return whether the course itself, not only one of its lessons, matches the filter."""
        course = self._courses[row]
        return not isinstance(course, ServerRow) and self._wanted in self._course_words(course)

    def find(self, course_title: str) -> QModelIndex:
        """Return the index of a course; invalid if the filter hides it."""
        titles = [course.title for course in self._courses]
        return self.index(titles.index(course_title), 0) if course_title in titles else QModelIndex()

    def lessons_in(self, index: Index, files: Sequence[str]) -> int:
        """Return how many lessons of a lesson's course these files hold."""
        course = self._whole_at(index)
        return sum(not set(files).isdisjoint(lesson.files) for lesson in course.lessons)

    def name(self, index: Index) -> str:
        owner = self.rows_by_key.get(index.internalId())
        course = self._courses[index.row() if owner is None else owner]
        if isinstance(course, ServerRow):
            return server_name(course.library)
        return row_name(course if owner is None else course.lessons[index.row()])

    # Qt's model interface

    def row_count_of(self, row: int) -> int:
        return len(self._courses[row].lessons)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401 - Qt's QVariant
        if not index.isValid():
            return None
        owner = self.rows_by_key.get(index.internalId())
        course = self._courses[index.row() if owner is None else owner]
        if isinstance(course, ServerRow):
            return self._server_data(course.library, role)
        lesson = None if owner is None else course.lessons[index.row()]
        part, server = lesson or course, self._servers.get(course.title)
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return row_name(part)
            case Qt.ItemDataRole.AccessibleTextRole:
                if lesson is not None:
                    return row_name(lesson)
                return spoken_course(self._whole(course), self._due.get(course.title, 0), server)
            case Qt.ItemDataRole.ToolTipRole:
                if lesson is not None:
                    return plain_tool_tip(row_name(lesson))
                due = self._due.get(course.title, 0)
                return plain_tool_tip(details_of_course(self._whole(course), due, server))
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
            case Role.SERVER:
                return server
            case Role.DUE:
                return self._due.get(course.title, 0) if lesson is None else 0
            case Role.IS_SAMPLE:
                return part is course and course.is_sample
            case Role.LESSON_NUMBER:
                return None if lesson is None else lesson.number
            case Role.LESSON_TITLE:
                return None if lesson is None else lesson.title
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.data(Role.COURSE_TITLE) is not None:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
            if not index.internalId() and index.data(Role.SERVER) is None:
                flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: ANN401
        if role == Qt.ItemDataRole.EditRole and index.isValid():
            self._rename(self._courses[index.row()].title, " ".join(str(value).split()))
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        course = self._whole_at(index)
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

    def _server_data(self, library: SharedLibrary, role: int) -> Any:  # noqa: ANN401 - Qt's QVariant
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return server_name(library)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken_server(library)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(details_of_server(library))
            case Role.SERVER:
                return library
        return None

    def _whole(self, shown: Course) -> Course:
        """Return a course with all its lessons, hidden ones included."""
        return next((course for course in self._library if course.title == shown.title), shown)

    def _whole_at(self, index: Index) -> Course:
        """Return the whole course that a row is, or belongs to."""
        course = self._courses[self.group_row(index)]
        assert not isinstance(course, ServerRow)
        return self._whole(course)

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

    def _matching(self) -> list[Course | ServerRow]:
        """Return the rows that the filter leaves, a server's as long as it leaves one of its courses."""
        rows: list[Course | ServerRow] = []
        rows += self._found_in([course for course in self._library if course.title not in self._servers])
        for library in self._shared:
            found = self._found_in(library.courses)
            if found or not self._wanted:
                rows += [ServerRow.of(library), *found]
        return rows

    def _found_in(self, courses: Sequence[Course]) -> list[Course]:
        if not self._wanted:
            return list(courses)
        found: list[Course] = []
        for course in courses:
            lessons = tuple(one for one in course.lessons if self._wanted in row_name(one).casefold())
            if self._wanted in self._course_words(course):
                found.append(course)
            elif lessons:
                found.append(replace(course, lessons=lessons))
        return found

    def _course_words(self, course: Course) -> str:
        return f"{course.title} {course.instructor or ''}".casefold()

    def _show(self, rows: Sequence[Course | ServerRow]) -> None:
        """Show these rows; indexes of what is still there lead to its new place."""
        if list(rows) == self._courses:
            return
        self.layoutAboutToBeChanged.emit()
        held = self.persistentIndexList()
        meant = [(self._courses[self.group_row(one)].title, _lesson_of(self, one)) for one in held]
        self._courses = list(rows)
        self.keys = [self._known.setdefault(row.title, next(self._new_key)) for row in rows]
        self.rows_by_key = {key: row for row, key in enumerate(self.keys)}
        self.changePersistentIndexList(held, [self._place(*one) for one in meant])
        self.layoutChanged.emit()

    def _place(self, title: str, lesson: tuple[int | None, str] | None) -> QModelIndex:
        """Return where a course, or a lesson of it, stands now; invalid if it is gone."""
        course = self.find(title)
        if lesson is None or not course.isValid():
            return course
        names = [(one.number, one.title) for one in self._courses[course.row()].lessons]
        return self.index(names.index(lesson), 0, course) if lesson in names else QModelIndex()

    def _tell_changed(self, row: int, roles: list[int]) -> None:
        """Announce changes in the row of a course and in those of its lessons; no roles mean all."""
        course = self.index(row, 0)
        self.dataChanged.emit(course, course, roles)
        if lessons := self.rowCount(course):
            self.dataChanged.emit(self.index(0, 0, course), self.index(lessons - 1, 0, course), roles)


def _lesson_of(model: CourseTreeModel, index: Index) -> tuple[int | None, str] | None:
    if not index.internalId():
        return None
    return model.data(index, Role.LESSON_NUMBER), model.data(index, Role.LESSON_TITLE)
