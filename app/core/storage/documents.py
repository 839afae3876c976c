"""Documents in the library file: what was read of each file, and committing, moving and trashing it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.storage import conflicts, records
from app.core.storage.codec import decode_spans
from app.core.storage.records import FileStamp
from app.core.storage.sql import IN_KEYS, keys
from app.domain.courses import Facts, Place
from app.domain.documents import Anchor, AnchorMark, DocumentText

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from app.core.storage.database import Database
    from app.core.storage.records import NewDocument
    from app.domain.documents import ParsedDocument

_FILES = """SELECT d.id, d.path, d.size, d.mtime_ns, d.sha256, co.title,
                   (SELECT count(*) FROM chunks WHERE document_id = d.id) AS passages
            FROM documents AS d JOIN courses AS co ON co.id = d.course_id"""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A document and the file it was read from."""

    document_id: int
    path: str
    size: int
    mtime_ns: int
    sha256: str
    course_title: str
    passages: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """Everything of a document that does not depend on how passages are cut and embedded."""

    stamp: FileStamp
    text: DocumentText
    facts: Facts | None
    place: Place
    is_sample: bool


class DocumentRepository:
    """Reads and writes documents. Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def files(self) -> dict[str, FileRecord]:
        """Return the searchable documents by path."""
        rows = self._db.connection.execute(_FILES + " WHERE d.trashed_at IS NULL")
        return {row["path"]: _file_record(row) for row in rows}

    def of_course(self, title: str) -> list[FileRecord]:
        """Return the searchable documents of one course."""
        rows = self._db.connection.execute(
            _FILES + " WHERE d.trashed_at IS NULL AND co.title = ? ORDER BY d.id", (title,)
        )
        return [_file_record(row) for row in rows]

    def with_content(self, sha256: str) -> FileRecord | None:
        """Return a searchable document with exactly this content, or None."""
        row = self._db.connection.execute(
            _FILES + " WHERE d.trashed_at IS NULL AND d.sha256 = ? ORDER BY d.id LIMIT 1", (sha256,)
        ).fetchone()
        return None if row is None else _file_record(row)

    def record(self, document_id: int) -> FileRecord:
        """Return the record of a document, searchable or in the trash."""
        row = self._db.connection.execute(_FILES + " WHERE d.id = ?", (document_id,)).fetchone()
        return _file_record(row)

    def is_searchable(self, document_id: int) -> bool:
        """Whether a document exists and is not in the trash."""
        query = "SELECT 1 FROM documents WHERE id = ? AND trashed_at IS NULL"
        return self._db.connection.execute(query, (document_id,)).fetchone() is not None

    def content(self, document_id: int) -> tuple[str, str, list[tuple[int, int]]]:
        """Return text, sha256 and sentence spans of a document, searchable or in the trash.

        Raises:
            KeyError: it is not in the library any more.
        """
        row = self._db.connection.execute(
            "SELECT text, sha256, sentences FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        if row is None:
            raise KeyError(document_id)
        spans = decode_spans(row["sentences"]).tolist()
        return row["text"], row["sha256"], [(start, end) for start, end in spans]

    def stored(self, document_id: int) -> StoredDocument:
        """Return what is needed to cut a document again without its file."""
        connection = self._db.connection
        row = connection.execute(
            """SELECT d.*, c.title AS course, c.is_sample, l.number AS lesson, l.title AS lesson_title
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               LEFT JOIN lessons AS l ON l.document_id = d.id AND l.position = 0 WHERE d.id = ?""",
            (document_id,),
        ).fetchone()
        marks = tuple(
            AnchorMark(mark["start"], Anchor(mark["kind"], mark["value"]))
            for mark in connection.execute(
                "SELECT start, kind, value FROM anchors WHERE document_id = ? ORDER BY start", (document_id,)
            )
        )
        stamp = FileStamp(row["path"], row["size"], row["mtime_ns"], row["sha256"])
        known = row["heading"] is not None
        facts = Facts(row["claim"], row["heading"], bool(row["marked"])) if known else None
        about = bool(row["placed"]) and row["lesson"] is None and bool(row["lesson_title"])
        place = Place(row["course"], row["lesson"], row["lesson_title"] or "", bool(row["placed"]), about)
        return StoredDocument(stamp, DocumentText(row["text"], marks), facts, place, bool(row["is_sample"]))

    def with_same_lessons(self, document: ParsedDocument, path: str) -> str | None:
        """Return the path of another document that holds the same lessons of a course, or None."""
        lessons = {(lesson.number, lesson.title) for lesson in document.lessons}
        return conflicts.with_same_lessons(
            self._db.connection, document.course_title, path, lessons, placed=False
        )

    def commit(
        self, new: NewDocument, replaces: int | None = None, *, unless_removed: bool = False
    ) -> int | None:
        """Store a document whole, in place of ``replaces`` if given; return its key.

        One transaction: text, lessons, passages, vectors, full-text index, and the queue for Chroma.

        Args:
            new: the document.
            replaces: key of the document it replaces.
            unless_removed: store nothing and return None if that document has left the library.
        """
        with self._db.transaction() as connection:
            if unless_removed and (replaces is None or not self.is_searchable(replaces)):
                return None
            if replaces is not None:
                records.delete_documents(connection, [replaces])
            records.delete_documents(connection, records.trashed_with_path(connection, new.stamp.path))
            course_id, next_index = records.put_course(connection, new)
            document_id = records.put_document(connection, course_id, new)
            lesson_ids = records.put_lessons(connection, document_id, new.parsed.lessons)
            records.put_chunks(connection, course_id, document_id, lesson_ids, next_index, new)
            connection.execute("DELETE FROM failures WHERE path = ?", (new.stamp.path,))
            records.drop_empty_courses(connection)
            records.touch(connection)
        return document_id

    def move(self, document_id: int, stamp: FileStamp) -> None:
        """Record that the file of a document was moved, or only its time changed."""
        with self._db.transaction() as connection:
            records.delete_documents(
                connection,
                [key for key in records.trashed_with_path(connection, stamp.path) if key != document_id],
            )
            connection.execute(
                "UPDATE documents SET path = ?, size = ?, mtime_ns = ? WHERE id = ?",
                (stamp.path, stamp.size, stamp.mtime_ns, document_id),
            )
            connection.execute("DELETE FROM failures WHERE path = ?", (stamp.path,))
            records.touch(connection)

    def exchange(self, stale: FileRecord, found: FileRecord, stamp: FileStamp) -> None:
        """Record that the ``found`` document now lies at a ``stale`` one's path; their paths are swapped."""
        with self._db.transaction() as connection:
            # Two documents may never have the same path, not even in between.
            for path, document_id in (
                (f"{stale.path}\0", stale.document_id),
                (stale.path, found.document_id),
                (found.path, stale.document_id),
            ):
                connection.execute("UPDATE documents SET path = ? WHERE id = ?", (path, document_id))
            connection.execute(
                "UPDATE documents SET size = ?, mtime_ns = ? WHERE id = ?",
                (stamp.size, stamp.mtime_ns, found.document_id),
            )
            records.touch(connection)

    def trash(self, document_ids: Sequence[int]) -> None:
        """Remove documents from every search; text and vectors stay in the trash."""
        now = time.time()
        with self._db.transaction() as connection:
            live = records.live_among(connection, document_ids)
            records.unindex(connection, live)
            connection.execute(f"UPDATE documents SET trashed_at = ? WHERE id {IN_KEYS}", (now, keys(live)))
            records.queue_courses(connection, live)
            records.touch(connection)

    def empty_trash(self, older_than: float | None = None, at_most: int = -1) -> int:
        """Delete documents in the trash for good; return their number.

        Args:
            older_than: delete what was trashed before this time, in seconds since the epoch.
            at_most: documents in this one transaction; -1 for all.
        """
        with self._db.transaction() as connection:
            limit = math.inf if older_than is None else older_than
            rows = connection.execute(
                "SELECT id FROM documents WHERE trashed_at < ? ORDER BY trashed_at LIMIT ?", (limit, at_most)
            )
            found = [row["id"] for row in rows]
            records.delete_documents(connection, found)
            records.drop_empty_courses(connection)
        return len(found)


def _file_record(row: sqlite3.Row) -> FileRecord:
    return FileRecord(
        row["id"], row["path"], row["size"], row["mtime_ns"], row["sha256"], row["title"], row["passages"]
    )
