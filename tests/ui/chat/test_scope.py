"""What the composer says is searched, and choosing a course by @ in the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.model_servers import WholeScope
from app.domain.scope import Scope, taught_so_far
from app.ui.chat.chat_pane import ChatPane
from app.ui.chat.composer import ranges
from app.ui.chat.course_completion import matching_titles
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange, hints, search_all, searched

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

TITLES = ("Bread Baking at Home", "Tides and Currents", "A Short History of Ink", "Home Repairs")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.resize(640, 600)
    widget.set_course_titles(TITLES)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    widget.focus_composer()
    qtbot.waitUntil(widget.composer.edit.hasFocus)
    return widget


def listed(pane: ChatPane) -> list[str]:
    found = pane.composer.edit.completion.list
    rows = found.model().rowCount()
    return [found.model().index(row, 0).data() for row in range(rows)] if found.isVisible() else []


def type_and_wait(qtbot: QtBot, pane: ChatPane, text: str) -> None:
    QTest.keyClicks(pane.composer.edit, text)
    qtbot.waitUntil(pane.composer.edit.completion.list.isVisible)


def press(pane: ChatPane, key: Qt.Key) -> None:
    """Press a key while courses are listed: the system gives it to the list."""
    QTest.keyClick(pane.composer.edit.completion.list, key)


# ---- what is searched ----


def test_the_composer_says_what_is_searched(qtbot: QtBot, pane: ChatPane) -> None:
    assert pane.composer.context.courses.text() == "4 courses"
    assert searched(pane) == []
    pane.set_scope(Scope(("A", "B"), (("C", 1), ("C", 2), ("C", 3), ("C", 7), ("C", None)), (("B", 4),)))
    assert searched(pane) == ["A", "B · up to lesson 4", "C · lessons 1–3, 7 · text outside lessons"]
    qtbot.waitUntil(lambda: pane.composer.context.courses.text() == "A and 2 more")
    assert "up to lesson 4" in pane.composer.context.courses.toolTip()
    pane.set_scope(Scope(up_to=(("B", 4),)))
    assert searched(pane) == ["All courses, B up to lesson 4"]


def test_one_course_is_unticked_and_all_are_searched_again(qtbot: QtBot, pane: ChatPane) -> None:
    context = pane.composer.context
    pane.set_scope(Scope(("A", "B"), (("C", 1),)))
    with qtbot.waitSignal(context.scope_changed) as changed:
        context.courses.menu().actions()[1].trigger()
    assert changed.args == [Scope(("A",), (("C", 1),))]
    assert searched(pane) == ["A", "C · lesson 1"]
    with qtbot.waitSignal(context.scope_changed) as changed:
        search_all(pane)
    assert changed.args == [Scope()]
    assert searched(pane) == []


def test_a_title_that_is_markup_is_shown_literally(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_scope(Scope(courses=("<b>Bold</b> & brave",)))
    assert searched(pane) == ["<b>Bold</b> & brave"]
    qtbot.waitUntil(lambda: pane.composer.context.courses.text() == "<b>Bold</b> && brave")


def test_the_price_is_said_above_the_field(pane: ChatPane) -> None:
    pane.set_scope(Scope(("A", "B")))
    pane.tell_whole(WholeScope(12_000, 0.04, 0.004))
    assert "about 12,000 tokens" in hints(pane)
    pane.set_scope(Scope())
    assert "tokens" not in hints(pane)


def test_a_lost_course_is_said_until_the_next_question(pane: ChatPane) -> None:
    pane.tell_lost(["Gone"])
    assert "“Gone”" in hints(pane)
    assert "Questions now search all courses" in hints(pane)
    pane.set_busy(True)  # as it is from the moment a question is asked, however it was
    assert "Gone" not in hints(pane)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [((3,), "3"), ((1, 2), "1, 2"), ((0, 1, 2, 3), "0–3"), ((5, 1, 2, 3, 9, 10), "1–3, 5, 9, 10")],
)
def test_runs_of_lessons_are_drawn_together(numbers: tuple[int, ...], words: str) -> None:
    assert ranges(numbers) == words


# ---- @ ----


def test_titles_that_begin_so_come_first() -> None:
    assert matching_titles(TITLES, "home") == ["Home Repairs", "Bread Baking at Home"]
    assert matching_titles(TITLES, "") == list(TITLES)
    assert matching_titles(TITLES, "  TIDES  and ") == ["Tides and Currents"]
    assert matching_titles(TITLES, "zebra") == []


def test_a_course_is_chosen_with_the_keyboard_alone(qtbot: QtBot, pane: ChatPane) -> None:
    asked: list[str] = []
    pane.composer.question_asked.connect(asked.append)
    type_and_wait(qtbot, pane, "What is @home")
    assert listed(pane) == ["Home Repairs", "Bread Baking at Home"]
    press(pane, Qt.Key.Key_Down)
    with qtbot.waitSignal(pane.composer.context.scope_changed) as changed:
        press(pane, Qt.Key.Key_Return)
    assert changed.args == [Scope(courses=("Bread Baking at Home",))]
    assert listed(pane) == []
    assert searched(pane) == ["Bread Baking at Home"]
    assert not asked, "Enter has chosen, not sent"
    assert pane.composer.edit.hasFocus()
    QTest.keyClicks(pane.composer.edit, "proofing?")
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked == ["What is proofing?"]


def test_a_course_is_chosen_with_the_mouse(qtbot: QtBot, pane: ChatPane) -> None:
    type_and_wait(qtbot, pane, "@")
    popup = pane.composer.edit.completion.list
    assert listed(pane) == list(TITLES)
    place = popup.visualRect(popup.model().index(1, 0)).center()
    with qtbot.waitSignal(pane.composer.context.scope_changed) as changed:
        QTest.mouseClick(popup.viewport(), LEFT, pos=place)
    assert changed.args == [Scope(courses=("Tides and Currents",))]
    assert pane.composer.edit.toPlainText() == ""
    assert pane.composer.edit.hasFocus()


def test_a_second_course_is_added_to_the_first(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_scope(taught_so_far("Tides and Currents", 1))
    type_and_wait(qtbot, pane, "@ink")
    press(pane, Qt.Key.Key_Tab)
    assert pane.composer.context.scope == Scope(
        ("Tides and Currents", "A Short History of Ink"), (), (("Tides and Currents", 1),)
    )


def test_the_mention_in_the_middle_leaves_the_words_around_it(qtbot: QtBot, pane: ChatPane) -> None:
    QTest.keyClicks(pane.composer.edit, "Compare  and neap")
    for _ in range(len(" and neap")):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Left)
    type_and_wait(qtbot, pane, "@tid")
    press(pane, Qt.Key.Key_Return)
    assert pane.composer.edit.toPlainText() == "Compare and neap"


def test_escape_closes_the_list_and_keeps_the_text(qtbot: QtBot, pane: ChatPane) -> None:
    stopped: list[bool] = []
    pane.composer.stop_requested.connect(lambda: stopped.append(True))
    type_and_wait(qtbot, pane, "@br")
    press(pane, Qt.Key.Key_Escape)
    assert listed(pane) == []
    assert pane.composer.edit.toPlainText() == "@br"
    assert not stopped


def test_a_list_that_was_closed_comes_back_only_for_another_at_sign(qtbot: QtBot, pane: ChatPane) -> None:
    edit = pane.composer.edit
    type_and_wait(qtbot, pane, "@br")
    press(pane, Qt.Key.Key_Escape)
    QTest.keyClicks(edit, "e")
    QApplication.processEvents()
    assert listed(pane) == []
    type_and_wait(qtbot, pane, "ad and @ink")
    for _ in range(len("@bread and @ink")):
        QTest.keyClick(edit, Qt.Key.Key_Backspace)
        QApplication.processEvents()
    type_and_wait(qtbot, pane, "@br")


@pytest.mark.parametrize("text", ["mail me at a@b.org", "no course is called @zebra", "nothing here"])
def test_no_list_where_nothing_is_meant(qtbot: QtBot, pane: ChatPane, text: str) -> None:
    QTest.keyClicks(pane.composer.edit, text)
    QApplication.processEvents()
    assert listed(pane) == []
    with qtbot.waitSignal(pane.composer.question_asked) as asked:
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked.args == [text]


def test_many_courses_scroll_inside_the_list(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_course_titles([f"Course {n}" for n in range(100)])
    type_and_wait(qtbot, pane, "@")
    popup = pane.composer.edit.completion.list
    assert popup.height() < pane.height()
    press(pane, Qt.Key.Key_PageDown)
    assert popup.currentIndex().row() > 1
    assert popup.viewport().rect().contains(popup.visualRect(popup.currentIndex()).center())


def test_an_at_sign_lists_courses_in_an_edited_question_too(qtbot: QtBot, pane: ChatPane) -> None:
    pane.show_exchanges([exchange(1, "What is new?")])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    pane.transcript.edit_requested.emit(1)
    type_and_wait(qtbot, pane, " @bread")
    press(pane, Qt.Key.Key_Return)
    assert searched(pane) == ["Bread Baking at Home"]
    assert pane.composer.edited == 1
    assert pane.composer.edit.toPlainText().strip() == "What is new?"
    type_and_wait(qtbot, pane, "@")
    press(pane, Qt.Key.Key_Escape)
    assert pane.composer.edited == 1, "Escape closes the list first"
    assert listed(pane) == []
