"""What is done while nothing else is being read: watched folders and scanned pages."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from app.domain.events import FileStatus, FolderFound, FolderLost, FolderSettled, IngestDone, RecognizingPages
from app.ui.library.ingest_controller import IngestController
from app.ui.widgets.building import one_shot
from app.workers.job import Job, Lane
from app.workers.workers import Workers

_GATHER_MS = 1_000


class FolderSync(QObject):
    """Passes changes in watched folders to the reading of files.

    The user's jobs go first: reading changes starts when nothing else is read, and stops when the user
    starts a job. After the user cancels reading, it waits for the next job of the user; otherwise it would
    start with the files that were just cancelled.
    The menu lists the watched folders, to stop watching them. ``is_wanted`` says whether to watch at all.
    """

    said = Signal(str)  # a sentence for the status bar

    def __init__(
        self,
        ingest: IngestController,
        workers: Workers,
        menu: QMenu,
        is_wanted: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._ingest = ingest
        self._workers = workers
        self._menu = menu
        self._is_wanted = is_wanted
        self._waiting: dict[Path, FolderSettled] = {}
        self._running: tuple[Job[None], dict[Path, FolderSettled]] | None = None
        self._resting = False
        # Both folders report a file that moved between them, at different moments.
        self._gather = one_shot(self, _GATHER_MS, self._begin_next)
        ingest.begun.connect(self._give_way)
        ingest.given_up.connect(self._rest)
        ingest.finished.connect(self._finished)
        ingest.synced.connect(self._tell)
        self._list_folders(())
        workers.folders.happened.connect(self._happened)
        workers.folders.listed.connect(self._list_folders)
        workers.ready.connect(self.watch)
        workers.snapshot.connect(self._watch_unless_reading)  # folders may have been emptied, or filled

    def watch(self) -> None:
        """Watch the library's folders, or none if watching is off."""
        if not self._is_wanted():
            self._waiting.clear()
            self._resting = False
        self._workers.library.watch(self._is_wanted()).run(self)

    def _watch_unless_reading(self) -> None:
        if not self._ingest.is_reading:
            self.watch()

    def _happened(self, event: FolderSettled | FolderLost | FolderFound) -> None:
        match event:
            case FolderSettled():
                self._waiting[event.watched.path] = event
                self._gather.start()
            # The name alone: the status bar is narrow, and the log has the rest.
            case FolderLost(path):
                text = self.tr("Can't reach “{0}”; its courses stay as they were.")
                self.said.emit(text.format(path.name or path))
            case FolderFound(path):
                self.said.emit(self.tr("“{0}” is available again.").format(path.name or path))

    def _list_folders(self, paths: tuple[Path, ...]) -> None:
        self._menu.clear()
        self._menu.setEnabled(bool(paths))
        for path in paths:
            # An ampersand in a name is not a key to press.
            action = self._menu.addAction(str(path).replace("&", "&&"))
            action.triggered.connect(lambda _=False, chosen=path: self._stop_watching(chosen))

    def _tell(self, done: IngestDone) -> None:
        counts = Counter(file.status for file in done.files)
        read = counts[FileStatus.ADDED] + counts[FileStatus.CHANGED]
        moved, removed = counts[FileStatus.MOVED], counts[FileStatus.REMOVED]
        parts = (
            self.tr("%Ln file(s) read", None, read) if read else "",
            self.tr("%Ln moved", None, moved) if moved else "",
            self.tr("%Ln removed", None, removed) if removed else "",
        )
        if any(parts):
            self.said.emit(", ".join(filter(None, parts)))

    def _begin_next(self) -> None:
        if self._resting or self._ingest.is_reading or not self._waiting:
            return
        changes, self._waiting = self._waiting, {}
        job = self._workers.ingest.run(
            lambda rag, job: rag.ingest.sync_folders(list(changes.values()), job.token), background=True
        )
        self._running = job, changes
        self._ingest.start_quietly(job)

    def _give_way(self, is_reading: bool) -> None:
        """Let the user's job go first, and start again afterwards."""
        self._resting = self._resting and not is_reading
        if self._running is not None:
            self._running[0].cancel()
            self._put_back()

    def _rest(self) -> None:
        """Wait too, after the user has cancelled reading."""
        self._resting = True
        self._put_back()

    def _put_back(self) -> None:
        if self._running is not None:
            self._waiting = {**self._running[1], **self._waiting}
            self._running = None

    def _finished(self, job: Job[None]) -> None:
        if self._running is not None and self._running[0] is job:
            self._running = None
        elif not self._ingest.is_reading:
            self.watch()  # there may be a new folder
        self._gather.start()

    def _stop_watching(self, path: Path) -> None:
        self._waiting.pop(path, None)
        self._workers.job(
            Lane.READ, "Watching folders", lambda rag, _: rag.ingest.stop_watching(path), key="library"
        ).run(self)
        self.watch()
        text = self.tr("Stopped watching “{0}”; its courses stay.")
        self.said.emit(text.format(path.name or path))


_AT_ONCE_S = 60.0  # of recognition; changed files are read in between
_GATHER_SCANS_MS = 3_000  # longer than watched folders take, whose changes go first


class ScanRecognition(QObject):
    """Starts after each reading, and gives way to the user's jobs.

    After the user has cancelled it, it waits for the next job of the user. ``is_wanted`` says whether to
    recognize at all.
    """

    def __init__(
        self, ingest: IngestController, workers: Workers, is_wanted: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._ingest = ingest
        self._workers = workers
        self._is_wanted = is_wanted
        self._running: Job[None] | None = None
        self._resting = False
        self._has_more = False
        self._last: object = None  # the last page that was begun
        self._gather = one_shot(self, _GATHER_SCANS_MS, self._look)
        ingest.begun.connect(self._give_way)
        ingest.given_up.connect(self._rest)
        ingest.finished.connect(self._finished)
        workers.ready.connect(self._gather.start)

    def apply(self) -> None:
        """Begin or stop, as the setting says now."""
        if self._is_wanted():
            self._gather.start()
        elif self._running is not None:
            self._running.cancel()

    def _look(self) -> None:
        if self._is_wanted() and not self._resting and not self._ingest.is_reading:
            self._workers.job(
                Lane.READ,
                "Looking for scanned pages",
                lambda rag, _: rag.ingest.may_have_scans(),
                key="plans",
            ).run(self, success=self._begin)

    def _begin(self, has_scans: bool) -> None:
        if has_scans and not self._resting and not self._ingest.is_reading:
            self._has_more = False
            self._running = self._workers.ingest.run(
                lambda rag, job: rag.ingest.recognize(job.token, _AT_ONCE_S), background=True
            )
            self._ingest.start_quietly(self._running, self._note)

    def _note(self, event: object) -> None:
        if isinstance(event, RecognizingPages):
            # A run that begins and ends with the page at which the last one ended gets no further.
            self._has_more = self._has_more or event != self._last
            self._last = event

    def _give_way(self, is_reading: bool) -> None:
        self._last = None
        self._resting = self._resting and not is_reading
        if self._running is not None:
            self._running.cancel()

    def _rest(self) -> None:
        self._last = None
        self._resting = True

    def _finished(self, job: Job[None]) -> None:
        if job is not self._running:
            self._gather.start()
            return
        self._running = None
        if self._has_more:
            self._gather.start()
