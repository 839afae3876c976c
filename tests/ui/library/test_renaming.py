"""Courses that are renamed in the sidebar of the real window."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.domain.scope import Scope
from app.workers.job import Lane
from tests.support.courses import TITLES
from tests.support.sidebar import choose, open_menu, opens_menus

if TYPE_CHECKING:
    from tests.support.running_window import Opener, RunningWindow

INK, BREAD, TIDES = TITLES


def listed(running: RunningWindow) -> list[str]:
    model = running.window.sidebar.tree.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def write(running: RunningWindow, title: str) -> None:
    """Write into the field that is open in the tree."""
    tree = running.window.sidebar.tree
    field = tree.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    assert field.selectedText() == field.text()
    QTest.keyClicks(field, title)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_f2_renames_a_course_and_undo_takes_it_back(open_window: Opener) -> None:
    running = open_window()
    sidebar = running.window.sidebar
    bread = sidebar.tree.model().index(1, 0)
    sidebar.tree.expand(bread)
    sidebar.tree.setCurrentIndex(sidebar.tree.model().index(1, 0, bread))
    running.window.set_scope(Scope(lessons=((BREAD, 1),)))
    running.ask("How often is a sourdough starter fed?")
    sidebar.tree.setFocus()
    QTest.keyClick(sidebar.tree, Qt.Key.Key_F2)
    write(running, "Zwieback")
    running.wait_for(lambda: listed(running) == [INK, TIDES, "Zwieback"], "the new title")

    tree = sidebar.tree
    assert tree.isExpanded(tree.model().index(2, 0))
    assert sidebar.current_course() == "Zwieback"
    assert running.window.chat_controller.scope == Scope(lessons=(("Zwieback", 1),))
    cards = running.window.sources.list
    running.wait_for(
        lambda: not [label for label in cards.findChildren(QLabel) if BREAD in label.text()], "the cards"
    )
    assert [label for label in cards.findChildren(QLabel) if "Zwieback" in label.text()]

    running.wait_for(sidebar.removed_bar.isVisible, "the bar")
    assert sidebar.removed_bar.text.text() == "Renamed to “Zwieback”"
    QTest.mouseClick(sidebar.removed_bar.undo, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: listed(running) == TITLES, "the former title")
    assert running.window.chat_controller.scope == Scope(lessons=((BREAD, 1),))


@opens_menus
def test_a_title_that_is_taken_is_refused_in_words(open_window: Opener) -> None:
    running = open_window()
    choose(
        open_menu(running.window.sidebar, running.window.sidebar.tree.model().index(0, 0)), "Rename course"
    )
    write(running, TIDES.lower())
    said = running.window.ingest_status.findChildren(QLabel)
    running.wait_for(lambda: any("already a course" in label.text() for label in said), "the reason")
    assert listed(running) == TITLES


def test_a_course_is_renamed_once_reading_has_finished(open_window: Opener) -> None:
    running = open_window()
    began, done = Event(), Event()

    def read(*_: object) -> None:
        began.set()
        done.wait(30)

    ingest = running.window.ingest_controller
    ingest.start(running.workers.job(Lane.WRITE, "Reading", read))
    running.wait_for(began.is_set, "reading to begin")
    running.window.sidebar.rename_course_requested.emit(BREAD, "Zwieback")
    assert running.window.statusBar().currentMessage() == "This waits until reading has finished."
    done.set()
    running.wait_for(lambda: listed(running) == [INK, TIDES, "Zwieback"], "the new title")
    running.wait_for(lambda: not ingest.is_reading, "the end")
    assert not running.window.ingest_status.is_reading


@opens_menus
def test_a_lesson_is_removed_with_its_file(open_window: Opener) -> None:
    running = open_window()
    sidebar = running.window.sidebar
    tides = sidebar.tree.model().index(2, 0)
    sidebar.tree.expand(tides)
    choose(open_menu(sidebar, sidebar.tree.model().index(0, 0, tides)), "Remove file with 2 lessons")
    running.wait_for(lambda: listed(running) == [INK, BREAD], "the lessons to go")
    QTest.mouseClick(sidebar.removed_bar.undo, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: listed(running) == TITLES, "them to come back")


def test_enter_ends_the_renaming_and_opens_nothing(open_window: Opener) -> None:
    running = open_window()
    sidebar = running.window.sidebar
    opened: list[object] = []
    sidebar.tree.entry_opened.connect(opened.append)
    sidebar.tree.setCurrentIndex(sidebar.tree.model().index(1, 0))
    QTest.keyClick(sidebar.tree, Qt.Key.Key_F2)
    write(running, "Zwieback")
    running.wait_for(lambda: listed(running) == [INK, TIDES, "Zwieback"], "the new title")
    assert not opened
    assert sidebar.tree.hasFocus()
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Return)
    assert len(opened) == 1


def test_the_menu_renames_where_the_courses_were_out_of_sight(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    window.search_chats()
    window.actions_["sidebar"].setChecked(False)
    window.actions_["rename_course"].trigger()
    write(running, "Zwieback")
    running.wait_for(lambda: "Zwieback" in listed(running), "the new title")
