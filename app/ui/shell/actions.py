"""The commands of the menus and keys."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.ui.widgets.theme import Theme


class Actions(QObject):
    """A QAction for each command; the main window connects them."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._icons: dict[QAction, str] = {}
        standard = QKeySequence.StandardKey
        self.new_chat = self._action(self.tr("&New chat"), "new-chat", standard.New)
        self.add_folder = self._action(self.tr("Add &folder…"), "folder-plus", standard.Open)
        self.add_files = self._action(self.tr("Add f&iles…"), "file-plus", "Ctrl+Shift+O")
        self.search_chats = self._action(self.tr("Search c&hats"), "search", "Ctrl+Shift+F")
        self.export_chat = self._action(self.tr("E&xport chat…"), "export", "Ctrl+E")
        self.export_chat.setEnabled(False)
        self.remove_course = self._action(self.tr("&Remove course"), "trash", None)
        self.files = self._action(self.tr("&Files…"), "lesson", None)
        self.remove_all = self._action(self.tr("Remove &everything…"), "", None)
        self.failures = self._action("", "warning", None)
        self.show_failures(0)
        self.export_library = self._action(self.tr("&Export library…"), "export", None)
        self.import_library = self._action(self.tr("&Import library…"), "", None)
        self.restore_backup = self._action(self.tr("Restore a &backup…"), "", None)
        self.stop_watching = QMenu(self.tr("Stop &watching"), window)
        self.trash = self._action(self.tr("&Trash…"), "", None)
        self.settings = self._action(self.tr("&Settings…"), "settings", "Ctrl+,")
        self.settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.quit = self._action(self.tr("&Quit"), "", standard.Quit)
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.focus_question = self._action(self.tr("&Write a question"), "", "Ctrl+L")
        self.sidebar = self._action(self.tr("Course &sidebar"), "sidebar", "F9")
        self.sources = self._action(self.tr("S&ources"), "sources", "F10")
        self.guide = self._action(self.tr("&User guide"), "book", standard.HelpContents)
        self.about = self._action(self.tr("&About Lectern"), "info", None)
        self.about.setMenuRole(QAction.MenuRole.AboutRole)
        for action in (self.sidebar, self.sources):
            action.setCheckable(True)
            action.setChecked(True)
        window.addActions(list(self._icons))

    def build_menus(self, bar: QMenuBar) -> None:
        file = bar.addMenu(self.tr("&File"))
        file.addActions([self.new_chat, self.add_folder, self.add_files])
        file.addSeparator()
        file.addAction(self.export_chat)
        file.addSeparator()
        file.addAction(self.settings)
        file.addSeparator()
        file.addAction(self.quit)
        course = bar.addMenu(self.tr("&Course"))
        course.addActions([self.remove_course, self.files, self.failures])
        course.addSeparator()
        course.addActions([self.trash, self.remove_all])
        course.addMenu(self.stop_watching)
        course.addSeparator()
        course.addActions([self.export_library, self.import_library, self.restore_backup])
        view = bar.addMenu(self.tr("&View"))
        view.addActions([self.sidebar, self.sources])
        view.addSeparator()
        view.addActions([self.search_chats, self.focus_question])
        bar.addMenu(self.tr("&Help")).addActions([self.guide, self.about])

    def show_failures(self, number: int) -> None:
        self.failures.setEnabled(number > 0)
        some = self.tr("%Ln file(s) could not be &read…", None, number)
        self.failures.setText(some if number else self.tr("Files that could not be &read…"))

    def set_theme(self, theme: Theme) -> None:
        for action, name in self._icons.items():
            if name:
                action.setIcon(theme.icon(name))

    def _action(self, text: str, icon: str, keys: QKeySequence.StandardKey | str | None) -> QAction:
        action = QAction(text, self)
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        self._icons[action] = icon
        return action
