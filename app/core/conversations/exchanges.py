"""The rows of exchanges: a tree in each conversation, and a full-text index over all of them.

Functions that write run inside the caller's transaction.
"""

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, replace
from string import whitespace
from typing import Any

from app.core.storage import codec
from app.core.storage.database import Database
from app.core.storage.sql import insert
from app.domain.conversations import Conversation, ConversationHit, Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.sources import Citation, Source, Support
from app.domain.words import words_in

_LISTED = "(SELECT value FROM json_each(?))"


def update(connection: sqlite3.Connection, exchange: Exchange, saved: Exchange | None = None) -> int | None:
    """Store an exchange and return its conversation; None if the conversation has been deleted."""
    old = connection.execute(
        "SELECT question, answer, conversation_id FROM exchanges WHERE id = ?", (exchange.id,)
    ).fetchone()
    if old is None:
        return None
    connection.execute(
        """INSERT INTO exchanges_fts (exchanges_fts, rowid, question, answer)
           VALUES ('delete', ?, ?, ?)""",
        (exchange.id, old["question"], old["answer"]),
    )
    connection.execute(
        """UPDATE exchanges SET answer = ?, state = ?, model = ?, stop_reason = ?, usage = ?, error = ?,
           seconds = ?, claims = ? WHERE id = ?""",
        (
            exchange.answer,
            exchange.state,
            exchange.model,
            exchange.stop_reason,
            codec.encode_part(exchange.usage),
            exchange.error.to_json() if exchange.error else None,
            exchange.seconds,
            codec.encode_claims(exchange.claims),
            exchange.id,
        ),
    )
    index(connection, exchange.id, old["question"], exchange.answer)
    if saved is None or (saved.sources, saved.citations) != (exchange.sources, exchange.citations):
        _put_sources(connection, exchange)
    return int(old["conversation_id"])


def index(connection: sqlite3.Connection, key: int, question: str, answer: str) -> None:
    """Add an exchange to the full-text index."""
    connection.execute(
        "INSERT INTO exchanges_fts (rowid, question, answer) VALUES (?, ?, ?)", (key, question, answer)
    )


def branch_through(
    connection: sqlite3.Connection, conversation_id: int, through: int | None
) -> tuple[Exchange, ...]:
    """Return a branch that contains an exchange, oldest first.

    Where the branch forks after ``through``, the newest exchange decides; None for the newest branch.
    """
    parents = _parents(connection, conversation_id)
    siblings: dict[int | None, list[int]] = {}
    for key, parent in parents.items():
        siblings.setdefault(parent, []).append(key)
    last = None if through is None else _newest_after(through, parents)
    found = _exchanges(connection, _branch(parents, last))
    return tuple(replace(one, siblings=tuple(siblings[one.parent_id])) for one in found)


def last_done(
    connection: sqlite3.Connection, conversation_id: int, last: int | None, limit: int
) -> list[Exchange]:
    """Return the last complete answers of the branch that ends with ``last``; None for the newest."""
    branch = _branch(_parents(connection, conversation_id), last)
    # Servers refuse empty turns, and two of one side in a row.
    rows = connection.execute(
        f"""SELECT id FROM exchanges WHERE id IN {_LISTED} AND state = ? AND kind = ''
            AND trim(question, ?) != '' AND trim(answer, ?) != '' ORDER BY id DESC LIMIT ?""",
        (json.dumps(branch), ExchangeState.DONE, whitespace, whitespace, limit),
    )
    return _exchanges(connection, [row["id"] for row in rows][::-1])


def branch_to(connection: sqlite3.Connection, conversation_id: int, last: int | None) -> list[Exchange]:
    """Return the branch that ends with ``last``, without siblings; None for the newest."""
    return _exchanges(connection, _branch(_parents(connection, conversation_id), last))


def _parents(connection: sqlite3.Connection, conversation_id: int) -> dict[int, int | None]:
    found = connection.execute(
        "SELECT id, parent_id FROM exchanges WHERE conversation_id = ? ORDER BY id", (conversation_id,)
    )
    return {row["id"]: row["parent_id"] for row in found}


