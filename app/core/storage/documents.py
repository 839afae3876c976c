"""Documents in the library file: what was read of each file, and committing, moving and trashing it."""

import hashlib
import math
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core.storage import codec, sql
from app.core.storage.database import Database
from app.core.storage.sql import IN_KEYS, keys
from app.domain.courses import Facts, Place, Use
from app.domain.documents import Anchor, AnchorMark, CourseChunk, DocumentText, Lesson, ParsedDocument
from app.domain.file_paths import lesson_stem

_RECORDS = """SELECT d.id, d.path, d.size, d.mtime_ns, d.sha256, d.claim, d.heading, d.marked, d.placed,
                     d.use, c.title AS course, c.is_sample, l.number AS lesson, l.title AS lesson_title,
                     (SELECT count(*) FROM chunks WHERE document_id = d.id) AS passages
              FROM documents AS d JOIN courses AS c ON c.id = d.course_id
              LEFT JOIN lessons AS l ON l.document_id = d.id AND l.position = 0"""

_MOST_DOCUMENTS = 5
LessonName = tuple[int | None, str]  # number and title


class IndexedChunk(NamedTuple):
    """A passage ready to be stored."""

    chunk: CourseChunk  # cut into n pieces
    vectors: NDArray[np.float32]  # (n, dimension), the model's own vectors of the pieces
    context: NDArray[np.float32]  # (n, dimension), normalized, blended with their surroundings
    embedding: NDArray[np.float32]  # (dimension,), normalized: the mean of context, the passage's vector
    terms: NDArray[np.uint32]  # (m, 2): distinct pairs of piece number and term hash


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Identifies one version of a file."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FileRecord(FileStamp):
    """A document: the file it was read from, and its place.

    ``facts`` are None if an earlier version read it; ``place`` has number and title of its first lesson.
    """

    document_id: int
    passages: int
    is_sample: bool
    facts: Facts | None
    place: Place

    @property
    def course_title(self) -> str:
        return self.place.course


class NewDocument(NamedTuple):
    """A whole document, ready to be committed in one transaction."""

    stamp: FileStamp
    parsed: ParsedDocument
    sentences: Sequence[tuple[int, int]]  # spans
    chunks: Sequence[IndexedChunk]
    title_embedding: NDArray[np.float32]  # of the course
    is_sample: bool = False
    facts: Facts | None = None  # what it says about its own place, if known
    placed: bool = False  # course and lesson come from the file's location
    description: str | None = None  # of its course, if it is a README
    language: str = ""  # of its text, see app.core.documents.text.languages


class WholePassage(NamedTuple):
    """A passage without its vectors; positions are those of its document."""

    key: int
    lesson: int  # index into the document's lessons
    chunk_index: int
    start: int
    end: int
    text: str


class PassageVectors(NamedTuple):
    """The vectors of a passage of n pieces; see IndexedChunk."""

    embedding: NDArray[np.float32]  # (dimension,)
    spans: NDArray[np.int32]  # (n, 2), of its pieces in the document
    context: NDArray[np.float32]  # (n, dimension)
    own: NDArray[np.float32]  # (n, dimension)


class WholeDocument(NamedTuple):
    """A searchable document as it was read, all from one moment."""

    course_title: str
    path: str
    sha256: str
    language: str  # may be empty
    is_marked: bool  # has lesson markers of its own
    text: str
    sentences: NDArray[np.int32]  # (n, 2)
    marks: tuple[AnchorMark, ...]  # in order
    lessons: tuple[Lesson, ...]  # in order
    passages: tuple[WholePassage, ...]  # in order


