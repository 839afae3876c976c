"""Removing, the trash, and moving a library: carries what is asked for to the workers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QLocale, QObject, QStandardPaths
from PySide6.QtWidgets import QFileDialog

from app.config.settings import adopt
from app.domain.moving import LibraryImported
from app.ui import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.config.settings import Settings
    from app.domain.events import IngestEvent
    from app.domain.removal import TrashEntry
    from app.ui.dialogs.trash_dialog import TrashDialog
    from app.ui.undo_bar import UndoBar
    from app.workers.workers import Workers

_ENDING = ".lectern.zip"


class LibraryControl(QObject):
    """Has courses removed and brought back, and the library exported and imported.

    Args:
        bar: offers to undo a removal.
        window: asks for files in front of it.
        begin: shows in the status bar that a job begins; returns its number.
        settings: returns those of now, as stored.
    """

    def __init__(
        self,
        bar: UndoBar,
        window: QWidget,
        begin: Callable[[str], int],
        settings: Callable[[], Settings],
    ) -> None:
        super().__init__(window)
        self._bar = bar
        self._window = window
        self._begin = begin
        self._settings = settings
        self._workers: Workers | None = None
        self._dialog: TrashDialog | None = None

    @property
    def trash(self) -> TrashDialog | None:
        """The dialog that is open."""
        return self._dialog

    def attach(self, workers: Workers) -> None:
        """Connect the workers."""
        self._workers = workers
        self._bar.undo_requested.connect(workers.restore_documents_requested)
        workers.library.removed.connect(self._offer_undo)
        workers.library.trash_listed.connect(self._show_trash)
        workers.ingest.happened.connect(self._happened)
        workers.ingest.snapshot.connect(self._refresh)

    def detach(self) -> None:
        """The workers are about to end."""
        self._workers = None

    def open_trash(self) -> None:
        """Show what was removed."""
        if self._workers is None or self._dialog is not None:
            return
        # Here, since the first picture of the window would wait for it.
        from app.ui.dialogs.trash_dialog import TrashDialog

        self._dialog = TrashDialog(self._window)
        self._dialog.restore_requested.connect(self._restore)
        self._dialog.empty_requested.connect(self._empty)
        self._dialog.finished.connect(self._forget_dialog)
        self._dialog.open()
        self._workers.trash_requested.emit()

    def export_library(self) -> None:
        """Ask for a file and write the library to it."""
        name = str(Path(_documents_folder(), self.tr("My library") + _ENDING))
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Export library"), name, self.tr("Lectern library (*.zip)")
        )
        if chosen and self._workers is not None:
            path = Path(chosen)
            path = path if path.suffix.lower() == ".zip" else path.with_name(path.name + _ENDING)
            self._workers.export_library_requested.emit(self._begin(self.tr("Exporting the library")), path)

    def import_library(self) -> None:
        """Ask for an exported file and add what is in it to the library."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Import library"), _documents_folder(), self.tr("Lectern library (*.zip)")
        )
        if chosen and self._workers is not None:
            job = self._begin(self.tr("Importing the library"))
            self._workers.import_library_requested.emit(job, Path(chosen))

    def _restore(self, documents: tuple[int, ...]) -> None:
        if self._workers is not None:
            self._workers.restore_documents_requested.emit(documents)

    def _empty(self) -> None:
        question = self.tr("Delete everything in the trash for good? This can not be undone.")
        if errors.confirm(self._dialog, self.tr("Empty trash"), question, self.tr("Delete")):
            self._bar.dismiss()
            if self._workers is not None:
                self._workers.empty_trash_requested.emit(self._begin(self.tr("Emptying the trash")))

    def _offer_undo(self, entries: tuple[TrashEntry, ...]) -> None:
        """Courses were removed just now."""
        if not entries:
            return
        count = QLocale().toString(len(entries))
        self._bar.offer(
            [key for entry in entries for key in entry.documents],
            self.tr("Removed “{0}”").format(entries[0].course_title)
            if len(entries) == 1
            else self.tr("Removed {0} courses").format(count),
        )

    def _happened(self, job: int, event: IngestEvent) -> None:
        if isinstance(event, LibraryImported) and self._workers is not None:
            self._workers.list_conversations_requested.emit()
            if event.settings:
                settings = adopt(self._settings(), event.settings)
                self._workers.save_requested.emit(settings, None, False)

    def _refresh(self) -> None:
        if self._dialog is not None and self._workers is not None:
            self._workers.trash_requested.emit()

    def _show_trash(self, entries: tuple[TrashEntry, ...]) -> None:
        if self._dialog is not None:
            self._dialog.set_entries(entries)

    def _forget_dialog(self) -> None:
        self._dialog = None


def _documents_folder() -> str:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    return QStandardPaths.writableLocation(place) or QDir.homePath()
