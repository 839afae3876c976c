"""Which documents can not be in the library at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.domain.file_paths import lesson_stem

if TYPE_CHECKING:
    import sqlite3

Lesson = tuple[int | None, str]
"""Number and title of a lesson."""


def lessons_of(connection: sqlite3.Connection, document_id: int) -> set[Lesson]:
    """Return numbers and titles of a document's lessons."""
    rows = connection.execute("SELECT number, title FROM lessons WHERE document_id = ?", (document_id,))
    return {(row["number"], row["title"]) for row in rows}


def in_the_way(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[Lesson], *, placed: bool
) -> str | None:
    """Return the path of a searchable document that would collide with another, or None.

    Two collide that have one path, or the same lessons of the same course. Files that differ only in
    their ending belong together, and so do those of one folder that are lessons because they lie there.

    Args:
        connection: to the library.
        title: course of the document that is to be added.
        path: of its file.
        lessons: its lessons.
        placed: they come from where the file lies, not from a header or markers in it.
    """
    same = connection.execute(
        "SELECT path FROM documents WHERE trashed_at IS NULL AND path = ?", (path,)
    ).fetchone()
    if same is not None:
        return str(same["path"])
    return with_same_lessons(connection, title, path, lessons, placed=placed)


def with_same_lessons(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[Lesson], *, placed: bool
) -> str | None:
    """Return the path of another searchable document that holds the same lessons, or None.

    The arguments are those of :func:`in_the_way`.
    """
    others: dict[str, set[Lesson]] = {}
    for row in connection.execute(
        """SELECT d.path, l.number, l.title FROM documents AS d JOIN courses AS c ON c.id = d.course_id
           JOIN lessons AS l ON l.document_id = d.id
           WHERE d.trashed_at IS NULL AND c.title = ? AND d.placed = ? ORDER BY d.id""",
        (title, int(placed)),
    ):
        others.setdefault(row["path"], set()).add((row["number"], row["title"]))
    for other, theirs in others.items():
        apart = lesson_stem(other) != lesson_stem(path)
        if placed and apart and os.path.dirname(other) != os.path.dirname(path) and lessons & theirs:
            return other
        if not placed and apart and _share_a_number(lessons, theirs):
            return other
    return None


def _share_a_number(lessons: set[Lesson], theirs: set[Lesson]) -> bool:
    """Whether two documents hold a lesson of the same number, or both none that has one."""
    ours, others = ({number for number, _ in found if number is not None} for found in (lessons, theirs))
    return bool(ours & others) or not (ours or others)
