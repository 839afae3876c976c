"""Lists, searches, opens and changes the saved conversations."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.conversations import OpenedConversation
from app.domain.errors import LecternError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.rag_system import RAGSystem

_log = logging.getLogger(__name__)


class ConversationWorker(QObject):
    """Lives in a thread of its own, so that no reading of files keeps a conversation waiting.

    Its slots are called through signals, once the library is open.
    """

    listed = Signal(object)
    """All conversations: tuple of Conversation, pinned first, then newest first."""
    found = Signal(int, object)
    """The number of a search and what it found: tuple of ConversationHit."""
    opened = Signal(int, object)
    """The number of a request and the OpenedConversation, or None if it is gone."""
    failed = Signal(str)
    """Something could not be done: one sentence."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self._rag = rag
        self._sessions = rag.conversations

    @Slot()
    def list_all(self) -> None:
        """Send the list."""
        self._do(lambda: None, self.tr("Listing the chats"))

    @Slot(int, str)
    def search(self, number: int, text: str) -> None:
        """Search all conversations."""
        self._run(
            lambda: self.found.emit(number, self._sessions.search(text)),
            self.tr("Searching the chats"),
        )

    @Slot(int, int, int)
    def open(self, number: int, conversation_id: int, through: int) -> None:
        """Read a conversation.

        Args:
            number: of the request; comes back with the answer.
            conversation_id: which.
            through: the branch with this exchange; 0 for the newest.
        """

        def read() -> None:
            conversation = self._sessions.conversation(conversation_id)
            if conversation is None:
                self.opened.emit(number, None)
                return
            exchanges = self._sessions.exchanges(conversation_id, through or None)
            self.opened.emit(number, OpenedConversation(conversation, exchanges))

        self._run(read, self.tr("Opening a chat"))

    @Slot(int, str)
    def rename(self, conversation_id: int, title: str) -> None:
        """Give a conversation another title."""
        self._do(lambda: self._sessions.rename(conversation_id, title), self.tr("Renaming a chat"))

    @Slot(int, bool)
    def pin(self, conversation_id: int, pinned: bool) -> None:
        """Pin a conversation to the top, or no longer."""
        self._do(lambda: self._sessions.set_pinned(conversation_id, pinned), self.tr("Pinning a chat"))

    @Slot(int)
    def delete(self, conversation_id: int) -> None:
        """Delete a conversation; it can be restored."""
        self._do(lambda: self._sessions.delete(conversation_id), self.tr("Deleting a chat"))

    @Slot(object)
    def restore(self, conversation_ids: tuple[int, ...]) -> None:
        """Take deleted conversations back."""

        def work() -> None:
            for conversation_id in conversation_ids:
                self._sessions.restore(conversation_id)

        self._do(work, self.tr("Restoring a chat"))

    def _do(self, work: Callable[[], None], what: str) -> None:
        """Change something, then send the list as it is now, also when nothing could be changed."""
        self._run(work, what)
        self._run(lambda: self.listed.emit(self._sessions.all()), what)

    def _run(self, work: Callable[[], None], what: str) -> None:
        try:
            work()
        except LecternError as error:
            self.failed.emit(str(error))
        except Exception:
            _log.exception("%s failed.", what)
            self.crashed.emit(what)