def _branch(parents: dict[int, int | None], last: int | None) -> list[int]:
    """Return the keys from the first exchange to ``last``; None for the newest."""
    current = last if last is not None else max(parents, default=None)
    found: list[int] = []
    while current is not None and current in parents:
        found.append(current)
        current = parents[current]
    return found[::-1]


def _newest_after(exchange_id: int, parents: dict[int, int | None]) -> int:
    """Return the newest exchange on any branch through one; a child is always newer than its parent."""
    below = {exchange_id}
    for key, parent in parents.items():
        if parent in below:
            below.add(key)
    return max(below)


def _exchanges(connection: sqlite3.Connection, keys: Sequence[int]) -> list[Exchange]:
    """Return exchanges with their sources and citations, in order of their keys, without their siblings."""
    listed = (json.dumps(keys),)
    rows = connection.execute(f"SELECT * FROM exchanges WHERE id IN {_LISTED} ORDER BY id", listed)
    sources: dict[int, list[Source]] = {}
    for row in connection.execute(f"SELECT * FROM sources WHERE exchange_id IN {_LISTED} ORDER BY n", listed):
        sources.setdefault(row["exchange_id"], []).append(_source(row))
    citations: dict[int, list[Citation]] = {}
    for row in connection.execute(
        f"""SELECT exchange_id, source_n, answer_start, answer_end, start, "end", cited_text, verified,
            support, is_found FROM citations WHERE exchange_id IN {_LISTED} ORDER BY position""",
        listed,
    ):
        values = dict(row)
        citations.setdefault(values.pop("exchange_id"), []).append(_citation(values))
    return [_exchange(row, sources.get(row["id"], ()), citations.get(row["id"], ())) for row in rows]


def _exchange(row: sqlite3.Row, sources: Sequence[Source], citations: Sequence[Citation]) -> Exchange:
    return Exchange(
        id=row["id"],
        parent_id=row["parent_id"],
        question=row["question"],
        answer=row["answer"],
        state=ExchangeState(row["state"]),
        scope=codec.decode_scope(row["scope"]),
        sources=tuple(sources),
        citations=tuple(citations),
        claims=codec.decode_claims(row["claims"]),
        usage=codec.decode_usage(row["usage"]),
        model=row["model"],
        stop_reason=row["stop_reason"],
        error=Message.from_json(row["error"]) if row["error"] else None,
        seconds=row["seconds"],
        kind=row["kind"],
    )


def _citation(values: dict[str, Any]) -> Citation:
    support = Support(values["support"]) if values["support"] else None
    flags = {"verified": bool(values["verified"]), "is_found": bool(values["is_found"])}
    return Citation(**{**values, **flags, "support": support})


def _source(row: sqlite3.Row) -> Source:
    hit, sentences = codec.decode_hit(row["hit"]), codec.decode_sentences(row["sentences"])
    return Source(row["n"], row["ref"], hit, sentences, row["document_sha256"])


def _put_sources(connection: sqlite3.Connection, exchange: Exchange) -> None:
    connection.execute("DELETE FROM sources WHERE exchange_id = ?", (exchange.id,))
    connection.execute("DELETE FROM citations WHERE exchange_id = ?", (exchange.id,))
    for source in exchange.sources:
        insert(
            connection,
            "sources",
            exchange_id=exchange.id,
            n=source.n,
            ref=source.ref,
            document_id=source.hit.document_id,
            document_sha256=source.document_sha256,
            hit=codec.encode_part(source.hit),
            course_title=source.hit.course_title,
            sentences=codec.encode_sentences(source.sentences),
        )
    for position, citation in enumerate(exchange.citations):
        insert(connection, "citations", exchange_id=exchange.id, position=position, **asdict(citation))


