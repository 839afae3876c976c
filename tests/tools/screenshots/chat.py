"""Pictures of the chats: list, search, branches, undo, an answer of a chat that is not on show, hints."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.domain.conversations import ExchangeState
from app.domain.scope import Scope
from app.ui.chat.chats_list import ChatRole
from tests.support.anthropic_server import AnthropicServer
from tests.support.conversing import ask, follow_link, show_chats, titles
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_OLD = (
    ("Why does a retrieval system cut documents into chunks?", 0.1),
    ("How does Claude decide to use a tool?", 0.4),
    ("What is the difference between precision and recall, and which matters more to a student?", 1),
    ("Explain spaced repetition", 2),
    ("When did the alphabet reach Greece?", 4),
    ("Plan for the exam in statistics", 9),
    ("What is a p-value?", 33),
    ("Why do scribes make errors?", 330),
)


def chat_states(pictures: Pictures) -> None:
    """Take the states in a library of their own."""
    with AnthropicServer() as server, pictures.window(server) as (running, folder):
        show_chats(running)
        QTest.qWait(100)
        pictures.take(running, "no-chats")
        _make_old_chats(running)
        _take_list(pictures, running, server)
        _take_branches(pictures, running, server)


def _make_old_chats(running: RunningWindow) -> None:
    sessions = running.rag.conversations
    for number, (question, days) in enumerate(_OLD):
        talk = sessions.create_session()
        exchange = sessions.begin_exchange(talk, question, Scope(), None)
        sessions.save(
            type(exchange)(
                exchange.id,
                None,
                question,
                f"An answer about **chunks** of text, number {number}: a chunk is what is found.",
                ExchangeState.DONE,
            )
        )
        running.rag.database.connection.execute(
            "UPDATE conversations SET updated_at = ?, pinned = ? WHERE id = ?",
            (time.time() - days * 86_400, int(number == 5), talk),
        )


def _take_list(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    window = running.window
    gate = Gate()
    server.script(Turn(Text("The Phoenicians wrote ", Wait(gate), "consonants only.")))
    running.ask("Who invented the alphabet?", wait=False)
    running.wait_for(gate.reached.is_set, "the middle of the answer")
    rows = window.chats.list
    window.chat_controller.open(1)
    running.wait_for(lambda: window.chat_controller.conversation_id == 1, "an old chat")
    running.wait_for(lambda: len(titles(rows)) == len(_OLD) + 1, "the list")
    pictures.take(running, "chats-one-answering")

    def rename() -> None:
        rows.setFocus()
        rows.edit(rows.model().index(3, 0))
        QTest.qWait(50)

    pictures.take(running, "chat-renamed", rename)
    for editor in rows.findChildren(QLineEdit):
        QTest.keyClick(editor, Qt.Key.Key_Escape)
    rows.setCurrentIndex(rows.model().index(4, 0))
    QTest.keyClick(rows, Qt.Key.Key_Delete)
    running.wait_for(lambda: len(titles(rows)) == len(_OLD), "the chat to go")
    pictures.take(running, "chat-deleted")
    window.chats.undo_bar.take_back()
    window.search_chats()
    QTest.keyClicks(window.chats.search_box, "chunk")
    running.wait_for(window.chats.hits.isVisible, "what was found")
    assert window.chats.hits.model().index(0, 0).data(ChatRole.SNIPPET)
    pictures.take(running, "chats-searched")
    QTest.keyClicks(window.chats.search_box, " zebra")
    running.wait_for(lambda: not window.chats.hits.isVisible(), "nothing to be found")
    pictures.take(running, "chats-nothing-found")
    window.chats.search_box.clear()
    gate.open()
    running.wait_for(lambda: window.chat_controller.running == [], "the answer")


def _take_branches(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    window = running.window
    window.new_chat()
    server.script(
        Turn(Text("The mean adds everything up and divides by the number of values.")),
        Turn(Text("The **mean** is the balance point of the data."), stop_reason="max_tokens"),
    )
    running.ask("What is the mean?")
    follow_link(running, "retry:")
    running.wait_for(lambda: window.chat_controller.is_answering, "the second answer")
    running.wait_for(lambda: not window.chat_controller.is_answering, "its end")
    pictures.take(running, "branches-and-continue")
    follow_link(running, "edit:")
    QTest.qWait(50)
    pictures.take(running, "question-edited")
    window.chat.composer.cancel_edit()


def _step(running: RunningWindow) -> None:
    """Take the next step as the key does."""
    running.window.actions_["next_hint"].trigger()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the step")


def hint_states(pictures: Pictures) -> None:
    """Take the steps without a model."""
    with pictures.window() as (running, _):
        actions = running.window.actions_
        actions["hints_first"].setChecked(True)
        ask(running, "Why let neighbouring pieces share some text?")
        pictures.take(running, "hint-where")
        for name in ("what", "gaps"):
            _step(running)
            pictures.take(running, f"hint-{name}")
        ask(running, "So that no sentence is cut at the border")
        pictures.take(running, "hint-try")
        _step(running)
        pictures.take(running, "hint-answer")
        running.window.chat_controller.new_chat()
        ask(running, "Who won the football world cup of 1954?")
        pictures.take(running, "hint-nothing")
