"""Keeps Chroma in sync with the library file."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from typing import TYPE_CHECKING

from app.core.search.chroma.store import CATALOG, CONTENT, IndexDamaged
from app.domain.errors import LecternError
from app.domain.events import IndexProgress

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.chroma.vector_store import VectorStore
    from app.core.storage.catalog import Catalog
    from app.core.storage.passages import IndexRecord
    from app.domain.cancel import CancelToken
    from app.domain.courses import Course

_BATCH = 2000  # queue entries between two progress events
_WORN = 0.1  # share of removed to remaining passages from which Chroma is rebuilt
_UNTITLED = ""  # a course kept out of Chroma, which refuses an empty id

_log = logging.getLogger(__name__)


class IndexSync:
    """Applies the library's queue of changes to Chroma. Thread-safe; one thread catches up at a time."""

    def __init__(self, catalog: Catalog, vector_store: VectorStore) -> None:
        self._catalog = catalog
        self._queue = catalog.index_queue
        self._store = vector_store
        self._guard = threading.Lock()

    def open(self) -> None:
        """Open Chroma, and queue everything if it is new, was not closed in order or is worn.

        If it cannot be opened, that is logged; searches are exact without it.
        """
        try:
            self._store.open(self._queue.mark())
        except Exception as error:  # whatever Chroma raises, or the death of its process
            _log.warning("The search index cannot be opened; searches are exact without it: %s", error)
            _log.info("Details:", exc_info=True)
            return
        if self._store.is_new:
            self._queue.refill()
        elif self._is_worn(1.0):
            self.rebuild()

    def close(self) -> None:
        """Close Chroma, with a new mark stored in both it and the library to recognise each other."""
        mark = None
        if self._store.is_open:
            mark = secrets.token_hex(8)
            try:
                self._queue.set_mark(mark)
            except LecternError as error:
                mark = None
                _log.info("The search index will be rebuilt: %s", error)
        self._store.close(mark)

    def matches(self) -> bool:
        """Whether nothing is pending and Chroma holds exactly the library's records.

        Takes seconds in a big library; raises IndexDamaged if Chroma cannot answer.
        """
        return (
            not self._queue.count()
            and self._store.keys(CONTENT) == self._catalog.passages.index_keys()
            and self._store.keys(CATALOG).keys() == {*self._catalog.courses.titles()} - {_UNTITLED}
        )

    def rebuild(self) -> None:
        """Delete Chroma's files and queue everything."""
        with self._guard:
            self._rebuild()

    def start_over(self) -> None:
        """Rebuild Chroma, now or when it is opened, since it takes vectors of one length only."""
        if self._store.is_open:
            self.rebuild()
        else:
            self._store.destroy()

    def shrink(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Rebuild Chroma if much was removed from it: it never shrinks by itself."""
        if self._store.is_open and self._is_worn(_WORN):
            self.rebuild()
        yield from self.catch_up(token)

    def catch_up(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Apply the queue to Chroma; meanwhile searches are exact without it.

        If that fails, Chroma is rebuilt. If that fails too, it is logged and Chroma stays closed until the
        next start: it only speeds up searches and holds nothing of its own.
        """
        with self._guard:
            if not self._store.is_open:
                return
            try:
                try:
                    yield from self._empty_queue(token)
                except (IndexDamaged, OSError) as error:
                    _log.warning("The search index is out of date; rebuilding it: %s", error)
                    self._rebuild()
                    yield from self._empty_queue(token)
            except (IndexDamaged, OSError) as error:
                _log.warning("The search index cannot be built; searches are exact without it: %s", error)
                _log.info("Details:", exc_info=True)
                self._store.close()

    def repair(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Catch up, and rebuild Chroma if it still differs in any record; raises as :meth:`matches`."""
        yield from self.catch_up(token)
        if self._store.is_open and not self.matches():
            self.rebuild()
            yield from self.catch_up(token)

    def _is_worn(self, share: float) -> bool:
        """Whether Chroma has lost more than this share of what the library holds."""
        return self._queue.removed_passages() > share * self._queue.passages_and_count()[0]

    def _rebuild(self) -> None:
        self._store.destroy()
        self._store.open()
        self._queue.refill()

    def _empty_queue(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Apply everything queued.

        Raises IndexDamaged if Chroma refuses something or ends up with another number of passages.
        """
        total = self._queue.count()
        if not total:
            # To count its passages, Chroma reads all of its index: 220 MB of memory with 100,000.
            return
        done = 0
        yield IndexProgress(0, total)
        while rows := self._queue.next(_BATCH):
            token.check()
            # One call for each kind: Chroma takes as long for one record as for hundreds. Additions are
            # read from the library as it is now, so removing first is always right.
            added, removed, titles = (
                [row["item"] for row in rows if row["op"] == op] for op in ("add", "remove", "course")
            )
            try:
                self._store.remove(CONTENT, removed)
                self._store.put(CONTENT, self._catalog.passages.chunk_records(added))
                self._put_courses(titles)
            except Exception as error:  # whatever Chroma raises, or the death of its process
                raise IndexDamaged(str(error)) from error
            self._queue.remove(rows[-1]["seq"])
            done += len(rows)
            yield IndexProgress(done, max(total, done))
        passages, pending = self._queue.passages_and_count()
        counted = self._store.count()
        if not pending and counted != passages:  # another thread may have queued more
            raise IndexDamaged(f"it holds {counted} passages, and the library {passages}")

    def _put_courses(self, titles: list[str]) -> None:
        if not titles:
            return
        vectors = self._catalog.courses.vectors()
        vectors.pop(_UNTITLED, None)
        self._store.remove(CATALOG, [title for title in titles if title not in vectors])
        known = vectors.keys() & titles
        courses = [course for course in self._catalog.courses.all() if course.title in known]
        self._store.put(CATALOG, [_record(course, vectors[course.title]) for course in courses])


def _record(course: Course, vector: NDArray[np.float32]) -> IndexRecord:
    lessons = [
        {"lesson_number": item.number, "lesson_title": item.title, "lesson_link": item.link}
        for item in course.lessons
    ]
    metadata: dict[str, str | int] = {
        "title": course.title,
        "instructor": course.instructor or "",
        "course_link": course.link or "",
        "lessons_json": json.dumps(lessons, ensure_ascii=False),
        "lesson_count": len(lessons),
    }
    return course.title, vector, course.title, metadata
