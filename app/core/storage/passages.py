"""Passages in the library file, as searches, Chroma and the embedding of new versions need them."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.passages import piece_text
from app.core.storage import codec
from app.core.storage.database import Database
from app.core.storage.sql import IN_KEYS, keys
from app.domain.courses import Use
from app.domain.documents import Anchor
from app.domain.search import SearchHit, Window

IndexRecord = tuple[str, NDArray[np.float32], str, dict[str, str | int]]
"""A record of Chroma: id, vector, text and metadata."""

Condition = tuple[str, Sequence[str]]
"""What a row of ``chunks AS k`` has to meet, in SQL, and the parameters."""

_COMPARED = 1000  # vectors in memory at once
# By the key, which every index has: to read a passage's document takes twenty times as long.
_SEARCHABLE = """k.id NOT IN (SELECT id FROM chunks WHERE document_id IN
                              (SELECT id FROM documents WHERE trashed_at IS NOT NULL))"""
_OF_COURSES = """k.id IN (SELECT one.id FROM json_each(?) AS course
                 CROSS JOIN courses AS c ON c.title = course.key
                 CROSS JOIN chunks AS one ON one.course_id = c.id
                 AND one.chunk_index IN (SELECT value FROM json_each(course.value)))"""


def _pages(row: sqlite3.Row) -> tuple[int, int] | None:
    """Return the first and last page, slide or cell of a passage, if they differ."""
    if row["kind"] not in ("page", "slide", "cell") or row["first"] in (None, row["last"]):
        return None
    return int(row["first"]), int(row["last"])


def named(ids: Sequence[str]) -> Condition:
    """Return what the passages with some ids in Chroma meet."""
    numbers = defaultdict(list)
    for name in ids:
        title, _, number = name.rpartition("_")
        numbers[title].append(int(number))
    return _OF_COURSES, [json.dumps(numbers)]


class PassageRepository:
    """Reads passages. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def uses(self, passages: Sequence[int]) -> dict[int, Use]:
        """Return what the documents of passages are for, without the passages of teaching texts."""
        rows = self._db.connection.execute(
            # Without this index each document's text would be read.
            f"""SELECT k.id, d.use FROM chunks AS k
                JOIN documents AS d INDEXED BY documents_use ON d.id = k.document_id AND d.use <> 'teaching'
                WHERE k.id {IN_KEYS}""",
            (keys(passages),),
        )
        return {key: Use(use) for key, use in rows}

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        """Turn windows of text, best first, into hits; windows whose passage is gone are dropped."""
        hits: list[SearchHit] = []
        connection = self._db.connection
        for window in windows:
            row = connection.execute(
                """SELECT k.chunk_index, k.lesson_number, l.title AS lesson_title, l.link AS lesson_link,
                          c.title, c.link, d.id AS document_id, d.path, a.kind, a.value,
                          (SELECT value FROM anchors WHERE document_id = d.id AND start <= :start
                           ORDER BY start DESC LIMIT 1) AS first,
                          (SELECT value FROM anchors WHERE document_id = d.id AND start < :end
                           ORDER BY start DESC LIMIT 1) AS last,
                          -- A document's text can be long: it is read only if the passage's is not enough.
                          CASE WHEN :start >= k.start AND :end <= k."end"
                               THEN substr(k.text, :start - k.start + 1, :end - :start)
                               ELSE substr(d.text, :start + 1, :end - :start) END AS passage
                   FROM chunks AS k JOIN lessons AS l ON l.id = k.lesson_id
                   JOIN courses AS c ON c.id = k.course_id JOIN documents AS d ON d.id = k.document_id
                   LEFT JOIN anchors AS a ON a.document_id = d.id AND a.start =
                        (SELECT max(start) FROM anchors WHERE document_id = d.id AND start <= :best)
                   WHERE k.id = :key AND d.trashed_at IS NULL""",
                {"start": window.start, "end": window.end, "key": window.key, "best": window.best},
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
                    anchor=None if row["kind"] is None else Anchor(row["kind"], row["value"]),
                    link=row["lesson_link"] or row["link"],
                    document_id=row["document_id"],
                    pages=_pages(row),
                )
            )
        return tuple(hits)

    def keys(self, condition: Condition) -> NDArray[np.int64]:
        """Return the searchable passages that meet a condition, ascending."""
        text, parameters = condition
        # One row each would take three times as long.
        row = self._db.connection.execute(
            f"SELECT group_concat(k.id) FROM chunks AS k WHERE {_SEARCHABLE} AND {text}", parameters
        ).fetchone()
        return np.sort(np.fromstring(row[0], np.int64, sep=",")) if row[0] else np.empty(0, np.int64)

    def cosines(
        self, vector: NDArray[np.float32], condition: Condition
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the searchable passages that meet a condition, and their products with a vector.

        Those that still wait to be embedded with a model of other dimensions are left out.
        """
        text, parameters = condition
        cursor = self._db.connection.execute(
            f"""SELECT k.id, k.embedding FROM chunks AS k
                WHERE {_SEARCHABLE} AND length(k.embedding) = ? AND {text}""",
            (len(vector) * codec.FLOAT_BYTES, *parameters),
        )
        found = [np.empty(0, np.int64)]
        products = [np.empty(0, np.float32)]
        while rows := cursor.fetchmany(_COMPARED):
            passages, vectors = zip(*rows, strict=True)
            found.append(np.array(passages, np.int64))
            products.append(codec.decode_vectors(b"".join(vectors), len(rows)) @ vector)
        return np.concatenate(found), np.concatenate(products)

    def chunk_records(self, passages: Sequence[int]) -> list[IndexRecord]:
        """Return passages as Chroma holds them, without those that are gone or in the trash."""
        rows = self._db.connection.execute(
            f"""SELECT k.lesson_number, k.chunk_index, k.text, k.embedding, c.title AS course_title
                FROM chunks AS k JOIN courses AS c ON c.id = k.course_id
                JOIN documents AS d ON d.id = k.document_id
                WHERE d.trashed_at IS NULL AND k.id {IN_KEYS}""",
            (keys(passages),),
        )
        names = ("course_title", "chunk_index", "lesson_number")
        return [
            (
                f"{row['course_title']}_{row['chunk_index']}",
                codec.decode_vector(row["embedding"]),
                row["text"],
                {name: row[name] for name in names if row[name] is not None},
            )
            for row in rows
        ]

    def ids(self) -> set[str]:
        """Return the ids in Chroma of all searchable passages."""
        rows = self._db.connection.execute(
            """SELECT c.title || '_' || k.chunk_index AS record_id
               FROM chunks AS k JOIN courses AS c ON c.id = k.course_id
               JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL"""
        )
        return {row["record_id"] for row in rows}

    def pieces(self, passages: Sequence[int]) -> dict[int, tuple[NDArray[np.int32], NDArray[np.float32]]]:
        """Return the spans of passages' pieces in the document and the model's vectors of their texts."""
        found = {}
        for row in self._db.connection.execute(
            f"SELECT id, pieces, vectors FROM chunks WHERE id {IN_KEYS}", (keys(passages),)
        ):
            spans = codec.decode_spans(row["pieces"])
            found[row["id"]] = spans, codec.decode_vectors(row["vectors"], len(spans))
        return found

    def piece_vectors(self, path: str) -> dict[str, NDArray[np.float32]]:
        """Return the model's vectors of all pieces of a file's versions by text, including the trash."""
        found: dict[str, NDArray[np.float32]] = {}
        for row in self._db.connection.execute(
            """SELECT k.start, k.text, k.pieces, k.vectors FROM chunks AS k
               JOIN documents AS d ON d.id = k.document_id WHERE d.path = ?""",
            (path,),
        ):
            spans = codec.decode_spans(row["pieces"]) - row["start"]
            vectors = codec.decode_vectors(row["vectors"], len(spans))
            for (start, end), vector in zip(spans.tolist(), vectors, strict=True):
                found[piece_text(row["text"], (start, end))] = vector
        return found

    def frequency(self, word: str) -> int:
        """Return in how many searchable passages a word stands, in any form."""
        query = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
        return int(self._db.connection.execute(query, (f'"{word}"',)).fetchone()[0])

    def rebuild_text_index(self) -> None:
        """Build the full-text index again from the searchable passages."""
        with self._db.transaction() as connection:
            connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
            connection.execute(
                """INSERT INTO passages_fts (rowid, text, context)
                   SELECT id, text, context FROM passages WHERE id IN
                   (SELECT k.id FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
                    WHERE d.trashed_at IS NULL)"""
            )
