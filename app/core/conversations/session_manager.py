"""Saved conversations: every exchange is written as it happens."""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from app.config.files import private_directory, private_file
from app.core.conversations import exchanges
from app.core.conversations.exchanges import conversation_of, last_questions, search_conversations
from app.core.storage.codec import encode_part
from app.core.storage.database import Database
from app.core.storage.sql import insert
from app.domain.conversations import (
    BEFORE_ALL,
    INTERRUPTED,
    ChatMessage,
    Conversation,
    Exchange,
    ExchangeState,
)
from app.domain.errors import LibraryUnusable
from app.domain.model_servers import Spending, Usage
from app.domain.plain_text import shorten
from app.domain.scope import Scope
from app.domain.sources import Source
from app.domain.words import one_spaced

# What answers of the command line have cost. A window may hold the library meanwhile, so commands write a
# file of their own: a line for each answer, with nothing but its time, tokens and cost.
_FILE = "lectern.spending.jsonl"

_log = logging.getLogger(__name__)


def _unsaved_since(data_dir: Path, start: float) -> list[Usage]:
    """Return the answers of the file since ``start``, in seconds since the epoch."""
    path, found = data_dir / _FILE, list[Usage]()
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    except OSError as error:
        _log.warning("What the command line has spent is unknown, because %s cannot be read: %s", path, error)
        return []
    for line in lines:
        try:
            entry: dict[str, Any] = json.loads(line)
            moment, cost = float(entry.pop("time")), entry.pop("cost")
            tokens = {name: int(number) for name, number in entry.items()}
            usage = Usage(**tokens, cost=None if cost is None else float(cost))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # a line that a full disk cut off
        if moment >= start:
            found.append(usage)
    return found


_TITLE_LENGTH = 80


