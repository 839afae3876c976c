"""Lists, searches, opens, changes and exports conversations; asks questions."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from app.config.files import writing
from app.config.redaction import hide
from app.config.secrets import KeyOrigin
from app.domain.conversations import OpenedConversation
from app.domain.errors import LecternError, UserError
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck
from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.core.answers.providers.base import ModelSettings
    from app.core.conversations.session_manager import SessionManager
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import ConversationHit
    from app.domain.events import AnswerEvent
    from app.domain.model_servers import ModelInfo
    from app.domain.scope import Scope
    from app.workers.workers import Workers

    Event = TypeVar("Event")
    Events = Generator[Event, None, None] | AsyncGenerator[Event, None]
    Writer = Callable[[OpenedConversation, Path], None]

_log = logging.getLogger(__name__)


class ConversationOperations(Operations):
    """Every change emits ``workers.conversations_listed``, even when it fails."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "conversations")

    def list(self) -> Job[None]:
        return self._listing("Listing the chats", lambda _: None)

    def rename(self, conversation_id: int, title: str) -> Job[None]:
        return self._listing("Renaming a chat", lambda sessions: sessions.rename(conversation_id, title))

    def pin(self, conversation_id: int, pinned: bool) -> Job[None]:
        return self._listing("Pinning a chat", lambda sessions: sessions.set_pinned(conversation_id, pinned))

    def delete(self, conversation_id: int) -> Job[None]:
        return self._listing("Deleting a chat", lambda sessions: sessions.delete(conversation_id))

    def restore(self, conversation_ids: Sequence[int]) -> Job[None]:
        def restore(sessions: SessionManager) -> None:
            for conversation_id in conversation_ids:
                sessions.restore(conversation_id)

        return self._listing("Restoring a chat", restore)

    def search(self, text: str) -> Job[tuple[ConversationHit, ...]]:
        return self._job("Searching the chats", lambda _: self._rag.conversations.search(text))

    def last_questions(self, limit: int) -> Job[tuple[ConversationHit, ...]]:
        """Read what was asked last, newest first; the questions are the snippets."""
        return self._job("Listing the questions", lambda _: self._rag.conversations.recent_questions(limit))

    def open(self, conversation_id: int, through: int = 0) -> Job[OpenedConversation | None]:
        """Read a conversation's branch with the exchange ``through``, 0 for the newest; None if deleted."""
        return self._job("Opening a chat", lambda _: self._opened(conversation_id, through))

    def export(self, conversation_id: int, through: int, path: Path, write: Writer | None) -> Job[Path]:
        """Write a conversation's branch, as of :meth:`open`, to a file; gives its path.

        An existing file is replaced once the new one is complete. ``write`` writes to the path it receives;
        None writes Markdown.
        """

        def export(rag: RAGSystem, _: Job[Path]) -> Path:
            opened = self._opened(conversation_id, through)
            if opened is None:
                raise UserError(Message("workers.chat_deleted"))
            from app.core.storage.disk import write_whole  # after the first frame

            with writing(path):
                write_whole(rag.database.data_dir, path, partial(write or _write_markdown, opened))
            return path

        return self._workers.job(Lane.READ, "Exporting a chat", export, key="long")

    def _listing(self, what: str, work: Callable[[SessionManager], None]) -> Job[None]:
        def change(_: Job[None]) -> None:
            sessions = self._rag.conversations
            try:
                work(sessions)
            finally:
                self._workers.send(self._workers.conversations_listed.emit, sessions.all())

        return self._job(what, change)

    def _opened(self, conversation_id: int, through: int) -> OpenedConversation | None:
        sessions = self._rag.conversations
        conversation = sessions.conversation(conversation_id)
        if conversation is None:
            return None
        return OpenedConversation(conversation, sessions.exchanges(conversation_id, through or None))


class AnswerOperations(Operations):
    """Run side by side in the loop; a cancelled answer still reports what has arrived."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "", Lane.NETWORK)

    def ask(
        self, question: str, conversation_id: int | None, scope: Scope, parent_id: int | None = None
    ) -> Job[None]:
        """Answer a question; the events are AnswerEvents.

        Args:
            question: as typed.
            conversation_id: None begins a new conversation; AnswerStarted carries its id.
            scope: of the question.
            parent_id: the exchange it follows; None for the newest, ``BEFORE_ALL`` for none.
        """

        def answer(_: Job[None]) -> AsyncGenerator[AnswerEvent, None]:
            rag = self._rag
            return rag.answers.query(
                question,
                rag.answers.connection(self._stored_key()),
                conversation_id=conversation_id or rag.conversations.create_session(scope),
                parent_id=parent_id,
                scope=scope,
            )

        return self._job("Answering a question", answer)

    def test_connection(self, settings: Settings, new_key: str | None, use_stored: bool) -> Job[None]:
        """Check what a model server can do; the events are ConnectionChecks and a tuple of ModelInfo.

        Args:
            settings: of the server and model; need not be saved.
            new_key: as typed; None for the existing key.
            use_stored: whether a stored key may be used; one in the environment always is.
        """

        def check(_: Job[None]) -> Events[ConnectionCheck | tuple[ModelInfo, ...]]:
            hide(new_key or "")
            key, origin = self._workers.keys.read(settings.base_url)
            if origin is not KeyOrigin.ENVIRONMENT:
                key = new_key or (key if use_stored else None)
            connection = self._rag.answers.connection(key, settings)
            if connection is None:
                no_key = ConnectionCheck("key", False, Message("answers.check_no_key"))
                return (check for check in (no_key,))
            return self._rag.answers.check_connection(connection)

        return self._job("Trying the connection", check)

    def write_questions(self) -> Job[None]:
        """Have a model write questions for courses that have none; the events are the courses' titles.

        Each is followed by ``workers.snapshot``.
        """

        async def write(titles: Sequence[str], connection: ModelSettings) -> AsyncGenerator[str, None]:
            for title in titles:
                if not self._rag.settings.write_suggestions:
                    return
                if not await self._rag.questions.write(title, connection):
                    return  # the next start tries again
                yield title
                show = self._workers.job(
                    Lane.READ, "Listing the courses", lambda *_: self._workers.send_snapshot()
                )
                show.run(self._workers)

        def begin(rag: RAGSystem, _: Job[None]) -> AsyncGenerator[str, None] | None:
            connection = rag.answers.connection(self._stored_key())
            return None if connection is None else write(rag.courses.without_questions(), connection)

        # One after another: a window in another language asks for it, too.
        return self._workers.job(Lane.NETWORK, "Writing suggested questions", begin, key="suggestions")

    def tell_spending(self) -> Job[None]:
        """Emit ``workers.spent`` with the cost of this month's answers."""

        def add_up(rag: RAGSystem, _: Job[None]) -> None:
            try:
                self._workers.send(self._workers.spent.emit, rag.answers.spending())
            except LecternError as error:
                _log.warning("The spending cannot be read: %s", error)

        return self._workers.job(Lane.READ, "Adding up what was spent", add_up, key="conversations")

    def _stored_key(self) -> str | None:
        return self._workers.keys.read(self._rag.settings.base_url)[0]


def _write_markdown(opened: OpenedConversation, path: Path) -> None:
    # Here: the window imports this module before its first frame, and the core after it.
    from app.core.conversations.markdown_export import conversation_markdown

    path.write_text(conversation_markdown(opened), encoding="utf-8", newline="\n")
