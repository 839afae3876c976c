"""The commands of the menus, keys and palette: one table, to which the window and features add theirs."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.ui.widgets.theme import Theme

# The sections of each menu, in their order.
_SECTIONS = {
    "file": ("chat", "settings", "quit"),
    "edit": ("undo", "clipboard", "find"),
    "course": ("add", "files", "servers", "trash", "remove"),
    "study": ("study",),
    "teacher": ("exam", "publish"),
    "view": ("panes", "focus", "zoom", "look"),
    "help": ("help",),
}


class MenuCommand(NamedTuple):
    """A command, the menu that it belongs to, and its name, after that of a submenu."""

    menu: str
    name: str
    action: QAction


class Actions(QObject):
    """A QAction for each command, by its name."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._named: dict[str, QAction] = {}
        self._placed: dict[str, list[QAction]] = {}
        self._titles = {
            "file": self.tr("&File"),
            "edit": self.tr("&Edit"),
            "course": self.tr("&Course"),
            "study": self.tr("&Study"),
            "teacher": self.tr("&Teacher"),
            "view": self.tr("&View"),
            "help": self.tr("&Help"),
        }

    def __getitem__(self, name: str) -> QAction:
        return self._named[name]

    def add(
        self,
        place: str,
        name: str,
        text: str,
        run: Callable[[], object] | None = None,
        keys: QKeySequence.StandardKey | str = "",
        icon: str = "",
    ) -> QAction:
        """Add a command; before the menus are built.

        Args:
            place: a menu and its section, such as "course/trash", where commands stand in the order in which
                they are added; a menu without a section for one that only the palette shows.
            name: by which it is found.
            text: with one ``&``.
            run: what it does; a command without shows and hides something by its tick.
            keys: for what is done daily; several are separated by ``; ``.
            icon: the name of its picture.
        """
        action = self._named[name] = QAction(text, self)
        action.setObjectName(name)
        if keys and isinstance(keys, str):
            action.setShortcuts(QKeySequence.listFromString(keys))
        elif keys:
            action.setShortcut(QKeySequence(keys))
        if run is None:
            action.setCheckable(True)
            action.setIconVisibleInMenu(False)  # the tick is to be seen
        else:
            action.triggered.connect(lambda: run())
        if icon:
            action.setIcon(Theme.icon(icon))
        self._window.addAction(action)
        self._placed.setdefault(place, []).append(action)
        return action

    def add_menu(self, place: str, menu: QMenu) -> QMenu:
        self._placed.setdefault(place, []).append(menu.menuAction())
        return menu

    def build_menus(self, bar: QMenuBar) -> None:
        for name, sections in _SECTIONS.items():
            filled = [self._placed.get(f"{name}/{section}", []) for section in sections]
            if any(filled):
                menu = bar.addMenu(self._titles[name])
                for actions in filter(None, filled):
                    menu.addSeparator()  # Qt shows none at the top
                    menu.addActions(actions)

    def commands(self) -> Iterator[MenuCommand]:
        """Yield the commands of each menu, then those that only the palette shows."""
        for name, sections in _SECTIONS.items():
            title = self._titles[name].replace("&", "")
            for place in (*(f"{name}/{section}" for section in sections), name):
                for action in self._placed.get(place, []):
                    if isinstance(submenu := action.menu(), QMenu):
                        for one in submenu.actions():
                            yield MenuCommand(title, f"{plain_name(action)}: {plain_name(one)}", one)
                    else:
                        yield MenuCommand(title, plain_name(action), action)


def plain_name(action: QAction) -> str:
    """Return what an action is called, without the signs of a menu."""
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")
