"""Long changes to the library, such as reading files: one job at a time, which can be paused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.events import FileStarted, IndexProgress, IngestDone, IngestEvent, IngestProgress
from app.domain.transfer import LibraryExported, LibraryImported
from app.workers.job import Operation, QueueThread

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from pathlib import Path

    from app.domain.cancel import CancelToken
    from app.domain.messages import Message
    from app.domain.plan import Corrections, IngestPlan
    from app.domain.watching import FolderSettled
    from app.workers.job import Job
    from app.workers.workers import Workers

_EVENT_EVERY = 0.05  # seconds; otherwise thousands of small files would flood the window
_SNAPSHOT_EVERY = 1.5

# A pause takes effect after these: nothing is locked, and no document is half done.
_RESTS = (FileStarted, IngestProgress)
_NEVER_LEFT_OUT = (IndexProgress, LibraryExported, LibraryImported)


@dataclass(frozen=True, slots=True)
class Rested:
    """A pause has begun or ended."""

    resting: bool


@dataclass(frozen=True, slots=True)
class Preparing:
    """Another embedding model is being prepared before the first file is read."""

    step: Message


class IngestOperations:
    """Their events are IngestEvents, :class:`Rested` and :class:`Preparing`."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.queue = QueueThread("ingest")
        self.plans = QueueThread("plans")  # a plan does not wait for running jobs

    def plan(self, paths: Sequence[Path]) -> Operation[IngestPlan]:
        """Preview what :meth:`add` would do."""
        what = QCoreApplication.translate("Workers", "Looking through the folder")
        work = lambda job: self._workers.rag.ingest.plan(paths, job.token)  # noqa: E731
        return Operation(self._workers, self.plans, what, work)

    def add(self, paths: Sequence[Path], corrections: Corrections | None = None) -> Operation[None]:
        return self._reading(
            lambda job: self._workers.rag.ingest.add_course_folder(paths, job.token, corrections=corrections)
        )

    def retry(self, paths: Sequence[Path]) -> Operation[None]:
        return self._reading(lambda job: self._workers.rag.ingest.retry(paths, job.token))

    def sync_folders(self, changes: Sequence[FolderSettled]) -> Operation[None]:
        return self._reading(lambda job: self._workers.rag.ingest.sync_folders(changes, job.token))

    def add_samples(self) -> Operation[None]:
        return self._reading(lambda job: self._workers.rag.ingest.add_samples(job.token))

    def reindex(self) -> Operation[None]:
        """Split and embed the library again with the current settings, unless an earlier job has done so."""
        return self._reading(
            lambda job: self._workers.rag.reindex.ensure_current(
                job.token, lambda step: job.tell(Preparing(step))
            )
        )

    def export_library(self, path: Path) -> Operation[None]:
        return self._reading(lambda job: self._workers.rag.transfer.export_library(path, job.token))

    def import_library(self, path: Path, *, replace: bool) -> Operation[None]:
        return self._reading(
            lambda job: self._workers.rag.transfer.import_library(path, job.token, replace=replace)
        )

    def empty_trash(self) -> Operation[None]:
        return self._reading(lambda job: self._workers.rag.trash.empty(job.token))

    def _reading(self, work: Callable[[Job[None]], Iterator[IngestEvent]]) -> Operation[None]:
        def read(job: Job[None]) -> Generator[object, None, None]:
            try:
                yield from _paced(work(job), job.token, self._workers.send_snapshot)
            finally:
                self._workers.show_library()

        what = QCoreApplication.translate("Workers", "Reading files")
        return Operation(self._workers, self.queue, what, read)


def _paced(
    events: Iterator[IngestEvent], token: CancelToken, show_library: Callable[[], None]
) -> Iterator[IngestEvent | Rested]:
    """Thin out events that come too fast to be seen, and hold the work while it is paused.

    Args:
        events: of reading, exporting, importing or emptying the trash.
        token: of the job.
        show_library: called every 1.5 s and when a pause begins.
    """
    sent, shown = 0.0, time.monotonic()
    done: IngestDone | None = None
    for event in events:
        now = time.monotonic()
        if isinstance(event, IngestDone):
            done = event  # yielded last: index progress can follow it, and a reindex comes before it
        elif isinstance(event, _NEVER_LEFT_OUT) or now - sent >= _EVENT_EVERY:
            yield event
            sent = now
        if now - shown >= _SNAPSHOT_EVERY:
            show_library()
            shown = now
        if token.paused and isinstance(event, _RESTS):
            yield event
            show_library()
            yield Rested(True)
            token.rest()
            yield Rested(False)
            shown = time.monotonic()
    if done is not None:
        yield done
