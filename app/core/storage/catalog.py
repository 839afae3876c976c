"""The repositories of one library file, with the small ones: places, failed files, the queue for Chroma."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from app.core.ocr.kept_texts import RecognizedTexts
from app.core.storage import sql
from app.core.storage.courses import CourseRepository
from app.core.storage.documents import DocumentRepository, WholeDocuments
from app.core.storage.passages import PassageRepository
from app.domain.courses import Correction
from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping

    from app.core.storage.database import Database
    from app.domain.courses import Facts

_INDEX_MARK = "index_mark"


class Catalog:
    def __init__(self, database: Database) -> None:
        self.courses = CourseRepository(database)
        self.documents = DocumentRepository(database)
        self.passages = PassageRepository(database)
        self.whole_documents = WholeDocuments(database)
        self.places = Places(database)
        self.failures = Failures(database)
        self.recognized = RecognizedTexts(database.data_dir / "ocr")
        self.index_queue = IndexQueue(database)


class Places:
    """Chosen folders, corrections, and changes of where documents belong. Thread-safe."""

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

    def folders(self) -> dict[str, bool | None]:
        """Return the chosen folders, and whether each is one course; None as long as nothing says so.

        A nested folder was chosen before the outer one.
        """
        rows = self._db.connection.execute("SELECT path, one_course FROM folders ORDER BY path")
        return {row["path"]: None if row["one_course"] is None else bool(row["one_course"]) for row in rows}

    def remember_folders(self, folders: Mapping[str, bool | None]) -> None:
        rows = [(folder, time.time(), one_course) for folder, one_course in folders.items()]
        self._db.write(
            """INSERT INTO folders (path, added_at, one_course) VALUES (?, ?, ?)
               ON CONFLICT (path) DO UPDATE SET one_course = excluded.one_course""",
            rows,
        )

    def forget_folders(self, kept: Collection[str]) -> None:
        """Forget which folders were chosen, except those ``kept``; their documents stay."""
        gone = self.folders().keys() - set(kept)
        self._db.write("DELETE FROM folders WHERE path = ?", [(path,) for path in gone])

    def corrections(self) -> dict[str, Correction]:
        """Return the user's corrections by path."""
        rows = self._db.connection.execute("SELECT path, course_title, left_out FROM corrections")
        return {row["path"]: Correction(row["course_title"], bool(row["left_out"])) for row in rows}

    def set_corrections(self, corrections: Mapping[str, Correction]) -> None:
        """Store corrections, replacing earlier ones of the same paths."""
        with self._db.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO corrections (path, course_title, left_out) VALUES (?, ?, ?)",
                [(path, item.course, int(bool(item.left_out))) for path, item in corrections.items()],
            )


class Failures:
    """Files that could not be read, stored until they change, disappear or are retried. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def files(self) -> tuple[FileDone, ...]:
        """Return the failed files that still exist, sorted by path; accesses the disk for each."""
        return tuple(
            FileDone(path, FileStatus.FAILED, reason=reason)
            for (path, _, _), reason in self.known().items()
            if os.path.exists(path)
        )

    def known(self) -> dict[tuple[str, int, int], Message]:
        """Return why files could not be read, by path, size and mtime_ns, sorted; some may be gone."""
        rows = self._db.connection.execute("SELECT * FROM failures ORDER BY path")
        return {(row["path"], row["size"], row["mtime_ns"]): Message.from_json(row["reason"]) for row in rows}

    def add(self, path: str, size: int, mtime_ns: int, reason: Message) -> None:
        self._db.write(
            "INSERT OR REPLACE INTO failures (path, size, mtime_ns, reason) VALUES (?, ?, ?, ?)",
            [(path, size, mtime_ns, reason.to_json())],
        )

    def forget(self, paths: Iterable[str]) -> None:
        """Delete failures, so that the files are read again the next time."""
        self._db.write("DELETE FROM failures WHERE path = ?", [(path,) for path in paths])


class IndexQueue:
    """The changes that Chroma still has to be told, and the mark of its index. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def next(self, limit: int) -> list[sqlite3.Row]:
        """Return the next entries in order: seq, op, item."""
        return self._db.connection.execute(
            "SELECT seq, op, item FROM index_queue ORDER BY seq LIMIT ?", (limit,)
        ).fetchall()

    def count(self) -> int:
        return int(self._db.connection.execute("SELECT count(*) FROM index_queue").fetchone()[0])

    def passages_and_count(self) -> tuple[int, int]:
        """Return the numbers of searchable passages and of entries, both at the same moment."""
        row = self._db.connection.execute(
            """SELECT (SELECT count(*) FROM chunks JOIN documents ON documents.id = document_id
                       WHERE trashed_at IS NULL) AS passages,
                      (SELECT count(*) FROM index_queue) AS pending"""
        ).fetchone()
        return row["passages"], row["pending"]

    def remove(self, up_to: int) -> None:
        """Remove all entries up to ``seq``: Chroma has them."""
        self._db.write("DELETE FROM index_queue WHERE seq <= ?", [(up_to,)])

    def refill(self) -> None:
        """Queue everything, for an empty Chroma index."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM index_queue")
            connection.execute(
                "INSERT INTO index_queue (op, item) SELECT 'course', title FROM courses ORDER BY id"
            )
            connection.execute(
                """INSERT INTO index_queue (op, item) SELECT 'add', k.id FROM chunks AS k
                   JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL ORDER BY k.id"""
            )

    def mark(self) -> str | None:
        """Return the mark that a Chroma index of this library must have."""
        return self._db.meta(_INDEX_MARK)

    def set_mark(self, mark: str) -> None:
        self._db.set_meta(_INDEX_MARK, mark)
