"""Whole documents of the library file, with their passages and vectors, for what leaves the library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from app.core.storage import codec
from app.core.storage.sql import IN_KEYS, keys
from app.domain.documents import Anchor, AnchorMark, Lesson

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class WholePassage:
    """A passage without its vectors; positions are those of its document."""

    key: int
    lesson: int  # index into the document's lessons
    chunk_index: int
    start: int
    end: int
    text: str


class PassageVectors(NamedTuple):
    """The vectors of a passage of n pieces; see app.core.storage.documents.IndexedChunk."""

    embedding: NDArray[np.float32]  # (dimension,)
    spans: NDArray[np.int32]  # (n, 2), of its pieces in the document
    context: NDArray[np.float32]  # (n, dimension)
    own: NDArray[np.float32]  # (n, dimension)


@dataclass(frozen=True, slots=True)
class WholeDocument:
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


class WholeDocuments:
    """Reads documents one at a time, and their vectors in batches: each may be a book. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def read(self, path: str) -> WholeDocument | None:
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