class DocumentRepository:
    """Reads and writes documents. Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def files(self) -> dict[str, FileRecord]:
        """Return the searchable documents by path, oldest first."""
        rows = self._db.connection.execute(_RECORDS + " WHERE d.trashed_at IS NULL ORDER BY d.id")
        return {row["path"]: _record(row) for row in rows}

    def of_course(self, title: str) -> list[FileRecord]:
        rows = self._db.connection.execute(
            _RECORDS + " WHERE d.trashed_at IS NULL AND c.title = ? ORDER BY d.id", (title,)
        )
        return [_record(row) for row in rows]

    def with_content(self, sha256: str) -> FileRecord | None:
        """Return a searchable document with exactly this content, or None."""
        row = self._db.connection.execute(
            _RECORDS + " WHERE d.trashed_at IS NULL AND d.sha256 = ? ORDER BY d.id LIMIT 1", (sha256,)
        ).fetchone()
        return None if row is None else _record(row)

    def record(self, document_id: int) -> FileRecord:
        return _record(self._db.connection.execute(_RECORDS + " WHERE d.id = ?", (document_id,)).fetchone())

    def is_searchable(self, document_id: int) -> bool:
        """Whether a document exists and is not in the trash."""
        query = "SELECT 1 FROM documents WHERE id = ? AND trashed_at IS NULL"
        return self._db.connection.execute(query, (document_id,)).fetchone() is not None

    def holds(self, quote: str) -> bool:
        """Return whether a searchable document contains a text, character by character."""
        row = self._db.connection.execute(
            "SELECT 1 FROM documents WHERE trashed_at IS NULL AND instr(text, ?) LIMIT 1", (quote,)
        ).fetchone()
        return row is not None

    def languages(self) -> dict[str, int]:
        """Return how many searchable documents are in each language, the most frequent first."""
        rows = self._db.connection.execute(
            """SELECT language, count(*) AS documents FROM documents WHERE trashed_at IS NULL
               GROUP BY language ORDER BY documents DESC, language"""
        )
        return {row["language"]: row["documents"] for row in rows}

    def text(self, document_id: int) -> DocumentText:
        """Return what was read of a document, searchable or in the trash."""
        connection = self._db.connection
        row = connection.execute("SELECT text FROM documents WHERE id = ?", (document_id,)).fetchone()
        marks = connection.execute(
            "SELECT start, kind, value FROM anchors WHERE document_id = ? ORDER BY start", (document_id,)
        )
        return DocumentText(
            row["text"],
            tuple(AnchorMark(mark["start"], Anchor(mark["kind"], mark["value"])) for mark in marks),
        )

    def text_versions(self, document_ids: Iterable[int]) -> dict[int, str]:
        """Return the sha256 of the documents' texts, without documents that are gone."""
        rows = self._db.connection.execute(
            f"SELECT id, text FROM documents WHERE id {IN_KEYS}", (keys(document_ids),)
        )
        return {row["id"]: hashlib.sha256(row["text"].encode()).hexdigest() for row in rows}

    def sentences(self, document_id: int) -> tuple[str, Use, list[tuple[int, int]]]:
        """Return the language of a document, which may be empty, its use, and the spans of its sentences."""
        query = "SELECT language, use, sentences FROM documents WHERE id = ?"
        row = self._db.connection.execute(query, (document_id,)).fetchone()
        spans = codec.decode_spans(row["sentences"]).tolist()
        return row["language"], Use(row["use"]), [(start, end) for start, end in spans]

    def recognized(self) -> set[int]:
        """Return the keys of documents with scanned pages that were recognized."""
        rows = self._db.connection.execute(
            "SELECT DISTINCT document_id FROM anchors WHERE kind IN ('scan', 'slide_scan')"
        )
        return {row["document_id"] for row in rows}

    def digests(self) -> set[str]:
        """Return the digests of all files that were read, the trash included."""
        return {row["sha256"] for row in self._db.connection.execute("SELECT sha256 FROM documents")}

    def with_same_lessons(self, document: ParsedDocument, path: str) -> str | None:
        """Return the path of another document that holds the same lessons of a course, or None."""
        lessons = {(lesson.number, lesson.title) for lesson in document.lessons}
        return with_same_lessons(self._db.connection, document.course_title, path, lessons, placed=False)

    def commit(
        self, new: NewDocument, replaces: int | None = None, *, unless_removed: bool = False
    ) -> int | None:
        """Store a document whole, in place of the one with the key ``replaces`` if given; return its key.

        One transaction: text, lessons, passages, vectors, full-text index, and the queue for Chroma. With
        ``unless_removed`` it stores nothing and returns None if the replaced one has left the library.
        """
        with self._db.transaction() as connection:
            if unless_removed and (replaces is None or not self.is_searchable(replaces)):
                return None
            if replaces is not None:
                sql.delete_documents(connection, [replaces])
            _forget_file(connection, new.stamp.path)
            course_id, first_index = _put_course(connection, new)
            document_id = _put_document(connection, course_id, new)
            _put_passages(connection, course_id, document_id, first_index, new)
            sql.drop_empty_courses(connection)
            for follow in self._db.hooks.documents_added:
                follow(connection)
            sql.touch(connection)
        return document_id

    def move(self, document_id: int, stamp: FileStamp) -> None:
        """Record that the file of a document was moved, or only its time changed."""
        with self._db.transaction() as connection:
            _forget_file(connection, stamp.path, document_id)
            connection.execute(
                "UPDATE documents SET path = ?, size = ?, mtime_ns = ? WHERE id = ?",
                (stamp.path, stamp.size, stamp.mtime_ns, document_id),
            )
            sql.touch(connection)

    def exchange(self, stale: FileRecord, found: FileRecord, stamp: FileStamp) -> None:
        """Swap the paths of two documents: ``found`` now lies at the path of ``stale``, as ``stamp`` says."""
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
            sql.touch(connection)

    def trash(self, document_ids: Sequence[int]) -> None:
        """Remove documents from every search; text and vectors stay in the trash."""
        moment = time.time()
        with self._db.transaction() as connection:
            sql.unindex(connection, document_ids)
            connection.execute(
                f"UPDATE documents SET trashed_at = ? WHERE trashed_at IS NULL AND id {sql.IN_KEYS}",
                (moment, sql.keys(document_ids)),
            )
            for follow in self._db.hooks.documents_trashed:
                follow(connection, document_ids, moment)
            sql.touch(connection)

    def empty_trash(self, first: float = -math.inf, last: float = math.inf, *, at_most: int = -1) -> int:
        """Delete for good what was trashed between two moments; return the number."""
        with self._db.transaction() as connection:
            rows = connection.execute(
                """SELECT id FROM documents WHERE trashed_at BETWEEN ? AND ?
                   ORDER BY trashed_at LIMIT ?""",
                (first, last, at_most),
            )
            found = [row["id"] for row in rows]
            sql.delete_documents(connection, found)
            sql.drop_empty_courses(connection)
            for follow in self._db.hooks.trash_emptied:
                follow(connection)
        return len(found)

    def whole(self, path: str) -> WholeDocument | None:
        """Return the searchable document that was read from a file; None if there is none."""
        connection = self._db.connection
        connection.execute("BEGIN")  # all that follows is of one moment
        try:
            row = connection.execute(
                """SELECT d.id, d.path, d.sha256, d.language, d.marked, d.text, d.sentences, c.title
                   FROM documents AS d JOIN courses AS c ON c.id = d.course_id
                   WHERE d.path = ? AND d.trashed_at IS NULL""",
                (path,),
            ).fetchone()
            return None if row is None else _document(connection, row)
        finally:
            connection.execute("ROLLBACK")

    def vectors(self, passages: Sequence[int]) -> dict[int, PassageVectors]:
        """Return the vectors of passages by key, without those that are gone."""
        found = {}
        for row in self._db.connection.execute(
            f"SELECT id, embedding, pieces, context, vectors FROM chunks WHERE id {IN_KEYS}",
            (keys(passages),),
        ):
            spans = codec.decode_spans(row["pieces"])
            context, own = (codec.decode_vectors(row[name], len(spans)) for name in ("context", "vectors"))
            found[row["id"]] = PassageVectors(codec.decode_vector(row["embedding"]), spans, context, own)
        return found


