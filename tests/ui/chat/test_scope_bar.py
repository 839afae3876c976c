"""Chips above the composer, and choosing a course by @ in the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.model_servers import WholeScope
from app.domain.scope import Scope, taught_so_far
from app.ui.chat.chat_pane import ChatPane
from app.ui.chat.course_completion import matching_titles
from app.ui.chat.scope_bar import MOST_CHIPS, ranges
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

TITLES = ("Bread Baking at Home", "Tides and Currents", "A Short History of Ink", "Home Repairs")
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane(Theme.light())
    qtbot.addWidget(widget)
    widget.resize(640, 600)
    widget.set_course_titles(TITLES)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    widget.focus_composer()
    qtbot.waitUntil(widget.composer.edit.hasFocus)
    return widget


def chips(pane: ChatPane) -> list[str]:
    return [chip.label.text() for chip in pane.scope_bar.chips if chip.isVisible()]


def listed(pane: ChatPane) -> list[str]:
    popup = pane.composer.completion.popup
    return [popup.item(row).text() for row in range(popup.count())] if popup.isVisible() else []


def type_and_wait(qtbot: QtBot, pane: ChatPane, text: str) -> None:
    QTest.keyClicks(pane.composer.edit, text)
    qtbot.waitUntil(pane.composer.completion.popup.isVisible)


# ---- chips ----


def test_no_chips_while_everything_is_searched(pane: ChatPane) -> None:
    assert not pane.scope_bar.isVisible()
    pane.scope_bar.set_scope(Scope(courses=("Home Repairs",)))
    assert pane.scope_bar.isVisible()
    pane.scope_bar.set_scope(Scope())
    assert not pane.scope_bar.isVisible()


def test_chips_say_what_is_searched(pane: ChatPane) -> None:
    pane.scope_bar.set_scope(
        Scope(("A", "B"), (("C", 1), ("C", 2), ("C", 3), ("C", 7), ("C", None)), (("B", 4),))
    )
    assert chips(pane) == ["A", "B · up to lesson 4", "C · lessons 1–3, 7 · text outside lessons"]
    pane.scope_bar.set_scope(Scope(up_to=(("B", 4),)))
    assert chips(pane) == ["All courses, B up to lesson 4"]


def test_a_click_takes_one_chip_out_and_clear_takes_all(qtbot: QtBot, pane: ChatPane) -> None:
    pane.scope_bar.set_scope(Scope(("A", "B"), (("C", 1),)))
    with qtbot.waitSignal(pane.scope_bar.scope_changed) as changed:
        QTest.mouseClick(pane.scope_bar.chips[1].close_button, LEFT)
    assert changed.args == [Scope(("A",), (("C", 1),))]
    assert chips(pane) == ["A", "C · lesson 1"]
    with qtbot.waitSignal(pane.scope_bar.scope_changed) as changed:
        QTest.keyClick(pane.scope_bar.clear_button, Qt.Key.Key_Space)
    assert changed.args == [Scope()]
    assert not pane.scope_bar.isVisible()


def test_chips_wrap_inside_the_column_and_many_are_folded(qtbot: QtBot, pane: ChatPane) -> None:
    titles = tuple(f"A course with quite a long title, number {n}" for n in range(20))
    pane.scope_bar.set_scope(Scope(titles))
    assert len(chips(pane)) == MOST_CHIPS - 1
    assert pane.scope_bar.more.text() == "and 16 more"
    QTest.mouseClick(pane.scope_bar.more, LEFT)
    qtbot.waitUntil(lambda: len(chips(pane)) == 20)
    bar = pane.scope_bar

    def inside() -> bool:
        frames = [QRect(c.mapTo(bar, QPoint(0, 0)), c.size()) for c in bar.chips]
        apart = not any(a.intersects(b) for n, a in enumerate(frames) for b in frames[n + 1 :])
        return apart and all(bar.rect().contains(frame) for frame in frames)

    qtbot.waitUntil(inside)


def test_links_stand_on_the_line_of_the_chips(pane: ChatPane) -> None:
    pane.scope_bar.set_scope(Scope(("A",)))
    chip = pane.scope_bar.chips[0].geometry()
    link = pane.scope_bar.clear_button.geometry()
    assert chip.right() < link.left()
    assert abs(chip.center().y() - link.center().y()) <= 1


def test_the_price_does_not_move_the_chips(qtbot: QtBot, pane: ChatPane) -> None:
    bar = pane.scope_bar
    bar.set_scope(Scope(("A", "B")))

    def places() -> list[QPoint]:
        parts = (*bar.chips, bar.clear_button, pane.composer.edit)
        return [part.mapTo(pane, QPoint(0, 0)) for part in parts]

    qtbot.waitUntil(lambda: bar.chips[1].x() > bar.chips[0].x() > 0)
    before, above = places(), pane.welcome.height()
    for whole in (WholeScope(12_000, 0.04, 0.004), None):
        bar.tell_whole(whole)
        qtbot.waitUntil(lambda: (pane.welcome.height() < above) == bar.whole.isVisible())
        assert bar.whole.isVisible() == (whole is not None)
        assert places() == before


def test_a_title_that_is_markup_is_shown_literally(pane: ChatPane) -> None:
    pane.scope_bar.set_scope(Scope(courses=("<b>Bold</b> & brave",)))
    assert chips(pane) == ["<b>Bold</b> & brave"]
    assert pane.scope_bar.chips[0].label.textFormat() == Qt.TextFormat.PlainText


def test_a_lost_course_is_said_until_the_next_question(pane: ChatPane) -> None:
    pane.scope_bar.tell_lost(["Gone"])
    assert pane.scope_bar.lost.isVisible()
    assert "“Gone”" in pane.scope_bar.lost.text()
    assert "Questions now search all courses" in pane.scope_bar.lost.text()
    pane.set_busy(True)  # as it is from the moment a question is asked, however it was
    assert not pane.scope_bar.isVisible()


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
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Down)
    with qtbot.waitSignal(pane.scope_bar.scope_changed) as changed:
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert changed.args == [Scope(courses=("Bread Baking at Home",))]
    assert listed(pane) == []
    assert chips(pane) == ["Bread Baking at Home"]
    assert not asked, "Enter has chosen, not sent"
    assert pane.composer.edit.hasFocus()
    QTest.keyClicks(pane.composer.edit, "proofing?")
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked == ["What is proofing?"]


def test_a_course_is_chosen_with_the_mouse(qtbot: QtBot, pane: ChatPane) -> None:
    type_and_wait(qtbot, pane, "@")
    popup = pane.composer.completion.popup
    assert listed(pane) == list(TITLES)
    assert pane.rect().contains(popup.geometry())
    place = popup.visualItemRect(popup.item(1)).center()
    with qtbot.waitSignal(pane.scope_bar.scope_changed) as changed:
        QTest.mouseClick(popup.viewport(), LEFT, pos=place)
    assert changed.args == [Scope(courses=("Tides and Currents",))]
    assert pane.composer.edit.toPlainText() == ""
    assert pane.composer.edit.hasFocus()


def test_a_second_course_is_added_to_the_first(qtbot: QtBot, pane: ChatPane) -> None:
    pane.scope_bar.set_scope(taught_so_far("Tides and Currents", 1))
    type_and_wait(qtbot, pane, "@ink")
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Tab)
    assert pane.scope_bar.scope == Scope(
        ("Tides and Currents", "A Short History of Ink"), (), (("Tides and Currents", 1),)
    )


def test_the_mention_in_the_middle_leaves_the_words_around_it(qtbot: QtBot, pane: ChatPane) -> None:
    QTest.keyClicks(pane.composer.edit, "Compare  and neap")
    for _ in range(len(" and neap")):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Left)
    type_and_wait(qtbot, pane, "@tid")
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert pane.composer.edit.toPlainText() == "Compare and neap"


def test_escape_closes_the_list_and_keeps_the_text(qtbot: QtBot, pane: ChatPane) -> None:
    stopped: list[bool] = []
    pane.composer.stop_requested.connect(lambda: stopped.append(True))
    type_and_wait(qtbot, pane, "@br")
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Escape)
    assert listed(pane) == []
    QTest.keyClicks(pane.composer.edit, "ead")
    QApplication.processEvents()
    assert listed(pane) == [], "closed for this @"
    assert pane.composer.edit.toPlainText() == "@bread"
    assert not stopped
    type_and_wait(qtbot, pane, " @br")
    assert listed(pane) == ["Bread Baking at Home"]


@pytest.mark.parametrize("text", ["mail me at a@b.org", "no course is called @zebra", "nothing here"])
def test_no_list_where_nothing_is_meant(qtbot: QtBot, pane: ChatPane, text: str) -> None:
    QTest.keyClicks(pane.composer.edit, text)
    QApplication.processEvents()
    assert listed(pane) == []
    with qtbot.waitSignal(pane.composer.question_asked) as asked:
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked.args == [text]


def test_the_list_goes_with_the_focus(qtbot: QtBot, pane: ChatPane) -> None:
    type_and_wait(qtbot, pane, "@")
    pane.composer.button.setFocus()
    qtbot.waitUntil(lambda: not pane.composer.completion.popup.isVisible())


def test_many_courses_scroll_inside_the_window(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_course_titles([f"Course {n}" for n in range(100)])
    type_and_wait(qtbot, pane, "@")
    popup = pane.composer.completion.popup
    assert pane.rect().contains(popup.geometry())
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Up)
    assert popup.currentItem().text() == "Course 99"
    assert popup.viewport().rect().contains(popup.visualItemRect(popup.currentItem()).center())


def test_page_keys_move_by_what_is_in_sight(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_course_titles([f"Course {n}" for n in range(20)])
    type_and_wait(qtbot, pane, "@")
    popup = pane.composer.completion.popup
    rows = []
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_Down):
        QTest.keyClick(pane.composer.edit, key)
        rows.append(popup.currentRow())
    assert rows == [8, 16, 19, 0]
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_PageUp)
    assert popup.currentRow() == 0
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert pane.composer.edit.toPlainText() == "@\n", "Shift+Enter breaks the line as ever"


def test_an_at_sign_lists_courses_in_an_edited_question_too(qtbot: QtBot, pane: ChatPane) -> None:
    pane.show_exchanges([exchange(1, "What is new?")])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    pane.transcript.edit_requested.emit(1)
    qtbot.waitUntil(pane.editor.edit.hasFocus)
    QTest.keyClicks(pane.editor.edit, " @bread")
    qtbot.waitUntil(pane.editor.completion.popup.isVisible)
    QTest.keyClick(pane.editor.edit, Qt.Key.Key_Return)
    assert chips(pane) == ["Bread Baking at Home"]
    assert pane.editor.is_open
    assert pane.editor.edit.toPlainText().strip() == "What is new?"
    QTest.keyClicks(pane.editor.edit, "@")
    qtbot.waitUntil(pane.editor.completion.popup.isVisible)
    QTest.keyClick(pane.editor.edit, Qt.Key.Key_Escape)
    assert pane.editor.is_open, "Escape closes the list first"
    assert not pane.editor.completion.popup.isVisible()
