"""Reads files through the workers and shows the progress in the status bar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.domain.events import FileDone, FileStatus, IngestDone, IngestProgress
from app.ui.dialogs import show
from app.ui.plan.controller import PlanController
from app.workers.course_files import COURSE_FILES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.events import IngestEvent
    from app.domain.plan import Corrections
    from app.ui.ingest.status import IngestStatus
    from app.workers.workers import Workers


class IngestController(QObject):
    """Starts, pauses and cancels reading, and lists files that failed.

    Args:
        status: shows the progress.
        window: parent of the dialogs.
        next_job: returns an unused job number.

    Signals:
        begun: the user started a job; whether it reads files (and does not export or import).
        given_up: the user cancelled reading.
        finished: with the number of a job that is over, however it ended.
        synced: with the IngestDone of a background job.
        failures_counted: with the number of files that could not be read.
    """

    begun = Signal(bool)
    given_up = Signal()
    finished = Signal(int)
    synced = Signal(object)
    failures_counted = Signal(int)

    def __init__(self, status: IngestStatus, window: QWidget, next_job: Callable[[], int]) -> None:
        super().__init__(window)
        self._status = status
        self._window = window
        self._next_job = next_job
        self._workers: Workers | None = None
        self._is_open = False
        self._waiting: list[Path] = []
        self._jobs: set[int] = set()
        self._quiet: set[int] = set()  # background jobs among them
        self._moving: set[int] = set()  # exports and imports among them
        endings = {pattern.removeprefix("*") for pattern in COURSE_FILES.split()}
        self.plans = PlanController(window, next_job, endings)
        self.plans.read_requested.connect(self.read)
        self.plans.failed.connect(status.fail)
        self._lists_failures = False
        status.cancel_requested.connect(self.cancel)
        status.pause_requested.connect(self.pause)
        status.resume_requested.connect(self.resume)
        status.failures_requested.connect(self._show_refused)

    def attach(self, workers: Workers) -> None:
        """Connect the workers."""
        self._workers = workers
        self.plans.attach(workers)
        workers.ingest.happened.connect(self._happened)
        workers.ingest.preparing.connect(self._preparing)
        workers.library.outdated.connect(self.reindex)
        workers.ingest.rested.connect(self._rested)
        workers.ingest.failed.connect(self._failed)
        workers.ingest.finished.connect(self._finished)
        for worker in (workers.library, workers.ingest):
            worker.failures_listed.connect(self._show_failures)

    def detach(self) -> None:
        """The workers are about to end."""
        self._workers = None
        self.plans.detach()

    @property
    def is_reading(self) -> bool:
        """Whether files are being read, or a library exported or imported."""
        return bool(self._jobs)

    def begin(self, text: str = "") -> int:
        """Start a job and return its number; ``text`` names it unless it reads files."""
        job = self._next_job()
        self._jobs.add(job)
        if text:
            self._moving.add(job)
        self._status.begin(text)
        self.begun.emit(not text)
        return job

    def begin_quietly(self) -> int:
        """Start a background job, which is shown only once a file is read; return its number."""
        job = self._next_job()
        self._jobs.add(job)
        self._quiet.add(job)
        return job

    def open(self) -> None:
        """Accept files from now on, and read those chosen earlier."""
        self._is_open = True
        self.add_paths(self._waiting)
        self._waiting = []

    def add_paths(self, paths: Sequence[Path]) -> None:
        """Read folders and files once the library is open; a plan that needs review is shown first."""
        if not paths:
            return
        if self._workers is None or not self._is_open:
            self._waiting.extend(paths)
            return
        self.plans.look(paths)

    def read(self, paths: Sequence[Path], corrections: Corrections | None = None) -> None:
        """Read folders and files without showing a plan."""
        if self._workers is None:
            return
        if corrections is None:
            self._workers.add_requested.emit(self.begin(), tuple(paths))
        else:
            self._workers.add_corrected_requested.emit(self.begin(), tuple(paths), corrections)

    def reindex(self) -> None:
        """Index everything again with the current settings."""
        if self._workers is not None:
            self._workers.reindex_requested.emit(self.begin())

    def choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self._window, self.tr("Add a folder of course material"))
        if chosen:
            self.add_paths([Path(chosen)])

    def choose_files(self) -> None:
        chosen, _ = QFileDialog.getOpenFileNames(
            self._window,
            self.tr("Add course files"),
            "",
            self.tr("Course files ({patterns});;All files (*)").format(patterns=COURSE_FILES),
        )
        self.add_paths([Path(path) for path in chosen])

    def list_failures(self) -> None:
        """List all files that could not be read."""
        if self._workers is not None:
            self._lists_failures = True
            self._workers.failures_requested.emit()

    def retry(self, files: Sequence[FileDone]) -> None:
        if self._workers is not None:
            paths = tuple(Path(file.path) for file in files)
            self._workers.retry_requested.emit(self.begin(), paths)

    def pause(self) -> None:
        """Pause reading after the current batch."""
        if self._workers is not None:
            self._workers.ingest.pause()

    def resume(self) -> None:
        if self._workers is not None:
            self._workers.ingest.resume()

    def cancel(self) -> None:
        """Stop reading after the current batch; files that were read stay."""
        if self._workers is not None:
            self._workers.ingest.cancel()
            if self._jobs - self._moving:
                self.given_up.emit()

    # Slots of the worker

    def _happened(self, job: int, event: IngestEvent) -> None:
        if job not in self._quiet:
            self._status.handle(event)
        elif isinstance(event, IngestDone):
            if self._is_alone(job):
                self._status.end()
            self.synced.emit(event)
        elif self._is_alone(job) and (self._status.is_reading or _is_work(event)):
            self._status.handle(event)

    def _preparing(self, job: int, step: str) -> None:
        self._status.begin(step + "…")

    def _rested(self, job: int, resting: bool) -> None:
        self._status.show_paused(resting)

    def _failed(self, job: int, sentence: str) -> None:
        self._status.fail(sentence)

    def _finished(self, job: int) -> None:
        if job not in self._quiet or self._is_alone(job):
            self._status.finish()
        self._jobs.discard(job)
        self._quiet.discard(job)
        self._moving.discard(job)
        self.finished.emit(job)

    def _is_alone(self, job: int) -> bool:
        """Whether the status bar is free for this job: jobs the user asked for go first."""
        return self._jobs == {job}

    def _show_failures(self, files: Sequence[FileDone]) -> None:
        self.failures_counted.emit(len(files))
        if self._lists_failures:
            self._lists_failures = False
            if files:
                self._show_refused(files)

    def _show_refused(self, files: Sequence[FileDone]) -> None:
        show.show_failures(self._window, files).retry_requested.connect(self.retry)


def _is_work(event: IngestEvent) -> bool:
    """Whether a file is being read, not only checked."""
    if isinstance(event, FileDone):
        return event.status in (FileStatus.ADDED, FileStatus.CHANGED)
    return isinstance(event, IngestProgress)
