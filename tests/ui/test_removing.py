"""Removing, the trash and moving a library, in the real window with its workers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget

from app.ui import errors
from tests.support.courses import TITLES
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder
) -> Iterator[Callable[[Path], RunningWindow]]:
    opened: list[RunningWindow] = []

    def open_one(data_dir: Path) -> RunningWindow:
        running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_one
    for running in opened:
        running.close()


@pytest.fixture
def running(open_window: Callable[[Path], RunningWindow], data_dir: Path) -> RunningWindow:
    return open_window(data_dir)


def listed(running: RunningWindow) -> list[str]:
    model = running.window.sidebar.tree.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def select(running: RunningWindow, row: int) -> None:
    tree = running.window.sidebar.tree
    rectangle = tree.visualRect(tree.model().index(row, 0))
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=rectangle.center())


def press(button: QWidget) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_removed_course_comes_back_on_undo(running: RunningWindow) -> None:
    bar = running.window.sidebar.removed_bar
    running.window.actions_.remove_course.trigger()
    assert running.rag.counts().courses == 3, "nothing is selected yet"
    select(running, 1)
    running.window.actions_.remove_course.trigger()
    running.wait_for(bar.isVisible, "the bar")
    assert BREAD in bar.text.text()
    running.wait_for(lambda: len(listed(running)) == 2, "the course to go")
    press(bar.undo)
    running.wait_for(lambda: len(listed(running)) == 3, "the course to come back")
    assert not bar.isVisible()
    assert running.rag.search("sourdough").hits[0].course_title == BREAD


def test_the_trash_restores_and_is_emptied(running: RunningWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for title in (INK, TIDES):
        running.window.sidebar.remove_course_requested.emit(title)
    running.wait_for(lambda: len(listed(running)) == 1, "the courses to go")
    running.window.actions_.trash.trigger()
    dialog = running.window.library_control.trash
    assert dialog is not None
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 2, "the list")
    press(dialog.restore)
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 1, "one to come back")
    assert running.rag.counts().courses == 2
    answers = [False, True]
    monkeypatch.setattr(errors, "confirm", lambda *_: answers.pop(0))
    press(dialog.empty)
    assert dialog.list.topLevelItemCount() == 1
    press(dialog.empty)
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 0, "the trash to be empty")
    running.wait_for(lambda: not running.window.is_reading, "the end of it")
    assert not dialog.restore.isEnabled()
    assert not dialog.empty.isEnabled()
    assert running.rag.housekeeping.trash() == ()
    dialog.accept()


def test_exported_and_imported(
    running: RunningWindow,
    open_window: Callable[[Path], RunningWindow],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.zip"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    running.window.actions_.export_library.trigger()
    assert running.window.is_reading
    running.wait_for(lambda: not running.window.is_reading, "the export")
    assert path.is_file()
    running.window.sidebar.remove_course_requested.emit(BREAD)
    running.wait_for(lambda: len(listed(running)) == 2, "the course to go")
    running.window.actions_.import_library.trigger()
    running.wait_for(lambda: len(listed(running)) == 3, "the course to come back")
    running.wait_for(lambda: not running.window.is_reading, "the import")


def test_a_bad_archive_is_refused_with_a_sentence(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "bad.zip"
    path.write_text("no archive", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    told: list[str] = []
    running.workers.ingest.failed.connect(lambda _, sentence: told.append(sentence))
    running.window.actions_.import_library.trigger()
    running.wait_for(lambda: not running.window.is_reading, "the refusal")
    assert "is not a library that Lectern exported" in told[0]
    assert len(listed(running)) == 3
