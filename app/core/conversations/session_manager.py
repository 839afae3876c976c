"""Conversations: every exchange is written as it happens."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from app.core.conversations.search import search_conversations
from app.core.conversations.spending import spent_since
from app.domain.conversations import (
    BEFORE_ALL,
    INTERRUPTED,
    ChatMessage,
    Conversation,
    Exchange,
    ExchangeState,
)
from app.domain.documents import Anchor
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Citation, Source

if TYPE_CHECKING:
    import sqlite3

    from app.core.storage.database import Database
    from app.domain.conversations import ConversationHit
    from app.domain.model_servers import Spending

_TITLE_LENGTH = 80


class SessionManager:
    """Stores conversations and gives a question the exchanges that go with it. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def create_session(self, scope: Scope | None = None) -> int:
        """Start a conversation; return its key. It is listed once it has a question."""
        now = time.time()
        cursor = self._db.connection.execute(
            "INSERT INTO conversations (title, created_at, updated_at, scope) VALUES ('', ?, ?, ?)",
            (now, now, _to_json(scope or Scope())),
        )
        return int(cursor.lastrowid or 0)

    def get_conversation_history(
        self, conversation_id: int, exchanges: int, parent_id: int | None = None
    ) -> list[ChatMessage]:
        """Return the last done exchanges before a question as real turns, oldest first.

        Args:
            conversation_id: the conversation.
            exchanges: at most this many; each gives a user and an assistant message.
            parent_id: the exchange the question follows; None for the newest of the conversation,
                ``BEFORE_ALL`` for none.
        """
        branch = self._branch(conversation_id, parent_id)
        done = [item for item in branch if item["state"] == ExchangeState.DONE and item["answer"].strip()]
        messages: list[ChatMessage] = []
        for item in done[max(len(done) - exchanges, 0) :]:
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
        """Store a question before anything is asked; its answer is still empty.

        Args:
            conversation_id: the conversation.
            question: as typed.
            scope: what it is restricted to.
            model: who is asked; None for the passages themselves.
            parent_id: the exchange it follows, which begins a new branch where another follows that
                already; None for the newest, ``BEFORE_ALL`` for none.
        """
        now = time.time()
        with self._db.transaction() as connection:
            if parent_id is None:
                parent_id = _newest(connection, conversation_id)
            elif parent_id == BEFORE_ALL:
                parent_id = None
            cursor = connection.execute(
                """INSERT INTO exchanges
                   (conversation_id, parent_id, question, state, scope, model, created_at)
                   VALUES (?, ?, ?, 'writing', ?, ?, ?)""",
                (conversation_id, parent_id, question, _to_json(scope), model, now),
            )
            exchange_id = int(cursor.lastrowid or 0)
            connection.execute(
                "INSERT INTO exchanges_fts (rowid, question, answer) VALUES (?, ?, '')",
                (exchange_id, question),
            )
            connection.execute(
                "UPDATE conversations SET updated_at = ?, title = iif(title = '', ?, title) WHERE id = ?",
                (now, _title(question), conversation_id),
            )
            siblings = connection.execute(
                "SELECT id FROM exchanges WHERE conversation_id = ? AND parent_id IS ? ORDER BY id",
                (conversation_id, parent_id),
            ).fetchall()
        return Exchange(
            exchange_id,
            parent_id,
            question,
            "",
            ExchangeState.WRITING,
            scope,
            model=model,
            siblings=tuple(row["id"] for row in siblings),
        )

    def save(self, exchange: Exchange) -> None:
        """Store an exchange as it stands now, sources and citations included."""
        with self._db.transaction() as connection:
            old = connection.execute(
                "SELECT question, answer, conversation_id FROM exchanges WHERE id = ?", (exchange.id,)
            ).fetchone()
            if old is None:  # the conversation was deleted while it was being answered
                return
            connection.execute(
                """INSERT INTO exchanges_fts (exchanges_fts, rowid, question, answer)
                   VALUES ('delete', ?, ?, ?)""",
                (exchange.id, old["question"], old["answer"]),
            )
            connection.execute(
                """UPDATE exchanges SET answer = ?, state = ?, model = ?, stop_reason = ?, usage = ?,
                   error = ?, seconds = ? WHERE id = ?""",
                (
                    exchange.answer,
                    exchange.state,
                    exchange.model,
                    exchange.stop_reason,
                    json.dumps(asdict(exchange.usage)),
                    exchange.error.to_json() if exchange.error else None,
                    exchange.seconds,
                    exchange.id,
                ),
            )
            connection.execute(
                "INSERT INTO exchanges_fts (rowid, question, answer) VALUES (?, ?, ?)",
                (exchange.id, old["question"], exchange.answer),
            )
            _put_sources(connection, exchange)
            connection.execute(
                "UPDATE conversations SET updated_at = ? WHERE id = ?", (time.time(), old["conversation_id"])
            )

    def close_interrupted(self) -> int:
        """Mark answers that a crash cut short as stopped; return how many there were."""
        with self._db.transaction() as connection:
            cursor = connection.execute(
                "UPDATE exchanges SET state = 'stopped', stop_reason = ? WHERE state = 'writing'",
                (INTERRUPTED,),
            )
        return cursor.rowcount

    def all(self) -> tuple[Conversation, ...]:
        """Return the conversations that have a question, pinned first, then newest first."""
        rows = self._db.connection.execute(
            """SELECT id, title, updated_at, pinned FROM conversations
               WHERE deleted_at IS NULL AND title <> '' ORDER BY pinned DESC, updated_at DESC, id DESC"""
        )
        return tuple(
            Conversation(row["id"], row["title"], row["updated_at"], bool(row["pinned"])) for row in rows
        )

    def search(self, text: str) -> tuple[ConversationHit, ...]:
        """Search all conversations; see :func:`search_conversations`."""
        return search_conversations(self._db, text)

    def spent_since(self, start: float, budget: int) -> Spending:
        """Add up what answers have cost; see :func:`spent_since`."""
        return spent_since(self._db, start, budget)

    def conversation(self, conversation_id: int) -> Conversation | None:
        """Return one conversation; None if there is none, or it was deleted."""
        row = self._db.connection.execute(
            "SELECT * FROM conversations WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
        ).fetchone()
        if row is None:
            return None
        return Conversation(row["id"], row["title"], row["updated_at"], bool(row["pinned"]))

    def rename(self, conversation_id: int, title: str) -> None:
        """Give a conversation another title; a blank one is none and changes nothing."""
        if line := _title(title):
            self._set(conversation_id, "title", line)

    def set_pinned(self, conversation_id: int, pinned: bool) -> None:
        """List a conversation before those that are not pinned, or no longer."""
        self._set(conversation_id, "pinned", int(pinned))

    def delete(self, conversation_id: int) -> None:
        """Take a conversation out of every list; it is kept until :meth:`empty_trash`."""
        self._set(conversation_id, "deleted_at", time.time())

    def restore(self, conversation_id: int) -> None:
        """List a deleted conversation again."""
        self._set(conversation_id, "deleted_at", None)

    def empty_trash(self, older_than: float) -> int:
        """Remove what was deleted before ``older_than`` (seconds since the epoch); return how many.

        Conversations in which nothing was ever asked go too.
        """
        with self._db.transaction() as connection:
            gone = [
                row["id"]
                for row in connection.execute(
                    """SELECT id FROM conversations WHERE deleted_at < :before
                       OR (title = '' AND created_at < :before)""",
                    {"before": older_than},
                )
            ]
            for conversation_id in gone:
                connection.execute(
                    """INSERT INTO exchanges_fts (exchanges_fts, rowid, question, answer)
                       SELECT 'delete', id, question, answer FROM exchanges WHERE conversation_id = ?""",
                    (conversation_id,),
                )
                connection.execute("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        return len(gone)

    def exchanges(self, conversation_id: int, through: int | None = None) -> tuple[Exchange, ...]:
        """Return one branch of a conversation, oldest exchange first.

        Args:
            conversation_id: the conversation.
            through: an exchange that the branch holds; where it parts after that, the newest way is
                taken. None for the newest branch of all.
        """
        rows = self._rows(conversation_id)
        siblings: dict[int | None, list[int]] = {}
        for row in rows.values():
            siblings.setdefault(row["parent_id"], []).append(row["id"])
        last = None if through is None else _newest_after(through, rows)
        return tuple(
            replace(self._exchange(row), siblings=tuple(siblings[row["parent_id"]]))
            for row in _branch(rows, last)
        )

    def _set(self, conversation_id: int, column: str, value: str | float | None) -> None:
        with self._db.transaction() as connection:
            statement = f"UPDATE conversations SET {column} = ? WHERE id = ?"
            connection.execute(statement, (value, conversation_id))

    def _branch(self, conversation_id: int, last: int | None) -> list[sqlite3.Row]:
        return _branch(self._rows(conversation_id), last)

    def _rows(self, conversation_id: int) -> dict[int, sqlite3.Row]:
        found = self._db.connection.execute(
            "SELECT * FROM exchanges WHERE conversation_id = ? ORDER BY id", (conversation_id,)
        )
        return {row["id"]: row for row in found}

    def _exchange(self, row: sqlite3.Row) -> Exchange:
        connection = self._db.connection
        sources = connection.execute("SELECT * FROM sources WHERE exchange_id = ? ORDER BY n", (row["id"],))
        citations = connection.execute(
            "SELECT * FROM citations WHERE exchange_id = ? ORDER BY position", (row["id"],)
        )
        return Exchange(
            id=row["id"],
            parent_id=row["parent_id"],
            question=row["question"],
            answer=row["answer"],
            state=ExchangeState(row["state"]),
            scope=_scope(row["scope"]),
            sources=tuple(_source(item) for item in sources),
            citations=tuple(_citation(item) for item in citations),
            usage=Usage(**json.loads(row["usage"])),
            model=row["model"],
            stop_reason=row["stop_reason"],
            error=Message.from_json(row["error"]) if row["error"] else None,
            seconds=row["seconds"],
        )


def _branch(rows: dict[int, sqlite3.Row], last: int | None) -> list[sqlite3.Row]:
    """Return the way from the first exchange to ``last``; None for the newest of all."""
    current = last if last is not None else max(rows, default=None)
    branch: list[sqlite3.Row] = []
    while current is not None and current in rows:
        branch.append(rows[current])
        current = rows[current]["parent_id"]
    return branch[::-1]


def _newest_after(exchange_id: int, rows: dict[int, sqlite3.Row]) -> int:
    """Return the newest exchange on any branch through one; a child is always newer than its parent."""
    below = {exchange_id}
    for key, row in rows.items():
        if row["parent_id"] in below:
            below.add(key)
    return max(below)


def _newest(connection: sqlite3.Connection, conversation_id: int) -> int | None:
    row = connection.execute(
        "SELECT max(id) AS id FROM exchanges WHERE conversation_id = ?", (conversation_id,)
    ).fetchone()
    return None if row["id"] is None else int(row["id"])


def _put_sources(connection: sqlite3.Connection, exchange: Exchange) -> None:
    connection.execute("DELETE FROM sources WHERE exchange_id = ?", (exchange.id,))
    connection.execute("DELETE FROM citations WHERE exchange_id = ?", (exchange.id,))
    connection.executemany(
        """INSERT INTO sources (exchange_id, n, ref, document_id, document_sha256, hit, sentences)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                exchange.id,
                source.n,
                source.ref,
                source.hit.document_id,
                source.document_sha256,
                _to_json(source.hit),
                json.dumps(source.sentences),
            )
            for source in exchange.sources
        ],
    )
    connection.executemany(
        """INSERT INTO citations (exchange_id, position, source_n, answer_start, answer_end, start, "end",
                                  cited_text, verified) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [
            (
                exchange.id,
                position,
                citation.source_n,
                citation.answer_start,
                citation.answer_end,
                citation.start,
                citation.end,
                citation.cited_text,
                int(citation.verified),
            )
            for position, citation in enumerate(exchange.citations)
        ],
    )


def _source(row: sqlite3.Row) -> Source:
    stored: dict[str, Any] = json.loads(row["hit"])
    anchor = stored.pop("anchor")
    hit = SearchHit(**stored, anchor=Anchor(**anchor) if anchor else None)
    sentences = tuple((start, end) for start, end in json.loads(row["sentences"]))
    return Source(row["n"], row["ref"], hit, sentences, row["document_sha256"])


def _citation(row: sqlite3.Row) -> Citation:
    return Citation(
        source_n=row["source_n"],
        answer_start=row["answer_start"],
        answer_end=row["answer_end"],
        start=row["start"],
        end=row["end"],
        cited_text=row["cited_text"],
        verified=bool(row["verified"]),
    )


def _scope(text: str) -> Scope:
    stored = json.loads(text)
    return replace(
        Scope(),
        courses=tuple(stored.get("courses", ())),
        lessons=tuple((title, number) for title, number in stored.get("lessons", ())),
        up_to=tuple((title, number) for title, number in stored.get("up_to", ())),
    )


def _to_json(value: Scope | SearchHit) -> str:
    return json.dumps(asdict(value), ensure_ascii=False)


def _title(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"
