"""The menu commands of the trash, of backups, and of exporting and importing a library."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.features.keeping.ui.controller import KeepingController

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

tr = partial(QCoreApplication.translate, "Actions")


def add_commands(window: MainWindow) -> None:
    """Offer them in the menu Course."""
    controller = KeepingController(window)
    add = partial(window.actions_.add, "course")
    add("trash", "trash", tr("&Trash…"), "Ctrl+Shift+T", controller.open_trash)
    add("library", "export_library", tr("&Export library…"), "Ctrl+Shift+E", controller.export_library)
    add("library", "import_library", tr("&Import library…"), "Ctrl+Shift+M", controller.import_library)
    add("library", "restore_backup", tr("Restore a &backup…"), "Ctrl+Shift+B", controller.open_backups)
    window.damaged.connect(controller.open_backups)
