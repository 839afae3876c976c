"""The library's own vectors in memory: exact cosines for any passage, filtered or not.

Chroma's filtered queries cost 60–75 ms at 100,000 passages; a product over the rows that pass
the filter costs a tenth of it and is exact. It also stands in while Chroma is being rebuilt, and for
commands that read beside a window, which may not open Chroma.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.library.database import Database

_SLACK = 1.25  # rows reserved for each one there is, so that adding a document copies nothing else
_AT_ONCE = 500  # documents or passages in one query
_FEW = 2000  # so many vectors are read from the file sooner than a big library's are loaded
_BIG = 20_000  # passages; loading fewer takes no longer than a search may


class StoredVectors:
    """A matrix of all searchable passages' vectors that follows the library. Thread-safe.

    What follows a change is only what the change was: rows of new documents are appended, those
    of documents that are gone are skipped until they are many.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._guard = threading.Lock()
        self._generation: str | None = None
        self._count = 0
        self._keys: NDArray[np.int64] = np.empty(0, np.int64)
        self._documents: NDArray[np.int64] = np.empty(0, np.int64)
        self._vectors: NDArray[np.float32] = np.empty((0, 0), np.float32)
        self._gone: NDArray[np.int64] = np.empty(0, np.int64)  # rows of documents that are no more

    def load(self) -> None:
        """Read what is new now, so that the next search need not."""
        self._current()

    def matrix(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the passages' keys, ascending, and their normalised vectors, one row each."""
        keys, vectors, gone = self._current()
        return (np.delete(keys, gone), np.delete(vectors, gone, axis=0)) if len(gone) else (keys, vectors)

    def rows_of(self, keys: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return those of ``keys`` that can be searched, ascending, and their vectors."""
        wanted = np.unique(np.asarray(keys, np.int64))
        if len(wanted) <= _FEW and self._would_take_long():
            return self._from_file(wanted)
        all_keys, vectors, gone = self._current()
        rows = np.searchsorted(all_keys, wanted)
        rows = rows[rows < len(all_keys)] if len(all_keys) else rows[:0]
        rows = np.unique(rows[np.isin(all_keys[rows], wanted)])
        rows = np.setdiff1d(rows, gone) if len(gone) else rows
        return all_keys[rows], vectors[rows]

    def nearest(
        self, vector: NDArray[np.float32], limit: int, among: Sequence[int] | None = None
    ) -> list[int]:
        """Return the keys of the nearest passages, nearest first; ``among`` restricts them."""
        if among is None:
            keys, vectors, gone = self._current()
        else:
            (keys, vectors), gone = self.rows_of(among), np.empty(0, np.int64)
        limit = min(limit, len(keys) - len(gone))
        if limit <= 0:
            return []
        similarity = vectors @ vector
        similarity[gone] = -np.inf
        top = np.argpartition(-similarity, limit - 1)[:limit]
        return [int(key) for key in keys[top[np.argsort(-similarity[top], kind="stable")]]]

    def _current(self) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.int64]]:
        """Return keys, vectors and the rows to skip, as the library is now."""
        with self._guard:
            generation = self._db.meta("generation")
            if generation != self._generation:
                self._refresh()
                self._generation = generation
            # A later refresh writes behind these rows or into other arrays, never into them.
            return self._keys[: self._count], self._vectors[: self._count], self._gone

    def _would_take_long(self) -> bool:
        """Whether the vectors of a big library are not loaded yet, or are being loaded."""
        if self._generation is not None:
            return False
        row = self._db.connection.execute("SELECT max(id) FROM chunks").fetchone()
        return (row[0] or 0) > _BIG

    def _from_file(self, keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        rows: list[tuple[int, bytes]] = []
        for start in range(0, len(keys), _AT_ONCE):
            batch = keys[start : start + _AT_ONCE].tolist()
            rows += self._db.connection.execute(
                f"""SELECT k.id, k.embedding FROM chunks AS k JOIN documents AS d ON d.id = k.document_id
                    WHERE d.trashed_at IS NULL AND k.id IN ({",".join("?" * len(batch))}) ORDER BY k.id""",
                batch,
            ).fetchall()
        if not rows:
            return np.empty(0, np.int64), np.empty((0, 0), np.float32)
        vectors = np.frombuffer(b"".join(row[1] for row in rows), "<f2").astype(np.float32)
        return np.array([row[0] for row in rows], np.int64), vectors.reshape(len(rows), -1)

    def _refresh(self) -> None:
        """Append what is new, skip what is gone."""
        connection = self._db.connection
        rows = connection.execute("SELECT id FROM documents WHERE trashed_at IS NULL")
        live = np.fromiter((row[0] for row in rows), np.int64)
        known = self._documents[: self._count]
        gone = np.flatnonzero(~np.isin(known, live))
        if len(gone) > self._count // 4:
            self._keep(np.flatnonzero(np.isin(known, live)))
            gone = gone[:0]
        # A document's passages never change; a new version of it has a new key.
        for document in np.setdiff1d(live, self._documents[: self._count]).tolist():
            found = connection.execute(
                "SELECT id, embedding FROM chunks WHERE document_id = ? ORDER BY id", (document,)
            ).fetchall()
            if found:
                self._append(document, [row[0] for row in found], b"".join(row[1] for row in found))
        self._gone = gone
        keys = self._keys[: self._count]
        if (np.diff(keys) <= 0).any():  # a document taken out of the trash has old, smaller keys
            self._keep(np.setdiff1d(np.arange(self._count), gone)[np.argsort(np.delete(keys, gone))])
            self._gone = gone[:0]

    def _append(self, document: int, keys: Sequence[int], embeddings: bytes) -> None:
        fresh = np.frombuffer(embeddings, "<f2").reshape(len(keys), -1)
        needed = self._count + len(keys)
        if needed > len(self._keys):
            self._reserve(int(needed * _SLACK) + _AT_ONCE, fresh.shape[1])
        rows = slice(self._count, needed)
        self._keys[rows], self._documents[rows], self._vectors[rows] = keys, document, fresh
        self._count = needed

    def _reserve(self, rows: int, dimension: int) -> None:
        """Make room; memory that is reserved and not written costs nothing."""
        if not self._count:
            expected = self._db.connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
            rows = max(rows, int(expected * _SLACK))
        keys, documents = np.empty(rows, np.int64), np.empty(rows, np.int64)
        vectors = np.empty((rows, dimension), np.float32)
        keys[: self._count] = self._keys[: self._count]
        documents[: self._count] = self._documents[: self._count]
        if self._count:
            vectors[: self._count] = self._vectors[: self._count]
        self._keys, self._documents, self._vectors = keys, documents, vectors

    def _keep(self, rows: NDArray[np.int64]) -> None:
        """Keep only these rows, in this order."""
        self._keys, self._documents = self._keys[rows], self._documents[rows]
        self._vectors = self._vectors[rows]
        self._count = len(rows)
