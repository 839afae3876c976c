"""The language changes while the program runs: same chat, draft and sizes, and nothing is lost."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog

from app.config.settings import load_settings
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.messages import install_translations
from app.ui.widgets.show_dialogs import show_error
from tests.support import pseudo_language
from tests.support.conversing import ask, chat_text
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder
    from tests.support.running_window import Opener


@pytest.fixture(autouse=True)
def other_language(
    pseudo_package: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication
) -> Iterator[None]:
    monkeypatch.setattr("sys._MEIPASS", str(pseudo_package), raising=False)
    yield
    monkeypatch.undo()
    install_translations(qapp, "en")


def choose(running: RunningWindow, language: str) -> None:
    settings = replace(running.window.settings, language=language)
    running.workers.library.save_settings(settings).run(running.window)


def switch(running: RunningWindow, language: str) -> None:
    before = running.window
    choose(running, language)
    running.wait_for(lambda: running.window is not before, "another window")
    running.wait_for(lambda: running.window.is_ready, "the other window to be ready")
    running.wait_for(lambda: not shiboken6.isValid(before), "the end of the one before")


def test_the_language_changes_with_the_same_chat_draft_and_sizes(
    open_window: Opener, server: AnthropicServer, tmp_path: Path, qapp: QApplication
) -> None:
    running = open_window(server)
    ask(running, "What is a primary key?")
    first = running.window
    first.resize(781, 563)
    first.side.tabs.setCurrentIndex(1)
    QTest.keyClicks(first.chat.composer.edit, "And a foreign")
    switch(running, pseudo_language.CODE)
    window = running.window
    assert window.actions_.quit.text() == "[&Qúít~~]"
    assert window.windowTitle() and QLocale().toString(1234) == "1.234"
    assert (window.size().width(), window.size().height()) == (781, 563)
    assert window.side.tabs.currentIndex() == 1
    assert window.chat.composer.edit.toPlainText() == "And a foreign"
    running.wait_for(lambda: "The moon pulls the ocean" in chat_text(running), "the chat")
    assert load_settings(tmp_path / "settings.json").language == pseudo_language.CODE
    ask(running, " key?")  # behind the draft: it works as the first one did
    running.wait_for(lambda: len(running.rag.conversations.exchanges(1)) == 2, "the second answer")
    assert [chat.title for chat in running.rag.conversations.all()] == ["What is a primary key?"]
    switch(running, "")
    assert running.window.actions_.quit.text() == "&Quit"
    assert len([one for one in QApplication.topLevelWidgets() if one.isVisible()]) == 1


def test_a_lesson_stays_open_in_the_other_language(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    course, first = running.rag.courses.all()[0], running.window
    lesson = course.lessons[0]
    first.sources_controller.read_lesson(course.title, lesson.number, lesson.title)
    running.wait_for(lambda: bool(first.sources.reading.text.toPlainText()), "the lesson")
    text = first.sources.reading.text.toPlainText()
    first.sources.reading.expand.click()
    switch(running, pseudo_language.CODE)
    sources = running.window.sources
    running.wait_for(lambda: sources.reading.text.toPlainText() == text, "the lesson in the other window")
    assert sources.is_reading
    assert sources.isVisible()
    assert sources.reading.expand.isChecked()


def test_a_source_stays_open_in_the_other_language(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    ask(running, "What is a primary key?")
    sources = running.window.sources
    sources.read(2)
    running.wait_for(lambda: bool(sources.reading.text.toPlainText()), "the lesson")
    text = sources.reading.text.toPlainText()
    switch(running, pseudo_language.CODE)
    sources = running.window.sources
    running.wait_for(lambda: sources.reading.text.toPlainText() == text, "the lesson in the other window")
    assert sources.reading.source is not None
    assert sources.reading.source.n == 2
    assert "2 óf 3" in sources.reading.position.text()
    assert "The moon pulls the ocean" in chat_text(running)


def test_no_window_is_kept_alive_by_a_lambda() -> None:
    rooms = (Path(__file__).parents[3] / "app" / "ui").rglob("*.py")
    lambdas = re.compile(r"orkers\.[\w.]+\.connect\(\s*(lambda|partial)")
    assert [path.name for path in rooms if lambdas.search(path.read_text(encoding="utf-8"))] == []


def test_an_answer_is_finished_before_the_language_changes(
    open_window: Opener, server: AnthropicServer
) -> None:
    running, gate = open_window(server), Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")))
    first = running.window
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(lambda: "The moon pulls" in chat_text(running), "the first words")
    choose(running, pseudo_language.CODE)
    running.wait_for(lambda: "language" in first.statusBar().currentMessage(), "the reason")
    assert running.window is first
    choose(running, "")
    running.wait_for(lambda: not first.statusBar().currentMessage(), "nothing to wait for")
    choose(running, pseudo_language.CODE)
    running.wait_for(lambda: "language" in first.statusBar().currentMessage(), "the reason")
    gate.open()
    running.wait_for(lambda: running.window is not first, "another window")
    running.wait_for(lambda: "The moon pulls the sea." in chat_text(running), "the answer")


def test_the_language_changes_without_a_library_too(
    tmp_path: Path, model_cache: Path, embedder: KeptEmbedder
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "library.sqlite3").write_bytes(b"no database" * 1000)
    running = RunningWindow(tmp_path, model_cache, embedder=embedder)
    running.open()
    running.wait_for(lambda: QApplication.activeModalWidget() is not None, "the list of backups", 20)
    before, dialog = running.window, QApplication.activeModalWidget()
    assert before.has_failed
    assert isinstance(dialog, QDialog)
    dialog.reject()
    choose(running, pseudo_language.CODE)
    running.wait_for(lambda: running.window is not before, "another window", 20)
    assert running.window.has_failed
    assert "[Thé líbráry" in chat_text(running)
    running.close()


def test_a_dialog_is_answered_before_the_language_changes(open_window: Opener) -> None:
    running = open_window()
    first = running.window
    dialog = show_error(first, "Lectern", "Something went wrong.")
    choose(running, pseudo_language.CODE)
    running.wait_for(lambda: "language" in first.statusBar().currentMessage(), "the reason")
    assert running.window is first
    dialog.accept()
    running.wait_for(lambda: running.window is not first, "another window")


def test_a_language_chosen_in_the_settings_shows_at_once(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    before = running.window
    before.settings_controller.open(before.settings, "languages")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    box = next(one for one in dialog.findChildren(QComboBox) if one.findText("Deutsch") >= 0)
    assert [box.itemText(row) for row in range(2)] == ["Match system", "English"]
    box.setFocus()
    for _ in range(box.findText("Deutsch")):
        QTest.keyClick(box, Qt.Key.Key_Down)
    running.wait_for(lambda: running.window is not before, "another window")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, QDialog)
    assert dialog.windowTitle() == "[Séttíñgs~~]"  # the page stays open, and the keyboard where it was
    focus = dialog.focusWidget()
    assert isinstance(focus, QComboBox)
    assert focus.currentText() == "Deutsch"
    running.wait_for(lambda: running.window.is_ready, "the window")
    assert load_settings(tmp_path / "settings.json").language == pseudo_language.CODE
    dialog.reject()  # its other pages would be built in the next test's language


def test_what_waits_in_the_settings_takes_effect_before_the_language_changes(
    open_window: Opener, tmp_path: Path
) -> None:
    running = open_window()
    before = running.window
    before.open_settings()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    dialog.live.change("Passage length", chunk_size=900)
    dialog.show_page("languages")
    box = dialog.page("languages").fields["language"]
    assert isinstance(box, QComboBox)
    box.setCurrentIndex(box.findData(pseudo_language.CODE))
    running.wait_for(lambda: running.window is not before, "another window")
    running.wait_for(lambda: running.window.settings.chunk_size == 900, "the other setting")
    running.wait_for(lambda: not running.rag.reindex.needed(), "the files to be read again")
    assert load_settings(tmp_path / "settings.json").chunk_size == 900
    again = QApplication.activeModalWidget()
    assert isinstance(again, SettingsDialog)
    assert again.languages.isVisible()
    again.reject()