def lessons_of(connection: sqlite3.Connection, document_id: int) -> set[LessonName]:
    rows = connection.execute("SELECT number, title FROM lessons WHERE document_id = ?", (document_id,))
    return {(row["number"], row["title"]) for row in rows}


def find_conflict(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[LessonName], *, placed: bool
) -> str | None:
    """Return the path of a searchable document that conflicts with a new one, or None.

    Documents conflict if they have the same path, or the same lessons of the same course. Files that
    differ only in their extension do not, nor do files of one folder that are lessons by location.
    ``placed`` lessons come from the file's location, not from a header or markers in it.
    """
    same = connection.execute("SELECT 1 FROM documents WHERE trashed_at IS NULL AND path = ?", (path,))
    if same.fetchone() is not None:
        return path
    return with_same_lessons(connection, title, path, lessons, placed=placed)


def with_same_lessons(
    connection: sqlite3.Connection, title: str, path: str, lessons: set[LessonName], *, placed: bool
) -> str | None:
    """Like :func:`find_conflict`, without regard to a document of the same path."""
    others: dict[str, set[LessonName]] = {}
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


def _record(row: sqlite3.Row) -> FileRecord:
    known = row["heading"] is not None
    facts = Facts(row["claim"], row["heading"], bool(row["marked"]), Use(row["use"])) if known else None
    placed, title = bool(row["placed"]), row["lesson_title"] or ""
    about = placed and row["lesson"] is None and bool(title)
    place = Place(row["course"], row["lesson"], title, placed, about)
    file = row["path"], row["size"], row["mtime_ns"], row["sha256"]
    return FileRecord(*file, row["id"], row["passages"], bool(row["is_sample"]), facts, place)


