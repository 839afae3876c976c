"""Everything the window can ask for, and the threads that do it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.config.secrets import KeyOrigin
from app.domain.cancel import Cancelled
from app.domain.errors import LecternError, UserError
from app.domain.messages import Message
from app.workers.answer_operations import AnswerOperations
from app.workers.conversation_operations import ConversationOperations
from app.workers.folders import Folders
from app.workers.ingest_operations import IngestOperations
from app.workers.job import Courier, Operation
from app.workers.library_operations import LibraryOperations
from app.workers.opening import Status, Step, open_library

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from app.config.secrets import KeyStore
    from app.core.rag_system import RAGSystem
    from app.domain.courses import Course, LibraryCounts
    from app.workers.chat_loop import ChatLoop
    from app.workers.job import Job

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LibrarySnapshot:
    """What the sidebar shows; ``is_new`` if the library has never held a document."""

    courses: tuple[Course, ...]
    counts: LibraryCounts
    is_new: bool


class Workers(Courier):
    """The operations by subject; signals carry what concerns many parts of the window.

    Created before the core is imported; :meth:`start` starts the threads.

    Attributes:
        folders: watches folders.
        chat: the loop that writes answers; None before the start.
        threads: all other ones.
    """

    opened = Signal(object)
    """The library is open, but not yet ready to search: a LibrarySnapshot."""
    ready = Signal()
    """The embedding model is loaded: the library can be searched and added to."""
    outdated = Signal()
    """After ``ready``: the library needs a reindex, which is now possible."""
    failed = Signal(object)
    """The library cannot be opened or used: a Message."""
    status = Signal(object)
    """Progress of opening: a Message; None when done."""
    snapshot = Signal(object)
    """A LibrarySnapshot after a change and during long ones."""
    failures_listed = Signal(object)
    """The files that could not be read: tuple of FileDone."""
    key_status = Signal(object, bool)
    """The KeyStatus, and whether there is a model to ask."""
    settings_saved = Signal(object, bool)
    """The new Settings, and whether the library needs a reindex."""
    conversations_listed = Signal(object)
    """All conversations: tuple of Conversation, pinned first, then newest first."""
    spent = Signal(object)
    """The cost of this month's answers: a Spending."""

    rag: RAGSystem
    keys: KeyStore
    settings_file: Path

    def __init__(self) -> None:
        super().__init__()
        self.library = LibraryOperations(self)
        self.ingest = IngestOperations(self)
        self.conversations = ConversationOperations(self)
        self.answers = AnswerOperations(self)
        self.folders = Folders(self.send)
        self.chat: ChatLoop | None = None
        self._closed = False
        reading, chats = self.ingest, self.conversations
        self.threads = [self.library.queue, reading.queue, reading.plans, chats.queue, chats.exports]

    def start(self, rag: RAGSystem, keys: KeyStore, settings_file: Path) -> None:
        """Start the threads and open the library, unless the window has been closed."""
        if self._closed:
            return
        # Here: the window is painted before asyncio is imported.
        from app.workers.chat_loop import ChatLoop

        self.rag, self.keys, self.settings_file = rag, keys, settings_file
        self.chat = ChatLoop(rag, keys)
        for thread in (*self.threads, self.chat):
            thread.start()
        self.is_running = True
        open_ = Operation(self, self.library.queue, self.tr("Opening the library"), self._open)
        open_.run(self, event=self._opening, failure=self.failed.emit)

    def close(self) -> None:
        """Cancel the jobs, end the threads and close the library. Blocks until done."""
        self._closed = True
        if self.chat is None or not self.is_running:
            return
        self.is_running = False
        for thread in self.threads:
            thread.close()
        self.chat.close()
        for thread in self.threads:
            thread.wait()
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

    def send_key_status(self) -> None:
        """Emit ``key_status`` for the server in the settings."""
        base_url = self.rag.settings.base_url
        status = self.keys.status(base_url)
        self.send(self.key_status.emit, status, status.origin is not KeyOrigin.NONE or bool(base_url))

    def _take_snapshot(self) -> LibrarySnapshot:
        courses = self.rag.courses
        return LibrarySnapshot(courses.all(), courses.counts(), self.rag.ingest.wants_samples())

    def _open(self, job: Job[None]) -> Generator[object, None, None]:
        try:
            for event in open_library(self.rag, job.token, job.tell):
                if event is Step.OPENED:
                    self.send(self.opened.emit, self._take_snapshot())
                    self.send_key_status()
                yield event
                if event is Step.READY:
                    self.send(self.failures_listed.emit, self.rag.ingest.failures())
                elif event is Step.INDEXED:
                    if self.rag.reindex.needed():
                        self.send(self.outdated.emit)
                    self.library.tidy(self.rag.trash.expire(job.token)).run(self)
        except (LecternError, Cancelled):
            raise
        except Exception as error:
            _log.exception("Opening the library failed.")
            raise UserError(Message("workers.not_opened")) from error

    def _opening(self, event: Step | Status) -> None:
        if isinstance(event, Status):
            self.status.emit(event.text)
        elif event is Step.READY:
            self.ready.emit()
