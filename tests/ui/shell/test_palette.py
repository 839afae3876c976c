"""The palette over the real window, as somebody uses it with the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.support.announcements import announcements

if TYPE_CHECKING:
    from tests.support.running_window import Opener, RunningWindow

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def running(open_window: Opener) -> RunningWindow:
    running = open_window()
    running.activate()
    return running


def ask(running: RunningWindow, question: str) -> None:
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, question)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    running.wait_for(lambda: bool(running.window.chat_controller.last_exchange_id), "the question")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer")


def type_in(running: RunningWindow, text: str) -> list[str]:
    """Open the palette, type, and return what it shows."""
    palette = running.window.palette_controller.palette
    if not palette.isVisible():
        QTest.keyClick(QApplication.focusWidget() or running.window, Qt.Key.Key_K, CTRL)
    assert palette.isVisible() and palette.field.hasFocus()
    QTest.keyClicks(palette.field, text)
    return shown(running)


def shown(running: RunningWindow) -> list[str]:
    rows = running.window.palette_controller.palette.rows
    return [rows.index(row).data() for row in range(rows.rowCount())]


def is_offered(running: RunningWindow, title: str) -> bool:
    """Return whether the palette has an entry when it is opened, and close it."""
    found = title in type_in(running, "")
    press(running, Qt.Key.Key_Escape)
    return found


def press(running: RunningWindow, key: Qt.Key) -> None:
    QTest.keyClick(running.window.palette_controller.palette.field, key)


def test_what_is_chosen_is_said_while_the_field_keeps_the_keyboard(running: RunningWindow) -> None:
    with announcements() as heard:
        type_in(running, "trash")
        assert heard[-1].startswith("Trash, ")
        found = running.window.palette_controller.palette.list
        assert found.height() == found.sizeHintForRow(0) * len(shown(running)), "no empty room below"
        type_in(running, "xyz")
    assert heard[-1] == "Nothing matches “trashxyz”."


def test_a_command_runs_where_the_keyboard_was(running: RunningWindow) -> None:
    edit = running.window.chat.composer.edit
    edit.setFocus()
    QTest.keyClicks(edit, "spring tides")
    assert type_in(running, "select al")[0] == "Select all"
    press(running, Qt.Key.Key_Return)
    assert edit.hasFocus() and edit.textCursor().selectedText() == "spring tides"
    assert not running.window.palette_controller.palette.isVisible()


def test_commands_show_their_keys_and_are_absent_when_they_cannot_be_used(running: RunningWindow) -> None:
    assert "Export chat" not in type_in(running, "export")
    rows = running.window.palette_controller.palette.rows
    assert rows.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Export library, File"
    press(running, Qt.Key.Key_Escape)
    ask(running, "When do spring tides come?")
    assert type_in(running, "export")[0] == "Export chat"
    running.window.palette_controller.palette.field.clear()
    assert type_in(running, "dark")[0] == "Theme: Dark"


def test_courses_lessons_and_chats_are_led_to(running: RunningWindow) -> None:
    window = running.window
    course = next(one for one in running.rag.courses.all() if any(each.title for each in one.lessons))
    type_in(running, course.title)
    press(running, Qt.Key.Key_Return)
    assert window.sidebar.tree.hasFocus() and window.sidebar.current_course() == course.title
    lesson = next(one for one in course.lessons if one.title)
    assert lesson.title in type_in(running, f"{lesson.title} {course.title}")
    while shown(running)[window.palette_controller.palette.list.currentIndex().row()] != lesson.title:
        press(running, Qt.Key.Key_Down)
    press(running, Qt.Key.Key_Return)
    running.wait_for(lambda: window.sources.is_reading, "the lesson")
    ask(running, "When do spring tides come?")
    running.wait_for(lambda: is_offered(running, "When do spring tides come?"), "the chat")
    first = window.chat_controller.conversation_id
    window.new_chat()
    assert type_in(running, "when spring")[0] == "When do spring tides come?"
    press(running, Qt.Key.Key_Return)
    running.wait_for(lambda: window.chat_controller.conversation_id == first, "the chat")


def test_the_keyboard_stays_inside_and_goes_back(running: RunningWindow) -> None:
    window, palette = running.window, running.window.palette_controller.palette
    window.sidebar.focus_tree()
    count = len(type_in(running, ""))
    press(running, Qt.Key.Key_Up)
    assert palette.list.currentIndex().row() == count - 1, "round, to the end"
    press(running, Qt.Key.Key_Tab)
    assert palette.list.currentIndex().row() == 0 and palette.field.hasFocus()
    press(running, Qt.Key.Key_Escape)
    assert window.sidebar.tree.hasFocus()
    assert type_in(running, "no such thing at all") == []
    press(running, Qt.Key.Key_Return)
    assert palette.isVisible(), "nothing to choose"
    QTest.mouseClick(palette, Qt.MouseButton.LeftButton, pos=QPoint(4, palette.height() - 4))
    assert not palette.isVisible() and window.sidebar.tree.hasFocus()
    type_in(running, "")
    window.chat.focus_composer()
    assert not palette.isVisible() and window.chat.composer.edit.hasFocus()
