"""Finding words in a conversation, and the way back to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.chat_pane import ChatPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange, started

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

_CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.resize(700, 500)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    widget.composer.edit.setFocus()
    qtbot.waitUntil(widget.composer.edit.hasFocus)
    return widget


def fill(qtbot: QtBot, pane: ChatPane, count: int) -> None:
    answer = "\n\n".join(["The moon 🌙 pulls the sea."] * 8 + ["Ébb and flow."])
    pane.show_exchanges([exchange(n, f"Question {n}?", answer) for n in range(1, count + 1)])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)


def find(qtbot: QtBot, pane: ChatPane, words: str) -> None:
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_F, _CONTROL)
    assert pane.search.bar.isVisible()
    qtbot.waitUntil(pane.search.bar.field.hasFocus)
    QTest.keyClicks(pane.search.bar.field, words)


def marked(pane: ChatPane) -> list[str]:
    return [mark.cursor.selectedText() for mark in pane.transcript.extraSelections()]


def test_control_f_counts_and_steps_through_a_conversation(qtbot: QtBot, pane: ChatPane) -> None:
    fill(qtbot, pane, 3)
    find(qtbot, pane, "ebb AND")
    bar = pane.search.bar
    qtbot.waitUntil(lambda: bar.count.text() == "3 of 3")
    assert "Ébb and" in marked(pane), "in any case, without accents, behind a character of two units"
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 3"
    qtbot.waitUntil(lambda: "Ébb and" in marked(pane))
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "3 of 3"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    qtbot.waitUntil(lambda: not marked(pane))
    assert pane.transcript.hasFocus()


def test_earlier_questions_and_what_is_being_written_are_found_too(qtbot: QtBot, pane: ChatPane) -> None:
    fill(qtbot, pane, 40)
    assert "Question 2?" not in pane.transcript.toPlainText()
    find(qtbot, pane, "ebb")
    qtbot.waitUntil(lambda: pane.search.bar.count.text().endswith(" of 40"))
    pane.handle(started(41, "And now?"))
    pane.handle(AnswerText("It ebbs."))
    qtbot.waitUntil(lambda: pane.search.bar.count.text().endswith(" of 41"))


def test_another_conversation_closes_the_search(qtbot: QtBot, pane: ChatPane) -> None:
    QTest.keyClick(pane.composer.edit, Qt.Key.Key_F, _CONTROL)
    assert not pane.search.bar.isVisible(), "there is nothing to search"
    fill(qtbot, pane, 2)
    find(qtbot, pane, "moon")
    pane.show_exchanges(())
    assert not pane.search.bar.isVisible()
    assert not marked(pane)


def test_a_reader_above_the_end_stays_there_and_can_jump_to_it(qtbot: QtBot, pane: ChatPane) -> None:
    fill(qtbot, pane, 3)
    bar = pane.transcript.verticalScrollBar()
    assert not pane.jump.isVisible()
    bar.setValue(0)
    qtbot.waitUntil(pane.jump.isVisible)
    pane.handle(started(4, "Asked below?"))
    qtbot.waitUntil(lambda: not pane.jump.isVisible())
    assert bar.value() == bar.maximum(), "who asks wants to see the answer"
    bar.setValue(0)
    pane.handle(AnswerText("word\n\n" * 50))
    qtbot.waitUntil(lambda: pane.transcript.toPlainText().count("word") == 50)
    assert bar.value() == 0
    qtbot.waitUntil(pane.jump.isVisible)
    assert pane.transcript.rect().contains(pane.jump.geometry())
    QTest.mouseClick(pane.jump, Qt.MouseButton.LeftButton)
    assert bar.value() == bar.maximum()
    qtbot.waitUntil(lambda: not pane.jump.isVisible())
    pane.handle(AnswerText("more\n\n" * 50))
    qtbot.waitUntil(lambda: pane.transcript.toPlainText().count("more") == 50)
    assert bar.value() == bar.maximum(), "it follows again"


def test_an_answer_that_is_complete_has_nothing_to_jump_to(qtbot: QtBot, pane: ChatPane) -> None:
    fill(qtbot, pane, 1)
    pane.handle(started(4, "Asked below?"))
    pane.handle(AnswerText("word\n\n" * 80))
    qtbot.waitUntil(lambda: pane.transcript.toPlainText().count("word") == 80)
    place = pane.transcript.place_of(4)
    assert place is not None
    pane.transcript.show_from(place[0])
    qtbot.waitUntil(pane.jump.isVisible)
    pane.handle(AnswerDone(exchange(4, "Asked below?", "word\n\n" * 80)))
    qtbot.waitUntil(lambda: not pane.jump.isVisible())
    pane.transcript.verticalScrollBar().setValue(0)
    qtbot.waitUntil(pane.jump.isVisible)
