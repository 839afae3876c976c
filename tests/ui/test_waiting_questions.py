"""A question that is sent while an answer is being written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from app.domain.model_servers import Spending
from tests.support.conversing import ask, chat_text, click_link, click_row, show_chats
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow


def begin(open_window: Opener, server: AnthropicServer) -> tuple[RunningWindow, Gate]:
    """Ask a question whose answer stops half-way, and another one meanwhile."""
    running = open_window(server)
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")), Turn(Text("Once a week.")))
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(lambda: "The moon pulls" in chat_text(running), "the first words")
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, "When do neap tides come?")
    assert edit.toPlainText() == "When do neap tides come?"
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert edit.toPlainText() == ""
    assert "When do neap tides come?" in running.window.chat.composer.waiting.text()
    return running, gate


def test_it_waits_and_is_asked_after_the_answer(open_window: Opener, server: AnthropicServer) -> None:
    running, gate = begin(open_window, server)
    QTest.keyClicks(running.window.chat.composer.edit, "a draft")
    gate.open()
    running.wait_for(lambda: "Once a week." in chat_text(running), "the second answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert chat_text(running).index("the sea.") < chat_text(running).index("When do neap tides come?")
    assert not running.window.chat.composer.waiting.isVisible()
    assert running.window.chat.composer.edit.toPlainText() == "a draft"
    (conversation,) = running.rag.conversations.all()
    first, second = running.rag.conversations.exchanges(conversation.id)
    assert second.parent_id == first.id


def test_it_can_be_withdrawn(open_window: Opener, server: AnthropicServer) -> None:
    running, gate = begin(open_window, server)
    composer = running.window.chat.composer
    QTest.mouseClick(composer.withdraw, Qt.MouseButton.LeftButton)
    assert composer.edit.toPlainText() == "When do neap tides come?"
    assert not composer.waiting.isVisible()
    gate.open()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the end")
    assert composer.edit.toPlainText() == "When do neap tides come?"
    assert len(running.rag.conversations.exchanges(running.rag.conversations.all()[0].id)) == 1


def test_stopping_returns_it_to_the_field(open_window: Opener, server: AnthropicServer) -> None:
    running, gate = begin(open_window, server)
    composer = running.window.chat.composer
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the stop")
    gate.open()
    assert composer.edit.toPlainText() == "When do neap tides come?"
    assert not composer.waiting.isVisible()


def test_it_is_asked_in_its_own_chat_while_another_is_on_show(
    open_window: Opener, server: AnthropicServer
) -> None:
    running, gate = begin(open_window, server)
    running.window.new_chat()
    assert not running.window.chat.composer.waiting.isVisible()
    rows = show_chats(running)
    click_row(running, rows, "Why are there tides?")
    assert running.window.chat.composer.waiting.isVisible()
    running.window.new_chat()
    gate.open()
    running.wait_for(lambda: not running.window.chat_controller.running, "both answers")
    assert "Once a week." not in chat_text(running)
    click_row(running, rows, "Why are there tides?")
    assert "When do neap tides come?" in chat_text(running)
    assert "Once a week." in chat_text(running)


def test_closing_the_window_keeps_it_and_the_draft(open_window: Opener, server: AnthropicServer) -> None:
    running, gate = begin(open_window, server)
    QTest.keyClicks(running.window.chat.composer.edit, "a draft, @ 100 %")
    running.window.close()
    gate.open()
    again = open_window(server)
    edit = again.window.chat.composer.edit
    assert edit.toPlainText() == "When do neap tides come?\na draft, @ 100 %"
    edit.clear()
    assert open_window(server).window.chat.composer.edit.toPlainText() == ""


def test_asking_again_waits_for_the_answer_being_written(
    open_window: Opener, server: AnthropicServer
) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(
        Turn(Text("The moon.")), Turn(Text("Once ", Wait(gate), "a week.")), Turn(Text("Sun and moon."))
    )
    ask(running, "Why are there tides?")
    ask(running, "When do neap tides come?", wait=False)
    running.wait_for(lambda: "Once" in chat_text(running), "the first words")
    click_link(running, "Regenerate")
    assert "Why are there tides?" in running.window.chat.composer.waiting.text()
    gate.open()
    running.wait_for(lambda: "Sun and moon." in chat_text(running), "the new answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert "The moon." not in chat_text(running)
    assert "a week." not in chat_text(running), "that follows the earlier answer, on a branch of its own"


def test_an_edited_question_takes_the_place_of_the_one_that_waits(
    open_window: Opener, server: AnthropicServer
) -> None:
    running, gate = begin(open_window, server)
    chat = running.window.chat
    click_link(running, "Edit")
    QTest.keyClicks(chat.composer.edit, " Twice a day?")
    QTest.keyClick(chat.composer.edit, Qt.Key.Key_Return)
    assert "Why are there tides? Twice a day?" in chat.composer.waiting.text()
    assert chat.composer.edit.toPlainText() == "When do neap tides come?"
    running.window.chat_controller.stop()
    running.wait_for(lambda: "Once a week." in chat_text(running), "the answer to the edited question")
    gate.open()
    assert "The moon pulls" not in chat_text(running)


def test_a_spent_budget_returns_it_to_the_field_without_a_dialog(
    open_window: Opener, server: AnthropicServer
) -> None:
    running, gate = begin(open_window, server)
    running.window.settings_controller.budget.update(Spending(dollars=21, tokens=10, answers=1, budget=20))
    asked: list[str] = []
    QTimer.singleShot(0, running.window, partial(_close_dialogs, running.window, asked))
    gate.open()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the end")
    assert running.window.chat.composer.edit.toPlainText() == "When do neap tides come?"
    assert asked == []


def _close_dialogs(window: QMainWindow, asked: list[str]) -> None:
    """Close what would otherwise wait for an answer for ever, and look again."""
    dialog = QApplication.activeModalWidget()
    if isinstance(dialog, QDialog):
        asked.append(dialog.windowTitle())
        dialog.reject()
    QTimer.singleShot(50, window, partial(_close_dialogs, window, asked))
