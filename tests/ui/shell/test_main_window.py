"""The whole program in its window: real library, real workers, a model server on loopback."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QLineEdit

from app.domain.conversations import ExchangeState
from app.ui.library.ingest_controller import DropOverlay
from app.ui.widgets.theme import Theme, theme_for
from app.workers import library as workers_library
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import write_courses
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import ErrorReply, Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder


class Opener(Protocol):
    def __call__(
        self, *, data_dir: Path | None = None, server: AnthropicServer | None = None
    ) -> RunningWindow: ...


@pytest.fixture
def open_window(qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder) -> Iterator[Opener]:
    """Open windows that are closed, threads and all, at the end of the test."""
    opened: list[RunningWindow] = []

    def open_one(*, data_dir: Path | None = None, server: AnthropicServer | None = None) -> RunningWindow:
        running = RunningWindow(
            tmp_path,
            model_cache,
            base_url=server.url if server else "",
            key=server.key if server else "",
            embedder=embedder,
            data_dir=data_dir,
        )
        opened.append(running)
        running.open()
        return running

    yield open_one
    for running in opened:
        running.close()


def type_question(running: RunningWindow, question: str) -> None:
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, question)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def chat_text(running: RunningWindow) -> str:
    return running.window.chat.transcript.toPlainText()


def test_first_start_reads_the_samples_answers_from_them_and_removes_them(open_window: Opener) -> None:
    running = open_window()
    running.wait_until_ready()
    courses = running.rag.courses.all()
    assert len(courses) == 4
    assert all(course.is_sample and len(course.lessons) >= 6 for course in courses)
    type_question(running, "Why are documents cut into chunks?")
    running.wait_for(lambda: running.window.chat_controller.is_answering, "the answer to begin")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer to end")
    assert "Why are documents cut into chunks?" in chat_text(running)
    assert "Cutting Text into Chunks" in chat_text(running)
    assert running.window.sources.isVisible()
    (conversation,) = running.rag.conversations.all()
    (exchange,) = running.rag.conversations.exchanges(conversation.id)
    assert exchange.state is ExchangeState.DONE
    assert exchange.model is None
    assert exchange.sources
    running.window.sidebar.remove_samples_requested.emit()
    running.wait_for(lambda: running.rag.courses.counts().passages == 0, "the samples to go")
    running.close()
    again = open_window()
    again.wait_until_ready(samples=False)
    assert not again.window.ingest_controller.is_reading, "samples that were removed stay away"
    assert again.rag.courses.counts().courses == 0


def test_an_answer_streams_and_its_citation_opens_the_source(open_window: Opener, data_dir: Path) -> None:
    with AnthropicServer(word_delay=0.02) as server:
        running = open_window(data_dir=data_dir, server=server)
        running.wait_until_ready(samples=False)
        lengths: list[int] = []
        growing = QTimer(interval=10)
        growing.timeout.connect(lambda: lengths.append(len(chat_text(running))))
        growing.start()
        type_question(running, "When do spring tides come?")
        running.wait_for(lambda: running.window.chat_controller.is_answering, "the answer to begin")
        running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer to end")
        growing.stop()
        assert len(set(lengths)) > 2, "the text grew while it was written"
        (conversation,) = running.rag.conversations.all()
        (exchange,) = running.rag.conversations.exchanges(conversation.id)
        assert exchange.citations
        assert all(citation.verified for citation in exchange.citations)
        running.window.actions_["sources"].setChecked(False)
        running.window.chat.transcript.citation_activated.emit(exchange.id, exchange.citations[0].source_n)
        assert running.window.sources.isVisible()


def test_stop_keeps_what_came_and_the_next_question_works(open_window: Opener, data_dir: Path) -> None:
    with AnthropicServer() as server:
        running = open_window(data_dir=data_dir, server=server)
        running.wait_until_ready(samples=False)
        gate = Gate()
        server.script(Turn(Text("The moon pulls ", Wait(gate), "never seen")))
        type_question(running, "Why are there tides?")
        running.wait_for(lambda: "The moon pulls" in chat_text(running), "the first words")
        QTest.keyClick(running.window.chat.composer.edit, Qt.Key.Key_Escape)
        running.wait_for(lambda: not running.window.chat_controller.is_answering, "the stop")
        gate.open()
        assert "never seen" not in chat_text(running)
        server.script(Turn(Text("A week later.")))
        type_question(running, "And neap tides?")
        running.wait_for(lambda: "A week later." in chat_text(running), "the second answer")
        running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
        (conversation,) = running.rag.conversations.all()
        first, second = running.rag.conversations.exchanges(conversation.id)
        assert (first.state, first.answer.strip()) == (ExchangeState.STOPPED, "The moon pulls")
        assert second.state is ExchangeState.DONE


@pytest.mark.parametrize(
    ("reply", "sentence"),
    [
        (ErrorReply(401, "authentication_error", "invalid x-api-key"), "API key"),
        (ErrorReply(404, "not_found_error", "model: nope"), "model"),
        (ErrorReply(500, "api_error", "oops"), "try"),
    ],
)
def test_a_failure_is_shown_in_the_chat_and_the_question_kept(
    open_window: Opener, data_dir: Path, reply: ErrorReply, sentence: str
) -> None:
    with AnthropicServer() as server:
        running = open_window(data_dir=data_dir, server=server)
        running.wait_until_ready(samples=False)
        server.script(*[reply] * 4)
        running.ask("Why are there tides?")
        assert "Why are there tides?" in chat_text(running)
        assert sentence.lower() in chat_text(running).lower()
        assert "Try again" in chat_text(running)
        (conversation,) = running.rag.conversations.all()
        (exchange,) = running.rag.conversations.exchanges(conversation.id)
        assert exchange.state is ExchangeState.FAILED
        assert exchange.question == "Why are there tides?"


def test_a_folder_chosen_in_the_dialog_is_read_and_searched(
    open_window: Opener, tmp_path: Path, data_dir: Path
) -> None:
    folder = tmp_path / "my courses"
    folder.mkdir()
    (folder / "bees.txt").write_text(
        "Course Title: Beekeeping\n\nLesson 1: The waggle dance\n"
        "A forager tells the way to nectar by a dance.\n",
        encoding="utf-8",
    )
    running = open_window(data_dir=data_dir)
    running.wait_until_ready(samples=False)

    def choose() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        name = dialog.findChild(QLineEdit)
        assert name is not None
        name.setText(str(folder))
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        QTest.mouseClick(buttons.buttons()[0], Qt.MouseButton.LeftButton)

    QTimer.singleShot(300, choose)
    running.window.ingest_controller.choose_folder()
    running.wait_for(lambda: running.rag.courses.counts().courses == 4, "the new course")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to end")
    running.ask("How do bees tell the way to nectar?")
    assert "The waggle dance" in chat_text(running)


def test_files_dropped_on_the_window_are_read(open_window: Opener, tmp_path: Path, data_dir: Path) -> None:
    file = tmp_path / "knots.md"
    file.write_text("# Knots\n\nA bowline makes a loop that does not slip.\n", encoding="utf-8")
    running = open_window(data_dir=data_dir)
    running.wait_until_ready(samples=False)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(file)), QUrl("https://example.org/not-a-file.txt")])
    copy, left, no_key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    drop = QDropEvent(QPointF(100, 100), copy, mime, left, no_key)

    def drag() -> QDragEnterEvent:
        return QDragEnterEvent(QPoint(100, 100), copy, mime, left, no_key)

    overlay = running.window.findChild(DropOverlay)
    assert isinstance(overlay, DropOverlay)
    assert not overlay.isVisible()
    composer = running.window.chat.composer.edit.viewport()
    QApplication.sendEvent(composer, drag())  # goes up to the window
    assert overlay.isVisible()
    assert overlay.geometry() == running.window.rect()
    QApplication.sendEvent(overlay, QDragLeaveEvent())
    assert not overlay.isVisible()
    QApplication.sendEvent(running.window, drag())
    assert "Drop to add to your library" in [label.text() for label in overlay.findChildren(QLabel)]
    QApplication.sendEvent(overlay, drop)
    assert not overlay.isVisible()
    running.wait_for(lambda: running.rag.courses.counts().courses == 4, "the dropped file")


def test_questions_and_reading_go_on_at_the_same_time(
    open_window: Opener, tmp_path: Path, data_dir: Path
) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for number in range(12):
        text = " ".join(
            f"Sentence {number}-{index} tells of subject {number * index}." for index in range(60)
        )
        (many / f"{number}.txt").write_text(f"Course Title: Course {number}\n\n{text}\n", encoding="utf-8")
    running = open_window(data_dir=data_dir)
    running.wait_until_ready(samples=False)
    running.window.ingest_controller.read([many])
    running.wait_for(lambda: running.rag.courses.counts().courses > 3, "the first new course")
    running.ask("When do spring tides come?")
    assert "Spring tides and neap tides" in chat_text(running)
    running.window.ingest_status.cancel_requested.emit()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to stop")
    assert 3 < running.rag.courses.counts().courses <= 15


def test_closing_in_the_middle_of_everything_does_not_wait_for_it(
    open_window: Opener, tmp_path: Path, data_dir: Path
) -> None:
    many = write_courses(tmp_path / "many")
    (many / "long.txt").write_text("Words and more words, all of them new. " * 20_000, encoding="utf-8")
    with AnthropicServer() as server:
        gate = Gate()
        server.script(Turn(Text("Half an answer ", Wait(gate))))
        running = open_window(data_dir=data_dir, server=server)
        running.wait_until_ready(samples=False)
        running.window.ingest_controller.read([many])
        type_question(running, "Why are there tides?")
        running.wait_for(lambda: "Half an answer" in chat_text(running), "the first words")
        began = time.monotonic()
        running.window.close()
        assert time.monotonic() - began < 20  # on a busy machine; of the minute that the server may be silent
        gate.open()
    assert running.workers.chat is not None
    lanes = (*running.workers.writing.threads, *running.workers.reading.threads, running.workers.chat)
    assert not any(thread.isRunning() for thread in lanes)


def test_a_library_in_use_is_said_where_the_user_looks(
    open_window: Opener, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_library, "_PATIENCE", 0.3)
    first = open_window(data_dir=data_dir)
    first.wait_until_ready(samples=False)
    second = open_window(data_dir=data_dir)
    second.wait_for(lambda: second.window.has_failed, "the second window to give up")
    assert "Another Lectern" in chat_text(second)
    assert str(data_dir) in chat_text(second)


def test_settings_hold_at_once_and_the_key_reaches_no_file(
    open_window: Opener, data_dir: Path, tmp_path: Path
) -> None:
    secret = "sk-ant-planted-0123456789abcdef"
    running = open_window(data_dir=data_dir)
    running.wait_until_ready(samples=False)
    running.workers.library.save_settings(running.window.settings, secret).run(running.window)
    running.wait_for(lambda: running.keys.read()[0] == secret, "the key")
    running.wait_for(lambda: (tmp_path / "settings.json").exists(), "the settings file")
    running.close()
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


def test_another_theme_reaches_the_window_and_its_parts(open_window: Opener) -> None:
    running = open_window()
    running.wait_until_ready()
    window, dark = running.window, Theme.dark()
    document = window.chat.transcript.document()
    running.workers.library.save_settings(replace(window.settings, theme="dark")).run(window)
    running.wait_for(lambda: document.defaultStyleSheet() == dark.document_css(), "the dark theme")
    assert window.updatesEnabled()
    assert window.grab().toImage().pixelColor(window.width() // 2, window.height() - 3).name() == dark.window
    running.workers.library.save_settings(replace(window.settings, theme="system")).run(window)
    light = Theme.light().document_css()
    running.wait_for(lambda: document.defaultStyleSheet() == light, "the desktop's theme, unknown here")
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Unknown)
    assert document.defaultStyleSheet() == light
    theme_for("system")  # the tests that follow share the application
