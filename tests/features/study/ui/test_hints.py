"""Hints in the window, from the switch at the composer to the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from tests.support.conversing import ask, chat_text, click_link, click_row, follow_link, show_chats

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from tests.support.running_window import Opener, RunningWindow

QUESTION = "What is a sourdough starter?"


def saved(running: RunningWindow) -> tuple[Exchange, ...]:
    (conversation,) = running.rag.conversations.all()
    return running.rag.conversations.exchanges(conversation.id)


def ended(running: RunningWindow, steps: int) -> None:
    controller = running.window.chat_controller
    running.wait_for(lambda: len(saved(running)) == steps and not controller.is_answering, "the step")


def test_from_the_switch_to_the_answer(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    (switch,) = window.chat.composer.context.findChildren(QCheckBox)
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton, pos=QPoint(10, switch.height() // 2))
    assert window.actions_["hints_first"].isChecked()
    assert not window.actions_["next_hint"].isEnabled()  # there is nothing to go on from
    ask(running, QUESTION)
    assert "Look in" in chat_text(running)
    assert window.chat.composer.edit.placeholderText() == "Write what you think…"
    click_link(running, "What to look for")
    ended(running, 2)
    ask(running, "It is wild yeast")  # a try
    window.actions_["next_hint"].trigger()
    ended(running, 4)
    assert "What stands in the gaps?" in chat_text(running)
    window.sources.read(1)
    running.wait_for(lambda: window.sources.is_reading, "the lesson")

    window.new_chat()
    assert window.chat.composer.edit.placeholderText() == "Ask about your courses…"
    assert not window.actions_["next_hint"].isEnabled()
    switch.setChecked(False)
    rows = show_chats(running)
    click_row(running, rows, QUESTION)  # goes on from there
    follow_link(running, "step:")
    ended(running, 5)
    *hints, answer = saved(running)
    assert [one.kind for one in hints] == ["hint:1", "hint:2", "hint:2:try", "hint:3"]
    assert (answer.question, answer.kind) == (QUESTION, "")
    assert answer.citations


def test_a_question_that_was_read_as_a_try_is_asked(open_window: Opener) -> None:
    running = open_window()
    running.window.actions_["hints_first"].setChecked(True)
    ask(running, QUESTION)
    ask(running, "Explain why there are tides")
    click_link(running, "This was a question")
    ended(running, 3)
    last = saved(running)[-1]
    assert (last.kind, last.question) == ("hint:1", "Explain why there are tides")
    follow_link(running, "retry:")
    running.wait_for(lambda: running.window.chat_controller.is_answering, "the hint again")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert saved(running)[-1].kind == "hint:1"
    assert len(saved(running)[-1].siblings) == 2
