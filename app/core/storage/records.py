"""The rows behind the catalog: writing and deleting inside a transaction that the caller holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.core.courses.arrangement import Facts
    from app.core.search.pieces import IndexedChunk
    from app.domain.documents import Lesson, ParsedDocument

REMOVED_FROM_INDEX = "removed_from_index"
"""Property of the library: passages taken out of Chroma since it was built; their place is not used again."""

_IN_LIMIT = 500  # values in one IN (…): below SQLite's limit on parameters everywhere

_T = TypeVar("_T")


def batches(items: Sequence[_T]) -> Iterator[list[_T]]:
    """Cut a list into pieces that fit one ``IN (…)``."""
    for start in range(0, len(items), _IN_LIMIT):
        yield list(items[start : start + _IN_LIMIT])


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What tells one version of a file from another."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True, slots=True)
class NewDocument:
    """Everything of a document, ready to be committed in one transaction.

    Attributes:
        sentences: spans of all sentences, in order.
        title_embedding: float32 vector of the course title.
        facts: what it says about its place itself; None where nobody has looked.
        placed: course and lesson come from where its file lies.
        description: of its course, if it is a README.
    """

    stamp: FileStamp
    parsed: ParsedDocument
    sentences: Sequence[tuple[int, int]]
    chunks: Sequence[IndexedChunk]
    title_embedding: NDArray[np.float32]
    is_sample: bool = False
    facts: Facts | None = None
    placed: bool = False
    description: str | None = None


def put_course(connection: sqlite3.Connection, new: NewDocument) -> tuple[int, int]:
    """Create the course or fill in what its header now says; return key and next chunk_index.

    Of a course of several documents what one of them says stays where another says nothing. The
    counter is moved on by the number of passages that are about to be stored.
    """
    parsed = new.parsed
    others = connection.execute(
        """SELECT EXISTS (SELECT 1 FROM documents AS d JOIN courses AS c ON c.id = d.course_id
                          WHERE c.title = ? AND d.trashed_at IS NULL)""",
        (parsed.course_title,),
    ).fetchone()[0]
    instructor, link = (
        f"coalesce(excluded.{name}, {name})" if others else f"excluded.{name}"
        for name in ("instructor", "link")
    )
    connection.execute(
        f"""INSERT INTO courses (title, instructor, link, is_sample, embedding) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (title) DO UPDATE SET instructor = {instructor}, link = {link},
            is_sample = excluded.is_sample, embedding = excluded.embedding""",
        (
            parsed.course_title,
            parsed.instructor,
            parsed.course_link,
            int(new.is_sample),
            as_blob(new.title_embedding),
        ),
    )
    row = connection.execute(
        "SELECT id, next_chunk_index FROM courses WHERE title = ?", (parsed.course_title,)
    ).fetchone()
    connection.execute(
        "UPDATE courses SET next_chunk_index = next_chunk_index + ? WHERE id = ?",
        (len(new.chunks), row["id"]),
    )
    connection.execute("INSERT INTO index_queue (op, item) VALUES ('course', ?)", (parsed.course_title,))
    return row["id"], row["next_chunk_index"]


def next_document(connection: sqlite3.Connection) -> int:
    """Return a key that no document has had: what is kept in memory of a replaced one must not fit the new.

    Passages' keys never go back and every document has some, so that the last of them is beyond all.
    """
    row = connection.execute(
        """SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0),
                      ifnull((SELECT max(id) FROM documents), 0)) + 1"""
    ).fetchone()
    return int(row[0])


def put_document(connection: sqlite3.Connection, course_id: int, new: NewDocument) -> int:
    """Insert the document with its text, sentences and anchors; return its key."""
    document_id = next_document(connection)
    connection.execute(
        """INSERT INTO documents (id, course_id, path, size, mtime_ns, sha256, text, sentences,
                                  claim, heading, marked, placed, description)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            document_id,
            course_id,
            new.stamp.path,
            new.stamp.size,
            new.stamp.mtime_ns,
            new.stamp.sha256,
            new.parsed.text,
            np.asarray(new.sentences, "<i4").tobytes(),
            new.facts and new.facts.claim,
            new.facts and new.facts.heading,
            int(bool(new.facts and new.facts.marked)),
            int(new.placed),
            new.description,
        ),
    )
    connection.executemany(
        "INSERT INTO anchors (document_id, start, kind, value) VALUES (?, ?, ?, ?)",
        [(document_id, mark.start, mark.anchor.kind, mark.anchor.value) for mark in new.parsed.marks],
    )
    return document_id


def put_lessons(connection: sqlite3.Connection, document_id: int, lessons: Sequence[Lesson]) -> list[int]:
    """Insert the lessons of a document; return their keys in order."""
    return [
        _inserted(
            connection.execute(
                """INSERT INTO lessons (document_id, position, number, title, link, start, "end")
                   VALUES (?, ?, ?, ?, ?, ?, ?)""",
                (document_id, position, lesson.number, lesson.title, lesson.link, lesson.start, lesson.end),
            )
        )
        for position, lesson in enumerate(lessons)
    ]


