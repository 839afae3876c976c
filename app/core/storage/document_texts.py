"""The texts of the searchable documents, to find sentences in."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.storage import codec

if TYPE_CHECKING:
    import sqlite3

    from app.core.storage.database import Database

_MOST_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class LiveDocument:
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
