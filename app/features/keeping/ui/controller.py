"""Removes and restores courses and files, exports and imports libraries."""

from __future__ import annotations

from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog

from app.config.settings import adopt
from app.domain.events import CourseRenamed
from app.features.keeping.transfer.model import LibraryImported
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.folders import start_folder
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import files_text, library_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.config.settings import Settings
    from app.domain.backups import Backup
    from app.domain.courses import Course
    from app.domain.messages import Message
    from app.domain.trash import TrashEntry
    from app.features.keeping.ui.library_dialogs import FilesDialog, TrashDialog
    from app.ui.widgets.undo_bar import UndoBar
    from app.workers.job import Job
    from app.workers.workers import LibrarySnapshot, Workers

    Start = Callable[[Job[None], str, Callable[[object], None] | None], object]

_ENDING = ".lectern.zip"


class LibraryController(QObject):
    """Confirms requests with the user and passes them to the workers.

    Args:
        start: runs a job and shows it in the status bar by a text; a function receives its events.
        settings: returns the current settings as stored.
    """

    # Another library replaces this one; sent before and after. Numbers of documents and chats become invalid.
    replaced = Signal()
    course_renamed = Signal(str, str)  # the former and the new title; before the library is shown with it

    def __init__(
        self,
        bar: UndoBar,
        window: QWidget,
        workers: Workers,
        start: Start,
        settings: Callable[[], Settings],
    ) -> None:
        super().__init__(window)
        self._bar = bar
        self._window = window
        self._workers = workers
        self._start = start
        self._settings = settings
        self._courses: tuple[Course, ...] = ()
        self._held = ""
        self._removing = 0  # removals on their way
        self._takes_back = False  # what they remove
        self.trash: TrashDialog | None = None
        self.files: FilesDialog | None = None
        self.replaced.connect(bar.dismiss)
        bar.undo_requested.connect(self._undo)
        workers.opened.connect(self._take_snapshot)
        workers.snapshot.connect(self._take_snapshot)
        workers.snapshot.connect(self._refresh)

    def open_files(self, search: str = "") -> None:
        """List the files of the library that match ``search``."""
        if self.files is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.features.keeping.ui.library_dialogs import FilesDialog

        self.files = FilesDialog(self._window)
        self.files.filter.setText(search)
        self.files.set_courses(self._courses)
        self.files.remove_requested.connect(self.remove_files)
        self.files.finished.connect(self._forget_files)
        self.files.open()

    def remove_files(self, paths: tuple[str, ...]) -> None:
        """Remove files from the library; ask first if there are several."""
        if len(paths) == 1 or self._confirm_removal(self.tr("Remove files"), files_text(len(paths))):
            self.remove_lesson(paths)

    def remove_lesson(self, paths: tuple[str, ...]) -> None:
        """Remove the files of a lesson; a bar offers to undo it."""
        self._remove(self._workers.library.remove_files(paths))

    def remove_courses(self, titles: Sequence[str]) -> None:
        """Remove courses from the library; a bar offers to undo it."""
        self._remove(self._workers.library.remove_courses(titles))

    def take_back(self) -> None:
        """Undo what the bar offers; what is still being removed comes back as soon as it is gone."""
        if self._removing:
            self._takes_back = True
        else:
            self._bar.take_back()

    def remove_everything(self) -> None:
        """Remove everything from the library, after confirmation."""
        if self._courses and self._confirm_removal(self.tr("Remove everything"), self._held):
            self.remove_courses([course.title for course in self._courses])

    def remove_course(self, title: str) -> None:
        self.remove_courses([title])

    def rename_course(self, old: str, new: str) -> None:
        """Give a course another title; a bar offers to undo it."""
        renaming = self._workers.ingest.rename_course(old, new)
        self._start(renaming, self.tr("Renaming the course"), self._take_new_title)

    def remove_samples(self) -> None:
        if samples := [course.title for course in self._courses if course.is_sample]:
            self.remove_courses(samples)

    def open_trash(self) -> None:
        if self.trash is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.features.keeping.ui.library_dialogs import TrashDialog

        self.trash = TrashDialog(self._window)
        self.trash.restore_requested.connect(self._restore)
        self.trash.empty_requested.connect(self._empty)
        self.trash.finished.connect(self._forget_dialog)
        self.trash.open()
        self._refresh()

    def export_library(self) -> None:
        name = str(Path(start_folder(), self.tr("My library") + _ENDING))
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Export library"), name, self.tr("Lectern library (*.zip)")
        )
        if chosen:
            path = Path(chosen)
            path = path if path.suffix.lower() == ".zip" else path.with_name(path.name + _ENDING)
            self._start(self._workers.ingest.export_library(path), self.tr("Exporting the library"), None)

    def import_library(self) -> None:
        """Ask for an exported library and add it, or replace the library with it."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Import library"), start_folder(), self.tr("Lectern library (*.zip)")
        )
        replace = self._ask_how(Path(chosen)) if chosen and self._courses else False
        if not chosen or replace is None:
            return
        if replace:
            self.replaced.emit()
        importing = self._workers.ingest.import_library(Path(chosen), replace=replace)
        self._start(importing, self.tr("Importing the library"), partial(self._take_import, replace))

    def open_backups(self, problem: Message | None = None) -> None:
        """List the backups to restore one; ``problem`` says why the library cannot be opened."""

        def show_list(backups: tuple[Backup, ...]) -> None:
            # Imported late so that the window paints sooner.
            from app.features.keeping.ui.library_dialogs import BackupsDialog

            dialog = BackupsDialog(backups, shown(problem) if problem else "", self._window)
            dialog.restore_requested.connect(lambda backup: self._restore_backup(backup, dialog))
            dialog.open()

        self._workers.library.list_backups().run(self, success=show_list)

    def _restore_backup(self, backup: Backup, dialog: QDialog) -> None:
        question = self.tr("Replace your library with this backup?")
        if show.confirm(dialog, self.tr("Restore a backup"), question, self.tr("Restore")):
            dialog.accept()
            self.replaced.emit()
            restoring = self._workers.ingest.restore(backup)
            self._start(restoring, self.tr("Restoring the backup"), lambda _: None)

    def _confirm_removal(self, title: str, what: str) -> bool:
        question = self.tr(
            "Remove {0} from the library? Removed items stay in the trash for 30 days. "
            "The files on your disk are not touched."
        ).format(what)
        return show.confirm(self.files or self._window, title, question, self.tr("Remove"))

    def _ask_how(self, path: Path) -> bool | None:
        """Return whether a file replaces the library; None to cancel."""
        # Imported late so that the window paints sooner.
        from app.features.keeping.ui.library_dialogs import ImportDialog

        backed_up = self._settings().backup_gigabytes > 0
        dialog = ImportDialog(path.name, self._held, self._window, backed_up=backed_up)
        if not dialog.ask():
            return None
        if not dialog.replace.isChecked():
            return False
        title, question = self.tr("Replace library"), self.tr("Delete {0} and all chats?")
        is_sure = show.confirm(self._window, title, question.format(self._held), title)
        return True if is_sure else None

    def _remove(self, removal: Job[tuple[TrashEntry, ...]]) -> None:
        self._removing += 1
        removal.run(self, success=self._offer_undo, finished=self._end_removal)

    def _end_removal(self) -> None:
        self._removing -= 1
        if self._takes_back and not self._removing:
            self._takes_back = False
            self._bar.take_back()

    def _undo(self, offered: Sequence[object]) -> None:
        match offered:
            case [CourseRenamed(old, new)]:
                self.rename_course(new, old)
            case _:
                self._restore([key for key in offered if isinstance(key, int)])

    def _take_new_title(self, event: object) -> None:
        if isinstance(event, CourseRenamed):
            self.course_renamed.emit(event.old, event.new)
            self._bar.offer([event], self.tr("Renamed to “{0}”").format(event.new))

    def _restore(self, documents: Sequence[int]) -> None:
        self._workers.library.restore(documents).run(self, success=self._show_trash)

    def _empty(self, items: int) -> None:
        question = self.tr("Delete everything in the trash for good? You cannot undo this.")
        if items:
            question = self.tr(
                "Delete everything in the trash for good, with %Ln study item(s)? You cannot undo this.",
                None,
                items,
            )
        if show.confirm(self.trash, self.tr("Empty trash"), question, self.tr("Delete")):
            self._bar.dismiss()
            self._start(self._workers.ingest.empty_trash(), self.tr("Emptying the trash"), None)

    def _offer_undo(self, entries: tuple[TrashEntry, ...]) -> None:
        if not entries:
            return
        if all(entry.whole_course for entry in entries):
            names = [entry.course_title for entry in entries]
            text = self.tr("Removed %Ln course(s)", None, len(names))
        else:
            names = [PurePath(path).name for entry in entries for path in entry.paths]
            text = self.tr("Removed %Ln file(s)", None, len(names))
        documents = [key for entry in entries for key in entry.documents]
        self._bar.offer(documents, self.tr("Removed “{0}”").format(names[0]) if len(names) == 1 else text)

    def _take_snapshot(self, snapshot: LibrarySnapshot) -> None:
        self._courses = snapshot.courses
        self._held = library_text(snapshot.courses)
        if self.files is not None:
            self.files.set_courses(snapshot.courses)

    def _take_import(self, replaces: bool, event: object) -> None:
        if isinstance(event, LibraryImported):
            if replaces:
                self.replaced.emit()
            self._workers.conversations.list().run(self)
            if event.settings:
                settings = adopt(self._settings(), event.settings)
                self._workers.library.save_settings(settings).run(self)

    def _refresh(self) -> None:
        if self.trash is not None:
            self._workers.library.list_trash().run(self, success=self._show_trash)

    def _show_trash(self, entries: tuple[TrashEntry, ...]) -> None:
        if self.trash is not None:
            self.trash.set_entries(entries)

    def _forget_dialog(self) -> None:
        self.trash = None

    def _forget_files(self) -> None:
        self.files = None