_MOST = 200
_MOST_WORDS = 16
_QUESTION_LENGTH = 200  # characters
_SNIPPET_WORDS = 12  # two lines in the sidebar
# Delimiters of a match in what SQLite returns: characters that no one types.
_OPEN, _CLOSE = "\ue000", "\ue001"
_SIGNS = re.compile(r"\*\*|`+|(?:^|(?<=\s))(?:#{1,6}|>)\s|\s+")


def search_conversations(database: Database, text: str) -> tuple[ConversationHit, ...]:
    """Return the places that contain all words of ``text``, best first, without deleted conversations.

    The last word may be incomplete. Conversations that match only by title come last.
    """
    words = words_in(text)[:_MOST_WORDS]
    if not words:
        return ()
    # Quoted, so that none of them is an operator of FTS5.
    query = " ".join(f'"{word}"' for word in words) + "*"
    found = database.connection.execute(
        """SELECT c.id, c.title, c.updated_at, c.pinned, e.id AS exchange_id,
                  snippet(exchanges_fts, -1, ?, ?, '…', ?) AS snippet
           FROM exchanges_fts
           JOIN exchanges AS e ON e.id = exchanges_fts.rowid
           JOIN conversations AS c ON c.id = e.conversation_id
           WHERE exchanges_fts MATCH ? AND c.deleted_at IS NULL
           ORDER BY bm25(exchanges_fts, 2.0, 1.0), e.id DESC LIMIT ?""",
        (_OPEN, _CLOSE, _SNIPPET_WORDS, query, _MOST),
    )
    hits = [_hit(row) for row in found]
    known = {hit.conversation.id for hit in hits}
    return (*hits, *(hit for hit in _by_title(database, words) if hit.conversation.id not in known))


def last_questions(database: Database, limit: int) -> tuple[ConversationHit, ...]:
    """Return what was answered last, newest first: a question that was asked again in its chat only once."""
    rows = database.connection.execute(
        """SELECT c.id, c.title, c.updated_at, c.pinned, max(e.id) AS exchange_id,
                  substr(e.question, 1, ?) AS question
           FROM exchanges AS e JOIN conversations AS c ON c.id = e.conversation_id
           WHERE c.deleted_at IS NULL AND e.kind = '' AND e.id > (SELECT max(id) FROM exchanges) - ?
           GROUP BY c.id, e.question ORDER BY exchange_id DESC LIMIT ?""",
        (_QUESTION_LENGTH, 2 * limit, limit),
    )
    return tuple(
        ConversationHit(conversation_of(row), row["exchange_id"], " ".join(harmless(row["question"]).split()))
        for row in rows
    )


def _by_title(database: Database, words: list[str]) -> list[ConversationHit]:
    conditions = " AND ".join(["' ' || title LIKE ?"] * len(words))
    rows = database.connection.execute(
        f"""SELECT id, title, updated_at, pinned FROM conversations
            WHERE deleted_at IS NULL AND title <> '' AND {conditions}
            ORDER BY updated_at DESC LIMIT {_MOST}""",
        [f"% {word}%" for word in words],
    )
    return [ConversationHit(conversation_of(row), None, "") for row in rows]


def _hit(row: sqlite3.Row) -> ConversationHit:
    # On one line, without Markdown's markup.
    plain = _SIGNS.sub(lambda sign: " " if sign[0].isspace() else "", row["snippet"])
    snippet, marks = _read_marks(harmless(plain.strip()))
    return ConversationHit(conversation_of(row), row["exchange_id"], snippet, marks)


def _read_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    parts: list[str] = []
    marks: list[tuple[int, int]] = []
    length = 0
    for index, part in enumerate(text.split(_OPEN)):
        word, closed, rest = part.partition(_CLOSE)
        if index and closed:
            marks.append((length, length + len(word)))
        parts.append(word + rest)
        length += len(word) + len(rest)
    return "".join(parts), tuple(marks)


def conversation_of(row: sqlite3.Row) -> Conversation:
    return Conversation(row["id"], harmless(row["title"]), row["updated_at"], bool(row["pinned"]))
