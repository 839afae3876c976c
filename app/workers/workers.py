"""Everything the window can ask for, and the threads in which it is done."""

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
    """What the sidebar shows; ``is_new`` says that this library has never held anything."""

    courses: tuple[Course, ...]
    counts: LibraryCounts
    is_new: bool


class Workers(Courier):
    """The operations by subject. What concerns many parts of the window is told by signals.

    Made before the library's code is imported: :meth:`start` brings it to life.

    Attributes:
        folders: watches folders.
        chat: the loop in which answers are written; None before the start.
        threads: all others.
    """

    opened = Signal(object)
    """The library is open: a LibrarySnapshot. Not yet ready to search."""
    ready = Signal()
    """The embedding model is loaded: it can be searched and added to."""
    outdated = Signal()
    """After ``ready``: the library must be reindexed, and can be."""
    failed = Signal(object)
    """It cannot be opened or used: a Message."""
    status = Signal(object)
    """What is being done while it opens: a Message; None when it is over."""
    snapshot = Signal(object)
    """A LibrarySnapshot after a change, and now and then during a long one."""
    failures_listed = Signal(object)
    """The files that could not be read: tuple of FileDone."""
    key_status = Signal(object, bool)
    """The KeyStatus, and whether there is a model to ask."""
    settings_saved = Signal(object, bool)
    """The Settings in force now, and whether the library must be reindexed."""
    conversations_listed = Signal(object)
    """All conversations: tuple of Conversation, pinned first, then newest first."""
    spent = Signal(object)
    """What answers have cost this month: a Spending."""

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
        """Start the threads and open the library, unless the window was closed before it could be."""
        if self._closed:
            return
        # Here: the window is painted before asyncio and all it needs are imported.
        from app.workers.chat_loop import ChatLoop

        self.rag, self.keys, self.settings_file = rag, keys, settings_file
        self.chat = ChatLoop(rag, keys)
        for thread in (*self.threads, self.chat):
            thread.start()
        self.is_running = True
        open_ = Operation(self, self.library.queue, self.tr("Opening the library"), self._open)
        open_.run(self, event=self._opening, failure=self.failed.emit)

    def close(self) -> None:
        """Stop what runs, end the threads, then close the library. Blocks until that is done."""
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
        """Tell ``snapshot`` what is in the library now."""
        self.send(self.snapshot.emit, self._take_snapshot())

    def show_library(self) -> None:
        """Tell what is in the library now, and what could not be read into it."""
        if not self.is_running:
            return
        try:
            self.send_snapshot()
            self.send(self.failures_listed.emit, self.rag.ingest.failures())
        except LecternError as error:  # it could not be opened; that was said
            _log.warning("The courses cannot be listed: %s", error)

    def send_key_status(self) -> None:
        """Tell ``key_status`` whether there is a key for the server of the settings."""
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
