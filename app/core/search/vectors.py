"""Keeps the library's vectors in memory, with each passage's course and lesson, for exact search.

Chroma's filtered queries take 60–75 ms at 100,000 passages; a product over the vectors takes a tenth of
that and is exact. It also serves while Chroma is being rebuilt, and commands that run beside a window,
which may not open Chroma.

Each number of a vector takes one byte. That shifts a cosine by a thousandth at most, and cosines of passages
only choose the candidates: their pieces are compared exactly.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from app.core.search import vector_file
from app.core.search.vector_file import KeptVectors
from app.core.storage import codec
from app.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from app.core.storage.database import Database

T = TypeVar("T", bound=np.generic)

_SLACK = 1.25  # rows reserved for each row in use, so that adding a document copies nothing else
_SPARE_ROWS = 500  # reserved at least
_COARSE_FROM = 20_000  # passages; with fewer, an exact comparison takes 2 ms at most
_COARSE = 96  # dimensions of a coarse vector, at most
_SAMPLED = 5000  # vectors from which the main axes are computed
_STEPS = 127  # that a stored number can be away from 0, to either side
_AT_ONCE = 250  # rows turned into floating-point numbers: few enough for one thread and its cache
_COARSE_AT_ONCE = 2000  # the same for coarse vectors
_KEPT_SHARE = 0.02  # of rows that are new or gone, from which the copy of the vectors is written again

_log = logging.getLogger(__name__)

NO_LESSON = -1
"""Lesson number of a passage without a lesson; real ones start at 0."""


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """Passes passages that meet all its conditions.

    Courses and lessons of the user's scope add up: courses in ``scope.courses`` pass as a whole, others only
    the lessons in ``scope.lessons``. ``scope.up_to`` then excludes later lessons.
    """

    courses: frozenset[str] | None = None  # titles asked for; None for any
    lesson_number: int | None = None  # asked for; passages without a lesson do not pass
    scope: Scope = field(default_factory=Scope)

    def passing(
        self, courses: NDArray[np.int64], lessons: NDArray[np.int64], course_ids: Mapping[str, int]
    ) -> NDArray[np.bool_]:
        """Return which passages pass, given the keys of their courses and numbers of their lessons.

        ``course_ids`` are keys by title; unknown titles pass nothing.
        """
        kept = np.ones(len(courses), bool)
        if self.courses is not None:
            kept &= np.isin(courses, _keys(self.courses, course_ids))
        if self.lesson_number is not None:
            kept &= lessons == self.lesson_number
        if self.scope.courses or self.scope.lessons:
            in_scope = np.isin(courses, _keys(self.scope.courses, course_ids))
            # One number for each course and lesson; lesson numbers have at most nine digits.
            wanted = [
                course_ids[title] * 2**31 + (NO_LESSON if number is None else number)
                for title, number in self.scope.lessons
                if title in course_ids
            ]
            in_scope |= np.isin(courses * 2**31 + lessons, wanted)
            kept &= in_scope
        last = {course_ids[title]: number for title, number in self.scope.up_to if title in course_ids}
        if last:
            limit = np.full(max(int(courses.max(initial=0)), *last) + 1, np.iinfo(np.int64).max)
            limit[list(last)] = list(last.values())
            kept &= lessons <= limit[courses]
        return kept


@dataclass(frozen=True, slots=True)
class VectorSnapshot:
    """All passages at one moment, one row each.

    In a big library a coarse comparison, with vectors of a quarter of the size, shortlists the rows to
    compare exactly.
    """

    keys: NDArray[np.int64]  # (n,), ascending
    courses: NDArray[np.int64]  # (n,), keys of their courses
    lessons: NDArray[np.int64]  # (n,), numbers of their lessons, or NO_LESSON
    vectors: NDArray[np.int8]  # (n, dimension), of length 1 when multiplied by their steps
    steps: NDArray[np.float32]  # (n,)
    gone: NDArray[np.int64]  # rows of documents that can no longer be searched
    axes: NDArray[np.float32] | None  # (dimension, k), orthonormal, along which the vectors differ most
    coarse: NDArray[np.int8]  # (n, k), 127 times the vectors along them

    def passing(self, passage_filter: MetadataFilter, course_ids: dict[str, int]) -> NDArray[np.bool_]:
        kept = passage_filter.passing(self.courses, self.lessons, course_ids)
        kept[self.gone] = False
        return kept

    def cosines(self, rows: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the products of rows, in their order, with a vector of shape (dimension,)."""
        found = np.empty(len(rows), np.float32)
        for first in range(0, len(rows), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            np.matmul(self.vectors[rows[part]].astype(np.float32), vector, out=found[part])
        return found * self.steps[rows]

    def coarse_cosines(self, rows: slice, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return about the products of neighbouring rows with a vector; only if there are axes."""
        assert self.axes is not None
        along = vector @ self.axes / _STEPS
        coarse = self.coarse[rows]
        found = np.empty(len(coarse), np.float32)
        floats = np.empty((_COARSE_AT_ONCE, len(along)), np.float32)
        for first in range(0, len(coarse), _COARSE_AT_ONCE):
            part = coarse[first : first + _COARSE_AT_ONCE]
            np.copyto(floats[: len(part)], part)
            np.matmul(floats[: len(part)], along, out=found[first : first + len(part)])
        return found

    def rows_of(self, keys: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the known keys among these, in the order given."""
        wanted = np.asarray(keys, np.int64)
        rows = np.searchsorted(self.keys, wanted)
        rows[rows == len(self.keys)] = 0
        return rows[self.keys[rows] == wanted] if len(self.keys) else rows[:0]


class StoredVectors:
    """Keeps a :class:`VectorSnapshot` in step with the library. Thread-safe.

    Updates incrementally: rows of new documents are appended, rows of removed documents are skipped
    until they are many.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._guard = threading.Lock()
        self._generation: str | None = None
        self._renumbered: str | None = None
        self._gone: NDArray[np.int64] = np.empty(0, np.int64)
        self._unkept = 0  # rows that the copy on the disk lacks or has in excess
        self._start_afresh(0)

    def _start_afresh(self, dimension: int) -> None:
        # Longer than the rows in use; columns: key, document, course, lesson.
        self._columns: NDArray[np.int64] = np.empty((4, 0), np.int64)
        self._vectors: NDArray[np.int8] = np.empty((0, dimension), np.int8)
        self._steps: NDArray[np.float32] = np.empty((0, 1), np.float32)
        self._axes: NDArray[np.float32] | None = None
        self._coarse: NDArray[np.int8] = np.empty((0, 0), np.int8)
        self._count = 0
        self._rows_since_axes = 0

    def current(self) -> VectorSnapshot:
        """Return the passages as they are now; the first call takes a second for a big library."""
        with self._guard:
            generation = self._db.meta("generation")
            if generation != self._generation:
                self._refresh()
                self._generation = generation
            # A later refresh writes behind these rows or into new arrays, never into them.
            keys, _, courses, lessons = self._columns[:, : self._count]
            vectors, steps = self._vectors[: self._count], self._steps[: self._count, 0]
            coarse = self._coarse[: self._count]
            return VectorSnapshot(keys, courses, lessons, vectors, steps, self._gone, self._axes, coarse)

    def keep(self) -> None:
        """Write a copy for the next start, if the library is big and the last copy is out of date or gone.

        Takes a second for half a million passages; searches go on meanwhile. What fails is tried again by
        the next call.
        """
        if self._db.read_only:
            return
        path = self._db.data_dir / vector_file.NAME
        # Before the rows: a document that is new since then has no stamp, and is read again at the start.
        stamps = vector_file.document_stamps(self._db.connection)
        renumbered = self._db.meta("renumbered")
        with self._guard:
            is_current = self._unkept <= _KEPT_SHARE * self._count and path.exists()
            if self._axes is None or is_current or renumbered != self._renumbered:  # then the rows are older
                return
            rows, unkept = slice(0, self._count), self._unkept
            columns, vectors, steps = self._columns[:, rows], self._vectors[rows], self._steps[rows]
            kept = KeptVectors(columns, vectors, steps, self._axes, self._coarse[rows])
        try:
            vector_file.write(path, kept, stamps)
        except OSError as error:
            _log.info("The copy of the vectors cannot be written: %s", error)
            return
        with self._guard:
            self._unkept = max(self._unkept - unkept, 0)

    def _refresh(self) -> None:
        connection = self._db.connection
        rows = connection.execute("SELECT id FROM documents WHERE trashed_at IS NULL")
        live = np.fromiter((row[0] for row in rows), np.int64)
        self._reset_if_needed()
        known = self._columns[1, : self._count]
        gone = np.flatnonzero(~np.isin(known, live))
        if len(gone) > self._count // 4:
            self._keep(np.flatnonzero(np.isin(known, live)))
            gone = gone[:0]
        # A document's passages never change; a new version of it has a new key.
        for document in np.setdiff1d(live, self._columns[1, : self._count]).tolist():
            self._append(document)
        self._gone = gone
        keys = self._columns[0, : self._count]
        if (np.diff(keys) <= 0).any():  # a document taken out of the trash has old, smaller keys
            kept = np.setdiff1d(np.arange(self._count), gone)
            self._keep(kept[np.argsort(keys[kept])])
            self._gone = gone[:0]
        # New texts or another model may need other axes.
        if self._count >= _COARSE_FROM and self._rows_since_axes > self._count // 4:
            self._rows_since_axes = 0
            every = max(self._count // _SAMPLED, 1)
            self._axes = _main_axes(self._floats(slice(0, self._count, every)))
            self._coarse = np.empty((len(self._vectors), self._axes.shape[1]), np.int8)
            for first in range(0, self._count, _AT_ONCE):
                self._make_coarse(slice(first, min(first + _AT_ONCE, self._count)))

    def _reset_if_needed(self) -> None:
        """Start afresh where lessons were renumbered or a model gives vectors of another length."""
        renumbered = self._db.meta("renumbered")
        newest = self._db.connection.execute(
            "SELECT length(embedding) FROM chunks ORDER BY id DESC LIMIT 1"
        ).fetchone()
        dimension = newest[0] // codec.FLOAT_BYTES if newest else 0
        if dimension != self._vectors.shape[1] or renumbered != self._renumbered:
            self._renumbered = renumbered
            self._start_afresh(dimension)
            self._take_kept(dimension)

    def _take_kept(self, dimension: int) -> None:
        """Begin with the copy on the disk, as far as it is right."""
        found = vector_file.read(self._db.data_dir / vector_file.NAME)
        if found is None:
            return
        kept, then = found
        if kept.vectors.shape[1] != dimension:
            return
        now = vector_file.document_stamps(self._db.connection)
        right = [int(key) for key, stamp in now.items() if then.get(key) == stamp]
        is_right = np.isin(kept.columns[1], right)
        if not is_right.any():  # its axes are those of another library or model, too
            return
        self._columns, self._vectors, self._steps, self._axes, self._coarse = kept
        self._count, self._unkept = len(kept.vectors), 0
        if not is_right.all():
            self._keep(np.flatnonzero(is_right))

    def _append(self, document: int) -> None:
        found = self._db.connection.execute(
            """SELECT id, course_id, ifnull(lesson_number, ?), embedding
               FROM chunks WHERE document_id = ? ORDER BY start""",
            (NO_LESSON, document),
        ).fetchall()
        if not found:
            return
        needed = self._count + len(found)
        if needed > len(self._vectors):
            self._reserve(int(needed * _SLACK) + _SPARE_ROWS)
        rows = slice(self._count, needed)
        keys, courses, lessons, embeddings = zip(*found, strict=True)
        self._columns[:, rows] = keys, [document] * len(found), courses, lessons
        # With another length, the document still waits to be embedded with the current model.
        fits = all(codec.dimension_of(blob) == self._vectors.shape[1] for blob in embeddings)
        self._vectors[rows] = self._steps[rows] = 0
        if fits:
            self._store(rows, codec.decode_vectors(b"".join(embeddings), len(found)))
        self._rows_since_axes += len(found)
        self._unkept += len(found)
        if self._axes is not None:
            self._make_coarse(rows)
        self._count = needed

    def _store(self, rows: slice, vectors: NDArray[np.float32]) -> None:
        steps = np.maximum(np.abs(vectors).max(axis=1, keepdims=True) / _STEPS, np.finfo(np.float32).tiny)
        self._vectors[rows] = np.rint(vectors / steps)
        self._steps[rows] = steps

    def _make_coarse(self, rows: slice) -> None:
        assert self._axes is not None
        # No vector is longer than 1 along any axis.
        self._coarse[rows] = np.rint(self._floats(rows) @ self._axes * _STEPS).clip(-_STEPS, _STEPS)

    def _floats(self, rows: slice) -> NDArray[np.float32]:
        return self._vectors[rows] * self._steps[rows]

    def _reserve(self, rows: int) -> None:
        """Make room; reserved memory costs nothing until it is written."""
        if not self._count:
            expected = self._db.connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
            rows = max(rows, int(expected * _SLACK))
        columns = np.empty((4, rows), np.int64)
        columns[:, : self._count] = self._columns[:, : self._count]
        self._columns = columns
        self._vectors = _longer(self._vectors, self._count, rows)
        self._steps = _longer(self._steps, self._count, rows)
        if self._axes is not None:
            self._coarse = _longer(self._coarse, self._count, rows)

    def _keep(self, rows: NDArray[np.int64]) -> None:
        """Keep only these rows, in this order."""
        self._unkept += self._count - len(rows)
        self._columns = self._columns[:, rows]
        self._vectors, self._steps = self._vectors[rows], self._steps[rows]
        if self._axes is not None:
            self._coarse = self._coarse[rows]
        self._count = len(rows)


def _keys(titles: Iterable[str], course_ids: Mapping[str, int]) -> list[int]:
    return [course_ids[title] for title in titles if title in course_ids]


def _longer(array: NDArray[T], used: int, rows: int) -> NDArray[T]:
    longer = np.empty((rows, array.shape[1]), array.dtype)
    longer[:used] = array[:used]
    return longer


def _main_axes(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the directions along which vectors differ most, as columns of a (dimension, k) array."""
    some = vectors.astype(np.float64)
    _, axes = np.linalg.eigh(some.T @ some)  # ascending
    return np.ascontiguousarray(axes[:, -_COARSE:], np.float32)
