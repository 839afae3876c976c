"""Checksums of documents and exchanges: disks change bits without a word, and SQLite does not notice.

A checksum covers what never changes under a key: texts, passages and vectors, but not where a document
belongs. Functions that write run inside the caller's transaction.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import TYPE_CHECKING

from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

_DOCUMENT = (
    "SELECT text, sentences FROM documents WHERE id = ?",
    'SELECT position, title, link, start, "end" FROM lessons WHERE document_id = ? ORDER BY position',
    "SELECT start, kind, value FROM anchors WHERE document_id = ? ORDER BY start",
    """SELECT start, "end", text, pieces, terms, embedding, context, vectors FROM chunks
       WHERE document_id = ? ORDER BY id""",
)
_EXCHANGE = (
    "SELECT question, answer FROM exchanges WHERE id = ?",
    "SELECT * FROM sources WHERE exchange_id = ? ORDER BY n",
    """SELECT exchange_id, position, source_n, answer_start, answer_end, start, "end", cited_text, verified
       FROM citations WHERE exchange_id = ? ORDER BY position""",
)


def store_document(connection: sqlite3.Connection, document_id: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO document_checksums (document_id, value) VALUES (?, ?)",
        (document_id, _checksum(connection, _DOCUMENT, document_id)),
    )


def store_exchange(connection: sqlite3.Connection, exchange_id: int) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO exchange_checksums (exchange_id, value) VALUES (?, ?)",
        (exchange_id, _checksum(connection, _EXCHANGE, exchange_id)),
    )


def add_functions(connection: sqlite3.Connection) -> None:
    """Let a migration compute checksums, as ``document_checksum(id)`` and ``exchange_checksum(id)``."""
    for name, parts in (("document_checksum", _DOCUMENT), ("exchange_checksum", _EXCHANGE)):
        connection.create_function(name, 1, lambda key, parts=parts: _checksum(connection, parts, key))


def check(connection: sqlite3.Connection) -> Iterator[Message | None]:
    """Compare everything with its checksum; yield after each comparison, a message if it is damaged."""
    documents = connection.execute("SELECT document_id FROM document_checksums").fetchall()
    for (key,) in documents:
        is_sound = _is_sound(connection, _DOCUMENT, "document", key)
        yield None if is_sound else Message("storage.document_damaged", path=_path(connection, key))
    exchanges = connection.execute("SELECT exchange_id FROM exchange_checksums").fetchall()
    for (key,) in exchanges:
        is_sound = _is_sound(connection, _EXCHANGE, "exchange", key)
        yield None if is_sound else Message("storage.chat_damaged", title=_title(connection, key))


def _is_sound(connection: sqlite3.Connection, parts: tuple[str, ...], kind: str, key: int) -> bool:
    stored = f"SELECT value FROM {kind}_checksums WHERE {kind}_id = ?"
    connection.execute("BEGIN")  # so that nobody replaces it meanwhile
    try:
        row = connection.execute(stored, (key,)).fetchone()
        return row is None or row[0] == _checksum(connection, parts, key)
    except sqlite3.DatabaseError as error:
        # A library that is in use says nothing about its content. A disk that cannot be read does, and text
        # that cannot be decoded, an error without a code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    finally:
        if connection.in_transaction:  # some errors have ended it
            connection.execute("ROLLBACK")


def _checksum(connection: sqlite3.Connection, parts: tuple[str, ...], key: int) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for query in parts:
        for row in connection.execute(query, (key,)):
            for value in row:
                # Not repr() of text: which characters it escapes depends on the version of Python.
                text = value if isinstance(value, str) else repr(value)
                data = value if isinstance(value, bytes) else text.encode("utf-8", "surrogatepass")
                digest.update(b"%s%d:" % (type(value).__name__.encode(), len(data)))
                digest.update(data)
        digest.update(b"\0")
    return digest.digest()


def _path(connection: sqlite3.Connection, document_id: int) -> str:
    return _name(connection, "SELECT path FROM documents WHERE id = ?", document_id)


def _title(connection: sqlite3.Connection, exchange_id: int) -> str:
    query = """SELECT title FROM conversations JOIN exchanges ON conversation_id = conversations.id
               WHERE exchanges.id = ?"""
    return _name(connection, query, exchange_id)


def _name(connection: sqlite3.Connection, query: str, key: int) -> str:
    try:
        row = connection.execute(query, (key,)).fetchone()
    except sqlite3.DatabaseError:
        row = None
    return str(row[0]) if row else "?"
