"""Files that could not be read, in the real window: listed, tried again, and not forgotten."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message
from app.ui.library.file_dialogs import FailuresDialog
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder

READABLE = b"Course Title: Knots\n\nLesson 1: Bowline\nA bowline makes a loop that does not slip.\n"


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[Callable[[], RunningWindow]]:
    opened: list[RunningWindow] = []

    def open_one() -> RunningWindow:
        if opened:
            opened.pop().close()
        opened.append(RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir))
        opened[0].open()
        opened[0].wait_until_ready(samples=False)
        return opened[0]

    yield open_one
    for running in opened:
        running.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two files that cannot be read."""
    made = tmp_path / "knots"
    made.mkdir()
    for name in ("1.txt", "2.txt"):
        (made / name).write_bytes(bytes(len(READABLE)))
    return made


def mend(file: Path) -> None:
    """Give a file content that can be read, its size and time as they were."""
    before = file.stat()
    file.write_bytes(READABLE.replace(b"Knots", b"Knot" + file.stem.encode()))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def list_failures(running: RunningWindow) -> FailuresDialog:
    running.window.actions_["failures"].trigger()
    running.wait_for(lambda: isinstance(QApplication.activeModalWidget(), FailuresDialog), "the list")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, FailuresDialog)
    return dialog


def text(running: RunningWindow) -> str:
    return running.window.actions_["failures"].text()


def test_one_and_all_are_tried_again(open_window: Callable[[], RunningWindow], folder: Path) -> None:
    running = open_window()
    assert not running.window.actions_["failures"].isEnabled()
    running.read(folder)
    assert text(running) == "2 files could not be rea&d…"
    for name in ("1.txt", "2.txt"):
        mend(folder / name)
    running.read(folder)  # by themselves they are not tried again
    assert text(running) == "2 files could not be rea&d…"
    dialog = list_failures(running)
    assert dialog.table.model().rowCount() == 2
    dialog.table.selectRow(0)
    QTest.mouseClick(dialog.retry, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: text(running) == "1 file could not be rea&d…", "one to be read")
    assert [course.title for course in running.rag.courses.all()][2:3] == ["Knot1"]
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to end")
    dialog = list_failures(running)
    assert not dialog.retry_all.isVisible()
    QTest.mouseClick(dialog.retry, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: not running.window.actions_["failures"].isEnabled(), "the other to be read")
    assert running.rag.courses.counts().courses == 5


def test_they_survive_a_restart_and_leave_with_their_file(
    open_window: Callable[[], RunningWindow], folder: Path
) -> None:
    open_window().read(folder)
    running = open_window()
    running.wait_for(lambda: text(running) == "2 files could not be rea&d…", "the count")
    (folder / "1.txt").unlink()
    dialog = list_failures(running)
    assert dialog.table.model().rowCount() == 1
    assert "2.txt" in dialog.details.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert text(running) == "1 file could not be rea&d…"
    (folder / "2.txt").unlink()
    running.window.actions_["failures"].trigger()
    running.wait_for(lambda: not running.window.actions_["failures"].isEnabled(), "an empty list")
    assert not isinstance(QApplication.activeModalWidget(), FailuresDialog)


def test_pictures_and_data_are_no_failures(
    open_window: Callable[[], RunningWindow], folder: Path, qtbot: QtBot
) -> None:
    for name in ("map.svg", "photo.heic", "table.parquet"):
        (folder / name).write_bytes(b"\0" * 64)
    running = open_window()
    running.read(folder)
    assert text(running) == "2 files could not be rea&d…"
    refused = next(
        link for link in running.window.ingest_status.findChildren(QPushButton) if "failed" in link.text()
    )
    assert refused.toolTip() == "Show 2 failed, 3 skipped"
    QTest.mouseClick(refused, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: isinstance(QApplication.activeModalWidget(), FailuresDialog), "the list")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, FailuresDialog)
    assert dialog.heading.text() == "2 files failed"
    assert dialog.table.model().rowCount() == 2
    assert dialog.show_rest.text() == "Show 3 files without text"
    QTest.mouseClick(dialog.show_rest, Qt.MouseButton.LeftButton)
    assert dialog.table.model().rowCount() == 5
    assert not dialog.show_rest.isVisible()
    dialog.accept()
    picture = FileDone(
        "/c/map.bmp", FileStatus.SKIPPED, reason=Message("ingest.no_text_picture", extension=".bmp")
    )
    calm = FailuresDialog([picture])
    qtbot.addWidget(calm)
    assert calm.heading.text() == "1 file without text to ask about"
    assert calm.windowTitle() == "Files without text"
    assert calm.table.model().rowCount() == 1
