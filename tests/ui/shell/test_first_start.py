"""The first minute: a window on a library that has never held a course."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from app.ui.widgets.text_labels import WrappingButton
from tests.support.courses import BREAD
from tests.support.file_dialogs import choose_files
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder


@pytest.fixture
def running(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder
) -> Iterator[RunningWindow]:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder)
    running.open()
    running.wait_until_ready(samples=False)
    yield running
    running.close()


def sentences(running: RunningWindow) -> str:
    return "\n".join(label.text() for label in running.window.findChildren(QLabel) if label.isVisible())


def test_it_offers_the_samples_or_a_folder_and_says_so_once(running: RunningWindow) -> None:
    welcome = running.window.chat.welcome
    assert welcome.samples.isVisible()
    assert welcome.folder.isVisible()
    said = sentences(running)
    assert "Welcome to Lectern" in said
    assert "Add a folder" not in said
    assert "dding the sample" not in said
    assert not running.window.ingest_controller.is_reading, "nothing is added without being asked for"
    assert running.window.chat.composer.edit.hasFocus()


def test_the_samples_are_added_by_a_click_and_answer_the_first_suggestion(running: RunningWindow) -> None:
    welcome = running.window.chat.welcome
    QTest.mouseClick(welcome.samples, Qt.MouseButton.LeftButton)
    assert not welcome.samples.isVisible()
    assert "Adding the sample courses…" in sentences(running)
    running.wait_for(lambda: running.window.is_ready, "the samples")
    assert running.rag.courses.counts().courses == 4
    assert "Welcome" not in sentences(running)
    shown = (each for each in welcome.findChildren(WrappingButton) if each.isVisible())
    running.wait_for(lambda: any(each.isVisible() for each in welcome.findChildren(WrappingButton)), "them")
    suggestion = next(shown)
    QTest.mouseClick(suggestion, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: running.window.chat_controller.last_exchange_id > 0, "the answer to begin")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer")
    exchange = running.window.chat_controller.exchange(running.window.chat_controller.last_exchange_id)
    assert exchange is not None
    assert exchange.sources[0].hit.course_title == running.rag.courses.all()[0].title


def test_samples_that_are_cancelled_are_offered_again(running: RunningWindow) -> None:
    welcome = running.window.chat.welcome
    welcome.samples.click()
    running.window.ingest_controller.cancel()
    running.wait_for(lambda: running.window.is_ready, "the end of the job")
    assert welcome.samples.isVisible()


def test_a_folder_of_ones_own_takes_the_place_of_the_samples(
    running: RunningWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bread.txt").write_text(BREAD, encoding="utf-8")
    choose_files(monkeypatch, folder)
    welcome = running.window.chat.welcome
    QTest.mouseClick(welcome.folder, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: running.rag.courses.counts().courses == 1, "the course")
    running.wait_for(lambda: not welcome.samples.isVisible(), "the welcome to change")
    assert not any(course.is_sample for course in running.rag.courses.all())


def test_a_model_is_offered_until_that_is_skipped(running: RunningWindow, tmp_path: Path) -> None:
    welcome = running.window.chat.welcome
    running.wait_for(welcome.skip.isVisible, "the offer")
    assert "Written answers (optional)" in sentences(running)
    tiles = running.window.settings_controller.tiles.tiles
    running.wait_for(tiles["other"].button.isVisible, "what there is")
    assert {way for way, tile in tiles.items() if tile.isVisible()} == {"Claude", "local", "other"}
    buttons = (
        welcome.samples,
        welcome.folder,
        None,
        welcome.skip,
        *(tiles[way].button for way in ("Claude", "local", "other")),
    )
    welcome.samples.setFocus()
    running.wait_for(welcome.samples.hasFocus, "the keyboard")
    for button in buttons:
        assert button is None or button.hasFocus(), "Tab goes from top to bottom"
        QTest.keyClick(running.window, Qt.Key.Key_Tab)
    QTest.mouseClick(tiles["other"].button, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: QApplication.activeModalWidget() is not None, "the settings")
    settings = QApplication.activeModalWidget()
    assert settings is not None
    QTest.keyClick(settings, Qt.Key.Key_Escape)
    welcome.skip.setFocus()
    QTest.keyClick(welcome.skip, Qt.Key.Key_Space)
    assert not welcome.skip.isVisible()
    running.wait_for(running.window.chat.composer.edit.hasFocus, "the field of the question")
    assert running.window.settings_controller.model_button.text() == "Search only"
    kept = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    assert kept.value("connection_skipped") == "true"
