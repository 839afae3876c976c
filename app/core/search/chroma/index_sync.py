"""Keeps Chroma in line with the library file."""

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

_AT_ONCE = 2000  # queue entries between two progress events
_WORN = 0.1  # removed passages to those that are left, from which Chroma is built again

_UNTITLED = ""  # a course that Chroma is not told of: it refuses an empty id

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
            is_worn = not self._store.is_new and self._catalog.removed_from_index() > self._store.count()
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
        """Whether nothing is pending and Chroma holds the library's records, each one, and no other.

        Takes seconds in a big library.

        Raises:
            IndexDamaged: Chroma can not answer.
        """
        return (
            not self._catalog.pending_count()
            and sorted(self._store.passages()) == sorted(self._catalog.passages_for_index())
            and set(self._store.course_titles()) == set(self._catalog.course_titles()) - {_UNTITLED}
        )

    def rebuild(self) -> None:
        """Throw Chroma's files away and queue everything."""
        with self._guard:
            self._rebuild()

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

        Where that fails, Chroma is built again from the library. Where that fails too, it is logged and
        Chroma is closed until the next start: it only makes a search quicker, it holds nothing of its own.
        """
        with self._guard:
            if not self._store.is_open:
                return
            try:
                try:
                    yield from self._empty_queue(token)
                except (IndexDamaged, OSError) as error:
                    _log.warning("The search index is out of date and is built again: %s", error)
                    self._rebuild()
                    yield from self._empty_queue(token)
            except (IndexDamaged, OSError) as error:
                _log.warning("The search index can not be built; searches are exact without it: %s", error)
                _log.info("This is where it failed:", exc_info=True)
                self._store.close()

    def repair(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Catch up, and build Chroma again if it still differs from the library in any record.

        Raises:
            IndexDamaged: Chroma can not answer.
        """
        yield from self.catch_up(token)
        if self._store.is_open and not self.matches():
            self.rebuild()
            yield from self.catch_up(token)

    def _rebuild(self) -> None:
        self._store.destroy()
        self._store.open()
        self._catalog.queue_everything()

    def _empty_queue(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Tell Chroma everything that is queued.

        Raises:
            IndexDamaged: Chroma refuses something, or holds another number of passages afterwards.
        """
        total = self._catalog.pending_count()
        done = 0
        if total:
            yield IndexProgress(0, total)
        while rows := self._catalog.pending(_AT_ONCE):
            token.check()
            try:
                # One call for each kind: Chroma takes as long for a record as for hundreds. What is
                # added is read as the library is now, so that removing first is always right.
                for op in ("remove", "add", "course"):
                    self._apply(op, [row["item"] for row in rows if row["op"] == op])
            except Exception as error:  # whatever Chroma raises; its process may have died as well
                raise IndexDamaged(str(error)) from error
            self._catalog.forget_pending(rows[-1]["seq"])
            done += len(rows)
            yield IndexProgress(done, max(total, done))
        passages, pending = self._catalog.passages_and_pending()
        counted = self._store.count()
        if not pending and counted != passages:  # what another thread has queued since comes next time
            raise IndexDamaged(f"it holds {counted} passages, and the library {passages}")

    def _apply(self, op: str, items: list[Any]) -> None:
        if not items:
            return
        if op == "add":
            self._store.add_course_content(self._catalog.chunk_records(items))
        elif op == "remove":
            self._store.remove_content(items)
        else:
            vectors = self._catalog.course_vectors()
            courses = {course.title: course for course in self._catalog.courses() if course.title in vectors}
            courses.pop(_UNTITLED, None)
            self._store.remove_course_metadata([title for title in items if title not in courses])
            self._store.add_course_metadata(
                [(courses[title], vectors[title]) for title in items if title in courses]
            )
