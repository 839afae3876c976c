"""Another library takes the place of this one while its chats are on show and being answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.keeping.ui.dialogs import ImportDialog
from app.ui.widgets import show_dialogs as show
from tests.support.conversing import ask, chat_text, show_chats, titles
from tests.support.file_dialogs import choose_files
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def running(
    qtbot: QtBot,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    data_dir: Path,
    server: AnthropicServer,
) -> Iterator[RunningWindow]:
    opened = RunningWindow(
        tmp_path, model_cache, base_url=server.url, key=server.key, embedder=embedder, data_dir=data_dir
    )
    opened.open()
    opened.wait_until_ready(samples=False)
    yield opened
    opened.close()


def replace_library() -> None:
    """Choose to replace the library in the dialog that is open."""
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportDialog)
    QTest.mouseClick(dialog.replace, Qt.MouseButton.LeftButton)


def test_no_question_and_no_answer_gets_into_a_chat_of_the_other_library(
    running: RunningWindow, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "mine.zip"
    choose_files(monkeypatch, path)
    monkeypatch.setattr(show, "confirm", lambda *_: True)
    gate = Gate()
    server.script(
        Turn(Text("Ground grain.")),
        Turn(Text("The moon pulls ", Wait(gate), "the sea.")),
        Turn(Text("Of soot.")),
    )
    ask(running, "What is flour?")
    running.window.actions_["export_library"].trigger()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the export")
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(gate.reached.is_set, "the middle of the answer")
    QTimer.singleShot(200, replace_library)
    running.window.actions_["import_library"].trigger()
    conversation = running.window.chat_controller
    assert (conversation.conversation_id, conversation.running) == (None, [])
    assert chat_text(running).strip() == ""
    gate.open()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the import")
    assert not running.window.chat_controller.is_answering
    ask(running, "What is ink made of?")
    rows = show_chats(running)
    running.wait_for(lambda: titles(rows) == ["What is ink made of?", "What is flour?"], "the list")
    said = {
        chat.title: [(one.question, one.answer) for one in running.rag.conversations.exchanges(chat.id)]
        for chat in running.rag.conversations.all()
    }
    assert said == {
        "What is flour?": [("What is flour?", "Ground grain.")],
        "What is ink made of?": [("What is ink made of?", "Of soot.")],
    }
