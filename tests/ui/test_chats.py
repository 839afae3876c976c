"""Chats in the running window: kept, listed, found, switched, branched, exported."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QLineEdit

from app.domain.conversations import ExchangeState
from app.markup.markdown_html import markdown_to_html
from app.ui.chat.chats_list import ChatRole
from app.ui.markup.code_style import highlighted
from app.ui.widgets.dialog import MessageDialog
from tests.support.conversing import ask, chat_text, click_link, click_row, row, show_chats, titles
from tests.support.pace import slowness
from tests.support.scripted_turns import ErrorReply, Gate, Text, ToolUse, Turn, Wait
from tests.support.stalls import StallRecorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow


# ---- list, open, change ----


def test_chats_are_listed_and_opened_and_go_on(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    server.script(*(Turn(Text(f"Answer {n}.")) for n in range(3)))
    ask(running, "Why are there tides?")
    running.window.new_chat()
    assert chat_text(running).strip() == ""
    ask(running, "What is flour?")
    rows = show_chats(running)
    running.wait_for(lambda: titles(rows) == ["What is flour?", "Why are there tides?"], "the list")
    click_row(running, rows, "Why are there tides?")
    assert "Answer 0." in chat_text(running)
    assert "flour" not in chat_text(running)
    ask(running, "And neap tides?")
    running.wait_for(lambda: titles(rows)[0] == "Why are there tides?", "the list in its new order")
    sent = server.message_requests[-1]["messages"]
    assert [turn["role"] for turn in sent] == ["user", "assistant", "user"]
    assert "Answer 0." in str(sent)
    assert "What is flour?" not in str(sent)


def test_a_new_start_begins_empty_and_lists_what_was(open_window: Opener) -> None:
    first = open_window()
    ask(first, "When do spring tides come?")
    again = open_window()
    assert chat_text(again).strip() == ""
    rows = show_chats(again)
    again.wait_for(lambda: titles(rows) == ["When do spring tides come?"], "the list")
    rows.setFocus()
    QTest.keyClick(rows, Qt.Key.Key_Return)
    again.wait_for(lambda: "Spring tides and neap tides" in chat_text(again), "the chat")
    assert again.window.sources.isVisible()


def test_a_chat_is_renamed_in_its_row(open_window: Opener) -> None:
    running = open_window()
    ask(running, "When do spring tides come?")
    rows = show_chats(running)
    running.wait_for(lambda: len(titles(rows)) == 1, "the list")
    rows.setFocus()
    rows.setCurrentIndex(rows.model().index(0, 0))
    QTest.keyClick(rows, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert editor is not None
    running.workers.conversations.list().run(running.window)  # the list may be renewed at any time
    running.workers.conversations.change(
        "Pinning", lambda chats: chats.set_pinned(chats.all()[0].id, True)
    ).run(running.window)
    running.wait_for(lambda: rows.model().index(0, 0).data(ChatRole.PINNED), "the renewed list")
    editor.selectAll()
    QTest.keyClicks(editor, "The moon")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    running.wait_for(lambda: titles(rows) == ["The moon"], "the new title")
    assert running.rag.conversations.all()[0].title == "The moon"
    QTest.keyClick(rows, Qt.Key.Key_F2)
    editor = rows.findChild(QLineEdit)
    assert editor is not None
    QTest.keyClicks(editor, "given up")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert titles(rows) == ["The moon"]


def test_a_deleted_chat_comes_back_with_undo(open_window: Opener) -> None:
    running = open_window()
    ask(running, "When do spring tides come?")
    rows = show_chats(running)
    running.wait_for(lambda: len(titles(rows)) == 1, "the list")
    rows.setFocus()
    rows.setCurrentIndex(rows.model().index(0, 0))
    QTest.keyClick(rows, Qt.Key.Key_Delete)
    running.wait_for(lambda: titles(rows) == [], "the chat to go")
    assert chat_text(running).strip() == "", "what was deleted is no longer on show"
    assert running.rag.conversations.all() == ()
    bar = running.window.chats.undo_bar
    assert bar.isVisible()
    QTest.mouseClick(bar.undo, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: titles(rows) == ["When do spring tides come?"], "the chat to come back")
    assert not bar.isVisible()
    click_row(running, rows, "When do spring tides come?")
    assert "Spring tides and neap tides" in chat_text(running)


# Said by the off-screen platform for every menu.
@pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing the keyboard)")
def test_a_pinned_chat_stays_on_top(open_window: Opener) -> None:
    running = open_window()
    for question in ("When do spring tides come?", "What is a sourdough starter?"):
        running.window.new_chat()
        ask(running, question)
    rows = show_chats(running)
    running.wait_for(lambda: len(titles(rows)) == 2, "the list")
    old = row(rows, "When do spring tides come?")
    menus: list[list[str]] = []

    def choose(name: str) -> None:
        menu = QApplication.activePopupWidget()
        assert menu is not None
        menus.append([action.text() for action in menu.actions() if action.text()])
        next(action for action in menu.actions() if action.text() == name).trigger()
        menu.close()

    QTimer.singleShot(200, lambda: choose("Pin"))
    rows.customContextMenuRequested.emit(rows.visualRect(old).center())
    running.wait_for(lambda: titles(rows)[0] == "When do spring tides come?", "the pinned chat on top")
    assert rows.model().index(0, 0).data(ChatRole.PINNED)
    assert menus == [["Open", "Rename", "Pin", "Export…", "Make study material…", "Delete"]]
    QTimer.singleShot(200, lambda: choose("Unpin"))
    rows.customContextMenuRequested.emit(rows.visualRect(rows.model().index(0, 0)).center())
    running.wait_for(lambda: titles(rows)[1] == "When do spring tides come?", "the chat in its place")


def test_search_opens_a_chat_at_what_was_found(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    server.script(*(Turn(Text(f"Line {n} of it. " * 40 + ("Walruses!" if n == 1 else ""))) for n in range(6)))
    for number in range(6):
        ask(running, f"Question number {number}")
    running.window.new_chat()
    QTest.keyClick(running.window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier | _SHIFT)
    box = running.window.chats.search_box
    running.wait_for(box.hasFocus, "the search box")
    hits = running.window.chats.hits
    QTest.keyClicks(box, "walrus")
    running.wait_for(lambda: hits.isVisible() and hits.model().rowCount() == 1, "the hit")
    assert "Walruses" in hits.model().index(0, 0).data(ChatRole.SNIPPET)
    QTest.keyClick(box, Qt.Key.Key_Return)
    transcript = running.window.chat.transcript
    running.wait_for(lambda: "Question number 5" in chat_text(running), "the chat")
    running.wait_for(lambda: not transcript.is_building, "the chat to be drawn")
    place = transcript.cursorRect(transcript.document().find("Question number 1"))
    assert 0 <= place.top() < transcript.viewport().height() / 3
    QTest.keyClicks(box, " zebra")
    running.wait_for(lambda: not hits.isVisible(), "nothing to be found")
    QTest.keyClick(box, Qt.Key.Key_Escape)
    running.wait_for(running.window.chats.list.isVisible, "the list again")


_SHIFT = Qt.KeyboardModifier.ShiftModifier


# ---- answers that go on unseen ----


def test_an_answer_goes_on_unseen_and_is_there_on_return(
    open_window: Opener, server: AnthropicServer
) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(
        Turn(Text("The moon pulls ", Wait(gate), "the sea.")),
        Turn(Text("Flour is ground grain.")),
    )
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(lambda: "The moon pulls" in chat_text(running), "the first words")
    running.window.new_chat()
    assert not running.window.chat_controller.is_answering
    ask(running, "What is flour?")
    assert "ground grain" in chat_text(running)
    assert "moon" not in chat_text(running)
    rows = show_chats(running)
    running.wait_for(lambda: len(titles(rows)) == 2, "the list")
    assert row(rows, "Why are there tides?").data(ChatRole.ANSWERING)
    click_row(running, rows, "Why are there tides?")
    running.wait_for(lambda: "The moon pulls" in chat_text(running), "what came so far")
    assert running.window.chat_controller.is_answering
    assert "flour" not in chat_text(running).lower()
    gate.open()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the end")
    assert "The moon pulls the sea." in chat_text(running)
    assert chat_text(running).count("The moon pulls") == 1
    running.wait_for(lambda: not row(rows, "Why are there tides?").data(ChatRole.ANSWERING), "the dot to go")


def test_an_answer_that_ended_unseen_is_saved_whole(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")))
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(gate.reached.is_set, "the middle of the answer")
    running.window.new_chat()
    gate.open()
    running.wait_for(lambda: running.window.chat_controller.running == [], "the end")
    assert chat_text(running).strip() == ""
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    assert (exchange.state, exchange.answer) == (ExchangeState.DONE, "The moon pulls the sea.")


def test_deleting_a_chat_stops_its_answer(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")))
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(gate.reached.is_set, "the middle of the answer")
    rows = show_chats(running)
    running.wait_for(lambda: len(titles(rows)) == 1, "the list")
    rows.setFocus()
    rows.setCurrentIndex(rows.model().index(0, 0))
    QTest.keyClick(rows, Qt.Key.Key_Delete)
    running.wait_for(lambda: running.window.chat_controller.running == [], "the answer to stop")
    gate.open()
    assert chat_text(running).strip() == ""


def test_a_chat_that_was_deleted_meanwhile_says_so(open_window: Opener) -> None:
    running = open_window()
    running.window.chat_controller.open(12345)
    running.wait_for(lambda: running.window.findChild(MessageDialog) is not None, "the message")
    dialog = running.window.findChild(MessageDialog)
    assert dialog is not None
    assert "This chat was deleted." in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.close()


# ---- branches ----


def test_regenerate_keeps_the_old_answer_in_reach(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    server.script(Turn(Text("First try.")), Turn(Text("Second try.")), Turn(Text("After the first.")))
    ask(running, "Why are there tides?")
    assert "1/1" not in chat_text(running)
    click_link(running, "Regenerate")
    running.wait_for(lambda: "Second try." in chat_text(running), "the second answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert "First try." not in chat_text(running)
    assert chat_text(running).count("Why are there tides?") == 1
    assert "‹  2/2  ›" in chat_text(running)
    assert "First try." not in str(server.message_requests[-1]), "asked as if for the first time"
    click_link(running, "‹")
    running.wait_for(lambda: "First try." in chat_text(running), "the first answer")
    assert "‹  1/2  ›" in chat_text(running)
    ask(running, "And then?")
    sent = str(server.message_requests[-1]["messages"])
    assert "First try." in sent
    assert "Second try." not in sent
    click_link(running, "›")
    running.wait_for(lambda: "Second try." in chat_text(running), "the second answer again")
    assert "And then?" not in chat_text(running)


def test_an_edited_question_begins_a_branch(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    server.script(*(Turn(Text(f"Answer {n}.")) for n in range(3)))
    ask(running, "Why are there tides?")
    ask(running, "How high are they?")
    composer = running.window.chat.composer
    QTest.keyClicks(composer.edit, "half a thought")
    click_link(running, "Edit")
    edit = composer.edit
    running.wait_for(lambda: edit.toPlainText() == "Why are there tides?", "the question to edit")
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.toPlainText() == "half a thought"
    click_link(running, "Edit")
    edit.selectAll()
    QTest.keyClicks(edit, "Why is the sea salty?")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    running.wait_for(lambda: running.window.chat_controller.is_answering, "the answer to begin")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer to end")
    assert composer.edit.toPlainText() == "half a thought"
    assert "Why is the sea salty?" in chat_text(running)
    assert "Why are there tides?" not in chat_text(running)
    assert "How high are they?" not in chat_text(running)
    click_link(running, "‹")
    running.wait_for(lambda: "How high are they?" in chat_text(running), "the old branch")
    assert "Why are there tides?" in chat_text(running)


def test_try_again_after_a_failure_is_a_new_answer_beside_it(
    open_window: Opener, server: AnthropicServer
) -> None:
    running = open_window(server)
    server.script(ErrorReply(401, "authentication_error", "invalid x-api-key"), Turn(Text("It works.")))
    ask(running, "Why are there tides?")
    click_link(running, "Try again")
    running.wait_for(lambda: "It works." in chat_text(running), "the answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    (conversation,) = running.rag.conversations.all()
    (shown,) = running.rag.conversations.exchanges(conversation.id)
    assert len(shown.siblings) == 2
    (failed,) = running.rag.conversations.exchanges(conversation.id, shown.siblings[0])
    assert failed.state is ExchangeState.FAILED


def test_an_answer_cut_at_its_limit_goes_on(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    server.script(Turn(Text("The moon pulls and"), stop_reason="max_tokens"), Turn(Text("the sea follows.")))
    ask(running, "Why are there tides?")
    assert "length limit" in chat_text(running)
    click_link(running, "Continue")
    running.wait_for(lambda: "the sea follows." in chat_text(running), "the rest")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert "The moon pulls and" in str(server.message_requests[-1]["messages"])


# ---- nothing is lost ----

_CHILD = """
import asyncio, sys
from pathlib import Path
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken

