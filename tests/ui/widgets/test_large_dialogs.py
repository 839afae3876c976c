"""Dialogs with large text, in a language that needs more room, on a screen of 800 pixels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.domain.courses import IngestPlan, PlannedCourse, PlannedFile, PlannedFolder, PlannedState
from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message
from app.features.keeping.ui.dialogs import BackupsDialog, ImportDialog, TrashDialog
from app.ui.library.file_dialogs import FailuresDialog, FilesDialog
from app.ui.library.plan_dialog import MoveDialog, PlanDialog
from app.ui.library.plan_model import Column
from app.ui.shell.about_dialog import AboutDialog
from app.ui.widgets.dialog import CrashDialog, MessageDialog
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from resources.packaging import translations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from app.ui.widgets.dialog import Dialog

_FAILED = [
    FileDone(f"/home/me/{n}.txt", FileStatus.FAILED, reason=Message("documents.scanned", name=f"{n}.txt"))
    for n in range(2)
]
DIALOGS: dict[str, Callable[[], Dialog]] = {
    "about": lambda: AboutDialog(Path("/home/somebody/with/a/rather/long/path/.local/share/Lectern")),
    "backups": lambda: BackupsDialog((), "Die Bibliothek ist beschädigt."),
    "crash": lambda: CrashDialog("report\n" * 20),
    "failures": lambda: FailuresDialog(_FAILED),
    "files": lambda: FilesDialog(),
    "import": lambda: ImportDialog("Herbst.lectern.zip", "3 Kurse, 21 Lektionen", backed_up=True),
    "message": lambda: MessageDialog("Bibliothek ersetzen", "Wirklich? " * 30, action="Bibliothek ersetzen"),
    "move": lambda: MoveDialog(2, ["Knoten"]),
    "plan": lambda: _planned(),
    "trash": lambda: TrashDialog(),
}


def _planned() -> PlanDialog:
    file = PlannedFile("/c/1.txt", 888, PlannedState.NEW, 1, "Knoten")
    dialog = PlanDialog([Path("/c")])
    folder = PlannedFolder("/c", one_course=False, is_new=True)
    dialog.show_plan(IngestPlan(("/c",), (PlannedCourse("Knoten", (file,)),), (), (folder,)))
    return dialog


@pytest.fixture
def _large_german(qapp: QApplication, tmp_path: Path) -> Iterator[None]:
    compiled = tmp_path / "lectern_de.qm"
    translations.compile_catalogue(translations.CATALOGUES / "lectern_de.ts", compiled)
    german = QTranslator()
    assert german.load(str(compiled))
    qapp.installTranslator(german)
    apply_theme(qapp, theme_for("light", 200))
    yield
    qapp.removeTranslator(german)
    apply_theme(qapp, Theme.light())


@pytest.mark.usefixtures("_large_german")
@pytest.mark.parametrize("name", DIALOGS)
def test_nothing_is_cut_off(qtbot: QtBot, name: str) -> None:
    dialog = DIALOGS[name]()
    dialog.open()
    qtbot.waitExposed(dialog)
    room = dialog.screen().availableSize()
    assert dialog.width() <= room.width() - 8
    assert dialog.height() <= room.height() - 32, "its title bar has no room"
    for button in dialog.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert button.width() >= button.sizeHint().width(), button.text()
            assert dialog.rect().contains(button.mapTo(dialog, button.rect().bottomRight())), button.text()
    for label in dialog.findChildren(QLabel):
        if label.isVisible() and label.wordWrap():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
    dialog.close()


@pytest.mark.usefixtures("_large_german")
def test_the_sizes_of_files_are_whole(qtbot: QtBot) -> None:
    dialog = _planned()
    qtbot.addWidget(dialog)
    dialog.show()
    row = dialog.tree.model().index(0, Column.SIZE)
    assert row.data() == "888 bytes"
    assert dialog.tree.sizeHintForIndex(row).width() <= dialog.tree.columnWidth(Column.SIZE)