def _forget_file(connection: sqlite3.Connection, path: str, document_id: int | None = None) -> None:
    """Delete what a new version of a file makes obsolete: its documents in the trash, and its failure."""
    rows = connection.execute(
        "SELECT id FROM documents WHERE trashed_at IS NOT NULL AND path = ? AND id IS NOT ?",
        (path, document_id),
    )
    sql.delete_documents(connection, [row["id"] for row in rows])
    connection.execute("DELETE FROM failures WHERE path = ?", (path,))


def _put_course(connection: sqlite3.Connection, new: NewDocument) -> tuple[int, int]:
    """Create or update the course of a document; return its key and the chunk_index of the first passage.

    In a course of several documents, a header that lacks a field does not clear it.
    """
    others = "EXISTS (SELECT 1 FROM documents WHERE course_id = courses.id AND trashed_at IS NULL)"
    row = connection.execute(
        f"""INSERT INTO courses (title, instructor, link, is_sample, embedding, next_chunk_index)
            VALUES (:title, :instructor, :link, :is_sample, :embedding, :passages)
            ON CONFLICT (title) DO UPDATE SET
            instructor = coalesce(excluded.instructor, CASE WHEN {others} THEN instructor END),
            link = coalesce(excluded.link, CASE WHEN {others} THEN link END),
            is_sample = excluded.is_sample, embedding = excluded.embedding,
            next_chunk_index = next_chunk_index + excluded.next_chunk_index
            RETURNING id, next_chunk_index - :passages AS first_index""",
        {
            "title": new.parsed.course_title,
            "instructor": new.parsed.instructor,
            "link": new.parsed.course_link,
            "is_sample": int(new.is_sample),
            "embedding": codec.encode_vectors(new.title_embedding),
            "passages": len(new.chunks),
        },
    ).fetchone()
    sql.insert(connection, "index_queue", op="course", item=new.parsed.course_title)
    return row["id"], row["first_index"]


def _put_document(connection: sqlite3.Connection, course_id: int, new: NewDocument) -> int:
    document_id = sql.insert(
        connection,
        "documents",
        id=sql.next_document(connection),
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
        language=new.language,
        use=new.facts.use if new.facts else Use.TEACHING,
    )
    connection.executemany(
        "INSERT INTO anchors (document_id, start, kind, value) VALUES (?, ?, ?, ?)",
        [(document_id, mark.start, mark.anchor.kind, mark.anchor.value) for mark in new.parsed.marks],
    )
    return document_id


