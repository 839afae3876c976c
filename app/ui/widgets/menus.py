"""The commands in the menus of a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMenuBar


class MenuCommand(NamedTuple):
    """A command, the menu of the bar that leads to it, and its name; that of a submenu precedes it."""

    menu: str
    name: str
    action: QAction


def menu_commands(bar: QMenuBar) -> Iterator[MenuCommand]:
    """Yield all commands that the menus show, in their order."""
    for entry in bar.actions():
        yield from _below(entry, plain_name(entry), "")


def plain_name(action: QAction) -> str:
    """Return what an action is called, without the signs of a menu."""
    return action.text().replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")


def _below(entry: QAction, menu: str, before: str) -> Iterator[MenuCommand]:
    submenu = entry.menu()
    assert isinstance(submenu, QMenu)
    for action in submenu.actions():
        if isinstance(action.menu(), QMenu):
            yield from _below(action, menu, f"{plain_name(action)}: ")
        elif action.isVisible() and not action.isSeparator():
            yield MenuCommand(menu, before + plain_name(action), action)
