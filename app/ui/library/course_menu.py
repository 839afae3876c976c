"""The menu of a row of the sidebar's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from app.domain.scope import Scope, only_course, taught_so_far
from app.domain.shared import ServerState
from app.ui.library.course_model import Role
from app.ui.widgets.links import is_web_link
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from app.domain.shared import SharedLibrary
    from app.ui.library.sidebar import CourseSidebar


def lesson_of(index: QModelIndex) -> tuple[str, int | None, str]:
    """Return what the library knows a lesson by: the title of its course, its number and its title."""
    return index.data(Role.COURSE_TITLE), index.data(Role.LESSON_NUMBER), index.data(Role.LESSON_TITLE)


class CourseMenu(QMenu):
    """What can be done with a server, a course or a lesson; less with those on a server.

    Rows may move while it is open, so it keeps titles.
    """

    def __init__(self, sidebar: CourseSidebar, index: QModelIndex) -> None:
        super().__init__(sidebar)
        self._sidebar, self._tree, self._model = sidebar, sidebar.tree, sidebar.tree.courses
        self._index = index
        self._title: str | None = index.data(Role.COURSE_TITLE)
        self._is_course = not index.parent().isValid()
        library: SharedLibrary | None = index.data(Role.SERVER)
        if self._title is not None:
            self._add_reading(self._title)
            self._add_scopes(self._title)
            if library is None:
                self._add_study(self._title)
            self._add_places(self._title, is_own=library is None)
            if library is None:
                self._add_changes(self._title)
        if library is not None:
            self._add_server(library, with_check=self._title is None)

    def _add_reading(self, title: str) -> None:
        first = self._model.index(0, 0, self._index) if self._is_course else self._index
        if first.isValid():
            lesson = lesson_of(first)
            text = self.tr("Read first lesson") if self._is_course else self.tr("Read lesson")
            icon = Theme.current().icon("book")
            self.addAction(icon, text, lambda: self._sidebar.lesson_requested.emit(*lesson))
        if self._is_course:
            text = self.tr("Hide lessons") if self._tree.isExpanded(self._index) else self.tr("Show lessons")
            self.addAction(text, lambda: self._toggle_course(title))
        self.addSeparator()

    def _add_scopes(self, title: str) -> None:
        number: int | None = self._index.data(Role.LESSON_NUMBER)
        choices = [(self.tr("Ask in this course"), only_course(title))]
        if not self._is_course:
            choices.append((self.tr("Ask in this lesson"), Scope(lessons=((title, number),))))
            if number is not None:
                choices.append((self._so_far_text(number), taught_so_far(title, number)))
        choices.append((self.tr("Ask in all courses"), Scope()))
        for text, scope in choices:
            action = self.addAction(text)
            action.setCheckable(True)
            action.setChecked(scope == self._model.scope)
            action.triggered.connect(lambda _=False, chosen=scope: self._sidebar.ask_in(chosen))
        self.addSeparator()

    def _so_far_text(self, last: int) -> str:
        rows = range(self._model.rowCount(self._index.parent()))
        numbers = [self._index.siblingAtRow(row).data(Role.LESSON_NUMBER) for row in rows]
        first = min(number for number in numbers if number is not None)
        if first == last:
            return self.tr("Ask up to lesson {last}").format(last=last)
        return self.tr("Ask in lessons {first}–{last}").format(first=first, last=last)

    def _add_study(self, title: str) -> None:
        lesson = ((title, self._index.data(Role.LESSON_NUMBER)),)
        scope = only_course(title) if self._is_course else Scope(lessons=lesson)
        make, icon = self.tr("Make study material…"), Theme.current().icon("study")
        self.addAction(icon, make, lambda: self._sidebar.study_requested.emit(scope))
        self.addAction(self.tr("Review cards"), lambda: self._sidebar.review_requested.emit(title))
        self.addSeparator()

    def _add_places(self, title: str, *, is_own: bool) -> None:
        """Add where a course or lesson comes from."""
        link, files = self._index.data(Role.LINK), self._index.data(Role.FILES)
        if is_web_link(link):
            text = self.tr("Open course page") if self._is_course else self.tr("Open lesson page")
            icon = Theme.current().icon("external-link")
            self.addAction(icon, text, lambda: self._sidebar.link_activated.emit(link.strip()))
        if files and is_own:
            self.addAction(self.tr("Show in folder"), lambda: self._sidebar.folder_requested.emit(files[0]))
        if is_own:
            self.addAction(self.tr("Files…"), lambda: self._sidebar.files_requested.emit(title))
        self.addSeparator()

    def _add_changes(self, title: str) -> None:
        """Add how a course is renamed, and how it or a lesson is removed."""
        rename = self.addAction(self.tr("Rename course…"), lambda: self._rename(title))
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        if not self._is_course:
            self._add_lesson_removal()
        remove = self.addAction(Theme.current().icon("trash"), self.tr("Remove course"))
        remove.triggered.connect(lambda: self._sidebar.remove_course_requested.emit(title))

    def _add_lesson_removal(self) -> None:
        """Add the removal of a lesson's files, which may take other lessons with them."""
        files: tuple[str, ...] = self._index.data(Role.FILES)
        if files:
            count = self._model.lessons_in(self._index, files)
            others = self.tr("Remove file with %Ln lesson(s)", None, count)
            text = self.tr("Remove lesson") if count == 1 else others
            self.addAction(text, lambda: self._sidebar.remove_files_requested.emit(files))

    def _add_server(self, library: SharedLibrary, *, with_check: bool) -> None:
        address, icon = library.address, Theme.current().icon("server")
        if with_check:
            check = self.addAction(self.tr("Check again"))
            check.setEnabled(library.state is not ServerState.CHECKING)
            check.triggered.connect(lambda: self._sidebar.server_check_requested.emit(address))
        self.addAction(icon, self.tr("Shared libraries…"), self._sidebar.shared_libraries_requested.emit)

    def _toggle_course(self, title: str) -> None:
        index = self._model.find(title)
        self._tree.setExpanded(index, not self._tree.isExpanded(index))

    def _rename(self, title: str) -> None:
        if (index := self._model.find(title)).isValid():
            self._tree.rename(index)
