"""Decks follow their courses: into the trash and back, and to another title.

Functions run inside the caller's transaction. A deck is in the trash if all documents of its course are;
one whose course has left the library in another way stays.
"""

import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from app.core.storage import sql

_LIVE_COURSES = "SELECT course_id FROM documents WHERE trashed_at IS NULL"


def trash_decks(connection: sqlite3.Connection, document_ids: Sequence[int], moment: float) -> None:
    """Move the decks of courses to the trash of which documents were the last outside it."""
    connection.execute(
        f"""UPDATE decks SET trashed_at = ? WHERE trashed_at IS NULL AND course_id NOT IN ({_LIVE_COURSES})
            AND course_id IN (SELECT course_id FROM documents WHERE id {sql.IN_KEYS})""",
        (moment, sql.keys(document_ids)),
    )


def return_decks(connection: sqlite3.Connection) -> None:
    """Bring back the decks of courses that are no longer in the trash, into one that was made meanwhile.

    A deck whose course had left the library belongs to the one that has its title now.
    """
    _link(connection)
    rows = connection.execute(
        f"""SELECT id, course_title FROM decks WHERE trashed_at IS NOT NULL
            AND (course_id IS NULL OR course_id IN ({_LIVE_COURSES})) ORDER BY id"""
    ).fetchall()
    for row in rows:
        _put(connection, row["id"], row["course_title"])


def delete_decks(connection: sqlite3.Connection) -> None:
    """Delete the decks in the trash whose courses were deleted for good."""
    connection.execute("DELETE FROM decks WHERE trashed_at IS NOT NULL AND course_id IS NULL")


def rename_deck(connection: sqlite3.Connection, old: str, new: str) -> None:
    """Give the deck of a course the course's new title; if there is one with that title, join both."""
    row = connection.execute(
        """SELECT id FROM decks WHERE trashed_at IS NULL
           AND course_id = (SELECT id FROM courses WHERE title = ?)""",
        (new,),
    ).fetchone()
    if row is not None:
        _put(connection, row["id"], new)
    connection.execute(
        """UPDATE items SET hit = json_set(hit, '$.course_title', ?1), course_title = ?1, changed_at = ?2
           WHERE course_title = ?3""",
        (new, time.time(), old),
    )


def insert_deck(connection: sqlite3.Connection, values: dict[str, Any]) -> int:
    key = sql.insert(connection, "decks", **values)
    _link(connection)
    return key


def _link(connection: sqlite3.Connection) -> None:
    """Let decks without a course refer to the one that has their title."""
    connection.execute(
        """UPDATE decks SET course_id = (SELECT id FROM courses WHERE title = course_title)
           WHERE course_id IS NULL"""
    )


def _put(connection: sqlite3.Connection, deck_id: int, title: str) -> None:
    """Make a deck that of a course, or part of the one that the course has."""
    query = "SELECT id FROM decks WHERE course_title = ? AND trashed_at IS NULL AND id <> ?"
    other = connection.execute(query, (title, deck_id)).fetchone()
    if other is None:
        connection.execute(
            "UPDATE decks SET course_title = ?, trashed_at = NULL WHERE id = ?", (title, deck_id)
        )
        return
    connection.execute("UPDATE items SET deck_id = ? WHERE deck_id = ?", (other["id"], deck_id))
    connection.execute("UPDATE practice_exams SET deck_id = ? WHERE deck_id = ?", (other["id"], deck_id))
    connection.execute("DELETE FROM decks WHERE id = ?", (deck_id,))
    _link(connection)
