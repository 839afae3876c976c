"""Restoring a backup in the window: over an open library, and when the library cannot be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.cancel import CancelToken
from app.features.keeping.ui.dialogs import BackupsDialog
from app.ui.widgets import show_dialogs as show
from tests.support.courses import TITLES, library
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[Callable[[], RunningWindow]]:
    """Open a window on a library that has a backup."""
    with library(data_dir, embedder) as rag:
        rag.backups.make_daily(CancelToken())
    opened: list[RunningWindow] = []

    def open_one() -> RunningWindow:
        opened.append(RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir))
        opened[-1].open()
        return opened[-1]

    yield open_one
    for running in opened:
        running.close()


def dialog_of(running: RunningWindow) -> BackupsDialog:
    running.wait_for(lambda: isinstance(QApplication.activeModalWidget(), BackupsDialog), "the backups")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, BackupsDialog)
    return dialog


def test_over_an_open_library(
    open_window: Callable[[], RunningWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "confirm", lambda *_: True)
    running = open_window()
    running.wait_until_ready(samples=False)
    running.window.library_controller.remove_courses(TITLES[:2])
    running.wait_for(lambda: running.rag.courses.counts().courses == 1, "the courses to go")
    running.window.actions_["restore_backup"].trigger()
    dialog = dialog_of(running)
    assert dialog.list.topLevelItemCount() == 1
    QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: running.window.sidebar.tree.model().rowCount() == 3, "the courses")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the end")
    assert [course.title for course in running.rag.courses.all()] == TITLES
    assert len(running.rag.backups.all()) == 2
    running.ask("What is a sourdough starter?")
    assert running.window.chat_controller.last_exchange_id


@pytest.mark.parametrize("kind", ["no database", "a page"])
def test_when_the_library_is_damaged(
    open_window: Callable[[], RunningWindow], monkeypatch: pytest.MonkeyPatch, data_dir: Path, kind: str
) -> None:
    monkeypatch.setattr(show, "confirm", lambda *_: True)
    path = data_dir / "library.sqlite3"
    data = bytearray(path.read_bytes())
    start = 0 if kind == "no database" else 4096 * 3
    data[start : 4096 * 12] = b"\xff" * (4096 * 12 - start)
    path.write_bytes(data)
    running = open_window()
    dialog = dialog_of(running)
    assert running.window.has_failed
    assert "cannot be opened" in dialog.heading.text()
    QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    running.wait_until_ready(samples=False)
    assert not running.window.has_failed
    assert running.window.sidebar.tree.model().rowCount() == 3
    (kept,) = (data_dir / "backups").glob("damaged.*.sqlite3")
    assert kept.read_bytes() == bytes(data)


def test_without_backups_it_says_so(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder
) -> None:
    dialog = BackupsDialog(())
    qtbot.addWidget(dialog)
    assert dialog.list.topLevelItemCount() == 0
    assert not hasattr(dialog, "restore")
