"""Reads chosen and dropped files through the workers and shows the progress in the status bar."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QWidget

from app.domain.courses import Corrections
from app.domain.events import (
    FileDone,
    FileStatus,
    Hearing,
    IngestDone,
    IngestEvent,
    IngestProgress,
    RecognizingPages,
)
from app.domain.messages import Message
from app.ui.library.ingest_status import IngestStatus
from app.ui.library.plan_controller import PlanController
from app.ui.widgets.building import Stretch, vbox
from app.ui.widgets.desktop import ask_for_files, ask_for_folder
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.workers.job import Job, Lane
from app.workers.library import LibrarySnapshot
from app.workers.workers import Preparing, Rested, Workers, course_file_endings

_FOLDER = "courses_folder"  # in the memory of the window


class IngestController(QObject):
    """Starts, pauses and cancels reading, and lists files that failed."""

    begun = Signal(bool)  # the user started a job; whether it reads files (and does not export or import)
    given_up = Signal()
    said = Signal(str)  # a sentence for the status bar
    finished = Signal(object)  # the Job that is over, however it ended
    synced = Signal(object)  # the IngestDone of a background job
    reindex_failed = Signal(str)  # the reason
    failures_counted = Signal(int, int)  # how many files could not be read, and how many of them hold text

    def __init__(self, status: IngestStatus, window: QWidget, workers: Workers, memory: QSettings) -> None:
        """``memory`` keeps the folder that was chosen last."""
        super().__init__(window)
        self._memory = memory
        self._status = status
        self._window = window
        self._workers = workers
        self._is_open = False
        self._waiting: list[Path] = []
        self._jobs: set[Job[None]] = set()
        self._quiet: set[Job[None]] = set()  # background jobs among them
        self._reindexing: Job[None] | None = None
        self._moving: set[Job[None]] = set()  # exports and imports among them
        self.plan_controller = PlanController(window, workers)
        self.plan_controller.read_requested.connect(self.read)
        self.plan_controller.failed.connect(status.fail)
        status.cancel_requested.connect(self.cancel)
        status.pause_requested.connect(workers.writing.pause)
        status.resume_requested.connect(workers.writing.resume)
        status.failures_requested.connect(self._show_refused)
        workers.outdated.connect(self.reindex)
        workers.snapshot.connect(self._check_result)
        workers.failures_listed.connect(self._count_failures)

    @property
    def is_reading(self) -> bool:
        """Whether files are being read, or a library exported or imported."""
        return bool(self._jobs)

    def start(self, job: Job[None], text: str = "", listener: Callable[[object], None] | None = None) -> None:
        """Run a job and show it in the status bar; ``text`` names one that does not read files."""
        if text:
            self._moving.add(job)
        if text and self._jobs - self._quiet:
            self.said.emit(self.tr("This waits until reading has finished."))
        else:
            self._status.begin(text)
        self.begun.emit(not text)
        self._run(job, listener)

    def start_quietly(self, job: Job[None], listener: Callable[[object], None] | None = None) -> None:
        """Run a job in the background; it is shown only once it reads something."""
        self._quiet.add(job)
        self._run(job, listener)

    def open(self) -> None:
        """Accept files from now on, and read those chosen earlier."""
        self._is_open = True
        self.add_paths(self._waiting)
        self._waiting = []

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Read folders and files once the library is open; a plan that needs review is shown first."""
        if not self._is_open:
            self._waiting.extend(paths)
        elif paths:
            self.plan_controller.look(paths)

    def read(self, paths: Sequence[Path], corrections: Corrections | None = None) -> None:
        """Read folders and files without showing a plan."""
        self.start(
            self._workers.ingest.run(
                lambda rag, job: rag.ingest.add_course_folder(paths, job.token, corrections=corrections)
            )
        )

    def reindex(self) -> None:
        job = self._reindexing = self._workers.ingest.reindex()
        self.start(job)

    def choose_folder(self) -> None:
        title = self.tr("Add a folder of course material")
        ask_for_folder(self._window, title, self._last_folder(), lambda path: self._choose([path]))

    def choose_files(self) -> None:
        patterns = " ".join(f"*{ending}" for ending in course_file_endings())
        kinds = self.tr("Course files ({patterns});;All files (*)").format(patterns=patterns)
        ask_for_files(self._window, self.tr("Add course files"), self._last_folder(), kinds, self._choose)

    def _last_folder(self) -> str:
        return str(self._memory.value(_FOLDER, ""))

    def _choose(self, paths: Sequence[Path]) -> None:
        self._memory.setValue(_FOLDER, str(paths[0].parent))
        self.add_paths(paths)

    def list_failures(self) -> None:
        self._workers.job(
            Lane.READ, "Listing failed files", lambda rag, _: rag.ingest.failures(), key="library"
        ).run(self, success=self._show_failures)

    def retry(self, files: Sequence[FileDone]) -> None:
        paths = [Path(file.path) for file in files]
        self.start(self._workers.ingest.run(lambda rag, job: rag.ingest.retry(paths, job.token)))

    def cancel(self) -> None:
        """Stop reading after the current batch; files already read stay."""
        self._workers.writing.cancel()
        if self._jobs - self._moving:
            self.given_up.emit()

    def _run(self, job: Job[None], listener: Callable[[object], None] | None = None) -> None:
        def happened(event: IngestEvent | Rested | Preparing) -> None:
            if listener is not None:
                listener(event)
            self._happened(job, event)

        def failed(message: Message) -> None:
            self._status.fail(shown(message))
            if job is self._reindexing:
                self.reindex_failed.emit(shown(message))

        self._jobs.add(job)
        job.run(self, event=happened, failure=failed, finished=lambda: self._finished(job))

    def _happened(self, job: Job[None], event: IngestEvent | Rested | Preparing) -> None:
        if isinstance(event, Rested):
            self._status.show_paused(event.resting)
        elif isinstance(event, Preparing):
            self._status.prepare(event.step)
        elif job not in self._quiet:
            self._status.handle(event)
        elif isinstance(event, IngestDone):
            if self._is_alone(job) and self._status.is_reading:
                self._status.clear()
            self.synced.emit(event)
        elif self._is_alone(job) and (self._status.is_reading or _is_work(event)):
            self._status.handle(event)

    def _finished(self, job: Job[None]) -> None:
        if job not in self._quiet or self._is_alone(job):
            self._status.finish()
        for jobs in (self._jobs, self._quiet, self._moving):
            jobs.discard(job)
        self.finished.emit(job)

    def _is_alone(self, job: Job[None]) -> bool:
        """Whether no other job needs the status bar; jobs of the user go first."""
        return self._jobs == {job}

    def _check_result(self, library: LibrarySnapshot) -> None:
        self._status.check_result({course.title for course in library.courses})

    def _show_failures(self, files: Sequence[FileDone]) -> None:
        self._count_failures(files)
        if files:
            self._show_refused(files)

    def _count_failures(self, files: Sequence[FileDone]) -> None:
        self.failures_counted.emit(len(files), sum(not file.holds_no_text for file in files))

    def _show_refused(self, files: Sequence[FileDone]) -> None:
        from app.ui.library.file_dialogs import FailuresDialog  # the window paints without waiting for it

        dialog = FailuresDialog(files, self._window)
        dialog.retry_requested.connect(self.retry)
        dialog.open()


def _is_work(event: IngestEvent) -> bool:
    """Return whether a file is being read, not just checked."""
    if isinstance(event, FileDone):
        return event.status in (FileStatus.ADDED, FileStatus.CHANGED)
    return isinstance(event, IngestProgress | RecognizingPages | Hearing)


class DropOverlay(QWidget):
    """Says that files dropped on the window are added; takes every drop of files on it."""

    dropped = Signal(object)  # the list of paths

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("panel", "drop")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = plain_label(self.tr("Drop to add to your library"), "title")
        note = plain_label(self.tr("Your files stay where they are."), "muted")
        for label in (title, note):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        vbox(Stretch(), title, note, Stretch(), spacing=4, parent=self)
        for target in (window, self):
            target.setAcceptDrops(True)
        window.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window when a drag enters it; when it moves on, it is over the overlay."""
        if isinstance(event, QDragEnterEvent):
            self.dragEnterEvent(event)
            return True
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self.dropEvent(event)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not local_files(event.mimeData()):
            event.ignore()
            return
        event.acceptProposedAction()
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.hide()
        self.dropped.emit(local_files(event.mimeData()))


def local_files(data: QMimeData) -> list[Path]:
    """Return the files and folders among what is dragged or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