async def main(data_dir, url, cache):
    settings = Settings(base_url=url, send_passages=True)
    rag = RAGSystem(Path(data_dir), settings, Embedder(None, Path(cache)))
    rag.open()
    rag.prepare_model(CancelToken())
    talk = rag.conversations.create_session()
    connection = rag.answers.connection("test-key")
    for question in ("What is flour?", "Why are there tides?"):
        async for event in rag.answers.query(question, connection, conversation_id=talk):
            pass

asyncio.run(main(*sys.argv[1:]))
"""


def wait_until_stored(data_dir: Path, text: str, seconds: float = 120.0) -> None:
    """Wait until another process has stored an answer that begins so."""
    deadline = time.monotonic() + seconds
    with closing(sqlite3.connect(f"{(data_dir / 'library.sqlite3').as_uri()}?mode=ro", uri=True)) as library:
        while not library.execute(
            "SELECT count(*) FROM exchanges WHERE answer LIKE ?", (f"{text}%",)
        ).fetchone()[0]:
            assert time.monotonic() < deadline, f"“{text}” was never stored"
            time.sleep(0.02)


@pytest.mark.slow
def test_a_killed_program_keeps_question_and_partial_answer(
    open_window: Opener, server: AnthropicServer, data_dir: Path, model_cache: Path
) -> None:
    gate = Gate()
    server.script(
        Turn(Text("Ground grain.")),
        Turn(Text("The moon pulls ", Wait(gate), "never seen")),
    )
    arguments = [sys.executable, "-c", _CHILD, str(data_dir), server.url, str(model_cache)]
    child = subprocess.Popen(arguments, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])})
    try:
        assert gate.reached.wait(120), "the middle of the second answer"
        # What came is stored after a second, though nothing more comes.
        wait_until_stored(data_dir, "The moon pulls")
    finally:
        child.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        child.wait(60)
    gate.open()
    server.script(Turn(Text("Because of the moon.")))
    running = open_window(server)
    rows = show_chats(running)
    running.wait_for(lambda: titles(rows) == ["What is flour?"], "the list")
    click_row(running, rows, "What is flour?")
    text = chat_text(running)
    assert "Ground grain." in text
    assert "Why are there tides?" in text
    assert "The moon pulls" in text
    assert "Interrupted" in text
    click_link(running, "Try again")
    running.wait_for(lambda: "Because of the moon." in chat_text(running), "the answer")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")


# ---- export ----


@pytest.mark.parametrize("suffix", [".md", ".html", ".pdf"])
def test_the_shown_chat_is_exported(
    open_window: Opener, server: AnthropicServer, tmp_path: Path, suffix: str
) -> None:
    running = open_window(server)
    ask(running, "When do spring tides come?")
    target = tmp_path / f"tides{suffix}"
    save_as(running, target)
    running.wait_for(target.exists, "the file")
    content = target.read_bytes()
    assert server.key.encode() not in content
    if suffix == ".pdf":
        assert content.startswith(b"%PDF")
        assert len(content) > 5000
        return
    text = content.decode("utf-8")
    assert "When do spring tides come?" in text
    assert "Lesson 2: Spring tides and neap tides" in text
    assert "<script" not in text
    assert "src=" not in text
    assert [path.name for path in tmp_path.glob("*.part")] == []


def test_a_web_page_shows_the_formulas(open_window: Opener, server: AnthropicServer, tmp_path: Path) -> None:
    server.script(Turn(Text(r"The pull falls with $\frac{1}{r^3}$.")))
    running = open_window(server)
    running.ask("When do spring tides come?")
    target = tmp_path / "tides.html"
    save_as(running, target)
    running.wait_for(target.exists, "the file")
    text = target.read_text(encoding="utf-8")
    assert r'aria-label="$\frac{1}{r^3}$"' in text
    assert "<svg" in text


def test_a_chat_that_can_not_be_written_is_said(open_window: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    running = open_window()
    ask(running, "When do spring tides come?")
    said: list[str] = []
    conversation_id, path = (
        running.window.chat_controller.conversation_id,
        tmp_path / "no such folder" / "tides.md",
    )
    assert conversation_id is not None
    exporting = running.workers.conversations.export(conversation_id, 0, path, None)
    exporting.run(running.window, failure=lambda message: said.append(str(message)))
    running.wait_for(lambda: bool(said), "the sentence")
    assert "tides.md" in said[0]


def save_as(running: RunningWindow, target: Path) -> None:
    """Go through the menu's dialog."""

    def choose() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        name = dialog.findChild(QLineEdit)
        assert name is not None
        name.setText(str(target))
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        QTest.mouseClick(buttons.buttons()[0], Qt.MouseButton.LeftButton)

    QTimer.singleShot(300, choose)
    assert running.window.actions_["export_chat"].isEnabled()
    running.window.actions_["export_chat"].trigger()


