"""Saved conversations on show: branches, reading from the middle, changing a question."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.conversations import INTERRUPTED, ExchangeState
from app.domain.events import AnswerDone, AnswerStarted, AnswerText
from app.ui.chat.chat_pane import ChatPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange
from tests.support.turns import watched_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def shown(pane: ChatPane) -> str:
    text = pane.transcript.toPlainText().replace("\xa0", " ")
    return re.sub("[\u200b\u2060]", "", text)


def draw(qtbot: QtBot, pane: ChatPane, *exchanges: Exchange, at: int | None = None) -> None:
    pane.show_exchanges(exchanges, at)
    qtbot.waitUntil(lambda: not pane.transcript.is_building)


def several(count: int, words: int = 60) -> list[Exchange]:
    return [
        exchange(n, question=f"Question number {n}.", answer="Words and words. " * words)
        for n in range(1, count + 1)
    ]


def begun(number: int, siblings: tuple[int, ...]) -> AnswerStarted:
    fresh = exchange(number, question=f"Again {number}.", answer="", state=ExchangeState.WRITING)
    return AnswerStarted(replace(fresh, siblings=siblings), 1)


def test_a_switch_stands_under_a_question_that_was_asked_again(qtbot: QtBot, pane: ChatPane) -> None:
    draw(qtbot, pane, exchange(1), replace(exchange(5), siblings=(3, 5, 8)))
    assert shown(pane).count("‹") == 1
    assert "‹  2/3  ›" in shown(pane)
    html = pane.transcript.toHtml()
    assert 'href="branch:3"' in html
    assert 'href="branch:8"' in html


def test_a_switch_leads_nowhere_beyond_its_ends(qtbot: QtBot, pane: ChatPane) -> None:
    draw(qtbot, pane, replace(exchange(3), siblings=(3, 5)))
    html = pane.transcript.toHtml()
    assert "‹  1/2  ›" in shown(pane)
    assert 'href="branch:5"' in html
    assert 'href="branch:3"' not in html


@pytest.mark.parametrize("while_drawing", [False, True])
def test_a_new_answer_takes_the_place_of_its_siblings(
    qtbot: QtBot, pane: ChatPane, while_drawing: bool
) -> None:
    pane.show_exchanges(several(5, words=3))
    if not while_drawing:
        qtbot.waitUntil(lambda: not pane.transcript.is_building)
    pane.handle(begun(9, (3, 9)))
    pane.handle(AnswerText("A better answer."))
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    done = replace(exchange(9, question="Again 9.", answer="A better answer."), siblings=(3, 9))
    pane.handle(AnswerDone(done))
    text = shown(pane)
    assert "Question number 2." in text
    assert "Question number 3." not in text
    assert "Question number 5." not in text
    assert "A better answer." in text
    assert "‹  2/2  ›" in text
    streamed = pane.transcript.toHtml()
    draw(qtbot, pane, *several(2, words=3), done)
    assert pane.transcript.toHtml() == streamed


def test_an_answer_that_ended_with_the_program_says_so(qtbot: QtBot, pane: ChatPane) -> None:
    cut = exchange(1, answer="Half an", state=ExchangeState.STOPPED)
    draw(qtbot, pane, replace(cut, stop_reason=INTERRUPTED))
    assert "Interrupted" in shown(pane)
    assert "Try again" in shown(pane)
    draw(qtbot, pane, replace(cut, stop_reason="stopped"))
    assert "Stopped" in shown(pane)


@pytest.mark.parametrize("wanted", [1, 20, 55, 60])
def test_reading_begins_at_the_wanted_exchange(qtbot: QtBot, pane: ChatPane, wanted: int) -> None:
    draw(qtbot, pane, *several(60), at=wanted)
    view = pane.transcript
    found = view.document().find(f"Question number {wanted}.")
    top = view.cursorRect(found).top()
    bar = view.verticalScrollBar()
    assert 0 <= top < view.viewport().height()
    assert top < view.viewport().height() / 3 or bar.value() == bar.maximum()
    assert view.viewport().updatesEnabled()


def test_a_long_conversation_can_be_read_before_all_of_it_is_drawn(qtbot: QtBot, pane: ChatPane) -> None:
    with watched_turns() as turns:
        pane.show_exchanges(several(200), at=3)
        qtbot.waitUntil(lambda: pane.transcript.viewport().updatesEnabled())
        assert pane.transcript.is_building
        found = pane.transcript.document().find("Question number 3.")
        assert 0 <= pane.transcript.cursorRect(found).top() < pane.transcript.viewport().height() / 3
        pane.transcript.verticalScrollBar().setValue(0)
        qtbot.waitUntil(lambda: not pane.transcript.is_building, timeout=60_000)
    assert pane.transcript.verticalScrollBar().value() == 0, "drawing the rest does not scroll"
    assert turns.busiest < 1.0  # some 20 ms of processor time on an idle machine


def test_a_question_is_edited_in_the_composer_and_the_draft_kept(qtbot: QtBot, pane: ChatPane) -> None:
    draw(qtbot, pane, *several(3), exchange(9, question="Why is\nthe sea salty?"), *several(2))
    edit = pane.composer.edit
    QTest.keyClicks(edit, "a draft")
    pane.transcript.edit_requested.emit(9)
    qtbot.waitUntil(edit.hasFocus)
    assert edit.toPlainText() == "Why is\nthe sea salty?"
    QTest.keyClicks(edit, " Really?")
    with (
        qtbot.assertNotEmitted(pane.composer.question_asked),
        qtbot.waitSignal(pane.composer.question_edited) as edited,
    ):
        QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edited.args == [9, "Why is\nthe sea salty? Really?"]
    assert not pane.composer.cancel.isVisible()
    assert edit.toPlainText() == "a draft"


def test_changing_a_question_can_be_given_up(qtbot: QtBot, pane: ChatPane) -> None:
    draw(qtbot, pane, exchange(1))
    QTest.keyClicks(pane.composer.edit, "a draft")
    ways: tuple[Callable[[], None], ...] = (
        lambda: QTest.keyClick(pane.composer.edit, Qt.Key.Key_Escape),
        lambda: QTest.mouseClick(pane.composer.cancel, Qt.MouseButton.LeftButton),
        lambda: draw(qtbot, pane, exchange(1)),
    )
    for give_up in ways:
        pane.transcript.edit_requested.emit(1)
        assert pane.composer.cancel.isVisible()
        give_up()
        assert not pane.composer.cancel.isVisible()
        assert pane.composer.edit.toPlainText() == "a draft"
    with qtbot.waitSignal(pane.composer.question_asked) as asked:
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked.args == ["a draft"]
