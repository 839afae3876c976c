"""Pictures of adding, reading, removing and moving files, for ``tests.tools.screenshots``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton, QWidget

from app.domain.cancel import CancelToken
from app.features.keeping.ui.controller import KeepingController
from app.features.keeping.ui.dialogs import BackupsDialog, ImportDialog
from app.ui.library.plan_dialog import MoveDialog
from tests.support.running_window import part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_TOPICS = {
    "Knots and Ropework": ("Rope", "Bends", "Hitches", "Loops", "Splices", "Lashings", "Care of rope"),
    "Reading the Weather": ("Clouds", "Pressure", "Wind", "Fronts", "Fog", "Forecasts", "Barometers"),
    "Sailing": ("Points of sail", "Tacking", "Gybing", "Reefing", "Anchoring", "Heaving to", "Mooring"),
}


def keeping_states(pictures: Pictures) -> None:
    """Walk through what a student does with files."""
    with pictures.window() as (running, folder):
        term = write_term(folder / "Autumn term")
        _adding(pictures, running, term)
        _failing(pictures, running)
        _removing(pictures, running, term)
        _importing(pictures, running)
        _restoring(pictures, running)


def write_term(folder: Path) -> Path:
    """Write a folder with three courses, and files in it that are not read."""
    for course, lessons in _TOPICS.items():
        (folder / course).mkdir(parents=True)
        for n, lesson in enumerate(lessons, 1):
            body = f"{lesson} is the subject of this lesson, told slowly and more than once. " * 80
            (folder / course / f"{n:02} {lesson}.md").write_text(f"# {lesson}\n\n{body}\n", encoding="utf-8")
    for name in ("cover.png", "recording.mp4"):
        (folder / name).write_bytes(bytes(2000))
    (folder / "Sailing" / "08 Scan.pdf").write_bytes(b"%PDF-1.7\n")
    (folder / "Sailing" / "09 Notes.txt").write_bytes(bytes(range(256)) * 40)
    return folder


def _adding(pictures: Pictures, running: RunningWindow, term: Path) -> None:
    plans = running.window.ingest_controller.plan_controller
    running.window.ingest_controller.add_paths([term])
    running.wait_for(lambda: plans.dialog is not None and bool(plans.dialog.draft.files), "")
    dialog = plans.dialog
    assert dialog is not None
    pictures.take(running, "plan")
    model, tree = dialog.tree.model(), dialog.tree
    tree.setCurrentIndex(model.index(1, 0, model.index(0, 0)))
    dialog.exclude.trigger()
    tree.setCurrentIndex(model.index(1, 0))
    dialog.rename.trigger()
    pictures.take(running, "plan-renaming")
    field = tree.findChild(QLineEdit)
    assert field is not None
    QTest.keyClick(field, Qt.Key.Key_Escape)
    moving = MoveDialog(1, list(_TOPICS), dialog)
    moving.open()
    pictures.take(running, "plan-moving")
    moving.close()
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: running.rag.courses.counts().documents > 9, "some files")
    pictures.take(running, "reading")
    pause = running.window.ingest_status.findChild(QToolButton, "pause")
    assert pause is not None
    QTest.mouseClick(pause, Qt.MouseButton.LeftButton)
    QTest.qWait(600)
    pictures.take(running, "paused")
    QTest.mouseClick(pause, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "reading to end")
    pictures.take(running, "read-some-failed")


def _failing(pictures: Pictures, running: RunningWindow) -> None:
    running.window.actions_["failures"].trigger()
    running.wait_for(lambda: QApplication.activeModalWidget() is not None, "the list")
    pictures.take(running, "failures")
    QTest.keyClick(_front(), Qt.Key.Key_Escape)


def _removing(pictures: Pictures, running: RunningWindow, term: Path) -> None:
    window = running.window
    window.actions_["files"].trigger()
    files = window.library_controller.files
    assert files is not None
    files.filter.setText("sail")
    files.table.selectRow(1)
    pictures.take(running, "files")
    _in_front(lambda: pictures.take(running, "remove-confirm"))
    QTest.mouseClick(files.remove_folder, Qt.MouseButton.LeftButton)
    files.remove_requested.emit((str(term / "Sailing" / "03 Gybing.md"),))
    QTest.keyClick(files, Qt.Key.Key_Escape)
    window.actions_["sidebar"].setChecked(True)
    running.wait_for(window.sidebar.removed_bar.isVisible, "the bar")
    pictures.take(running, "undo-a-file")
    title = running.rag.courses.all()[0].title
    window.library_controller.remove_course(title)
    running.wait_for(lambda: title in window.sidebar.removed_bar.text.text(), "the bar")
    pictures.take(running, "undo-a-course")
    window.library_controller.remove_samples()
    running.wait_for(lambda: title not in window.sidebar.removed_bar.text.text(), "the bar")
    window.actions_["trash"].trigger()
    trash = part(window, KeepingController).trash
    assert trash is not None
    running.wait_for(lambda: trash.list.topLevelItemCount() > 2, "the trash")
    pictures.take(running, "trash")
    QTest.keyClick(trash, Qt.Key.Key_Escape)


def _importing(pictures: Pictures, running: RunningWindow) -> None:
    dialog = ImportDialog("Autumn term.lectern.zip", "3 courses, 21 lessons", running.window, backed_up=True)
    dialog.open()
    pictures.take(running, "import")
    dialog.close()


def _restoring(pictures: Pictures, running: RunningWindow) -> None:
    running.rag.backups.make_daily(CancelToken())
    for name, problem in (("backups", ""), ("library-damaged", "The library in /home/me is damaged.")):
        dialog = BackupsDialog(running.rag.backups.all(), problem, running.window)
        dialog.open()
        pictures.take(running, name)
        dialog.close()


def _in_front(act: Callable[[], None]) -> None:
    """Do something once the dialog that is about to be waited for is open, then cancel it."""

    def do() -> None:
        act()
        QTest.keyClick(_front(), Qt.Key.Key_Escape)

    QTimer.singleShot(200, do)


def _front() -> QWidget:
    found = QApplication.activeModalWidget()
    assert found is not None
    return found
