"""Saved conversations: every exchange is written as it happens."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.core.conversations import exchanges
from app.core.conversations.search import search_conversations
from app.core.conversations.spending import spent_since
from app.core.storage.codec import encode_scope
from app.domain.conversations import BEFORE_ALL, INTERRUPTED, ChatMessage, Conversation, ExchangeState
from app.domain.scope import Scope

if TYPE_CHECKING:
    import sqlite3

    from app.core.storage.database import Database
    from app.domain.conversations import ConversationHit, Exchange
    from app.domain.model_servers import Spending

_TITLE_LENGTH = 80


class SessionManager:
    """Stores conversations, and returns the earlier exchanges that a question needs. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def create_session(self, scope: Scope | None = None) -> int:
        """Start a conversation and return its key. It is listed once it has a question."""
        now = time.time()
        cursor = self._db.connection.execute(
            "INSERT INTO conversations (title, created_at, updated_at, scope) VALUES ('', ?, ?, ?)",
            (now, now, encode_scope(scope or Scope())),
        )
        return int(cursor.lastrowid or 0)

    def get_conversation_history(
        self, conversation_id: int, limit: int, parent_id: int | None = None
    ) -> list[ChatMessage]:
        """Return the last done exchanges before a question as turns, oldest first.

        Args:
            conversation_id: the conversation.
            limit: number of exchanges; each is a user and an assistant message.
            parent_id: the exchange the question follows; None for the newest of the conversation,
                ``BEFORE_ALL`` for none.
        """
        branch = exchanges.branch_to(self._db.connection, conversation_id, parent_id)
        done = [item for item in branch if item["state"] == ExchangeState.DONE and item["answer"].strip()]
        messages: list[ChatMessage] = []
        for item in done[max(len(done) - limit, 0) :]:
            messages.append(ChatMessage("user", item["question"]))
            messages.append(ChatMessage("assistant", item["answer"]))
        return messages

    def begin_exchange(
        self,
        conversation_id: int,
        question: str,
        scope: Scope,
        model: str | None,
        parent_id: int | None = None,
    ) -> Exchange:
        """Store a question before the model is called; its answer is still empty.

        Args:
            conversation_id: the conversation.
            question: as typed.
            scope: what it is restricted to.
            model: the model to ask; None for the passages themselves.
            parent_id: the exchange it follows, on a new branch if that already has a successor; None
                for the newest, ``BEFORE_ALL`` for none.
        """
        with self._db.transaction() as connection:
            if parent_id is None:
                parent_id = exchanges.newest(connection, conversation_id)
            elif parent_id == BEFORE_ALL:
                parent_id = None
            exchange = exchanges.add(connection, conversation_id, parent_id, question, scope, model)
            connection.execute(
                "UPDATE conversations SET updated_at = ?, title = iif(title = '', ?, title) WHERE id = ?",
                (time.time(), _title(question), conversation_id),
            )
        return exchange

    def save(self, exchange: Exchange) -> None:
        """Store an exchange as it stands, with sources and citations."""
        with self._db.transaction() as connection:
            conversation_id = exchanges.update(connection, exchange)
            connection.execute(
                "UPDATE conversations SET updated_at = ? WHERE id = ?", (time.time(), conversation_id)
            )

    def close_interrupted(self) -> int:
        """Mark answers that a crash cut short as stopped; return their number."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE exchanges SET state = 'stopped', stop_reason = ? WHERE state = 'writing'",
                (INTERRUPTED,),
            )
        return cursor.rowcount

    def all(self) -> tuple[Conversation, ...]:
        """Return the conversations that have a question, pinned first, then newest first."""
        rows = self._db.connection.execute(
            """SELECT * FROM conversations WHERE deleted_at IS NULL AND title <> ''
               ORDER BY pinned DESC, updated_at DESC, id DESC"""
        )
        return tuple(_conversation(row) for row in rows)

    def conversation(self, conversation_id: int) -> Conversation | None:
        """Return one conversation; None if it does not exist or was deleted."""
        row = self._db.connection.execute(
            "SELECT * FROM conversations WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
        ).fetchone()
        return None if row is None else _conversation(row)

    def exchanges(self, conversation_id: int, through: int | None = None) -> tuple[Exchange, ...]:
        """Return one branch of a conversation, oldest exchange first.

        Args:
            conversation_id: the conversation.
            through: an exchange of the branch; where the branch forks after it, the newest exchange
                decides. None for the newest branch.
        """
        return exchanges.branch_through(self._db.connection, conversation_id, through)

    def search(self, text: str) -> tuple[ConversationHit, ...]:
        """Search all conversations; see :func:`search_conversations`."""
        return search_conversations(self._db, text)

    def spent_since(self, start: float, budget: int) -> Spending:
        """Add up what answers have cost; see :func:`spent_since`."""
        return spent_since(self._db, start, budget)

    def rename(self, conversation_id: int, title: str) -> None:
        """Change the title; a blank one changes nothing."""
        if line := _title(title):
            self._set(conversation_id, "title", line)

    def set_pinned(self, conversation_id: int, pinned: bool) -> None:
        self._set(conversation_id, "pinned", int(pinned))

    def delete(self, conversation_id: int) -> None:
        """Remove a conversation from every list; it is kept until :meth:`empty_trash`."""
        self._set(conversation_id, "deleted_at", time.time())

    def restore(self, conversation_id: int) -> None:
        """List a deleted conversation again."""
        self._set(conversation_id, "deleted_at", None)

    def empty_trash(self, older_than: float) -> int:
        """Delete for good what was deleted before ``older_than`` (seconds since the epoch).

        Conversations without a question are deleted too.

        Returns:
            The number of conversations.
        """
        with self._db.transaction() as connection:
            rows = connection.execute(
                """SELECT id FROM conversations
                   WHERE deleted_at < :before OR (title = '' AND created_at < :before)""",
                {"before": older_than},
            ).fetchall()
            for row in rows:
                connection.execute(
                    """INSERT INTO exchanges_fts (exchanges_fts, rowid, question, answer)
                       SELECT 'delete', id, question, answer FROM exchanges WHERE conversation_id = ?""",
                    (row["id"],),
                )
                connection.execute("DELETE FROM conversations WHERE id = ?", (row["id"],))
        return len(rows)

    def _set(self, conversation_id: int, column: str, value: str | float | None) -> None:
        with self._db.transaction() as connection:
            statement = f"UPDATE conversations SET {column} = ? WHERE id = ?"
            connection.execute(statement, (value, conversation_id))


def _conversation(row: sqlite3.Row) -> Conversation:
    return Conversation(row["id"], row["title"], row["updated_at"], bool(row["pinned"]))


def _title(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"
