"""Statements that several writers of the library file share, run inside the caller's transaction."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

IN_KEYS = "IN (SELECT value FROM json_each(?))"
"""Condition for a column; its parameter comes from :func:`keys`, which has no limit on their number."""

_LIVE_PASSAGES = f"""FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
                     WHERE d.trashed_at IS NULL AND d.id {IN_KEYS}"""


def keys(numbers: Iterable[int]) -> str:
    return json.dumps(list(numbers))


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> int:  # noqa: ANN401 - what SQLite holds
    """Insert one row, given by column, and return its key."""
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    cursor = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
    return int(cursor.lastrowid or 0)


def touch(connection: sqlite3.Connection) -> None:
    """Count a change, so that vectors cached in memory are refreshed."""
    connection.execute(
        """INSERT INTO meta (key, value) VALUES ('generation', '1')
           ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"""
    )


def next_document(connection: sqlite3.Connection) -> int:
    """Return a key that no document has had: data cached for a replaced document must not match a new one.

    Keys of passages never decrease and every document has passages, so the last one exceeds all.
    """
    row = connection.execute(
        """SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0),
                      ifnull((SELECT max(id) FROM documents), 0)) + 1"""
    ).fetchone()
    return int(row[0])


def index_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Add the passages of searchable documents to the full-text index, and queue them for Chroma."""
    connection.execute(
        f"""INSERT INTO passages_fts (rowid, text, context) SELECT id, text, context FROM passages
            WHERE id IN (SELECT k.id {_LIVE_PASSAGES})""",
        (keys(document_ids),),
    )
    queue_passages(connection, document_ids)


def queue_passages(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Queue the passages of searchable documents for an update of their records in Chroma."""
    connection.execute(
        f"INSERT INTO index_queue (op, item) SELECT 'add', k.id {_LIVE_PASSAGES} ORDER BY k.id",
        (keys(document_ids),),
    )


def queue_courses(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Queue the courses of documents for an update of their records in Chroma."""
    connection.execute(
        f"""INSERT INTO index_queue (op, item) SELECT DISTINCT 'course', c.title FROM courses AS c
            JOIN documents AS d ON d.course_id = c.id WHERE d.id {IN_KEYS}""",
        (keys(document_ids),),
    )


def unindex(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Remove the passages of searchable documents from the full-text index; queue the same for Chroma.

    Call it before changing the rows: the full-text index needs the old text to remove it.
    """
    connection.execute(
        f"""INSERT INTO passages_fts (passages_fts, rowid, text, context)
            SELECT 'delete', id, text, context FROM passages WHERE id IN (SELECT k.id {_LIVE_PASSAGES})""",
        (keys(document_ids),),
    )
    connection.execute(
        f"""INSERT INTO index_queue (op, item)
            SELECT 'remove', (SELECT title FROM courses WHERE id = k.course_id) || '_' || k.chunk_index
            {_LIVE_PASSAGES}""",
        (keys(document_ids),),
    )
    queue_courses(connection, document_ids)


def delete_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Delete documents for good, searchable or in the trash."""
    unindex(connection, document_ids)
    connection.execute(f"DELETE FROM documents WHERE id {IN_KEYS}", (keys(document_ids),))


def drop_empty_courses(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM courses WHERE id NOT IN (SELECT course_id FROM documents)")