# ---- whatever a model writes ----

LONGEST_TURN = 0.2  # seconds; a heartbeat may wait for a few turns, each measured in test_hostile_markdown.py
HOSTILE = (
    "> " * 20 + "twenty levels",
    "\n".join("> " * level + f"level {level}" for level in range(1, 21)),
    "![a" * 6000,
    "[a](b " * 4000,
    "- > " * 400 + "in a list",
    "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * 800,
    "```python\n" + "def f(): return [1, 2]\n" * 400 + "```",
    "The last words.",
)


@pytest.mark.slow
@pytest.mark.usefixtures("no_collections")
def test_a_hostile_answer_never_holds_up_the_window(open_window: Opener, server: AnthropicServer) -> None:
    """Neither while it is written nor when its conversation is opened again."""
    markdown_to_html("text")  # loaded beside the window otherwise, as is this:
    highlighted("pass", "python", dark=False)
    first = open_window(server)
    search = ToolUse("search_course_content", {"query": "spring tides"})
    server.script(Turn(search), Turn(Text("\n\n".join(HOSTILE))))
    assert longest_turn(lambda: ask(first, "Why are there tides?")) <= LONGEST_TURN * slowness()
    again = open_window(server)
    rows = show_chats(again)
    again.wait_for(lambda: len(titles(rows)) == 1, "the list")
    transcript = again.window.chat.transcript

    def reopen() -> None:
        click_row(again, rows, "Why are there tides?")
        again.wait_for(lambda: not (transcript.is_empty or transcript.is_building), "the chat")

    assert longest_turn(reopen) <= LONGEST_TURN * slowness()
    text = chat_text(again)
    assert "> > twenty levels" in text
    assert "level 20" in text
    assert text.count("![a") >= 5990  # a line that is too long is cut
    assert text.count("[a](b") >= 3990
    assert text.count("return [1, 2]") == 400
    assert "The last words." in text


def longest_turn(action: Callable[[], None]) -> float:
    """Return the most processor seconds that the window's thread spends at a stretch during an action."""
    recorder = StallRecorder(keep_delays=True)
    recorder.start()
    try:
        action()
    finally:
        recorder.stop()
    return max(recorder.work)
