"""The list of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.ui.shell.help_dialogs import KeysDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QTreeWidgetItem

    from tests.support.running_window import Opener, RunningWindow

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def running(open_window: Opener) -> RunningWindow:
    return with_keyboard(open_window())


def with_keyboard(running: RunningWindow) -> RunningWindow:
    running.window.activateWindow()
    running.wait_for(running.window.isActiveWindow, "the window to have the keyboard")
    return running


def page(running: RunningWindow) -> KeysDialog:
    QTest.keyClick(running.window, Qt.Key.Key_Slash, CTRL)
    dialog = running.window.findChild(KeysDialog)
    assert dialog is not None
    running.wait_for(dialog.isActiveWindow, "the page")
    return dialog


def leave(running: RunningWindow, dialog: KeysDialog) -> None:
    QTest.keyClick(dialog.list, Qt.Key.Key_Escape)
    running.wait_for(lambda: running.window.findChild(KeysDialog) is None, "the page to close")
    with_keyboard(running)  # where no window manager gives it back


def rows(dialog: KeysDialog) -> dict[str, dict[str, str]]:
    """Return the keys of the commands, by the heading that they stand under."""
    tops = [dialog.list.topLevelItem(at) for at in range(dialog.list.topLevelItemCount())]
    return {top.text(0): {row.text(0): row.text(1) for row in below(top)} for top in tops if top is not None}


def below(top: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (top.child(at) for at in range(top.childCount()))
    return [child for child in children if child is not None]


def test_every_command_is_listed_with_its_keys_those_of_panes_too(running: RunningWindow) -> None:
    dialog = page(running)
    listed = rows(dialog)
    assert list(listed)[:7] == ["File", "Edit", "Course", "Study", "Teacher", "View", "Help"]
    assert listed["File"]["New chat"] == "Ctrl+N"
    assert listed["View"]["Next pane"] == "F6" and listed["View"]["Larger text"] == "Ctrl++  Ctrl+="
    assert listed["View"]["Theme: Dark"] == listed["Help"]["About Lectern"] == ""
    assert listed["Panes"]["Next citation"] == "Alt+Down"
    assert listed["Panes"]["Ten seconds back"] == "J"
    assert listed["Panes"]["Review: Undo"] == "Z", "of a page that was not opened yet"
    assert "Esc" in listed["In every list, field and answer"].values()
    QTest.keyClicks(dialog.filter, "alt+up")
    shown = [
        row.text(0)
        for top in dialog.list.findItems("", Qt.MatchFlag.MatchContains)
        for row in below(top)
        if not row.isHidden()
    ]
    assert shown == ["Previous citation"]
    leave(running, dialog)


def test_the_page_is_used_with_the_keyboard_alone(running: RunningWindow) -> None:
    dialog = page(running)
    dialog.filter.setFocus()
    QTest.keyClicks(dialog.filter, "trash")
    QTest.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.list.hasFocus()
    current = dialog.list.currentItem()
    assert current is not None and (current.text(0), current.text(1)) == ("Trash", "")
    leave(running, dialog)


def test_keys_that_an_earlier_version_stored_mean_nothing(open_window: Opener, tmp_path: Path) -> None:
    open_window().window.close()
    (state,) = tmp_path.rglob("window.ini")
    state.write_text(state.read_text(encoding="utf-8") + "\n[keys]\ntrash=Ctrl+N\n", encoding="utf-8")
    actions = open_window().window.actions_
    assert actions["trash"].shortcut().isEmpty()
    assert actions["new_chat"].shortcut().toString() == "Ctrl+N"
