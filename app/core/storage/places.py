"""Chosen folders, corrections, and changes of where documents belong."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.core.storage import sql
from app.domain.courses import Correction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.core.storage.database import Database
    from app.domain.courses import Facts


class Places:
    """Reads and writes places. Each method that writes is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def set_facts(self, facts: Mapping[int, Facts]) -> None:
        self._db.write(
            "UPDATE documents SET claim = ?, heading = ?, marked = ? WHERE id = ?",
            [(item.claim, item.heading, int(item.marked), key) for key, item in facts.items()],
        )

    def renumber(self, numbers: Mapping[int, int | None]) -> None:
        """Change the lesson numbers of documents that are a single lesson; their text stays unchanged."""
        with self._db.transaction() as connection:
            rows = [(number, key) for key, number in numbers.items()]
            connection.executemany("UPDATE lessons SET number = ? WHERE document_id = ?", rows)
            connection.executemany("UPDATE chunks SET lesson_number = ? WHERE document_id = ?", rows)
            sql.queue_passages(connection, list(numbers))
            sql.queue_courses(connection, list(numbers))
            sql.touch(connection)
            connection.execute(
                "INSERT OR REPLACE INTO meta SELECT 'renumbered', value FROM meta WHERE key = 'generation'"
            )

    def folders(self) -> list[str]:
        """Return the chosen folders; a nested one was chosen before the outer one."""
        return [row["path"] for row in self._db.connection.execute("SELECT path FROM folders ORDER BY path")]

    def remember_folders(self, folders: Iterable[str]) -> None:
        rows = [(folder, time.time()) for folder in folders]
        self._db.write("INSERT OR IGNORE INTO folders (path, added_at) VALUES (?, ?)", rows)

    def forget_folders(self) -> None:
        """Forget which folders were chosen; their documents stay."""
        self._db.write("DELETE FROM folders")

    def corrections(self) -> dict[str, Correction]:
        """Return the user's corrections by path."""
        rows = self._db.connection.execute("SELECT path, course_title, left_out FROM corrections")
        return {row["path"]: Correction(row["course_title"], bool(row["left_out"])) for row in rows}

    def set_corrections(self, corrections: Mapping[str, Correction]) -> None:
        """Store corrections, replacing earlier ones of the same paths."""
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO corrections (path, course_title, left_out) VALUES (?, ?, ?)",
                [(path, item.course, int(item.left_out)) for path, item in corrections.items()],
            )
            connection.execute("DELETE FROM corrections WHERE course_title IS NULL AND NOT left_out")
