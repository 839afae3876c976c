"""Keeps Chroma in sync with the library file."""

from __future__ import annotations

import logging
import secrets
import threading
from typing import TYPE_CHECKING, Any

from app.core.search.chroma.store import IndexDamaged
from app.domain.errors import LecternError
from app.domain.events import IndexProgress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.search.chroma.vector_store import VectorStore
    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken

_BATCH = 2000  # queue entries between two progress events
_WORN = 0.1  # share of removed to remaining passages from which Chroma is rebuilt

_UNTITLED = ""  # a course kept out of Chroma, which refuses an empty id

_log = logging.getLogger(__name__)


class IndexSync:
    """Applies the library's queue of changes to Chroma. Thread-safe; one thread catches up at a time."""

    def __init__(self, catalog: Catalog, vector_store: VectorStore) -> None:
        self._catalog = catalog
        self._store = vector_store
        self._guard = threading.Lock()

    def open(self) -> None:
        """Open Chroma, and queue everything if it is new, was not closed in order or is worn.

        If it cannot be opened, that is logged; searches are exact without it.
        """
        try:
            self._store.open(self._catalog.index_queue.mark())
            is_worn = (
                not self._store.is_new and self._catalog.index_queue.removed_passages() > self._store.count()
            )
        except Exception as error:  # whatever Chroma raises, or the death of its process
            _log.warning("The search index cannot be opened; searches are exact without it: %s", error)
            _log.info("Details:", exc_info=True)
            return
        if self._store.is_new:
            self._catalog.index_queue.refill()
        elif is_worn:
            self.rebuild()

    def close(self) -> None:
        """Close Chroma, with a new mark stored in both it and the library to recognise each other."""
        mark = None
        if self._store.is_open:
            mark = secrets.token_hex(8)
            try:
                self._catalog.index_queue.set_mark(mark)
            except LecternError as error:
                mark = None
                _log.warning("The search index will be rebuilt: %s", error)
        self._store.close(mark)

    def matches(self) -> bool:
        """Whether nothing is pending and Chroma holds exactly the library's records.

        Takes seconds in a big library.

        Raises:
            IndexDamaged: Chroma cannot answer.
        """
        return (
            not self._catalog.index_queue.count()
            and sorted(self._store.passages()) == sorted(self._catalog.passages.index_ids())
            and set(self._store.course_titles()) == set(self._catalog.courses.titles()) - {_UNTITLED}
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
        if not self._store.is_open:
            return
        if self._catalog.index_queue.removed_passages() > _WORN * self._store.count():
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
        """Catch up, and rebuild Chroma if it still differs from the library in any record.

        Raises:
            IndexDamaged: Chroma cannot answer.
        """
        yield from self.catch_up(token)
        if self._store.is_open and not self.matches():
            self.rebuild()
            yield from self.catch_up(token)

    def _rebuild(self) -> None:
        self._store.destroy()
        self._store.open()
        self._catalog.index_queue.refill()

    def _empty_queue(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Apply everything queued.

        Raises:
            IndexDamaged: Chroma refuses something, or ends up with another number of passages.
        """
        total = self._catalog.index_queue.count()
        done = 0
        if total:
            yield IndexProgress(0, total)
        while rows := self._catalog.index_queue.next(_BATCH):
            token.check()
            try:
                # One call for each kind: Chroma takes as long for one record as for hundreds. Additions
                # are read from the library as it is now, so removing first is always right.
                for op in ("remove", "add", "course"):
                    self._apply(op, [row["item"] for row in rows if row["op"] == op])
            except Exception as error:  # whatever Chroma raises, or the death of its process
                raise IndexDamaged(str(error)) from error
            self._catalog.index_queue.remove(rows[-1]["seq"])
            done += len(rows)
            yield IndexProgress(done, max(total, done))
        passages, pending = self._catalog.index_queue.passages_and_count()
        counted = self._store.count()
        if not pending and counted != passages:  # another thread may have queued more
            raise IndexDamaged(f"it holds {counted} passages, and the library {passages}")

    def _apply(self, op: str, items: list[Any]) -> None:
        if not items:
            return
        if op == "add":
            self._store.add_course_content(self._catalog.passages.chunk_records(items))
        elif op == "remove":
            self._store.remove_content(items)
        else:
            vectors = self._catalog.courses.vectors()
            courses = {
                course.title: course for course in self._catalog.courses.all() if course.title in vectors
            }
            courses.pop(_UNTITLED, None)
            self._store.remove_course_metadata([title for title in items if title not in courses])
            self._store.add_course_metadata(
                [(courses[title], vectors[title]) for title in items if title in courses]
            )
