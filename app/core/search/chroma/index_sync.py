"""Keeps Chroma in line with the library file."""

from __future__ import annotations

import logging
import secrets
import threading
from typing import TYPE_CHECKING

from app.domain.errors import LecternError
from app.domain.events import IndexProgress

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from app.core.search.chroma.vector_store import VectorStore
    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken

_AT_ONCE = 2000  # queue entries between two progress events
_WORN = 0.1  # removed passages to those that are left, from which Chroma is built again

_log = logging.getLogger(__name__)


class IndexSync:
    """Tells Chroma what the library's queue holds. Thread-safe: one catches up at a time."""

    def __init__(self, catalog: Catalog, vector_store: VectorStore) -> None:
        self._catalog = catalog
        self._store = vector_store
        self._guard = threading.Lock()

    def open(self) -> None:
        """Open Chroma; one that is new, or was not closed in order, is to be told everything.

        Where it can not be opened at all, that is logged, and searches stay exact without it.
        """
        try:
            self._store.open(self._catalog.index_mark())
            is_worn = not self._store.is_new and (
                not self.matches() or self._catalog.removed_from_index() > self._store.count()
            )
        except Exception as error:  # whatever Chroma raises; its process may have died as well
            _log.warning("The search index can not be opened; searches are exact without it: %s", error)
            _log.info("This is where it failed:", exc_info=True)
            return
        if self._store.is_new:
            self._catalog.queue_everything()
        elif is_worn:
            self.rebuild()

    def close(self) -> None:
        """Close Chroma. It and the library get the same new mark, by which they know each other again."""
        mark = None
        if self._store.is_open:
            mark = secrets.token_hex(8)
            try:
                self._catalog.set_index_mark(mark)
            except LecternError as error:
                mark = None
                _log.warning("The search index will be built again: %s", error)
        self._store.close(mark)

    def matches(self) -> bool:
        """Whether Chroma holds as many passages as it has been told of; exact once nothing is pending."""
        counted, passages, pending = self._store.count(), *self._catalog.passages_and_pending()
        return abs(counted - passages) <= pending

    def rebuild(self) -> None:
        """Throw Chroma's files away and queue everything."""
        with self._guard:
            self._store.destroy()
            self._store.open()
            self._catalog.queue_everything()

    def start_over(self) -> None:
        """Have Chroma built again, now or when it is opened: it takes vectors of one length only."""
        if self._store.is_open:
            self.rebuild()
        else:
            self._store.destroy()

    def shrink(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Build Chroma again where much was removed from it: by itself it never gets smaller."""
        if not self._store.is_open:
            return
        if self._catalog.removed_from_index() > _WORN * self._store.count():
            self.rebuild()
        yield from self.catch_up(token)

    def catch_up(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Tell Chroma what it has not been told. Search is exact without it meanwhile.

        A failure is logged and leaves the rest of the queue for the next time: Chroma only makes
        a search quicker, it holds nothing of its own.
        """
        if not self._store.is_open:
            return
        with self._guard:
            total = self._catalog.pending_count()
            done = 0
            if total:
                yield IndexProgress(0, total)
            while rows := self._catalog.pending(_AT_ONCE):
                token.check()
                try:
                    # One call for each kind: Chroma takes as long for a record as for hundreds. What
                    # is added is read as the library is now, so that removing first is always right.
                    for op in ("remove", "add", "course"):
                        self._apply(op, [row for row in rows if row["op"] == op])
                except Exception as error:
                    _log.warning(
                        "The search index is not up to date; searches are exact without it: %s", error
                    )
                    _log.info("This is where it failed:", exc_info=True)
                    return
                self._catalog.forget_pending(rows[-1]["seq"])
                done += len(rows)
                yield IndexProgress(done, max(total, done))

    def _apply(self, op: str, rows: list[sqlite3.Row]) -> None:
        if not rows:
            return
        if op == "add":
            self._store.add_course_content(self._catalog.chunk_records([row["item"] for row in rows]))
        elif op == "remove":
            self._store.remove_content([row["item"] for row in rows])
        else:
            courses = {course.title: course for course in self._catalog.courses()}
            vectors = self._catalog.course_vectors()
            titles = [row["item"] for row in rows]
            self._store.remove_course_metadata([title for title in titles if title not in courses])
            self._store.add_course_metadata(
                [(courses[title], vectors[title]) for title in titles if title in courses]
            )
