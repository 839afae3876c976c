"""Keys that are changed on their page work at once, and at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTreeWidgetItem, QWidget

from app.ui.shell.keys_dialog import KeysDialog
from tests.support.announcements import announcements

if TYPE_CHECKING:
    from tests.support.running_window import Opener, RunningWindow

CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
NONE = Qt.KeyboardModifier.NoModifier


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


def choose(dialog: KeysDialog, command: str) -> None:
    """Find a command with the keyboard, and go to the field of its key."""
    dialog.filter.setFocus()
    dialog.filter.clear()
    QTest.keyClicks(dialog.filter, command)
    QTest.keyClick(dialog.filter, Qt.Key.Key_Down)
    while (current := dialog.list.currentItem()) is not None and current.text(0) != command:
        QTest.keyClick(dialog.list, Qt.Key.Key_Down)
        assert dialog.list.currentItem() is not current, f"no {command}"
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)


def press(dialog: KeysDialog, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(dialog.field, key, modifiers)


def change(running: RunningWindow, command: str, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    dialog = page(running)
    choose(dialog, command)
    press(dialog, key, modifiers)
    leave(running, dialog)


def test_every_command_is_listed_with_its_keys_those_of_panes_too(running: RunningWindow) -> None:
    dialog = page(running)
    listed = rows(dialog)
    assert list(listed)[:6] == ["File", "Edit", "Course", "Study", "View", "Help"]
    assert listed["File"]["New chat"] == "Ctrl+N"
    assert listed["View"]["Next pane"] == "F6" and listed["View"]["Larger text"] == "Ctrl++  Ctrl+="
    assert listed["View"]["Theme: Dark"] == listed["Help"]["About Lectern"] == ""
    assert listed["Lessons and answers"]["Next citation"] == "Alt+Down"
    assert listed["Lessons and answers"]["Ten seconds back"] == "J"
    assert listed["Study"]["Review: Undo"] == "Z", "of a page that was not opened yet"
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


def test_a_changed_key_works_at_once_and_is_shown_where_keys_are_shown(
    running: RunningWindow, open_window: Opener
) -> None:
    window = running.window
    change(running, "Course sidebar", Qt.Key.Key_B, CTRL)
    assert "(Ctrl+B)" in tips(window) and "(F9)" not in tips(window)
    QTest.keyClick(window, Qt.Key.Key_B, CTRL)
    assert not window.side.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert not window.side.isVisible(), "the former key means nothing"
    again = with_keyboard(open_window()).window
    assert not again.side.isVisible()
    QTest.keyClick(again, Qt.Key.Key_B, CTRL)
    assert again.side.isVisible()


def tips(window: QWidget) -> str:
    return "\n".join(child.toolTip() for child in window.findChildren(QWidget))


def test_a_command_that_panes_share_has_its_new_key_in_them_too(running: RunningWindow) -> None:
    window = running.window
    window.chat_controller.ask("When do spring tides come?")
    running.wait_for(lambda: not window.chat.transcript.is_empty, "the question")
    change(running, "Find", Qt.Key.Key_G, CTRL)
    edit = window.chat.composer.edit
    edit.setFocus()
    QTest.keyClick(edit, Qt.Key.Key_F, CTRL)
    assert not window.chat.search.is_open
    QTest.keyClick(edit, Qt.Key.Key_G, CTRL)
    assert window.chat.search.is_open
    assert "Find (Ctrl+G)" in tips(window) and "Find (Ctrl+F)" not in tips(window)


def test_a_key_of_the_menus_comes_before_that_of_a_field(running: RunningWindow) -> None:
    change(running, "Search chats", Qt.Key.Key_Home, CTRL)
    edit = running.window.chat.composer.edit
    edit.setFocus()
    QTest.keyClicks(edit, "half a question")
    QTest.keyClick(edit, Qt.Key.Key_Home, CTRL)
    assert running.window.chats.search_box.hasFocus()
    assert edit.textCursor().atEnd()


def test_a_key_that_is_taken_says_by_what_and_changes_hands_when_asked(running: RunningWindow) -> None:
    window, dialog = running.window, page(running)
    choose(dialog, "Trash")
    press(dialog, Qt.Key.Key_N, CTRL)
    assert dialog.message.text() == "Ctrl+N is “New chat”."
    assert window.actions_.new_chat.shortcut().toString() == "Ctrl+N", "not yet"
    QTest.keyClick(dialog.offer, Qt.Key.Key_Space)
    assert rows(dialog)["Course"]["Trash"] == "Ctrl+N" and rows(dialog)["File"]["New chat"] == ""
    assert window.actions_.new_chat.shortcut().isEmpty()
    assert dialog.list.hasFocus(), "the link has gone"
    choose(dialog, "New chat")
    assert dialog.reset.isEnabled(), "its key can be had back from here, too"
    QTest.keyClick(dialog.reset_all, Qt.Key.Key_Space)
    assert rows(dialog)["Course"]["Trash"] == "Ctrl+Shift+T" and rows(dialog)["File"]["New chat"] == "Ctrl+N"
    QTest.keyClick(dialog.offer, Qt.Key.Key_Space)
    assert rows(dialog)["Course"]["Trash"] == "Ctrl+N", "undone"
    choose(dialog, "Trash")
    QTest.keyClick(dialog.reset, Qt.Key.Key_Space)
    assert rows(dialog)["Course"]["Trash"] == "Ctrl+Shift+T" and rows(dialog)["File"]["New chat"] == "Ctrl+N"
    leave(running, dialog)


def test_keys_for_typing_of_menus_and_of_every_program_are_refused(running: RunningWindow) -> None:
    dialog = page(running)
    choose(dialog, "Files")
    before = rows(dialog)["Course"]["Files"]
    refused = {
        (Qt.Key.Key_X, NONE): "X is needed for typing. Add Ctrl or Alt.",
        (Qt.Key.Key_X, SHIFT): "Shift+X is needed for typing. Add Ctrl or Alt.",
        (Qt.Key.Key_F, ALT): "Alt+F opens the menu “File”.",
        (Qt.Key.Key_C, CTRL): "Ctrl+C is “Copy” in every program.",
    }
    for (key, modifiers), sentence in refused.items():
        press(dialog, key, modifiers)
        assert dialog.message.text() == sentence
        assert rows(dialog)["Course"]["Files"] == before
    press(dialog, Qt.Key.Key_Backspace)
    assert rows(dialog)["Course"]["Files"] == "", "no key at all"
    choose(dialog, "Ten seconds back")
    press(dialog, Qt.Key.Key_V)
    assert rows(dialog)["Lessons and answers"]["Ten seconds back"] == "V", "nobody types there"
    choose(dialog, "Copy")
    assert not dialog.field.isEnabled() and "Every program" in dialog.message.text()
    leave(running, dialog)


def test_the_page_is_used_with_the_keyboard_alone(running: RunningWindow) -> None:
    dialog = page(running)
    dialog.filter.setFocus()
    QTest.keyClicks(dialog.filter, "trash")
    QTest.keyClick(dialog.filter, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.list.hasFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    assert dialog.isVisible() and dialog.field.hasFocus()
    press(dialog, Qt.Key.Key_N, CTRL)
    order = []
    for _ in range(5):
        order.append(QApplication.focusWidget())
        press_tab(order[-1])
    assert order[:2] == [dialog.field, dialog.offer] and order[3:] == [dialog.filter, dialog.list]
    with announcements() as heard:
        dialog.field.setFocus()
        press(dialog, Qt.Key.Key_F2)
    assert heard == ["F2 is “Rename” in every program."]
    leave(running, dialog)


def press_tab(widget: QWidget | None) -> None:
    assert widget is not None, "the keyboard is lost"
    QTest.keyClick(widget, Qt.Key.Key_Tab)


def test_what_the_file_says_is_not_trusted(running: RunningWindow, open_window: Opener) -> None:
    bindings = running.window.keys
    bindings.replace({"trash": "no such key", "files": "Ctrl+Alt+Shift+I", "nothing": "Ctrl+1"})
    actions = open_window().window.actions_
    assert actions.named("trash").shortcut().toString() == "Ctrl+Shift+T"
    assert actions.files.shortcut().toString() == "Ctrl+Alt+Shift+I"
