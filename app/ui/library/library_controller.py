"""Renames and removes courses and files, and takes that back; lists the files."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.events import CourseRenamed
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.numbers import files_text, library_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.courses import Course
    from app.domain.keeping import TrashEntry
    from app.ui.library.file_dialogs import FilesDialog
    from app.ui.widgets.bars import UndoBar
    from app.workers.job import Job
    from app.workers.library import LibrarySnapshot
    from app.workers.workers import Workers

    Start = Callable[[Job[None], str, Callable[[object], None] | None], object]


class LibraryController(QObject):
    """Confirms requests with the user and passes them to the workers.

    Args:
        start: runs a job and shows it in the status bar by a text; a function receives its events.
    """

    # Another library replaces this one; sent before and after. Numbers of documents and chats become invalid.
    replaced = Signal()
    course_renamed = Signal(str, str)  # the former and the new title; before the library is shown with it
    restored = Signal()  # documents came back from the trash

    def __init__(self, bar: UndoBar, window: QWidget, workers: Workers, start: Start) -> None:
        super().__init__(window)
        self._bar = bar
        self._window = window
        self._workers = workers
        self.start = start
        self.courses: tuple[Course, ...] = ()
        self._removing = 0  # removals on their way
        self._takes_back = False  # what they remove
        self.files: FilesDialog | None = None
        self.replaced.connect(bar.dismiss)
        bar.undo_requested.connect(self._undo)
        workers.opened.connect(self._take_snapshot)
        workers.snapshot.connect(self._take_snapshot)

    @property
    def holdings(self) -> str:
        return library_text(self.courses)

    def open_files(self, search: str = "") -> None:
        if self.files is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.ui.library.file_dialogs import FilesDialog

        self.files = FilesDialog(self._window)
        self.files.filter.setText(search)
        self.files.set_courses(self.courses)
        self.files.remove_requested.connect(self.remove_files)
        self.files.finished.connect(self._forget_files)
        self.files.open()

    def remove_files(self, paths: tuple[str, ...]) -> None:
        if len(paths) == 1 or self._confirm_removal(self.tr("Remove files"), files_text(len(paths))):
            self.remove_lesson(paths)

    def remove_lesson(self, paths: tuple[str, ...]) -> None:
        """Remove the files of a lesson; a bar offers to undo it."""
        self._remove(
            self._workers.library.change(
                "Removing files", lambda rag, token: rag.courses.remove_files(paths, token)
            )
        )

    def remove_courses(self, titles: Sequence[str]) -> None:
        """Remove courses from the library; a bar offers to undo it."""
        self._remove(
            self._workers.library.change(
                "Removing courses", lambda rag, token: rag.courses.remove_courses(titles, token)
            )
        )

    def take_back(self) -> None:
        """Undo what the bar offers; what is still being removed comes back as soon as it is gone."""
        if self._removing:
            self._takes_back = True
        else:
            self._bar.take_back()

    def remove_everything(self) -> None:
        if self.courses and self._confirm_removal(self.tr("Remove everything"), self.holdings):
            self.remove_courses([course.title for course in self.courses])

    def remove_course(self, title: str) -> None:
        self.remove_courses([title])

    def rename_course(self, old: str, new: str) -> None:
        """Give a course another title; a bar offers to undo it."""
        renaming = self._workers.ingest.rename_course(old, new)
        self.start(renaming, self.tr("Renaming the course"), self._take_new_title)

    def remove_samples(self) -> None:
        if samples := [course.title for course in self.courses if course.is_sample]:
            self.remove_courses(samples)

    def restore(self, documents: Sequence[int]) -> None:
        self._workers.library.change(
            "Restoring from the trash", lambda rag, token: list(rag.trash.restore(documents, token))
        ).run(self, success=lambda _: self.restored.emit())

    def forget_removals(self) -> None:
        """Offer no longer to bring back what was removed: the trash was emptied."""
        self._bar.dismiss()

    def _confirm_removal(self, title: str, what: str) -> bool:
        question = self.tr(
            "Remove {0} from the library? Removed items stay in the trash for 30 days. "
            "The files on your disk are not touched."
        ).format(what)
        return show.confirm(self.files or self._window, title, question, self.tr("Remove"))

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
                self.restore([key for key in offered if isinstance(key, int)])

    def _take_new_title(self, event: object) -> None:
        if isinstance(event, CourseRenamed):
            self.course_renamed.emit(event.old, event.new)
            self._bar.offer([event], self.tr("Renamed to “{0}”").format(event.new))

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
        self.courses = snapshot.courses
        if self.files is not None:
            self.files.set_courses(snapshot.courses)

    def _forget_files(self) -> None:
        self.files = None
