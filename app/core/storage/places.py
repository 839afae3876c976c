"""Chosen folders, corrections, and the place of each document: which course and lesson it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.storage import records
from app.domain.courses import Correction, Facts
from app.domain.file_paths import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A searchable document and its place.

    Attributes:
        facts: None if an earlier version read the document.
        number: of its first lesson, or None.
        title: of its first lesson.
    """

    document_id: int
    path: str
    course: str
    facts: Facts | None
    placed: bool
    number: int | None
    title: str


class Places:
    """Reads and writes places. Each method that writes is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def documents(self) -> dict[str, PlacedDocument]:
        """Return the searchable documents by path."""
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, c.title AS course, d.claim, d.heading, d.marked, d.placed,
                      l.number, l.title
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               LEFT JOIN lessons AS l ON l.document_id = d.id AND l.position = 0
               WHERE d.trashed_at IS NULL"""
        )
        return {
            row["path"]: PlacedDocument(
                row["id"],
                row["path"],
                row["course"],
                None if row["heading"] is None else Facts(row["claim"], row["heading"], bool(row["marked"])),
                bool(row["placed"]),
                row["number"],
                row["title"] or "",
            )
            for row in rows
        }

    def set_facts(self, facts: Mapping[int, Facts]) -> None:
        with self._db.transaction() as connection:
            connection.executemany(
                "UPDATE documents SET claim = ?, heading = ?, marked = ? WHERE id = ?",
                [(item.claim, item.heading, int(item.marked), key) for key, item in facts.items()],
            )

    def renumber(self, numbers: Mapping[int, int | None]) -> None:
        """Change the lesson numbers of documents that are a single lesson; their text stays unchanged."""
        with self._db.transaction() as connection:
            for key, number in numbers.items():
                connection.execute("UPDATE lessons SET number = ? WHERE document_id = ?", (number, key))
                connection.execute("UPDATE chunks SET lesson_number = ? WHERE document_id = ?", (number, key))
                connection.execute(
                    """INSERT INTO index_queue (op, item)
                       SELECT 'add', id FROM chunks WHERE document_id = ? ORDER BY id""",
                    (key,),
                )
            records.queue_courses(connection, list(numbers))
            records.touch(connection)
            connection.execute(
                "INSERT OR REPLACE INTO meta SELECT 'renumbered', value FROM meta WHERE key = 'generation'"
            )

    def folders(self) -> list[str]:
        """Return the chosen folders; a nested one was chosen before the outer one."""
        return [row["path"] for row in self._db.connection.execute("SELECT path FROM folders ORDER BY path")]

    def remember_folders(self, folders: Iterable[str]) -> None:
        """Remember chosen folders, except those inside a chosen one."""
        known = self.folders()
        new: list[str] = []
        for folder in sorted(folders, key=len):
            if root_of(folder, [*known, *new]) is None:
                new.append(folder)
        if new:
            with self._db.transaction() as connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO folders (path, added_at) VALUES (?, ?)",
                    [(folder, time.time()) for folder in new],
                )

    def forget_folders(self, folders: Sequence[str]) -> None:
        """Forget that folders were chosen; their documents stay."""
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM folders WHERE path = ?", [(folder,) for folder in folders])

    def corrections(self) -> dict[str, Correction]:
        """Return the user's corrections by path."""
        rows = self._db.connection.execute("SELECT path, course_title, left_out FROM corrections")
        return {row["path"]: Correction(row["course_title"], bool(row["left_out"])) for row in rows}

    def set_corrections(self, corrections: Mapping[str, Correction]) -> None:
        """Store corrections, replacing earlier ones of the same paths."""
        with self._db.transaction() as connection:
            connection.executemany(
                """INSERT INTO corrections (path, course_title, left_out) VALUES (?, ?, ?)
                   ON CONFLICT (path) DO UPDATE SET course_title = excluded.course_title,
                   left_out = excluded.left_out""",
                [(path, item.course, int(item.left_out)) for path, item in corrections.items()],
            )
            connection.execute("DELETE FROM corrections WHERE course_title IS NULL AND NOT left_out")
