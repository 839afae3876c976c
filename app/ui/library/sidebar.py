"""The sidebar: courses and lessons, and buttons to add courses."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from app.domain.courses import Course
from app.domain.plain_text import shown_name
from app.domain.scope import Scope, only_course, taught_so_far
from app.domain.shared import ServerState, SharedLibrary
from app.ui.library.course_model import CourseTreeModel, Role
from app.ui.library.course_tree import ROW_HEIGHT, CourseTree
from app.ui.library.sidebar_parts import AddButtons, EmptyLibrary, SidebarStrip
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import Cell, stack, vbox
from app.ui.widgets.desktop import is_web_link, open_link, show_in_folder
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

_FILES = 9  # of a lesson that can be opened by their names, besides the first


def lesson_of(index: QModelIndex) -> tuple[str, int | None, str]:
    """Return what the library knows a lesson by: the title of its course, its number and its title."""
    return index.data(Role.COURSE_TITLE), index.data(Role.LESSON_NUMBER), index.data(Role.LESSON_TITLE)


class CourseMenu(QMenu):
    """What can be done with a server, a course or a lesson; less with those on a server.

    Rows may move while it is open, so it keeps titles.
    """

    def __init__(self, sidebar: "CourseSidebar", index: QModelIndex) -> None:
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
                self._add_commands(self._title)
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
            icon = Theme.icon("book")
            self.addAction(icon, text, lambda: self._sidebar.lesson_requested.emit(*lesson))
            others = () if self._is_course else self._index.data(Role.FILES)[1:]
            for path in others[:_FILES]:
                name = shown_name(Path(path)).replace("&", "&&")
                action = self.addAction(self.tr("Read {0}").format(name))
                action.triggered.connect(
                    lambda _=False, chosen=path: self._sidebar.file_requested.emit(*lesson, chosen)
                )
        self.addSeparator()

    def _add_scopes(self, title: str) -> None:
        number: int | None = self._index.data(Role.LESSON_NUMBER)
        choices = [(self.tr("Ask in this course"), only_course(title))]
        if not self._is_course:
            choices.append((self.tr("Ask in this lesson"), Scope(lessons=((title, number),))))
            if number is not None:
                text = self.tr("Ask up to lesson {last}").format(last=number)
                choices.append((text, taught_so_far(title, number)))
        choices.append((self.tr("Ask in all courses"), Scope()))
        for text, scope in choices:
            action = self.addAction(text)
            action.setCheckable(True)
            action.setChecked(scope == self._model.scope)
            action.triggered.connect(lambda _=False, chosen=scope: self._sidebar.ask_in(chosen))
        self.addSeparator()

    def _add_commands(self, title: str) -> None:
        lesson = ((title, self._index.data(Role.LESSON_NUMBER)),)
        scope = only_course(title) if self._is_course else Scope(lessons=lesson)
        for text, icon, run in self._sidebar.course_commands:
            action = self.addAction(text)
            action.triggered.connect(lambda _=False, run=run: run(scope))
            if icon:
                action.setIcon(Theme.icon(icon))
        self.addSeparator()

    def _add_places(self, title: str, *, is_own: bool) -> None:
        link, files = self._index.data(Role.LINK), self._index.data(Role.FILES)
        if is_web_link(link):
            text = self.tr("Open course page") if self._is_course else self.tr("Open lesson page")
            icon = Theme.icon("external-link")
            self.addAction(icon, text, lambda: open_link(link))
        if files and is_own:
            self.addAction(
                self.tr("Show in folder"), lambda: show_in_folder(self._sidebar.window(), files[0])
            )
        if is_own:
            self.addAction(self.tr("Files…"), lambda: self._sidebar.files_requested.emit(title))
        self.addSeparator()

    def _add_changes(self, title: str) -> None:
        """Add how a course is renamed, and how it or a lesson is removed."""
        rename = self.addAction(self.tr("Rename course"), lambda: self._rename(title))
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        if not self._is_course:
            self._add_lesson_removal()
        remove = self.addAction(Theme.icon("trash"), self.tr("Remove course"))
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
        address, icon = library.address, Theme.icon("server")
        if with_check:
            check = self.addAction(self.tr("Check again"))
            check.setEnabled(library.state is not ServerState.CHECKING)
            check.triggered.connect(lambda: self._sidebar.server_check_requested.emit(address))
        self.addAction(icon, self.tr("Shared libraries…"), self._sidebar.shared_libraries_requested.emit)

    def _rename(self, title: str) -> None:
        if (index := self._model.find(title)).isValid():
            self._tree.rename(index)


HEADER_HEIGHT = 40


class CourseSidebar(QWidget):
    """The courses and lessons in a tree with a filter, and what can be done with them."""

    add_folder_requested = Signal()
    add_files_requested = Signal()
    lesson_requested = Signal(str, object, str)  # read it: title of its course, number or None, title
    file_requested = Signal(str, object, str, str)  # read this file of a lesson: the same, and its path
    ask_requested = Signal()  # write a question; its scope has been chosen
    files_requested = Signal(str)  # list the files of the course with this title
    remove_course_requested = Signal(str)  # remove the course with this title; nothing has been confirmed yet
    rename_course_requested = Signal(str, str)  # the title of a course, and another one
    can_rename = Signal(bool)  # whether ``rename_current`` has something to rename
    can_remove = Signal(bool)  # whether a course of the own library is selected, or a lesson of one
    remove_files_requested = Signal(object)  # remove a lesson: the tuple of its files' paths
    remove_samples_requested = Signal()
    scope_changed = Signal(object)  # the Scope that the user chose here
    shared_libraries_requested = Signal()  # show the libraries on servers
    server_check_requested = Signal(object)  # ask the server at this ServerAddress again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Of features, in the menu of an own course or lesson: text, icon, what to do with its Scope.
        self.course_commands: list[tuple[str, str, Callable[[Scope], object]]] = []
        self._expanded_before_filter: set[str] | None = None
        self._model = CourseTreeModel(self)
        self._model.scope_changed.connect(self._choose)
        self._model.renamed.connect(self.rename_course_requested)
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

        filter_name = self.tr("Filter courses and lessons")
        self._filter_box = SearchBox(filter_name, self.tr("Clear the filter"))
        self._filter_box.setObjectName("filter")
        self._filter_box.textChanged.connect(self._apply_filter)
        self._filter_box.down_pressed.connect(self.focus_tree)
        self.tree = self._make_tree()
        self._message = plain_label(self.tr("Opening your library…"), "muted")
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._message.setContentsMargins(8, 8, 8, 8)
        self._empty = EmptyLibrary()
        self._pages = stack(self._message, self.tree, self._empty)
        # What is not on show takes no room from what is.
        self._pages.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._pages.setMinimumHeight(2 * ROW_HEIGHT)
        self._samples = SidebarStrip(self.tr("Remove samples"))
        self._samples.requested.connect(self.remove_samples_requested)
        self.today = SidebarStrip(self.tr("Show plan"))
        self.removed_bar = UndoBar(self._focus_page)
        self._add_bar = AddButtons()
        for buttons in (self._add_bar, self._empty.buttons):
            buttons.folder_requested.connect(self.add_folder_requested)
            buttons.files_requested.connect(self.add_files_requested)

        vbox(
            *(self._filter_box, Cell(self._pages, 1)),
            *(self.today, self.removed_bar, self._samples, self._add_bar),
            margins=(8, 8, 8, 8),
            spacing=8,
            parent=self,
        )
        for widget in (self._filter_box, self._add_bar):
            widget.hide()

    def set_snapshot(self, courses: Sequence[Course], shared: Sequence[SharedLibrary] = ()) -> None:
        """Show the library as it is now, and those on servers; expanded and selected rows stay so."""
        self._model.set_courses(courses, shared)
        if self._filter_box.text():
            self._expand_matches()
        if not self.tree.currentIndex().isValid():
            self._make_current(QModelIndex())
        samples = sum(course.is_sample for course in courses)
        self._samples.say(self.tr("%Ln sample course(s)", None, samples) if samples else "")
        for widget in (self._filter_box, self._add_bar):
            widget.setVisible(not self._model.is_empty())
        self._show_page()

    def set_scope(self, scope: Scope) -> None:
        self._model.set_scope(scope)

    def set_due(self, due: dict[str, int]) -> None:
        """Show how many cards are due, by the titles of courses."""
        self._model.set_due(due)

    def follow_rename(self, old: str, new: str) -> None:
        """Call a course by its new title until the library is shown again."""
        self._model.follow_rename(old, new)
        if self._expanded_before_filter is not None and old in self._expanded_before_filter:
            self._expanded_before_filter.add(new)

    @property
    def is_empty(self) -> bool:
        """Whether there are no courses, with or without the filter."""
        return self._model.is_empty()

    def current_course(self) -> str | None:
        """Return the title of the course that is selected, or whose lesson is."""
        selected = self.tree.selectionModel().selectedIndexes()
        title: str | None = selected[0].data(Role.COURSE_TITLE) if selected else None
        return title

    def show_course(self, title: str) -> None:
        """Select a course, unfold it and give it the keyboard."""
        self._filter_box.clear()
        index = self._model.find(title)
        self.tree.setCurrentIndex(index)
        self.tree.expand(index)
        self.tree.scrollTo(index, CourseTree.ScrollHint.PositionAtTop)
        self.focus_tree()

    def rename_current(self) -> None:
        """Edit the title of the selected course in its row."""
        self.tree.rename(self.tree.currentIndex())

    def set_unavailable(self, sentence: str) -> None:
        """Say why there are no courses to show."""
        for widget in (self._filter_box, self._samples, self._add_bar):
            widget.hide()
        self._message.setText(sentence)
        self._pages.setCurrentWidget(self._message)
        self.can_rename.emit(False)
        self.can_remove.emit(False)

    def _make_tree(self) -> CourseTree:
        tree = CourseTree(self._model)
        tree.setAccessibleName(self.tr("Courses and lessons"))
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._show_menu)
        tree.entry_opened.connect(self._open_entry)
        tree.removal_asked.connect(self._remove)
        tree.selectionModel().currentChanged.connect(self._tell_possible)
        tree.selectionModel().selectionChanged.connect(self._tell_possible)
        return tree

    def focus_tree(self) -> None:
        self.tree.setFocus(Qt.FocusReason.TabFocusReason)
        self.tree.setCurrentIndex(self.tree.currentIndex())

    def _focus_page(self) -> None:
        if (page := self._pages.currentWidget()) is not None:
            page.setFocus(Qt.FocusReason.TabFocusReason)

    def _apply_filter(self, text: str) -> None:
        wanted = text.strip()
        if wanted and self._expanded_before_filter is None:
            self._expanded_before_filter = self._expanded_titles()
        current = self.tree.currentIndex().data(Role.COURSE_TITLE)
        self._model.set_filter(wanted)
        if wanted:
            self._expand_matches()
        elif self._expanded_before_filter is not None:
            self._restore_expanded(self._expanded_before_filter)
            self._expanded_before_filter = None
        self._make_current(self._model.find(current) if current else QModelIndex())
        self.tree.scrollTo(self.tree.currentIndex())
        self._show_page()

    def _open_entry(self, index: QModelIndex) -> None:
        if index.parent().isValid():
            self.lesson_requested.emit(*lesson_of(index))
        elif index.data(Role.COURSE_TITLE) is None:
            self.shared_libraries_requested.emit()
        else:
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _remove(self, index: QModelIndex) -> None:
        """Ask to remove what is selected; of a lesson that shares its file, show what can be removed."""
        files: tuple[str, ...] = index.data(Role.FILES)
        if index.data(Role.SERVER) is not None:
            self._show_menu(self.tree.visualRect(index).center())
        elif not index.parent().isValid():
            self.remove_course_requested.emit(index.data(Role.COURSE_TITLE))
        elif files and self._model.lessons_in(index, files) == 1:
            self.remove_files_requested.emit(files)
        else:
            self._show_menu(self.tree.visualRect(index).center())

    def _show_menu(self, position: QPoint) -> None:
        index = self.tree.indexAt(position)
        if not index.isValid():
            return
        menu = CourseMenu(self, index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.tree.viewport().mapToGlobal(position))

    def _choose(self, scope: Scope) -> None:
        self.set_scope(scope)
        self.scope_changed.emit(scope)

    def ask_in(self, scope: Scope) -> None:
        """Let the user write a question that is restricted to a scope."""
        self._choose(scope)
        self.ask_requested.emit()

    def _show_page(self) -> None:
        wanted = self._filter_box.text().strip()
        if self._model.is_empty():
            self._pages.setCurrentWidget(self._empty)
        elif not self._model.rowCount():
            self._message.setText(self.tr("No course or lesson matches “{0}”.").format(wanted))
            self._pages.setCurrentWidget(self._message)
        elif self._pages.currentWidget() is not self.tree:
            focus = self.focusWidget()
            had_focus = focus is not None and focus.hasFocus() and self._empty.isAncestorOf(focus)
            self._pages.setCurrentWidget(self.tree)
            if had_focus:
                self.focus_tree()
        self._tell_possible()

    def _tell_possible(self) -> None:
        can_rename = self.tree.can_rename(self.tree.currentIndex())
        self.can_rename.emit(can_rename)
        self.can_remove.emit(can_rename and self.current_course() is not None)

    def _make_current(self, index: QModelIndex) -> None:
        """Give the arrow keys a row to start from without selecting it: the first if ``index`` is gone."""
        wanted = index if index.isValid() else self._model.index(0, 0)
        self.tree.selectionModel().setCurrentIndex(wanted, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _expand_matches(self) -> None:
        self.tree.expandAll()
        for row in range(self._model.rowCount()):
            if self._model.matches_itself(row):
                self.tree.collapse(self._model.index(row, 0))

    def _expanded_titles(self) -> set[str]:
        rows = (self._model.index(row, 0) for row in range(self._model.rowCount()))
        return {index.data(Role.COURSE_TITLE) for index in rows if self.tree.isExpanded(index)}

    def _restore_expanded(self, titles: set[str]) -> None:
        for title in titles:
            self.tree.expand(self._model.find(title))
