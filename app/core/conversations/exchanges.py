"""The rows of exchanges: a tree in each conversation, and a full-text index over all of them.

Functions that write run inside the caller's transaction.
"""

import sqlite3
from dataclasses import asdict, replace

from app.core.storage import codec
from app.core.storage.sql import insert
from app.domain.conversations import Exchange, ExchangeState
from app.domain.messages import Message
from app.domain.sources import Citation, Source, Support


def update(connection: sqlite3.Connection, exchange: Exchange) -> int | None:
    """Store an exchange as it stands and return its conversation; None if that was deleted meanwhile."""
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
    rows = rows_of(connection, conversation_id)
    siblings: dict[int | None, list[int]] = {}
    for row in rows.values():
        siblings.setdefault(row["parent_id"], []).append(row["id"])
    last = None if through is None else _newest_after(through, rows)
    return tuple(
        replace(exchange_of(connection, row), siblings=tuple(siblings[row["parent_id"]]))
        for row in branch(rows, last)
    )


def rows_of(connection: sqlite3.Connection, conversation_id: int) -> dict[int, sqlite3.Row]:
    found = connection.execute(
        "SELECT * FROM exchanges WHERE conversation_id = ? ORDER BY id", (conversation_id,)
    )
    return {row["id"]: row for row in found}


def branch(rows: dict[int, sqlite3.Row], last: int | None) -> list[sqlite3.Row]:
    """Return the rows from the first exchange to ``last``; None for the newest."""
    current = last if last is not None else max(rows, default=None)
    found: list[sqlite3.Row] = []
    while current is not None and current in rows:
        found.append(rows[current])
        current = rows[current]["parent_id"]
    return found[::-1]


def _newest_after(exchange_id: int, rows: dict[int, sqlite3.Row]) -> int:
    """Return the newest exchange on any branch through one; a child is always newer than its parent."""
    below = {exchange_id}
    for key, row in rows.items():
        if row["parent_id"] in below:
            below.add(key)
    return max(below)


def exchange_of(connection: sqlite3.Connection, row: sqlite3.Row) -> Exchange:
    """Return the exchange of a row, with its sources and citations, without its siblings."""
    sources = connection.execute("SELECT * FROM sources WHERE exchange_id = ? ORDER BY n", (row["id"],))
    citations = connection.execute(
        """SELECT source_n, answer_start, answer_end, start, "end", cited_text, verified, support, is_found
           FROM citations WHERE exchange_id = ? ORDER BY position""",
        (row["id"],),
    )
    return Exchange(
        id=row["id"],
        parent_id=row["parent_id"],
        question=row["question"],
        answer=row["answer"],
        state=ExchangeState(row["state"]),
        scope=codec.decode_scope(row["scope"]),
        sources=tuple(_source(item) for item in sources),
        citations=tuple(map(_citation, citations)),
        claims=codec.decode_claims(row["claims"]),
        usage=codec.decode_usage(row["usage"]),
        model=row["model"],
        stop_reason=row["stop_reason"],
        error=Message.from_json(row["error"]) if row["error"] else None,
        seconds=row["seconds"],
    )


def _citation(row: sqlite3.Row) -> Citation:
    support = Support(row["support"]) if row["support"] else None
    flags = {"verified": bool(row["verified"]), "is_found": bool(row["is_found"])}
    return Citation(**{**dict(row), **flags, "support": support})


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
            sentences=codec.encode_sentences(source.sentences),
        )
    for position, citation in enumerate(exchange.citations):
        insert(connection, "citations", exchange_id=exchange.id, position=position, **asdict(citation))
