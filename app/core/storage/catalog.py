"""Courses, documents and passages in the library file: every query about them stands here."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.core.courses import conflicts
from app.core.courses.arrangement import Facts, Place
from app.core.ingest.failures import Failures
from app.core.search import source_text
from app.core.search.chroma.store import ChunkRecord
from app.core.search.pieces import piece_text
from app.core.storage import listing, records
from app.core.storage.places import Places
from app.core.storage.records import FileStamp, batches
from app.domain.courses import LibraryCounts
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.search import SearchHit

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.search.ranking import Window
    from app.core.storage.database import Database
    from app.core.storage.records import NewDocument
    from app.domain.courses import Course
    from app.domain.documents import ParsedDocument
    from app.domain.sources import LessonText, Source, SourceState

TRASH_DAYS = 30
_INDEX_MARK = "index_mark"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A document as far as its file goes."""

    document_id: int
    path: str
    size: int
    mtime_ns: int
    sha256: str
    course_title: str
    passages: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as far as it does not depend on how passages are cut and embedded."""

    stamp: FileStamp
    text: DocumentText
    facts: Facts | None
    place: Place
    is_sample: bool


class Catalog:
    """Reads and writes the library's courses. Each method is one transaction; thread-safe.

    Attributes:
        places: chosen folders, corrections, and where documents belong.
        failures: the files that could not be read.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self.places = Places(database)
        self.failures = Failures(database)

    # Reading

    def counts(self) -> LibraryCounts:
        """Return how much can be searched."""
        row = self._db.connection.execute(
            """SELECT count(DISTINCT d.course_id) AS courses, count(*) AS documents,
                      (SELECT count(*) FROM chunks JOIN documents AS live ON live.id = document_id
                       WHERE live.trashed_at IS NULL) AS passages
               FROM documents AS d WHERE d.trashed_at IS NULL"""
        ).fetchone()
        return LibraryCounts(row["courses"], row["documents"], row["passages"])

    def courses(self) -> tuple[Course, ...]:
        """Return all courses with their lessons, sorted by title without regard to case."""
        return listing.courses(self._db.connection)

    def course_titles(self) -> tuple[str, ...]:
        """Return the titles that can be searched, in order."""
        return tuple(row["title"] for row in self._db.connection.execute(_SEARCHABLE.format("title")))

    def course_vectors(self) -> dict[str, NDArray[np.float32]]:
        """Return the same titles, each with its vector."""
        return {
            row["title"]: np.frombuffer(row["embedding"], np.float16).astype(np.float32)
            for row in self._db.connection.execute(_SEARCHABLE.format("title, embedding"))
        }

    def course_ids(self) -> dict[str, int]:
        """Return the keys of the courses by title."""
        return {
            row["title"]: row["id"] for row in self._db.connection.execute("SELECT id, title FROM courses")
        }

    def files(self) -> dict[str, FileRecord]:
        """Return the searchable documents by path."""
        return {
            row["path"]: _file_record(row)
            for row in self._db.connection.execute(_FILES + " WHERE d.trashed_at IS NULL")
        }

    def is_searchable(self, document_id: int) -> bool:
        """Return whether a document is there, and not in the trash."""
        query = "SELECT 1 FROM documents WHERE id = ? AND trashed_at IS NULL"
        return self._db.connection.execute(query, (document_id,)).fetchone() is not None

    def file_with_content(self, sha256: str) -> FileRecord | None:
        """Return a searchable document with exactly this content, or None."""
        row = self._db.connection.execute(
            _FILES + " WHERE d.trashed_at IS NULL AND d.sha256 = ? ORDER BY d.id LIMIT 1", (sha256,)
        ).fetchone()
        return None if row is None else _file_record(row)

    def files_of_course(self, title: str) -> list[FileRecord]:
        """Return the searchable documents of one course."""
        rows = self._db.connection.execute(
            _FILES + " WHERE d.trashed_at IS NULL AND co.title = ? ORDER BY d.id", (title,)
        )
        return [_file_record(row) for row in rows]

    def document(self, document_id: int) -> tuple[str, str, list[tuple[int, int]]]:
        """Return text, sha256 and sentence spans of a document (in the trash or not).

        Raises:
            KeyError: it is not in the library any more.
        """
        row = self._db.connection.execute(
            "SELECT text, sha256, sentences FROM documents WHERE id = ?", (document_id,)
        ).fetchone()
        if row is None:
            raise KeyError(document_id)
        spans = np.frombuffer(row["sentences"], "<i4").reshape(-1, 2).tolist()
        return row["text"], row["sha256"], [(start, end) for start, end in spans]

    def source_state(self, source: Source) -> SourceState:
        """Return how a source of an answer stands to the library of now."""
        return source_text.source_state(self._db.connection, source)

    def lesson_text(self, source: Source) -> LessonText:
        """Return the whole lesson a source stands in, or its passage if that is all there is."""
        return source_text.lesson_text(self._db.connection, source)

    def stored_document(self, document_id: int) -> StoredDocument:
        """Return what is needed to cut a document anew without its file."""
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

    def piece_vectors(self, path: str) -> dict[str, NDArray[np.float32]]:
        """Return the model's vectors of all pieces of a file's versions, the trash included, by text."""
        found: dict[str, NDArray[np.float32]] = {}
        for row in self._db.connection.execute(
            """SELECT k.start, k.text, k.pieces, k.vectors FROM chunks AS k
               JOIN documents AS d ON d.id = k.document_id WHERE d.path = ?""",
            (path,),
        ):
            spans = np.frombuffer(row["pieces"], "<i4").reshape(-1, 2) - row["start"]
            vectors = np.frombuffer(row["vectors"], "<f2").reshape(len(spans), -1).astype(np.float32)
            for (start, end), vector in zip(spans.tolist(), vectors, strict=True):
                found[piece_text(row["text"], (start, end))] = vector
        return found

    def with_same_lessons(self, document: ParsedDocument, path: str) -> str | None:
        """Return the path of another document that holds the same lessons of a course, or None."""
        lessons = {(lesson.number, lesson.title) for lesson in document.lessons}
        return conflicts.with_same_lessons(
            self._db.connection, document.course_title, path, lessons, placed=False
        )

    # Writing

    def commit(
        self, new: NewDocument, replaces: int | None = None, *, unless_removed: bool = False
    ) -> int | None:
        """Store a document whole, in place of ``replaces`` if given; return its key.

        One transaction: text, lessons, passages, vectors, full-text index, and what Chroma must
        be told.

        Args:
            new: the document.
            replaces: key of the one whose place it takes.
            unless_removed: store nothing and return None where that has left the library.
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

    def moved(self, document_id: int, stamp: FileStamp) -> None:
        """Record that a known document lies elsewhere, or was only touched."""
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

    def exchanged(self, stale: FileRecord, found: FileRecord, stamp: FileStamp) -> None:
        """Record that what was ``found`` lies in the place of a ``stale`` document, which takes its path."""
        with self._db.transaction() as connection:
            # No two documents may have one path, not even in between.
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

    def set_failure(self, path: str, size: int, mtime_ns: int, reason: str) -> None:
        """Remember that this version of a file could not be read."""
        with self._db.transaction() as connection:
            connection.execute(
                """INSERT INTO failures (path, size, mtime_ns, reason) VALUES (?, ?, ?, ?)
                   ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime_ns = excluded.mtime_ns,
                   reason = excluded.reason""",
                (path, size, mtime_ns, reason),
            )

    def trash(self, document_ids: Sequence[int]) -> None:
        """Take documents out of every search; their text and vectors stay in the trash."""
        now = time.time()
        with self._db.transaction() as connection:
            live = records.live_among(connection, document_ids)
            for batch in batches(live):
                records.unindex(connection, batch)
                marks = ",".join("?" * len(batch))
                connection.execute(
                    f"UPDATE documents SET trashed_at = ? WHERE id IN ({marks})", [now, *batch]
                )
            records.queue_courses(connection, live)
            records.touch(connection)

    def empty_trash(self, older_than: float | None = None, at_most: int = -1) -> int:
        """Delete what is in the trash (since before ``older_than``, if given); return how many.

        Args:
            older_than: seconds since the epoch.
            at_most: documents in this one transaction; -1 for all.
        """
        with self._db.transaction() as connection:
            limit = math.inf if older_than is None else older_than
            rows = connection.execute(
                "SELECT id FROM documents WHERE trashed_at < ? ORDER BY trashed_at LIMIT ?", (limit, at_most)
            )
            keys = [row["id"] for row in rows]
            records.delete_documents(connection, keys)
            records.drop_empty_courses(connection)
        return len(keys)

    def rebuild_text_index(self) -> None:
        """Make the full-text index anew from the passages."""
        with self._db.transaction() as connection:
            records.rebuild_text_index(connection)

    # For Chroma

    def pending(self, limit: int) -> list[sqlite3.Row]:
        """Return the next things Chroma must be told, in order: seq, op, item."""
        return self._db.connection.execute(
            "SELECT seq, op, item FROM index_queue ORDER BY seq LIMIT ?", (limit,)
        ).fetchall()

    def pending_count(self) -> int:
        """Return how many things Chroma has not been told."""
        return int(self._db.connection.execute("SELECT count(*) FROM index_queue").fetchone()[0])

    def passages_and_pending(self) -> tuple[int, int]:
        """Return the searchable passages and the entries of the queue, both of one moment."""
        row = self._db.connection.execute(
            """SELECT (SELECT count(*) FROM chunks JOIN documents ON documents.id = document_id
                       WHERE trashed_at IS NULL) AS passages,
                      (SELECT count(*) FROM index_queue) AS pending"""
        ).fetchone()
        return row["passages"], row["pending"]

    def forget_pending(self, up_to: int) -> None:
        """Record that Chroma knows everything up to ``seq``."""
        with self._db.transaction() as connection:
            records.count_removed_from_index(connection, up_to)
            connection.execute("DELETE FROM index_queue WHERE seq <= ?", (up_to,))

    def removed_from_index(self) -> int:
        """Return how many passages were taken out of Chroma since it was built."""
        return int(self._db.meta(records.REMOVED_FROM_INDEX) or 0)

    def index_mark(self) -> str | None:
        """Return the mark that a Chroma index of this library has to have."""
        return self._db.meta(_INDEX_MARK)

    def set_index_mark(self, mark: str) -> None:
        """Let only a Chroma index with this mark be this library's from now on."""
        self._db.set_meta(_INDEX_MARK, mark)

    def queue_everything(self) -> None:
        """Have Chroma, which is empty, told everything again."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM index_queue")
            connection.execute("DELETE FROM meta WHERE key = ?", (records.REMOVED_FROM_INDEX,))
            connection.execute(
                "INSERT INTO index_queue (op, item) SELECT 'course', title FROM courses ORDER BY id"
            )
            connection.execute(
                """INSERT INTO index_queue (op, item) SELECT 'add', k.id FROM chunks AS k
                   JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL ORDER BY k.id"""
            )

    def passages_for_index(self) -> list[tuple[str, int]]:
        """Return of each searchable passage its record's id in Chroma, and its key."""
        rows = self._db.connection.execute(
            """SELECT c.title || '_' || k.chunk_index AS record_id, k.id
               FROM chunks AS k JOIN courses AS c ON c.id = k.course_id
               JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL"""
        )
        return [(row["record_id"], row["id"]) for row in rows]

    def chunk_records(self, keys: Sequence[int]) -> list[ChunkRecord]:
        """Return passages as Chroma holds them; those that are gone or in the trash are left out."""
        found: list[ChunkRecord] = []
        for batch in batches(keys):
            rows = self._db.connection.execute(
                f"""SELECT k.id, k.lesson_number, k.chunk_index, k.text, k.embedding, c.title
                    FROM chunks AS k JOIN courses AS c ON c.id = k.course_id
                    JOIN documents AS d ON d.id = k.document_id
                    WHERE d.trashed_at IS NULL AND k.id IN ({",".join("?" * len(batch))})""",
                batch,
            )
            found.extend(
                ChunkRecord(
                    key=row["id"],
                    course_title=row["title"],
                    lesson_number=row["lesson_number"],
                    chunk_index=row["chunk_index"],
                    text=row["text"],
                    embedding=np.frombuffer(row["embedding"], "<f2").astype(np.float32),
                )
                for row in rows
            )
        return found

    # Passages for a search

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        """Turn windows of text, best first, into hits; those whose passage is gone are left out."""
        hits: list[SearchHit] = []
        for window in windows:
            row = self._db.connection.execute(
                """SELECT k.chunk_index, k.lesson_number, l.title AS lesson_title, l.link AS lesson_link,
                          c.title, c.link, d.id AS document_id, d.path,
                          -- A document's text can be long: it is read where the passage's is not enough.
                          CASE WHEN :start >= k.start AND :end <= k."end"
                               THEN substr(k.text, :start - k.start + 1, :end - :start)
                               ELSE substr(d.text, :start + 1, :end - :start) END AS passage
                   FROM chunks AS k JOIN lessons AS l ON l.id = k.lesson_id
                   JOIN courses AS c ON c.id = k.course_id JOIN documents AS d ON d.id = k.document_id
                   WHERE k.id = :key AND d.trashed_at IS NULL""",
                {"start": window.start, "end": window.end, "key": window.key},
            ).fetchone()
            if row is None:  # replaced between the search and now
                continue
            hits.append(
                SearchHit(
                    rank=len(hits) + 1,
                    score=window.score,
                    course_title=row["title"],
                    lesson_number=row["lesson_number"],
                    lesson_title=row["lesson_title"],
                    chunk_index=row["chunk_index"],
                    text=row["passage"],
                    path=row["path"],
                    start=window.start,
                    end=window.end,
                    anchor=self._anchor(
                        row["document_id"], window.start if window.best is None else window.best
                    ),
                    link=row["lesson_link"] or row["link"],
                    document_id=row["document_id"],
                )
            )
        return tuple(hits)

    def _anchor(self, document_id: int, position: int) -> Anchor | None:
        row = self._db.connection.execute(
            """SELECT kind, value FROM anchors WHERE document_id = ? AND start <= ?
               ORDER BY start DESC LIMIT 1""",
            (document_id, position),
        ).fetchone()
        return None if row is None else Anchor(row["kind"], row["value"])


_SEARCHABLE = """SELECT {} FROM courses WHERE id IN
                 (SELECT course_id FROM documents WHERE trashed_at IS NULL) ORDER BY title"""

_FILES = """SELECT d.id, d.path, d.size, d.mtime_ns, d.sha256, co.title,
                   (SELECT count(*) FROM chunks WHERE document_id = d.id) AS passages
            FROM documents AS d JOIN courses AS co ON co.id = d.course_id"""


def file_record(connection: sqlite3.Connection, document_id: int) -> FileRecord:
    """Return a document, in the trash or not, as far as its file goes."""
    return _file_record(connection.execute(_FILES + " WHERE d.id = ?", (document_id,)).fetchone())


def _file_record(row: sqlite3.Row) -> FileRecord:
    return FileRecord(
        row["id"], row["path"], row["size"], row["mtime_ns"], row["sha256"], row["title"], row["passages"]
    )