def _put_passages(
    connection: sqlite3.Connection, course_id: int, document_id: int, first_index: int, new: NewDocument
) -> None:
    """Insert the lessons and passages of a document, and make them searchable."""
    lessons = [
        sql.insert(connection, "lessons", document_id=document_id, position=position, **asdict(lesson))
        for position, lesson in enumerate(new.parsed.lessons)
    ]
    for chunk_index, indexed in enumerate(new.chunks, first_index):
        chunk = indexed.chunk
        sql.insert(
            connection,
            "chunks",
            course_id=course_id,
            document_id=document_id,
            lesson_id=lessons[chunk.lesson],
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
    sql.index_documents(connection, [document_id])


def _document(connection: sqlite3.Connection, row: sqlite3.Row) -> WholeDocument:
    marks = connection.execute(
        "SELECT start, kind, value FROM anchors WHERE document_id = ? ORDER BY start", (row["id"],)
    )
    lessons = connection.execute(
        """SELECT number, title, link, start, "end" FROM lessons WHERE document_id = ? ORDER BY position""",
        (row["id"],),
    )
    passages = connection.execute(
        """SELECT k.id, l.position, k.chunk_index, k.start, k."end", k.text
           FROM chunks AS k JOIN lessons AS l ON l.id = k.lesson_id
           WHERE k.document_id = ? ORDER BY k.start, k.id""",
        (row["id"],),
    )
    return WholeDocument(
        course_title=row["title"],
        path=row["path"],
        sha256=row["sha256"],
        language=row["language"],
        is_marked=bool(row["marked"]),
        text=row["text"],
        sentences=codec.decode_spans(row["sentences"]),
        marks=tuple(AnchorMark(mark["start"], Anchor(mark["kind"], mark["value"])) for mark in marks),
        lessons=tuple(Lesson(*lesson) for lesson in lessons),
        passages=tuple(WholePassage(*passage) for passage in passages),
    )


class LiveDocument(NamedTuple):
    """A searchable document, without its text."""

    document_id: int
    path: str
    sha256: str
    course: str
    mark: int  # another one if it lies elsewhere, or its course or lessons are called otherwise


class DocumentTexts:
    """Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def live(self) -> list[LiveDocument]:
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, d.sha256, c.title,
                      (SELECT group_concat(ifnull(number, '') || ' ' || title, char(10))
                       FROM lessons WHERE document_id = d.id) AS lessons
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id WHERE d.trashed_at IS NULL"""
        )
        return [LiveDocument(row["id"], row["path"], row["sha256"], row["title"], _mark(row)) for row in rows]

    def text(self, document_id: int) -> tuple[str, list[tuple[int, int]]]:
        """Return a document's text, and the spans of its sentences; raises KeyError if it is gone."""
        query = "SELECT text, sentences FROM documents WHERE id = ?"
        row = self._db.connection.execute(query, (document_id,)).fetchone()
        if row is None:
            raise KeyError(document_id)
        return row["text"], [tuple(span) for span in codec.decode_spans(row["sentences"]).tolist()]

    def documents_with(self, words: str, course: str) -> list[int]:
        """Return the searchable documents of a course in whose passages words stand in a row."""
        phrase = words.replace('"', '""')
        rows = self._db.connection.execute(
            """SELECT DISTINCT k.document_id FROM passages_fts AS f JOIN chunks AS k ON k.id = f.rowid
               JOIN courses AS c ON c.id = k.course_id WHERE passages_fts MATCH ? AND c.title = ? LIMIT ?""",
            (f'text : "{phrase}"', course, _MOST_DOCUMENTS),
        )
        return [row["document_id"] for row in rows]

    def passage_at(self, document_id: int, start: int) -> tuple[int, int, int]:
        """Return key, start and end of the passage at a position, or of the first one after it.

        Raises KeyError if the document is gone, or has none.
        """
        row = self._db.connection.execute(
            """SELECT id, start, "end" FROM chunks WHERE document_id = ?1
               ORDER BY start > ?2, abs(start - ?2) LIMIT 1""",
            (document_id, start),
        ).fetchone()
        if row is None:
            raise KeyError(document_id)
        return row["id"], row["start"], row["end"]


def _mark(row: sqlite3.Row) -> int:
    names = "\n".join((row["path"], row["title"], row["lessons"] or ""))
    return zlib.crc32(names.encode("utf-8", "surrogatepass"))
