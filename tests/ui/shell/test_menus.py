"""The menus and the keys of the window, as somebody without a mouse uses them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QWidget

from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.running_window import Opener, RunningWindow

CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def running(open_window: Opener) -> Iterator[RunningWindow]:
    running = open_window()
    running.activate()
    yield running


def menus(running: RunningWindow) -> dict[str, list[QAction]]:
    entries = running.window.menuBar().actions()
    return {plain(entry): [one for one in menu_of(entry).actions() if one.text()] for entry in entries}


def menu_of(entry: QAction) -> QMenu:
    menu = entry.menu()
    assert isinstance(menu, QMenu)
    return menu


def plain(action: QAction) -> str:
    return action.text().replace("&", "")


def command(running: RunningWindow, text: str) -> QAction:
    (action,) = (one for menu in menus(running).values() for one in menu if plain(one) == text)
    return action


def ask(running: RunningWindow, question: str) -> None:
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, question)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    running.wait_for(lambda: bool(running.window.chat_controller.last_exchange_id), "the question")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer")


def has_focus(pane: QWidget) -> bool:
    focus = QApplication.focusWidget()
    return focus is not None and pane.isAncestorOf(focus)


def test_each_key_of_the_menus_means_one_thing_and_what_is_rare_stands_last(running: RunningWindow) -> None:
    found = menus(running)
    assert list(found) == ["File", "Edit", "Course", "Study", "Teacher", "View", "Help"]
    actions = [action for menu in found.values() for action in menu]
    keys = [one.toString() for action in actions for one in action.shortcuts()]
    assert len(keys) == len(set(keys))
    assert [plain(action) for action in found["Course"]] == [
        "Add folder…",
        "Add files…",
        "Transcribe recordings…",
        "Files…",
        "Rename course",
        "Files that could not be read…",
        "Stop watching",
        "Shared libraries…",
        "Trash…",
        "Remove course",
    ]
    assert [plain(action) for action in found["Teacher"]][-1] == "Publish courses…"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_edit_does_where_the_keyboard_is_what_its_keys_do(running: RunningWindow) -> None:
    edit = running.window.chat.composer.edit
    edit.setFocus()
    QTest.keyClicks(edit, "spring tides")
    command(running, "Select all").trigger()
    command(running, "Cut").trigger()
    assert edit.toPlainText() == ""
    assert QGuiApplication.clipboard().text() == "spring tides"
    command(running, "Undo").trigger()
    assert edit.toPlainText() == "spring tides"
    box = running.window.chats.search_box
    running.window.search_chats()
    running.wait_for(box.hasFocus, "the search box")
    QTest.keyClick(running.window.menuBar(), Qt.Key.Key_E, ALT)
    running.wait_for(lambda: QApplication.activePopupWidget() is not None, "the menu Edit")
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Qt.Key.Key_P)
    running.wait_for(lambda: box.text() == "spring tides", "what was cut")
    assert box.hasFocus(), "the keyboard is where it was before the menu"


def test_f6_goes_round_the_panes_and_back_to_where_the_keyboard_was(running: RunningWindow) -> None:
    ask(running, "When do spring tides come?")
    window = running.window
    window.chat.focus_composer()
    running.wait_for(window.sources.isVisible, "the sources")
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert has_focus(window.sources)
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert has_focus(window.side)
    window.sidebar.tree.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert window.chat.composer.edit.hasFocus()
    window.chat.transcript.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F6, SHIFT)
    assert window.sidebar.tree.hasFocus()
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert window.chat.transcript.hasFocus(), "where it was in the chat"
    window.actions_["sidebar"].setChecked(False)
    window.actions_["sources"].setChecked(False)
    QTest.keyClick(window, Qt.Key.Key_F6)
    assert has_focus(window.chat), "the only pane on show"


def test_f6_leaves_whole_what_it_passes(running: RunningWindow) -> None:
    ask(running, "When do spring tides come?")
    window = running.window
    running.wait_for(window.sources.isVisible, "the sources")
    bars = [area.verticalScrollBar() for area in window.sources.findChildren(QScrollArea)]
    window.chat.focus_composer()
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_F6)
    window.new_chat()  # the cards go
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert all(map(shiboken6.isValid, bars))


def test_the_keyboard_is_in_the_sidebar_after_undo(running: RunningWindow) -> None:
    sidebar = running.window.sidebar
    sidebar.focus_tree()
    before = running.rag.courses.counts().courses
    for remove_all in (False, True):
        if remove_all:
            running.window.library_controller.remove_courses(
                [course.title for course in running.rag.courses.all()]
            )
        else:
            QTest.keyClick(sidebar.tree, Qt.Key.Key_Down)
            QTest.keyClick(sidebar.tree, Qt.Key.Key_Delete)
        running.wait_for(sidebar.removed_bar.isVisible, "the offer to undo")
        sidebar.removed_bar.undo.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(sidebar.removed_bar.undo, Qt.Key.Key_Space)
        running.wait_for(lambda: running.rag.courses.counts().courses == before, "the courses")
        running.wait_for(sidebar.tree.isVisible, "the tree")
        running.wait_for(sidebar.tree.hasFocus, "the keyboard in the tree", 5)


def test_find_works_from_the_chat_from_the_sidebar_and_from_the_menu(running: RunningWindow) -> None:
    ask(running, "When do spring tides come?")
    search, tree = running.window.chat.search, running.window.sidebar.tree
    for widget in (running.window.chat.composer.edit, tree):
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_F, CTRL)
        running.wait_for(lambda: search.is_open, "the search")
        search.dismiss()
    tree.setFocus()
    command(running, "Find…").trigger()
    assert search.is_open


def test_view_sets_theme_size_of_text_and_full_screen_and_shows_what_is_set(
    running: RunningWindow, tmp_path: Path
) -> None:
    window, actions = running.window, running.window.actions_
    assert actions["theme_system"].isChecked()
    actions["theme_dark"].trigger()
    running.wait_for(lambda: Theme.current().is_dark, "the dark theme")
    assert actions["theme_dark"].isChecked() and not actions["theme_system"].isChecked()
    assert json.loads((tmp_path / "settings.json").read_text(encoding="utf-8"))["theme"] == "dark"
    QTest.keyClick(window, Qt.Key.Key_Plus, CTRL)
    running.wait_for(lambda: window.settings.text_size > 100, "larger text")
    QTest.keyClick(window, Qt.Key.Key_0, CTRL)
    running.wait_for(lambda: window.settings.text_size == 100, "text of the usual size")
    QTest.keyClick(window, Qt.Key.Key_F11)
    running.wait_for(window.isFullScreen, "the window to fill the screen")
    running.wait_for(actions["full_screen"].isChecked, "its tick")
    window.showNormal()
    running.wait_for(lambda: not actions["full_screen"].isChecked(), "the tick to go")
