"""The threads that work for the window, the opening of the library, and what both tell."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError, LibraryLocked, LibraryUnusable, UserError
from app.domain.events import FolderLost, WatchedPath
from app.domain.messages import Message
from app.workers.job import Courier, Job, JobQueue, JobThreads, Lane

if TYPE_CHECKING:
    from pathlib import Path

    from app.config.secrets import KeyStore
    from app.core.ingest.watcher import FolderWatcher, Pace
    from app.core.rag_system import RAGSystem
    from app.domain.courses import Course, LibraryCounts
    from app.domain.shared import SharedLibrary
    from app.workers.chat_loop import ChatLoop

R = TypeVar("R")
Function = Callable[["RAGSystem", Job[Any]], R | Generator[object, None, R] | AsyncGenerator[object, None]]

_READERS = 4
_PATIENCE = 5.0  # seconds to wait for another Lectern that holds the library
_RETRY = 0.1
_HOUR_MS = 3_600_000

_log = logging.getLogger(__name__)


class LibrarySnapshot(NamedTuple):
    """What the sidebar shows; ``is_new`` if the library has never held a document.

    ``questions`` are those that each of the first courses answers; ``shared`` are libraries on servers.
    """

    courses: tuple[Course, ...]
    counts: LibraryCounts
    is_new: bool
    questions: tuple[tuple[str, ...], ...] = ()
    shared: tuple[SharedLibrary, ...] = ()

    @property
    def all_courses(self) -> tuple[Course, ...]:
        """The own courses, then those on servers."""
        return (*self.courses, *(course for library in self.shared for course in library.courses))


class LibraryWorkers(Courier):
    """Run jobs in lanes; signals carry what concerns many parts of the window.

    Created before the core is imported; :meth:`start` starts the threads.

    Attributes:
        writing: the thread of ``Lane.WRITE``.
        reading: those of ``Lane.READ``. Jobs of three keys take long: "library", which opens it, "plans",
            and "long", such as exports; a thread is always left for what is quick.
        chat: the loop of ``Lane.NETWORK``; None before the start.
        folders: watches folders.
    """

    opened = Signal(object)  # The library is open, but not yet ready to search: a LibrarySnapshot
    ready = Signal()  # The embedding model is loaded: the library can be searched and added to
    outdated = Signal()  # After ``ready``: the library needs a reindex, which is now possible
    failed = Signal(object)  # The library cannot be opened or used: a Message
    status = Signal(object)  # Progress of opening: a Message; None when done
    snapshot = Signal(object)  # A LibrarySnapshot after a change and during long ones
    failures_listed = Signal(object)  # The files that could not be read: tuple of FileDone
    key_status = Signal(object, bool)  # The KeyStatus, and whether there is a model to ask
    settings_saved = Signal(object, bool)  # The new Settings, and whether the library needs a reindex
    # All conversations: tuple of Conversation, pinned first, then newest first.
    conversations_listed = Signal(object)
    shared_listed = Signal(object)  # The libraries on servers after a change: tuple of SharedLibrary
    spent = Signal(object)  # The cost of this month's answers: a Spending

    rag: RAGSystem
    keys: KeyStore
    settings_file: Path

    def __init__(self) -> None:
        super().__init__()
        self.remote = RemoteListing(self)
        self.folders = Folders(self.send)
        self.chat: ChatLoop | None = None
        self._closed = False
        self._reported: set[str] = set()
        self.writing, self.reading = JobThreads("write"), JobThreads("read", _READERS)
        self._queues: dict[Lane, JobQueue] = {Lane.WRITE: self.writing, Lane.READ: self.reading}
        self._hourly = QTimer(self, interval=_HOUR_MS)
        self._hourly.timeout.connect(self._look_after)

    def job(
        self,
        lane: Lane,
        what: str,
        function: Function[R],
        *,
        key: str = "",
        newest: bool = False,
        background: bool = False,
        is_kept: bool = False,
    ) -> Job[R]:
        """Return a job that calls ``function(rag, job)`` in a lane; see :class:`Job`."""
        return Job(
            self,
            self._queues.get(lane),
            what,
            lambda job: function(self.rag, job),
            key=key,
            newest=newest,
            background=background,
            is_kept=is_kept,
        )

    def start(self, rag: RAGSystem, keys: KeyStore, settings_file: Path) -> None:
        """Start the threads and open the library, unless the window has been closed."""
        if self._closed:
            return
        # Here: the window is painted before asyncio is imported.
        from app.workers.chat_loop import ChatLoop

        self.rag, self.keys, self.settings_file = rag, keys, settings_file
        self.chat = self._queues[Lane.NETWORK] = ChatLoop(rag)
        for lane in (self.writing, self.reading, self.chat):
            lane.start()
        self.is_running = True
        self._open_in_thread()

    def close(self) -> None:
        """Cancel the jobs, end the threads and close the library. Blocks until done."""
        self._closed = True
        self._hourly.stop()
        if self.chat is None or not self.is_running:
            return
        self.is_running = False
        for lane in (self.writing, self.reading):
            lane.close()
        self.rag.search.remote.close()  # a search that waits for a server ends now
        self.chat.close()
        for lane in (self.writing, self.reading):
            lane.wait()
        self.folders.close()
        self.rag.close()

    # For operations, in their threads

    def send_snapshot(self) -> None:
        self.send(self.snapshot.emit, self._take_snapshot())

    def show_library(self) -> None:
        """Emit ``snapshot`` and ``failures_listed``."""
        if not self.is_running:
            return
        try:
            self.send_snapshot()
            self.send(self.failures_listed.emit, self.rag.ingest.failures())
        except LecternError as error:  # it failed to open, which was reported
            _log.warning("The courses cannot be listed: %s", error)

    def show_restored(self) -> None:
        """Show the library that has taken the place of another, or open it if the other could not be."""
        if self.rag.database.is_open:
            self.send(self.opened.emit, self._take_snapshot())
        else:
            self.send(self._open_in_thread)

    def stored_key(self) -> str | None:
        """Return the key for the server in the settings."""
        settings = self.rag.settings
        return self.keys.read(settings.base_url, settings.provider)[0]

    def send_key_status(self) -> None:
        """Emit ``key_status`` for the server in the settings."""
        settings = self.rag.settings
        status = self.keys.status(settings.base_url, settings.provider)
        self.send(self.key_status.emit, status, settings.has_model(self.stored_key()))

    def _take_snapshot(self) -> LibrarySnapshot:
        courses = self.rag.courses
        known = courses.all()
        is_new = self.rag.ingest.wants_samples()
        questions, shared = courses.questions(known), self.remote.libraries()
        return LibrarySnapshot(known, courses.counts(), is_new, questions, shared)

    def _open_in_thread(self) -> None:
        self.job(Lane.READ, "Opening the library", self._open, key="library").run(
            self, failure=self.failed.emit
        )

    def _open(self, rag: RAGSystem, job: Job[None]) -> None:
        try:
            self._open_library(job.token)
        except (LecternError, Cancelled):
            raise
        except Exception as error:
            import sqlite3  # here: the window is painted before

            # Every other class of SQLite's errors is a fault of ours, or of the moment.
            if type(error) is not sqlite3.DatabaseError:
                _log.exception("Opening the library failed.")
                raise UserError(Message("workers.not_opened")) from error
            rag.close()  # a damaged page was found after the file had been opened
            directory = rag.database.data_dir
            message = Message("storage.damaged", directory=directory, reason=error)
            raise LibraryUnusable(message) from error

    def _open_library(self, token: CancelToken) -> None:
        """Open step by step, so that each part can be used as soon as it is loaded."""

        def show(text: Message | None) -> None:
            token.check()
            self.send(self.status.emit, text)

        self._open_file(show)
        self.send(self.opened.emit, self._take_snapshot())
        self.send_key_status()
        self.rag.prepare_model(token, show)
        show(None)
        self.send(self.ready.emit)
        self.send(self.failures_listed.emit, self.rag.ingest.failures())
        for done in self.rag.open_index(token):
            if done.total > done.done:
                show(Message("workers.building_index", percent=100 * done.done // done.total))
        show(None)
        if self.rag.reindex.needed():
            self.send(self.outdated.emit)
        self.send(self._tidy_up)
        self.send(self._hourly.start)
        self.send(self._look_after)

    def _tidy_up(self) -> None:
        """Delete for good what has been in the trash for long enough."""

        def expire(rag: RAGSystem, job: Job[None]) -> None:
            for _ in rag.trash.expire(job.token):
                job.token.check()

        self.job(Lane.WRITE, "Tidying up", expire, background=True).run(
            self, failure=lambda message: _log.warning("The library could not be tidied up: %s", message)
        )

    def _look_after(self) -> None:
        """Make today's backup in the background, unless it was made; that also reveals damage."""

        def look_after(rag: RAGSystem, job: Job[None]) -> None:
            rag.backups.make_daily(job.token, in_background=True)

        job = self.job(
            Lane.WRITE, "Backing up the library", look_after, key="upkeep", newest=True, background=True
        )
        job.run(self, failure=self._report_damage)

    def _report_damage(self, message: Message) -> None:
        """Show a message once: looking after the library finds the same damage every hour."""
        if str(message) not in self._reported:
            self._reported.add(str(message))
            self.problem.emit(message)

    def _open_file(self, progress: Callable[[Message], None]) -> None:
        """Open the file; another Lectern that is closing may still hold it."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                return self.rag.open(progress)
            except LibraryLocked:
                if time.monotonic() > deadline:
                    raise
            progress(Message("workers.waiting"))
            time.sleep(_RETRY)


class RemoteListing:
    """What the window knows of courses on servers: opens no connection.

    Attributes:
        titles: of the courses on servers, as they were listed last.
    """

    def __init__(self, workers: LibraryWorkers) -> None:
        self._workers = workers
        self.titles: frozenset[str] = frozenset()
        self._sent: tuple[SharedLibrary, ...] = ()

    def look(self) -> Job[None]:
        """Send ``workers.shared_listed`` if a search or a lesson has shown a change of a server."""
        return self._workers.job(
            Lane.NETWORK, "Checking shared libraries", lambda *_: self.send_changed(), key="shared reading"
        )

    # For operations, in their threads

    def send(self) -> None:
        self._workers.send(self._workers.shared_listed.emit, self.libraries())

    def send_changed(self) -> None:
        """Send the libraries if they are not as they were sent last."""
        before = self._sent
        if self.libraries() != before:
            self.send()

    def libraries(self) -> tuple[SharedLibrary, ...]:
        """Return the libraries on servers as they are known now."""
        libraries = self._sent = self._workers.rag.search.remote.libraries()
        self.titles = frozenset(course.title for library in libraries for course in library.courses)
        return libraries


_AT_THE_END = 0.5  # seconds that closing waits for a scan; on a network share, one can take minutes
_REST = 30.0  # seconds before watching again after a fault


class Folders(QObject):
    """Scans folders in a daemon thread of Python's, not in a QThread.

    A thread that waits for an unresponsive share cannot be stopped, and must not keep the program running.

    Attributes:
        pace: timing of the scans; None for the default.
    """

    happened = Signal(object)  # A FolderSettled, FolderLost or FolderFound
    listed = Signal(object)  # The watched folders: tuple of Path

    def __init__(self, send: Callable[..., object]) -> None:
        super().__init__()
        self.pace: Pace | None = None
        self._send = send
        self._watcher: FolderWatcher | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, paths: Sequence[WatchedPath], *, wanted: bool) -> None:
        """Replace the watched folders; none unless ``wanted``. Always call it in the same thread."""
        self._send(self.listed.emit, tuple(item.path for item in paths))
        if self._watcher is None:
            if not (wanted and paths) or self._ended.is_set():
                return
            # Here: the window imports this module before its first frame.
            from app.core.ingest.watcher import FolderWatcher

            self._watcher = FolderWatcher(self.pace)
            self._thread = threading.Thread(
                target=self._run, args=(self._watcher,), name="folders", daemon=True
            )
            self._thread.start()
        self._watcher.watch(paths if wanted else ())

    def close(self) -> None:
        """Stop watching. :meth:`watch` must not be called afterwards."""
        self._ended.set()
        if self._watcher is not None and self._thread is not None:
            self._watcher.close()
            self._thread.join(_AT_THE_END)

    def _run(self, watcher: FolderWatcher) -> None:
        while not self._ended.is_set():
            try:
                for event in watcher.events():
                    if self._ended.is_set():
                        return
                    if isinstance(event, FolderLost):
                        _log.info("%s cannot be reached; its courses stay as they are.", event.path)
                    self._send(self.happened.emit, event)
            except Exception:
                _log.exception("Watching folders failed; restarting.")
                self._ended.wait(_REST)