class SessionManager:
    """Stores conversations, and returns the earlier exchanges that a question needs. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self.search = partial(search_conversations, database)
        self.recent_questions = partial(last_questions, database)

    def create_session(self, scope: Scope | None = None) -> int:
        """Start a conversation and return its key. It is listed once it has a question."""
        now = time.time()
        cursor = self._db.connection.execute(
            "INSERT INTO conversations (title, created_at, updated_at, scope) VALUES ('', ?, ?, ?)",
            (now, now, encode_part(scope or Scope())),
        )
        return int(cursor.lastrowid or 0)

    def get_conversation_history(
        self, conversation_id: int, limit: int, parent_id: int | None = None, *, left_out: str = ""
    ) -> list[ChatMessage]:
        """Return the last ``limit`` done exchanges before a question as turns, oldest first.

        An answer that the courses do not support is no ground to build on: ``left_out`` stands in its place,
        while its question may explain a later one.

        ``parent_id`` is the exchange that the question follows, as for :meth:`begin_exchange`.
        """
        messages: list[ChatMessage] = []
        for exchange in exchanges.last_done(self._db.connection, conversation_id, parent_id, limit):
            answer = left_out if left_out and exchange.is_unsupported else exchange.answer
            messages.append(ChatMessage("user", exchange.question))
            messages.append(ChatMessage("assistant", answer))
        return messages

    def get_last_sources(self, conversation_id: int, parent_id: int | None = None) -> tuple[Source, ...]:
        """Return the sources that the answer before a question cites; none if they do not bear it out."""
        for exchange in exchanges.last_done(self._db.connection, conversation_id, parent_id, 1):
            if exchange.model is not None and not exchange.is_unsupported:
                cited = {citation.source_n for citation in exchange.citations if citation.verified}
                return tuple(source for source in exchange.sources if source.n in cited)
        return ()

    def get_branch(self, conversation_id: int, parent_id: int | None = None) -> tuple[Exchange, ...]:
        """Return all exchanges before a question, oldest first; see :meth:`begin_exchange`."""
        return tuple(exchanges.branch_to(self._db.connection, conversation_id, parent_id))

    def begin_exchange(
        self,
        conversation_id: int,
        question: str,
        scope: Scope,
        model: str | None,
        parent_id: int | None = None,
        kind: str = "",
    ) -> Exchange:
        """Store a question before the model is called; its answer is still empty.

        ``model`` is None for the passages themselves. ``parent_id`` is the exchange it follows, on a new
        branch if that already has a successor; None for the newest, ``BEFORE_ALL`` for none.
        """
        with self._db.transaction() as connection:
            if parent_id is None:
                newest = "SELECT max(id) FROM exchanges WHERE conversation_id = ?"
                parent_id = connection.execute(newest, (conversation_id,)).fetchone()[0]
            elif parent_id == BEFORE_ALL:
                parent_id = None
            key = insert(
                connection,
                "exchanges",
                conversation_id=conversation_id,
                parent_id=parent_id,
                question=question,
                state=ExchangeState.WRITING,
                scope=encode_part(scope),
                model=model,
                created_at=time.time(),
                kind=kind,
            )
            exchanges.index(connection, key, question, "")
            siblings = connection.execute(
                "SELECT id FROM exchanges WHERE conversation_id = ? AND parent_id IS ? ORDER BY id",
                (conversation_id, parent_id),
            )
            branches = tuple(row["id"] for row in siblings)
            connection.execute(
                "UPDATE conversations SET updated_at = ?, title = iif(title = '', ?, title) WHERE id = ?",
                (time.time(), _title(question), conversation_id),
            )
        state = ExchangeState.WRITING
        return Exchange(key, parent_id, question, "", state, scope, model=model, siblings=branches, kind=kind)

    def save(self, exchange: Exchange, saved: Exchange | None = None) -> None:
        """Store an exchange as it stands, with sources and citations; ``saved`` is how it was stored last."""
        with self._db.transaction() as connection:
            conversation_id = exchanges.update(connection, exchange, saved)
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
        return tuple(conversation_of(row) for row in rows)

    def conversation(self, conversation_id: int) -> Conversation | None:
        """Return one conversation; None if it does not exist or was deleted."""
        row = self._db.connection.execute(
            "SELECT * FROM conversations WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
        ).fetchone()
        return None if row is None else conversation_of(row)

    def exchanges(self, conversation_id: int, through: int | None = None) -> tuple[Exchange, ...]:
        """Return one branch of a conversation, oldest exchange first: the one :func:`branch_through`."""
        return exchanges.branch_through(self._db.connection, conversation_id, through)

    def spent_since(self, start: float, budget: int = 0) -> Spending:
        """Sum all answers since ``start``: of deleted conversations too, and of none."""
        row = self._db.connection.execute(
            """SELECT total(json_extract(usage, '$.cost')) AS dollars,
                      total(json_extract(usage, '$.input_tokens'))
                      + total(json_extract(usage, '$.output_tokens'))
                      + total(json_extract(usage, '$.cache_read_tokens'))
                      + total(json_extract(usage, '$.cache_write_tokens')) AS tokens,
                      total(json_extract(usage, '$.cache_read_tokens')) AS cached,
                      count(*) FILTER (WHERE json_extract(usage, '$.output_tokens') > 0) AS answers
               FROM exchanges WHERE created_at >= ?""",
            (start,),
        ).fetchone()
        others = _unsaved_since(self._db.data_dir, start)
        return Spending(
            row["dollars"] + sum(usage.cost or 0.0 for usage in others),
            int(row["tokens"]) + sum(usage.tokens for usage in others),
            int(row["cached"]) + sum(usage.cache_read_tokens for usage in others),
            row["answers"] + sum(usage.output_tokens > 0 for usage in others),
            budget,
        )

    def record_unsaved(self, usage: Usage) -> None:
        """Count an answer that belongs to no conversation; works beside a window.

        One that cannot be written is logged, since the answer itself is there.
        """
        if not usage.tokens:
            return
        path = self._db.data_dir / _FILE
        line = json.dumps({"time": time.time(), **asdict(usage)}) + "\n"
        try:
            private_directory(self._db.data_dir)
            private_file(path)
            with path.open("a", encoding="utf-8") as file:
                file.write(line)  # at once, so that two commands do not mix their lines
        except OSError as error:
            _log.warning("The cost of this answer is not counted, for %s cannot be written: %s", path, error)

    def rename(self, conversation_id: int, title: str) -> None:
        """Change the title; a blank one changes nothing."""
        if line := _title(title):
            self._set(conversation_id, "title", line)

    def set_pinned(self, conversation_id: int, pinned: bool) -> None:
        self._set(conversation_id, "pinned", int(pinned))

    def delete(self, conversation_id: int) -> None:
        """Remove a conversation from every list; it is kept until :meth:`empty_trash`."""
        self._set(conversation_id, "deleted_at", time.time())

    def restore(self, *conversation_ids: int) -> None:
        """List deleted conversations again."""
        for conversation_id in conversation_ids:
            self._set(conversation_id, "deleted_at", None)

    def empty_trash(self, first: float, last: float) -> int:
        """Delete for good what was deleted between two moments; return the number of conversations.

        Conversations without a question are deleted too if they were created before the last of them.
        """
        with self._db.transaction() as connection:
            expired = connection.execute(
                """SELECT id FROM conversations WHERE deleted_at BETWEEN ? AND ?
                   OR (deleted_at IS NULL AND title = '' AND created_at <= ?)""",
                (first, last, last),
            ).fetchall()
            for row in expired:
                connection.execute(
                    """INSERT INTO exchanges_fts (exchanges_fts, rowid, question, answer)
                       SELECT 'delete', id, question, answer FROM exchanges WHERE conversation_id = ?""",
                    (row["id"],),
                )
                connection.execute("DELETE FROM conversations WHERE id = ?", (row["id"],))
        return len(expired)

    def _set(self, conversation_id: int, column: str, value: str | float | None) -> None:
        with self._db.transaction() as connection:
            statement = f"UPDATE conversations SET {column} = ? WHERE id = ?"
            connection.execute(statement, (value, conversation_id))


def _title(question: str) -> str:
    return shorten(one_spaced(question), _TITLE_LENGTH)


_SAVE_EVERY = 1.0  # seconds

_T = TypeVar("_T")


@dataclass
class AnswerDraft:
    """An exchange as it stands."""

    exchange: Exchange


@asynccontextmanager
async def autosave(sessions: SessionManager | None, exchange: Exchange) -> AsyncIterator[AnswerDraft]:
    """Save the draft of an exchange once a second if it has changed, even while the model is silent.

    The exchange is already stored, and the caller stores its final state; ``sessions=None`` saves nothing.
    """
    draft, ended = AnswerDraft(exchange), asyncio.Event()
    saving = asyncio.ensure_future(_keep_saving(sessions, draft, exchange, ended)) if sessions else None
    try:
        yield draft
    finally:
        ended.set()
        if saving is not None:  # a draft that is stored later would take the place of the answer
            await completed(saving)


async def completed(working: asyncio.Future[_T]) -> _T:
    """Return the result of what writes to the library, even if the task is cancelled meanwhile."""
    while not working.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([working])
    return working.result()


async def _keep_saving(
    sessions: SessionManager, draft: AnswerDraft, saved: Exchange, ended: asyncio.Event
) -> None:
    while not ended.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(_SAVE_EVERY):
                await ended.wait()
        if ended.is_set() or draft.exchange is saved:
            continue
        now = draft.exchange
        try:
            await asyncio.to_thread(sessions.save, now, saved)
            saved = now
        except LibraryUnusable as error:  # a full disk may have room again in a second
            _log.warning("An answer could not be saved while it was being written: %s", error)
        except Exception:  # the answer goes on; its end is saved by the caller
            _log.exception("An answer could not be saved while it was being written.")
            return
