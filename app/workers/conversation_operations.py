"""Lists, searches, opens, changes and exports conversations."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.conversations import OpenedConversation
from app.domain.errors import UserError
from app.domain.messages import Message
from app.workers.job import Operation, QueueThread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.core.conversations.session_manager import SessionManager
    from app.domain.conversations import ConversationHit
    from app.workers.workers import Workers

    Writer = Callable[[OpenedConversation, Path], None]

_tr = QCoreApplication.translate


class ConversationOperations:
    """Every change emits ``workers.conversations_listed``, even when it fails."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.queue = QueueThread("conversations")  # not behind the reading of files
        self.exports = QueueThread("export")  # laying out a long conversation takes seconds

    def list(self) -> Operation[None]:
        return self._listing(_tr("Workers", "Listing the chats"), lambda _: None)

    def rename(self, conversation_id: int, title: str) -> Operation[None]:
        what = _tr("Workers", "Renaming a chat")
        return self._listing(what, lambda sessions: sessions.rename(conversation_id, title))

    def pin(self, conversation_id: int, pinned: bool) -> Operation[None]:
        what = _tr("Workers", "Pinning a chat")
        return self._listing(what, lambda sessions: sessions.set_pinned(conversation_id, pinned))

    def delete(self, conversation_id: int) -> Operation[None]:
        what = _tr("Workers", "Deleting a chat")
        return self._listing(what, lambda sessions: sessions.delete(conversation_id))

    def restore(self, conversation_ids: Sequence[int]) -> Operation[None]:
        def restore(sessions: SessionManager) -> None:
            for conversation_id in conversation_ids:
                sessions.restore(conversation_id)

        return self._listing(_tr("Workers", "Restoring a chat"), restore)

    def search(self, text: str) -> Operation[tuple[ConversationHit, ...]]:
        what = _tr("Workers", "Searching the chats")
        return Operation(
            self._workers, self.queue, what, lambda _: self._workers.rag.conversations.search(text)
        )

    def open(self, conversation_id: int, through: int = 0) -> Operation[OpenedConversation | None]:
        """Read a conversation; gives None if it was deleted.

        Args:
            conversation_id: which.
            through: the branch with this exchange; 0 for the newest.
        """
        what = _tr("Workers", "Opening a chat")
        return Operation(self._workers, self.queue, what, lambda _: self._opened(conversation_id, through))

    def export(self, conversation_id: int, through: int, path: Path, write: Writer | None) -> Operation[Path]:
        """Write one branch of a conversation to a file; gives its path.

        Args:
            conversation_id: which.
            through: the branch with this exchange; 0 for the newest.
            path: of the file; an existing one is replaced once the new one is complete.
            write: writes the conversation to the path it receives; None writes Markdown.
        """

        def export() -> Path:
            opened = self._opened(conversation_id, through)
            if opened is None:
                raise UserError(Message("workers.chat_deleted"))
            _write_whole(opened, path, write or _write_markdown)
            return path

        return Operation(self._workers, self.exports, _tr("Workers", "Exporting a chat"), lambda _: export())

    def _listing(self, what: str, work: Callable[[SessionManager], None]) -> Operation[None]:
        def change() -> None:
            sessions = self._workers.rag.conversations
            try:
                work(sessions)
            finally:
                self._workers.send(self._workers.conversations_listed.emit, sessions.all())

        return Operation(self._workers, self.queue, what, lambda _: change())

    def _opened(self, conversation_id: int, through: int) -> OpenedConversation | None:
        sessions = self._workers.rag.conversations
        conversation = sessions.conversation(conversation_id)
        if conversation is None:
            return None
        return OpenedConversation(conversation, sessions.exchanges(conversation_id, through or None))


def _write_whole(opened: OpenedConversation, path: Path, write: Writer) -> None:
    """Write to a temporary file first, so that a full disk does not destroy an existing one."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        write(opened, unfinished)
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise UserError(Message("workers.chat_not_written", path=path, reason=reason)) from error
        raise


def _write_markdown(opened: OpenedConversation, path: Path) -> None:
    # Here: the window imports this module before its first frame, and the core after it.
    from app.core.conversations.markdown_export import conversation_markdown

    path.write_text(conversation_markdown(opened), encoding="utf-8", newline="\n")