def put_chunks(
    connection: sqlite3.Connection,
    course_id: int,
    document_id: int,
    lesson_ids: Sequence[int],
    next_index: int,
    new: NewDocument,
) -> None:
    """Insert the passages with their vectors, and index them."""
    rows = []
    for chunk_index, indexed in enumerate(new.chunks, next_index):
        chunk = indexed.chunk
        rows.append(
            (
                course_id,
                document_id,
                lesson_ids[chunk.lesson],
                new.parsed.lessons[chunk.lesson].number,
                chunk_index,
                chunk.start,
                chunk.end,
                chunk.text,
                np.asarray(chunk.pieces, "<i4").tobytes(),
                as_blob(indexed.vectors),
                as_blob(indexed.context),
                as_blob(indexed.embedding),
                indexed.terms.astype("<u4").tobytes(),
            )
        )
    connection.executemany(
        """INSERT INTO chunks (course_id, document_id, lesson_id, lesson_number, chunk_index, start, "end",
                               text, pieces, vectors, context, embedding, terms)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        rows,
    )
    index_documents(connection, [document_id])


def index_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Make the passages of these documents findable."""
    for batch in batches(document_ids):
        of_documents = f"IN (SELECT id FROM chunks WHERE document_id IN ({_marks(batch)}))"
        connection.execute(
            f"""INSERT INTO passages_fts (rowid, text, context)
                SELECT id, text, context FROM passages WHERE id {of_documents}""",
            batch,
        )
        connection.execute(
            f"""INSERT INTO index_queue (op, item)
                SELECT 'add', id FROM chunks WHERE document_id IN ({_marks(batch)}) ORDER BY id""",
            batch,
        )


def rebuild_text_index(connection: sqlite3.Connection) -> None:
    """Empty the full-text index and fill it with every searchable passage."""
    connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
    connection.execute(
        """INSERT INTO passages_fts (rowid, text, context)
           SELECT id, text, context FROM passages WHERE id IN
           (SELECT k.id FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
            WHERE d.trashed_at IS NULL)"""
    )


def unindex(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Take the passages of these documents out of the full-text index and, soon, out of Chroma.

    Called while their rows still stand: the index needs the old text to forget it.
    """
    for batch in batches(document_ids):
        of_documents = f"IN (SELECT id FROM chunks WHERE document_id IN ({_marks(batch)}))"
        connection.execute(
            f"""INSERT INTO passages_fts (passages_fts, rowid, text, context)
                SELECT 'delete', id, text, context FROM passages WHERE id {of_documents}""",
            batch,
        )
        connection.execute(
            f"""INSERT INTO index_queue (op, item)
                SELECT 'remove', c.title || '_' || k.chunk_index
                FROM chunks AS k JOIN courses AS c ON c.id = k.course_id
                WHERE k.document_id IN ({_marks(batch)})""",
            batch,
        )


def queue_courses(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Have the catalogue records of these documents' courses looked at again."""
    for batch in batches(document_ids):
        connection.execute(
            f"""INSERT INTO index_queue (op, item)
                SELECT DISTINCT 'course', c.title FROM courses AS c
                JOIN documents AS d ON d.course_id = c.id WHERE d.id IN ({_marks(batch)})""",
            batch,
        )


def delete_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Delete documents for good, indexed or in the trash."""
    for batch in batches(document_ids):
        rows = connection.execute(
            f"SELECT id FROM documents WHERE trashed_at IS NULL AND id IN ({_marks(batch)})", batch
        )
        unindex(connection, [row["id"] for row in rows.fetchall()])
        queue_courses(connection, batch)
        connection.execute(f"DELETE FROM documents WHERE id IN ({_marks(batch)})", batch)


def live_among(connection: sqlite3.Connection, document_ids: Sequence[int]) -> list[int]:
    """Return those of the documents that can be searched."""
    found: list[int] = []
    for batch in batches(document_ids):
        rows = connection.execute(
            f"SELECT id FROM documents WHERE trashed_at IS NULL AND id IN ({_marks(batch)})", batch
        )
        found.extend(row["id"] for row in rows)
    return found


def count_removed_from_index(connection: sqlite3.Connection, up_to: int) -> None:
    """Add up what Chroma was told to remove, to know when building it again is worth while."""
    connection.execute(
        """INSERT INTO meta (key, value)
           SELECT ?, count(*) FROM index_queue WHERE seq <= ? AND op = 'remove' HAVING count(*) > 0
           ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value""",
        (REMOVED_FROM_INDEX, up_to),
    )


def trashed_with_path(connection: sqlite3.Connection, path: str) -> list[int]:
    """Return documents in the trash that a new version of the file makes pointless."""
    rows = connection.execute("SELECT id FROM documents WHERE trashed_at IS NOT NULL AND path = ?", (path,))
    return [row["id"] for row in rows]


def drop_empty_courses(connection: sqlite3.Connection) -> None:
    """Delete courses that no document, searchable or in the trash, belongs to."""
    connection.execute("DELETE FROM courses WHERE id NOT IN (SELECT course_id FROM documents)")


def touch(connection: sqlite3.Connection) -> None:
    """Count the change, so that whoever keeps vectors in memory notices."""
    connection.execute(
        """INSERT INTO meta (key, value) VALUES ('generation', '1')
           ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"""
    )


def as_blob(vector: NDArray[np.float32]) -> bytes:
    """Return a vector as it is stored."""
    return vector.astype("<f2").tobytes()


def _marks(items: Sequence[object]) -> str:
    return ",".join("?" * len(items))


def _inserted(cursor: sqlite3.Cursor) -> int:
    if cursor.lastrowid is None:
        message = "SQLite gave no key for an inserted row."
        raise RuntimeError(message)
    return cursor.lastrowid
