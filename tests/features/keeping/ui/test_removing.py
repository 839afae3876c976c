"""Removing, the trash and moving a library, in the real window with its workers."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.features.keeping.ui.controller import KeepingController
from app.features.keeping.ui.dialogs import ImportDialog
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.dialog import MessageDialog
from tests.support.courses import TITLES
from tests.support.file_dialogs import choose_files
from tests.support.running_window import RunningWindow, part
from tests.support.study import MOON, add_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.ui.library.file_dialogs import FilesDialog
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
    assert not running.window.actions_["remove_course"].isEnabled(), "nothing is selected yet"
    select(running, 1)
    running.window.actions_["remove_course"].trigger()
    running.wait_for(bar.isVisible, "the bar")
    assert BREAD in bar.text.text()
    running.wait_for(lambda: len(listed(running)) == 2, "the course to go")
    press(bar.undo)
    running.wait_for(lambda: len(listed(running)) == 3, "the course to come back")
    assert not bar.isVisible()
    assert running.rag.search.retrieve("sourdough").hits[0].course_title == BREAD


@pytest.mark.parametrize("waits", [True, False], ids=["once it is gone", "while it goes"])
def test_a_removed_course_comes_back_on_its_key(running: RunningWindow, waits: bool) -> None:
    """A course of many lessons takes seconds to go."""
    sidebar = running.window.sidebar
    trashed: list[int] = []
    running.workers.snapshot.connect(lambda snapshot: trashed.append(len(snapshot.courses)))
    select(running, 1)
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Delete)
    if waits:
        running.wait_for(sidebar.removed_bar.isVisible, "the bar")
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    running.wait_for(lambda: trashed[-1:] == [3] and 2 in trashed, "the course to come back")
    assert not sidebar.removed_bar.isVisible()
    assert len(listed(running)) == 3


def test_in_an_empty_library_there_is_nothing_to_remove(running: RunningWindow) -> None:
    running.window.library_controller.remove_courses((INK, BREAD, TIDES))
    running.wait_for(lambda: running.window.sidebar.is_empty, "the courses to go")
    assert not running.window.actions_["remove_course"].isEnabled()


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot vanish there")
def test_a_library_deleted_while_it_is_open_is_said(running: RunningWindow, data_dir: Path) -> None:
    while data_dir.exists():  # something may still be written
        shutil.rmtree(data_dir, ignore_errors=True)
    running.window.sidebar.remove_course_requested.emit(BREAD)
    running.wait_for(lambda: isinstance(QApplication.activeModalWidget(), MessageDialog), "the sentence")
    said = modal().accessibleDescription()
    assert said.startswith(f"The library in {data_dir} was deleted, moved or replaced while it was open")
    assert not running.window.sidebar.removed_bar.isVisible()
    modal().close()


def test_the_trash_restores_and_is_emptied(running: RunningWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    for title, sentence in ((INK, "Lamp black was mixed with gum arabic"), (TIDES, MOON)):
        add_item(running.rag, title, sentence)
        running.window.sidebar.remove_course_requested.emit(title)
    running.wait_for(lambda: len(listed(running)) == 1, "the courses to go")
    running.window.actions_["trash"].trigger()
    dialog = part(running.window, KeepingController).trash
    assert dialog is not None
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 2, "the list")
    press(dialog.restore)
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 1, "one to come back")
    assert running.rag.courses.counts().courses == 2
    answers, asked = [False, True], list[str]()

    def confirm(*said: str) -> bool:
        asked.append(said[2])
        return answers.pop(0)

    monkeypatch.setattr(show, "confirm", confirm)
    press(dialog.empty)
    assert "with 1 study item?" in asked[0]
    assert dialog.list.topLevelItemCount() == 1
    press(dialog.empty)
    running.wait_for(lambda: dialog.list.topLevelItemCount() == 0, "the trash to be empty")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the end of it")
    assert not dialog.restore.isEnabled()
    assert not dialog.empty.isEnabled()
    assert running.rag.trash.entries() == ()
    dialog.accept()


def test_exported_and_imported(
    running: RunningWindow,
    open_window: Callable[[Path], RunningWindow],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path = tmp_path / "mine.zip"
    choose_files(monkeypatch, path)
    running.window.actions_["export_library"].trigger()
    assert running.window.ingest_controller.is_reading
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the export")
    assert path.is_file()
    running.window.sidebar.remove_course_requested.emit(BREAD)
    running.wait_for(lambda: len(listed(running)) == 2, "the course to go")
    QTimer.singleShot(200, lambda: QTest.keyClick(modal(), Qt.Key.Key_Return))
    running.window.actions_["import_library"].trigger()
    running.wait_for(lambda: len(listed(running)) == 3, "the course to come back")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the import")


def test_a_library_is_replaced_only_if_that_is_really_meant(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "mine.zip"
    choose_files(monkeypatch, path)
    select(running, 0)
    running.window.actions_["remove_course"].trigger()
    running.wait_for(lambda: len(listed(running)) == 2, "the course to go")
    running.window.actions_["export_library"].trigger()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the export")
    running.window.sidebar.removed_bar.take_back()
    running.wait_for(lambda: len(listed(running)) == 3, "the course to come back")
    sure = [False, True]
    monkeypatch.setattr(show, "confirm", lambda *_: sure.pop(0))
    for _ in range(2):
        QTimer.singleShot(200, replace_library)
        running.window.actions_["import_library"].trigger()
        assert running.window.ingest_controller.is_reading is (not sure)
    running.wait_for(lambda: len(listed(running)) == 2, "the other library")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the import")
    assert running.rag.trash.entries() == ()


def test_an_import_can_be_given_up(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    choose_files(monkeypatch, tmp_path / "mine.zip")
    QTimer.singleShot(200, lambda: QTest.keyClick(modal(), Qt.Key.Key_Escape))
    running.window.actions_["import_library"].trigger()
    assert not running.window.ingest_controller.is_reading
    assert len(listed(running)) == 3


def test_replacing_says_that_it_can_be_undone_only_if_backups_are_made(qtbot: QtBot) -> None:
    for backed_up in (True, False):
        dialog = ImportDialog("mine.zip", "3 courses", backed_up=backed_up)
        qtbot.addWidget(dialog)
        loss = dialog.loss.text()
        assert ("for good" in loss) != backed_up
        assert ("Settings › Library restores it" in loss) == backed_up


def modal() -> QWidget:
    found = QApplication.activeModalWidget()
    assert found is not None
    return found


def replace_library() -> None:
    """Choose to replace the library in the dialog that is open."""
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportDialog)
    assert dialog.add.isDefault()
    press(dialog.replace)


def open_files(running: RunningWindow) -> FilesDialog:
    running.window.actions_["files"].trigger()
    dialog = running.window.library_controller.files
    assert dialog is not None
    return dialog


def test_the_files_are_listed_in_one_dialog(running: RunningWindow) -> None:
    dialog = open_files(running)
    running.window.library_controller.open_files("bread")
    assert open_files(running) is dialog
    assert dialog.filter.text() == ""
    dialog.accept()


def test_a_file_is_removed_and_comes_back(running: RunningWindow) -> None:
    dialog = open_files(running)
    assert dialog.heading.text() == "3 files"
    assert not dialog.remove.isEnabled()
    QTest.keyClicks(dialog.filter, "bread")
    assert dialog.heading.text() == "1 file"
    running.wait_for(dialog.isActiveWindow, "the dialog")
    dialog.table.setFocus()
    dialog.table.selectRow(0)
    QTest.keyClick(dialog.table, Qt.Key.Key_Delete)
    running.wait_for(lambda: len(listed(running)) == 2, "the file to go")
    assert dialog.heading.text() == "0 files"
    dialog.filter.clear()
    assert dialog.heading.text() == "2 files"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    bar = running.window.sidebar.removed_bar
    running.wait_for(bar.isVisible, "the bar")
    press(bar.undo)
    running.wait_for(lambda: len(listed(running)) == 3, "the file to come back")


def test_one_file_of_a_course_is_said_by_its_name(running: RunningWindow, tmp_path: Path) -> None:
    folder = tmp_path / "Knots"
    folder.mkdir()
    for n in (1, 2):
        (folder / f"{n}.md").write_text(f"# Part {n}\n\nA knot of kind {n} holds.\n", encoding="utf-8")
    running.window.ingest_controller.read([folder])
    running.wait_for(lambda: len(listed(running)) == 4, "the course")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to end")
    running.window.library_controller.remove_files((str(folder / "2.md"),))
    bar = running.window.sidebar.removed_bar
    running.wait_for(bar.isVisible, "the bar")
    assert bar.text.text() == "Removed “2.md”"
    assert len(listed(running)) == 4


def test_a_folder_and_everything_are_asked_about(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    answers = [False, True, False, True]

    def answer(_parent: object, _title: str, question: str, _action: str) -> bool:
        asked.append(question)
        return answers.pop(0)

    monkeypatch.setattr(show, "confirm", answer)
    dialog = open_files(running)
    dialog.table.selectRow(1)
    press(dialog.remove_folder)
    assert len(listed(running)) == 3
    press(dialog.remove_folder)
    running.wait_for(lambda: listed(running) == [], "all files of the folder to go")
    assert not dialog.remove_all.isEnabled()
    assert asked[0].startswith("Remove 3 files from the library? Removed items stay in the trash")
    dialog.accept()
    bar = running.window.sidebar.removed_bar
    running.wait_for(lambda: bar.text.text() == "Removed 3 courses", "the way back")
    press(bar.undo)
    running.wait_for(lambda: len(listed(running)) == 3, "them to come back")
    for _ in range(2):
        running.window.actions_["remove_all"].trigger()
    running.wait_for(lambda: listed(running) == [], "everything to go")
    assert asked[-1].startswith("Remove 3 courses, 6 lessons from")


def test_a_bad_archive_is_refused_with_a_sentence(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "bad.zip"
    path.write_text("no archive", encoding="utf-8")
    choose_files(monkeypatch, path)
    told: list[str] = []
    monkeypatch.setattr(running.window.ingest_status, "fail", told.append)
    QTimer.singleShot(200, lambda: QTest.keyClick(modal(), Qt.Key.Key_Return))
    running.window.actions_["import_library"].trigger()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the refusal")
    assert "is not a library exported by Lectern" in told[0]
    assert len(listed(running)) == 3
