"""Finds documents that cannot be in the library at the same time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.domain.file_paths import lesson_stem

if TYPE_CHECKING:
    import sqlite3

Lesson = tuple[int | None, str]
"""Number and title of a lesson."""


def lessons_of(connection: sqlite3.Connection, document_id: int) -> set[Lesson]:
    rows = connection.execute("SELECT number, title FROM lessons WHERE document_id = ?", (document_id,))
    return {(row["number"], row["title"]) for row in rows}


def find_conflict(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[Lesson], *, placed: bool
) -> str | None:
    """Return the path of a searchable document that conflicts with a new one, or None.

    Documents conflict if they have the same path, or the same lessons of the same course. Files that
    differ only in their extension do not, nor do files of one folder that are lessons by location.

    Args:
        connection: to the library.
        title: course of the new document.
        path: of its file.
        lessons: its lessons.
        placed: they come from the file's location, not from a header or markers in it.
    """
    same = connection.execute("SELECT 1 FROM documents WHERE trashed_at IS NULL AND path = ?", (path,))
    if same.fetchone() is not None:
        return path
    return with_same_lessons(connection, title, path, lessons, placed=placed)


def with_same_lessons(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[Lesson], *, placed: bool
) -> str | None:
    """Like :func:`find_conflict`, without regard to a document of the same path."""
    others: dict[str, set[Lesson]] = {}
    for row in connection.execute(
        """SELECT d.path, l.number, l.title FROM documents AS d JOIN courses AS c ON c.id = d.course_id
           JOIN lessons AS l ON l.document_id = d.id
           WHERE d.trashed_at IS NULL AND c.title = ? AND d.placed = ? ORDER BY d.id""",
        (title, int(placed)),
    ):
        if lesson_stem(row["path"]) != lesson_stem(path):
            others.setdefault(row["path"], set()).add((row["number"], row["title"]))
    for other, theirs in others.items():
        if placed:
            conflicts = os.path.dirname(other) != os.path.dirname(path) and bool(lessons & theirs)
        else:  # they share a number, or neither has any
            ours, numbers = ({number for number, _ in of if number is not None} for of in (lessons, theirs))
            conflicts = bool(ours & numbers) or not (ours or numbers)
        if conflicts:
            return other
    return None
