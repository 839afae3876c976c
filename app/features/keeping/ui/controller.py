"""The trash, backups, export and import in the window, with their menu commands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.config.settings import adopt
from app.domain.keeping import Backup, LibraryImported, TrashEntry
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.desktop import ask_for_file, ask_for_new_file
from app.ui.widgets.messages import shown
from app.workers.job import Lane

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QDialog

    from app.domain.messages import Message
    from app.features.keeping.transfer import TransferService
    from app.features.keeping.ui.dialogs import TrashDialog
    from app.ui.shell.main_window import MainWindow


class KeepingController(QObject):
    """Confirms requests with the user and passes them to the workers."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._workers = window.workers
        self._library = window.library_controller
        self.trash: TrashDialog | None = None
        self._workers.snapshot.connect(self._refresh)
        self._library.restored.connect(self._refresh)

    @property
    def _transfer(self) -> TransferService:
        from app.features.keeping.transfer import TransferService  # after the first frame

        return self._workers.rag.service(TransferService)

    def open_trash(self) -> None:
        if self.trash is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.features.keeping.ui.dialogs import TrashDialog

        self.trash = TrashDialog(self._window)
        self.trash.restore_requested.connect(self._library.restore)
        self.trash.empty_requested.connect(self._empty)
        self.trash.finished.connect(self._forget_dialog)
        self.trash.open()
        self._refresh()

    def export_library(self) -> None:
        def export(path: Path) -> None:
            self._library.start(
                self._workers.ingest.run(lambda _, job: self._transfer.export_library(path, job.token)),
                self.tr("Exporting the library"),
                None,
            )

        name, kinds = f"{self.tr('My library')}.lectern", {self.tr("Lectern library (*.zip)"): ".zip"}
        ask_for_new_file(self._window, self.tr("Export library"), "", name, kinds, export)

    def import_library(self) -> None:
        """Ask for an exported library and add it, or replace the library with it."""
        kinds = self.tr("Lectern library (*.zip)")
        ask_for_file(self._window, self.tr("Import library"), "", kinds, self._import)

    def _import(self, path: Path) -> None:
        replace = self._ask_how(path) if self._library.courses else False
        if replace is None:
            return
        if replace:
            self._library.replaced.emit()
        importing = self._workers.ingest.run(
            lambda _, job: self._transfer.import_library(path, job.token, replace=replace)
        )
        self._library.start(importing, self.tr("Importing the library"), partial(self._take_import, replace))

    def open_backups(self, problem: Message | None = None) -> None:
        """List the backups to restore one; ``problem`` says why the library cannot be opened."""

        def show_list(backups: tuple[Backup, ...]) -> None:
            # Imported late so that the window paints sooner.
            from app.features.keeping.ui.dialogs import BackupsDialog

            dialog = BackupsDialog(backups, shown(problem) if problem else "", self._window)
            dialog.restore_requested.connect(lambda backup: self._restore_backup(backup, dialog))
            dialog.open()

        self._workers.job(
            Lane.READ, "Listing the backups", lambda rag, _: rag.backups.all(), key="library"
        ).run(self, success=show_list)

    def _restore_backup(self, backup: Backup, dialog: QDialog) -> None:
        question = self.tr("Replace your library with this backup?")
        if show.confirm(dialog, self.tr("Restore a backup"), question, self.tr("Restore")):
            dialog.accept()
            self._library.replaced.emit()
            restoring = self._workers.ingest.restore(backup)
            self._library.start(restoring, self.tr("Restoring the backup"), lambda _: None)

    def _ask_how(self, path: Path) -> bool | None:
        """Return whether a file replaces the library; None to cancel."""
        # Imported late so that the window paints sooner.
        from app.features.keeping.ui.dialogs import ImportDialog

        backed_up = self._window.settings.backup_gigabytes > 0
        dialog = ImportDialog(path.name, self._library.holdings, self._window, backed_up=backed_up)
        if not dialog.ask():
            return None
        if not dialog.is_replacing:
            return False
        title, question = self.tr("Replace library"), self.tr("Delete {0} and all chats?")
        is_sure = show.confirm(self._window, title, question.format(self._library.holdings), title)
        return True if is_sure else None

    def _empty(self, items: int) -> None:
        question = self.tr("Delete everything in the trash for good? You cannot undo this.")
        if items:
            question = self.tr(
                "Delete everything in the trash for good, with %Ln study item(s)? You cannot undo this.",
                None,
                items,
            )
        if show.confirm(self.trash, self.tr("Empty trash"), question, self.tr("Delete")):
            self._library.forget_removals()
            emptying = self._workers.ingest.run(lambda rag, job: rag.trash.empty(job.token))
            self._library.start(emptying, self.tr("Emptying the trash"), None)

    def _take_import(self, replaces: bool, event: object) -> None:
        if isinstance(event, LibraryImported):
            if replaces:
                self._library.replaced.emit()
            self._workers.conversations.list().run(self)
            if event.settings:
                before = self._window.settings
                settings = adopt(before, event.settings)
                self._workers.library.save_settings(settings, before=before).run(self)

    def _refresh(self) -> None:
        if self.trash is not None:
            self._workers.job(
                Lane.READ, "Listing the trash", lambda rag, _: rag.trash.entries(), key="library"
            ).run(self, success=self._show_trash)

    def _show_trash(self, entries: tuple[TrashEntry, ...]) -> None:
        if self.trash is not None:
            self.trash.set_entries(entries)

    def _forget_dialog(self) -> None:
        self.trash = None


tr = partial(QCoreApplication.translate, "Actions")


def add_commands(window: MainWindow) -> None:
    """Offer the trash in the menu Course, and the others in the settings."""
    controller = KeepingController(window)
    window.actions_.add("course/trash", "trash", tr("&Trash…"), controller.open_trash)
    for title, name, text, run in (
        (tr("Export"), "export_library", tr("Export &library…"), controller.export_library),
        (tr("Import"), "import_library", tr("&Import library…"), controller.import_library),
        (tr("Restore"), "restore_backup", tr("Restore a &backup…"), controller.open_backups),
    ):
        window.settings_controller.add_link(title, window.actions_.add("file", name, text, run))
    window.damaged.connect(controller.open_backups)
