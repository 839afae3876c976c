"""Reads files into the library."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError
from app.domain.events import FileStarted, IndexProgress, IngestDone, IngestEvent, IngestProgress
from app.domain.transfer import LibraryExported, LibraryImported
from app.workers.library_worker import take_snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.plan import Corrections
    from app.domain.watching import FolderSettled

_EVENT_EVERY = 0.05  # seconds; thousands of small files would flood the window otherwise
_SNAPSHOT_EVERY = 1.5

# After these nothing is locked and no document half done: the next file or batch can wait.
_RESTS = (FileStarted, IngestProgress)
_NEVER_LEFT_OUT = (IndexProgress, LibraryExported, LibraryImported)

_log = logging.getLogger(__name__)


class IngestWorker(QObject):
    """Lives in a thread of its own; one job at a time, later ones wait their turn."""

    happened = Signal(int, object)
    """Job and IngestEvent; of those that come faster than the eye only the newest is sent."""
    snapshot = Signal(object)
    """A LibrarySnapshot, now and then while a job runs and at its end."""
    failures_listed = Signal(object)
    """The files that could not be read, at the end of a job: tuple of FileDone."""
    rested = Signal(int, bool)
    """The job is held by a pause, or goes on after one."""
    finished = Signal(int)
    """The job is over, however it ended."""
    preparing = Signal(int, str)
    """What is done before the job's first file: another embedding model is made ready."""
    failed = Signal(int, str)
    """The job could not go on: one sentence. What was read stays."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self._rag = rag
        self._token = CancelToken()
        self._closing = False

    def cancel(self) -> None:
        """End the running job after the batch at hand; may be called from any thread."""
        self._token.cancel()

    def pause(self) -> None:
        """Hold the running job after the batch at hand; may be called from any thread."""
        self._token.pause()

    def resume(self) -> None:
        """Let a paused job go on; may be called from any thread."""
        self._token.resume()

    def close(self) -> None:
        """End the running job and begin no other; may be called from any thread."""
        self._closing = True
        self._token.cancel()

    @Slot(int, object)
    def add(self, job: int, paths: tuple[Path, ...]) -> None:
        """Add or refresh folders and files."""
        self._run(job, lambda token: self._rag.ingest.add_course_folder(paths, token))

    @Slot(int, object, object)
    def add_corrected(self, job: int, paths: tuple[Path, ...], corrections: Corrections) -> None:
        """Add or refresh folders and files as planned, but for the corrections."""
        self._run(
            job, lambda token: self._rag.ingest.add_course_folder(paths, token, corrections=corrections)
        )

    @Slot(int, object)
    def retry(self, job: int, paths: tuple[Path, ...]) -> None:
        """Read files again that failed, though they have not changed."""
        self._run(job, lambda token: self._rag.ingest.retry(paths, token))

    @Slot(int, object)
    def sync_folders(self, job: int, changes: tuple[FolderSettled, ...]) -> None:
        """Read what has changed in watched folders."""
        self._run(job, lambda token: self._rag.ingest.sync_folders(changes, token))

    @Slot(int)
    def add_samples(self, job: int) -> None:
        """Add the sample courses."""
        self._run(job, self._rag.ingest.add_samples)

    @Slot(int)
    def reindex(self, job: int) -> None:
        """Cut and embed the library with new settings, unless a job before has done it."""
        self._run(
            job,
            lambda token: self._rag.reindex.ensure_current(
                token, lambda step: self.preparing.emit(job, str(step))
            ),
        )

    @Slot(int, object)
    def export_library(self, job: int, path: Path) -> None:
        """Write the library to one file."""
        self._run(job, lambda token: self._rag.transfer.export_library(path, token))

    @Slot(int, object, bool)
    def import_library(self, job: int, path: Path, replace: bool) -> None:
        """Add what is in an exported file, or put it in the place of what is there."""
        self._run(job, lambda token: self._rag.transfer.import_library(path, token, replace=replace))

    @Slot(int)
    def empty_trash(self, job: int) -> None:
        """Delete for good what is in the trash."""
        self._run(job, self._rag.trash.empty)

    def _run(self, job: int, work: Callable[[CancelToken], Iterator[IngestEvent]]) -> None:
        self._token = CancelToken()
        try:
            if not self._closing:
                self._forward(job, work(self._token))
        except Cancelled:
            pass
        except LecternError as error:
            self.failed.emit(job, str(error))
        except Exception:
            _log.exception("Reading files failed.")
            self.crashed.emit(self.tr("Reading files"))
        self._tell_snapshot()
        self.finished.emit(job)

    def _tell_snapshot(self) -> None:
        if self._closing:
            return
        try:
            self.snapshot.emit(take_snapshot(self._rag))
            self.failures_listed.emit(self._rag.ingest.failures())
        except LecternError as error:  # it could not be opened; that was said
            _log.warning("The courses can not be listed: %s", error)

    def _forward(self, job: int, events: Iterator[IngestEvent]) -> None:
        sent, shown = 0.0, time.monotonic()
        done: IngestDone | None = None
        for event in events:
            now = time.monotonic()
            if isinstance(event, IngestDone):
                done = event  # sent last: indexing comes after it, and cutting again before
            elif isinstance(event, _NEVER_LEFT_OUT) or now - sent >= _EVENT_EVERY:
                self.happened.emit(job, event)
                sent = now
            if now - shown >= _SNAPSHOT_EVERY:
                self.snapshot.emit(take_snapshot(self._rag))
                shown = now
            if self._token.paused and isinstance(event, _RESTS):
                self._rest(job, event)
                shown = time.monotonic()
        if done is not None:
            self.happened.emit(job, done)

    def _rest(self, job: int, event: IngestEvent) -> None:
        """Wait until the job is resumed or cancelled; what is read by now is shown meanwhile."""
        self.happened.emit(job, event)
        self.snapshot.emit(take_snapshot(self._rag))
        self.rested.emit(job, True)
        self._token.rest()
        self.rested.emit(job, False)
