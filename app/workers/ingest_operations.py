"""Long changes to the library, such as reading files: one job at a time, which can be paused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.events import (
    CourseRenamed,
    FileDone,
    FileStarted,
    IndexProgress,
    IngestDone,
    IngestEvent,
    IngestProgress,
    RecognizingPages,
)
from app.domain.keeping import LibraryExported, LibraryImported
from app.workers.job import Job, Lane
from app.workers.library import Operations

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from app.core.rag_system import RAGSystem
    from app.domain.cancel import CancelToken
    from app.domain.keeping import Backup
    from app.domain.messages import Message
    from app.workers.library import LibraryWorkers


_EVENT_EVERY = 0.05  # seconds; otherwise thousands of small files would flood the window
_SNAPSHOT_EVERY = 1.5

# A pause takes effect after these: nothing is locked, and no document is half done.
_RESTS = (FileStarted, IngestProgress, RecognizingPages)
_NEVER_LEFT_OUT = (CourseRenamed, IndexProgress, LibraryExported, LibraryImported)


@dataclass(frozen=True, slots=True)
class Rested:
    resting: bool


@dataclass(frozen=True, slots=True)
class Preparing:
    """Another embedding model is being prepared before the first file is read."""

    step: Message


class IngestOperations(Operations):
    """Their events are IngestEvents, :class:`Rested` and :class:`Preparing`."""

    def __init__(self, workers: LibraryWorkers) -> None:
        super().__init__(workers, "", Lane.WRITE)

    def rename_course(self, old: str, new: str) -> Job[None]:
        """Give a course another title; the library is shown as soon as it has it."""

        def rename(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            for event in rag.ingest.rename_course(old, new, job.token):
                yield event
                if isinstance(event, CourseRenamed):
                    self._workers.send_snapshot()

        return self.run(rename)

    def reindex(self) -> Job[None]:
        """Split and embed the library again with the current settings, unless an earlier job has done so.

        The only operation that downloads models; a download that was cancelled or failed is resumed.
        """

        def reindex(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            yield from rag.reindex.ensure_current(
                job.token, lambda step: job.tell(Preparing(step)), download=True
            )

        return self.run(reindex)

    def restore(self, backup: Backup) -> Job[None]:
        """Put a backup in the place of the library, then open that or show it."""

        def restore(rag: RAGSystem, job: Job[None]) -> Iterator[IngestEvent]:
            yield from rag.restore(backup, job.token)
            self._workers.show_restored()

        return self.run(restore)

    def run(
        self, work: Callable[[RAGSystem, Job[None]], Iterator[IngestEvent]], *, background: bool = False
    ) -> Job[None]:
        """Do what changes documents, one after the other; the library is shown as it grows."""

        def read(rag: RAGSystem, job: Job[None]) -> Generator[object, None, None]:
            try:
                yield from paced(work(rag, job), job.token, self._workers.send_snapshot)
            finally:
                self._workers.show_library()

        return self._workers.job(Lane.WRITE, "Reading files", read, background=background)


def course_file_endings() -> tuple[str, ...]:
    """Return the endings of all readable files, such as ``".txt"``."""
    # Here: the registry imports all readers, and the first picture of the window would wait for them.
    from app.core.documents.formats import FORMATS
    from app.core.documents.libreoffice import CONVERTED

    return (*(ending for one in FORMATS for ending in one.endings), *CONVERTED)


def can_be_opened(path: str) -> bool:
    """Whether another program may be asked to open a file: one that computers show or play, not run."""
    from app.core.documents.formats import is_source_code
    from app.core.documents.recordings import RECORDING_ENDINGS

    endings = (*course_file_endings(), *RECORDING_ENDINGS)
    return Path(path).suffix.lower() in endings and not is_source_code(Path(path))


def paced(
    events: Iterator[IngestEvent], token: CancelToken, show_library: Callable[[], None]
) -> Iterator[IngestEvent | Rested]:
    """Thin out events that come too fast to be seen, and hold the work while it is paused.

    ``show_library`` is called every 1.5 s and when a pause begins.
    """
    sent, shown = 0.0, time.monotonic()
    done: IngestDone | None = None
    for event in events:
        now = time.monotonic()
        if isinstance(event, IngestDone):
            done = event  # yielded last: index progress can follow it, and a reindex comes before it
        elif isinstance(event, _NEVER_LEFT_OUT) or now - sent >= _EVENT_EVERY:
            yield event
            if not isinstance(event, FileDone):  # the start of the next file follows at once
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
