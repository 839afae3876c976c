"""The commands of the menus and keys."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.ui.widgets.theme import Theme


class Actions(QObject):
    """A QAction for each command; the main window connects them."""

    zoomed = Signal(int)  # by so many steps, or 0 for the usual size
    theme_chosen = Signal(str)  # as it is called in the settings

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icons: dict[QAction, str] = {}
        self._added: dict[tuple[str, str], list[QAction]] = {}  # by features: menu and section
        standard = QKeySequence.StandardKey
        self.new_chat = self._action(self.tr("&New chat"), "new-chat", standard.New)
        self.add_folder = self._action(self.tr("Add &folder…"), "folder-plus", standard.Open)
        self.add_files = self._action(self.tr("Add f&iles…"), "file-plus", "Ctrl+Shift+O")
        self.palette = self._action(self.tr("&Go to anything…"), "search", "Ctrl+K")
        self.search_chats = self._action(self.tr("Search c&hats"), "search", "Ctrl+Shift+F")
        self.export_chat = self._action(self.tr("E&xport chat…"), "export", "Ctrl+E")
        self.export_chat.setEnabled(False)
        self.remove_course = self._action(self.tr("&Remove course"), "trash", "Ctrl+Shift+Del")
        self.files = self._action(self.tr("&Files…"), "lesson", "Ctrl+I")
        self.remove_all = self._action(self.tr("Remove e&verything…"), "", None)
        self.failures = self._action("", "warning", "Ctrl+Shift+I")
        self.show_failures(0, 0)
        self.stop_watching = QMenu(self.tr("Stop &watching"), window)
        self.settings = self._action(self.tr("&Settings…"), "settings", "Ctrl+,")
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit = self._action(self.tr("&Quit"), "", "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.focus_question = self._action(self.tr("&Write a question"), "", "Ctrl+L")
        self.sidebar = self._action(self.tr("Course &sidebar"), "sidebar", "F9")
        self.sources = self._action(self.tr("S&ources"), "sources", "F10")
        self.next_pane = self._action(self.tr("&Next pane"), "", "F6")
        self.previous_pane = self._action(self.tr("&Previous pane"), "", "Shift+F6")
        self.full_screen = self._action(self.tr("F&ull screen"), "", standard.FullScreen)
        self.edits = self._make_edits()
        self.find = self._action(self.tr("&Find…"), "search", standard.Find)
        self.zooms = self._make_zooms()
        self.themes = self._make_themes()
        self.guide = self._action(self.tr("&User guide"), "book", standard.HelpContents)
        self.shortcuts = self._action(self.tr("&Keyboard shortcuts"), "", "Ctrl+/")
        self.changes = self._action(self.tr("&What’s new"), "", "Ctrl+F1")
        self.report = self._action(self.tr("&Report a problem…"), "", "Ctrl+Shift+F1")
        self.about = self._action(self.tr("&About Lectern"), "info", None)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        for action in (self.sidebar, self.sources, self.full_screen):
            action.setCheckable(True)
            action.setIconVisibleInMenu(False)  # the tick is to be seen
        for action in (self.sidebar, self.sources):
            action.setChecked(True)
        window.addActions(list(self._icons))
        for name, action in vars(self).items():
            if isinstance(action, QAction):
                action.setObjectName(name)

    def add(
        self,
        menu: str,
        section: str,
        name: str,
        text: str,
        keys: str,
        run: Callable[[], object],
        icon: str = "",
    ) -> QAction:
        """Add a command of a feature to a section of a menu; before the menus are built.

        Args:
            menu: "course" or "study".
            section: the commands of one section stand together, in the order in which they are added.
            name: by which it is found.
            text: with one ``&``.
            keys: the shortcut, or "" for none.
            run: what it does.
            icon: the name of its picture, if it has one.
        """
        action = self._action(text, icon, keys or None)
        action.setObjectName(name)
        action.triggered.connect(lambda: run())
        self._window.addAction(action)
        self._added.setdefault((menu, section), []).append(action)
        return action

    def named(self, name: str) -> QAction:
        """Return the command that was added by this name.

        Raises:
            LookupError: there is none.
        """
        for action in (action for section in self._added.values() for action in section):
            if action.objectName() == name:
                return action
        raise LookupError(name)

    def build_menus(self, bar: QMenuBar) -> None:
        file = bar.addMenu(self.tr("&File"))
        file.addActions([self.new_chat, self.add_folder, self.add_files])
        file.addSeparator()
        file.addAction(self.export_chat)
        file.addSeparator()
        file.addAction(self.settings)
        file.addSeparator()
        file.addAction(self.quit)
        self._build_edit(bar.addMenu(self.tr("&Edit")))
        course = bar.addMenu(self.tr("&Course"))
        course.addActions([self.remove_course, self.files, self.failures])
        course.addSeparator()
        course.addActions(self._added.get(("course", "exam"), []))
        course.addSeparator()
        course.addActions([*self._added.get(("course", "trash"), []), self.remove_all])
        course.addMenu(self.stop_watching)
        course.addSeparator()
        course.addActions(self._added.get(("course", "servers"), []))
        course.addSeparator()
        course.addActions(self._added.get(("course", "library"), []))
        if pages := self._added.get(("study", "pages")):
            study = bar.addMenu(self.tr("&Study"))
            study.addActions(pages)
            study.addSeparator()
            study.addActions(self._added.get(("study", "back"), []))
        self._build_view(bar.addMenu(self.tr("&View")))
        helps = [self.guide, self.shortcuts, self.changes, self.report, self.about]
        bar.addMenu(self.tr("&Help")).addActions(helps)

    def _build_edit(self, menu: QMenu) -> None:
        edits = list(self.edits.values())
        menu.addActions(edits[:2])
        menu.addSeparator()
        menu.addActions(edits[2:])
        menu.addSeparator()
        menu.addActions([self.find, self.search_chats, self.palette])

    def _build_view(self, menu: QMenu) -> None:
        menu.addActions([self.sidebar, self.sources])
        menu.addSeparator()
        menu.addActions([self.next_pane, self.previous_pane, self.focus_question])
        menu.addSeparator()
        menu.addActions(self.zooms)
        menu.addSeparator()
        menu.addMenu(self.tr("&Theme")).addActions(list(self.themes.values()))
        menu.addAction(self.full_screen)

    def show_failures(self, found: int, number: int) -> None:
        """Offer the list of files that could not be read, and count those whose text is missing."""
        self.failures.setEnabled(found > 0)
        some = self.tr("%Ln file(s) could not be rea&d…", None, number)
        self.failures.setText(some if number else self.tr("Files that could not be rea&d…"))

    def set_theme(self, theme: Theme) -> None:
        for action, name in self._icons.items():
            if name:
                action.setIcon(theme.icon(name))

    def _make_edits(self) -> dict[QKeySequence.StandardKey, QAction]:
        standard = QKeySequence.StandardKey
        texts = {
            standard.Undo: self.tr("&Undo"),
            standard.Redo: self.tr("&Redo"),
            standard.Cut: self.tr("Cu&t"),
            standard.Copy: self.tr("&Copy"),
            standard.Paste: self.tr("&Paste"),
            standard.SelectAll: self.tr("Select &all"),
        }
        edits = {key: self._action(text, "", key) for key, text in texts.items()}
        for key, action in edits.items():
            action.setObjectName(key.name.lower())
        return edits

    def _make_zooms(self) -> list[QAction]:
        larger = self._action(self.tr("&Larger text"), "zoom-in", "Ctrl++")
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        smaller = self._action(self.tr("S&maller text"), "zoom-out", "Ctrl+-")
        usual = self._action(self.tr("Normal text si&ze"), "", "Ctrl+0")
        for action, name, steps in (
            (larger, "larger", 1),
            (smaller, "smaller", -1),
            (usual, "usual_size", 0),
        ):
            action.setObjectName(name)
            action.triggered.connect(lambda _=False, by=steps: self.zoomed.emit(by))
        return [larger, smaller, usual]

    def _make_themes(self) -> dict[str, QAction]:
        texts = {"system": self.tr("&Match system"), "light": self.tr("&Light"), "dark": self.tr("&Dark")}
        group = QActionGroup(self)
        themes = {name: self._action(text, "", None) for name, text in texts.items()}
        for name, action in themes.items():
            action.setObjectName(f"theme_{name}")
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, chosen=name: self.theme_chosen.emit(chosen))
        return themes

    def _action(self, text: str, icon: str, keys: QKeySequence.StandardKey | str | None) -> QAction:
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        self._icons[action] = icon
        return action
