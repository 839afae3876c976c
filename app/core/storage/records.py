"""Writes and deletes the rows of courses, documents and passages inside the caller's transaction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from app.core.storage import codec
from app.core.storage.sql import IN_KEYS, insert, keys

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.pieces import IndexedChunk
    from app.domain.courses import Facts
    from app.domain.documents import Lesson, ParsedDocument

REMOVED_FROM_INDEX = "removed_from_index"
"""Property of the library: passages removed from Chroma since it was built; it never reuses their space."""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Identifies one version of a file."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A whole document, ready to be committed in one transaction.

    Attributes:
        sentences: spans of all sentences, in order.
        title_embedding: float32 vector of the course title.
        facts: what it says about its own place; None if unknown.
        placed: course and lesson come from the file's location.
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
    """Create or update the course of a document; return its key and next chunk_index.

    In a course of several documents, a header that lacks a field does not clear it. The counter advances
    by the number of passages that are about to be stored.
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
            codec.encode_vectors(new.title_embedding),
        ),
    )
    row = connection.execute(
        "SELECT id, next_chunk_index FROM courses WHERE title = ?", (parsed.course_title,)
    ).fetchone()
    connection.execute(
        "UPDATE courses SET next_chunk_index = next_chunk_index + ? WHERE id = ?",
        (len(new.chunks), row["id"]),
    )
    insert(connection, "index_queue", op="course", item=parsed.course_title)
    return row["id"], row["next_chunk_index"]


def next_document(connection: sqlite3.Connection) -> int:
    """Return a key that no document has had: data cached for a replaced document must not match a new one.

    Keys of passages never decrease and every document has passages, so the last one exceeds all.
    """
    row = connection.execute(
        """SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0),
                      ifnull((SELECT max(id) FROM documents), 0)) + 1"""
    ).fetchone()
    return int(row[0])


def put_document(connection: sqlite3.Connection, course_id: int, new: NewDocument) -> int:
    document_id = insert(
        connection,
        "documents",
        id=next_document(connection),
        course_id=course_id,
        path=new.stamp.path,
        size=new.stamp.size,
        mtime_ns=new.stamp.mtime_ns,
        sha256=new.stamp.sha256,
        text=new.parsed.text,
        sentences=codec.encode_spans(new.sentences),
        claim=new.facts and new.facts.claim,
        heading=new.facts and new.facts.heading,
        marked=int(bool(new.facts and new.facts.marked)),
        placed=int(new.placed),
        description=new.description,
    )
    connection.executemany(
        "INSERT INTO anchors (document_id, start, kind, value) VALUES (?, ?, ?, ?)",
        [(document_id, mark.start, mark.anchor.kind, mark.anchor.value) for mark in new.parsed.marks],
    )
    return document_id


def put_lessons(connection: sqlite3.Connection, document_id: int, lessons: Sequence[Lesson]) -> list[int]:
    return [
        insert(connection, "lessons", document_id=document_id, position=position, **asdict(lesson))
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
    """Insert the passages of a document and make them searchable."""
    for chunk_index, indexed in enumerate(new.chunks, next_index):
        chunk = indexed.chunk
        insert(
            connection,
            "chunks",
            course_id=course_id,
            document_id=document_id,
            lesson_id=lesson_ids[chunk.lesson],
            lesson_number=new.parsed.lessons[chunk.lesson].number,
            chunk_index=chunk_index,
            start=chunk.start,
            end=chunk.end,
            text=chunk.text,
            pieces=codec.encode_spans(chunk.pieces),
            vectors=codec.encode_vectors(indexed.vectors),
            context=codec.encode_vectors(indexed.context),
            embedding=codec.encode_vectors(indexed.embedding),
            terms=codec.encode_terms(indexed.terms),
        )
    index_documents(connection, [document_id])


def index_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Add the passages of documents to the full-text index, and queue them for Chroma."""
    connection.execute(
        f"""INSERT INTO passages_fts (rowid, text, context) SELECT id, text, context FROM passages
            WHERE id IN (SELECT id FROM chunks WHERE document_id {IN_KEYS})""",
        (keys(document_ids),),
    )
    connection.execute(
        f"""INSERT INTO index_queue (op, item)
            SELECT 'add', id FROM chunks WHERE document_id {IN_KEYS} ORDER BY id""",
        (keys(document_ids),),
    )


def rebuild_text_index(connection: sqlite3.Connection) -> None:
    """Clear the full-text index and fill it with every searchable passage."""
    connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
    connection.execute(
        """INSERT INTO passages_fts (rowid, text, context)
           SELECT id, text, context FROM passages WHERE id IN
           (SELECT k.id FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
            WHERE d.trashed_at IS NULL)"""
    )


def unindex(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Remove the passages of documents from the full-text index, and queue their removal from Chroma.

    Call it before deleting the rows: the full-text index needs the old text to remove it.
    """
    connection.execute(
        f"""INSERT INTO passages_fts (passages_fts, rowid, text, context)
            SELECT 'delete', id, text, context FROM passages
            WHERE id IN (SELECT id FROM chunks WHERE document_id {IN_KEYS})""",
        (keys(document_ids),),
    )
    connection.execute(
        f"""INSERT INTO index_queue (op, item) SELECT 'remove', c.title || '_' || k.chunk_index
            FROM chunks AS k JOIN courses AS c ON c.id = k.course_id WHERE k.document_id {IN_KEYS}""",
        (keys(document_ids),),
    )


def queue_courses(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Queue the courses of documents for an update of their records in Chroma."""
    connection.execute(
        f"""INSERT INTO index_queue (op, item) SELECT DISTINCT 'course', c.title FROM courses AS c
            JOIN documents AS d ON d.course_id = c.id WHERE d.id {IN_KEYS}""",
        (keys(document_ids),),
    )


def delete_documents(connection: sqlite3.Connection, document_ids: Sequence[int]) -> None:
    """Delete documents for good, searchable or in the trash."""
    unindex(connection, live_among(connection, document_ids))
    queue_courses(connection, document_ids)
    connection.execute(f"DELETE FROM documents WHERE id {IN_KEYS}", (keys(document_ids),))


def live_among(connection: sqlite3.Connection, document_ids: Sequence[int]) -> list[int]:
    """Return the searchable ones among documents."""
    rows = connection.execute(
        f"SELECT id FROM documents WHERE trashed_at IS NULL AND id {IN_KEYS}", (keys(document_ids),)
    )
    return [row["id"] for row in rows]


def count_removed_from_index(connection: sqlite3.Connection, up_to: int) -> None:
    """Count the passages removed from Chroma, to know when rebuilding it pays off."""
    connection.execute(
        """INSERT INTO meta (key, value)
           SELECT ?, count(*) FROM index_queue WHERE seq <= ? AND op = 'remove' HAVING count(*) > 0
           ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value""",
        (REMOVED_FROM_INDEX, up_to),
    )


def trashed_with_path(connection: sqlite3.Connection, path: str) -> list[int]:
    """Return documents in the trash that a new version of their file makes obsolete."""
    rows = connection.execute("SELECT id FROM documents WHERE trashed_at IS NOT NULL AND path = ?", (path,))
    return [row["id"] for row in rows]


def drop_empty_courses(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM courses WHERE id NOT IN (SELECT course_id FROM documents)")


def touch(connection: sqlite3.Connection) -> None:
    """Count a change, so that vectors cached in memory are refreshed."""
    connection.execute(
        """INSERT INTO meta (key, value) VALUES ('generation', '1')
           ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1"""
    )
