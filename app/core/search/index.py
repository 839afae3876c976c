"""Keeps Chroma in step with the library file, and asks it for the passages nearest to a question.

Chroma is derived: everything in it can be built from the library file without a course file or the model. So
whatever is wrong with it, it is deleted unread and built again. A file beside it, the mark, says that it was
properly written and flushed, and for which library; the first change removes the mark.
"""

import json
import logging
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.config.files import flush_folder, private_file, replace_file
from app.core.search.chroma import CATALOG, CONTENT, ChromaProcess, IndexDamaged
from app.core.search.filters import MetadataFilter
from app.core.storage.catalog import Catalog
from app.core.storage.passages import Condition, IndexRecord, named
from app.domain.cancel import CancelToken
from app.domain.courses import Course
from app.domain.errors import LecternError
from app.domain.events import IndexProgress

_BATCH = 2000  # queue entries between two progress events
_UNTITLED = ""  # a course kept out of Chroma, which refuses an empty id
_EARLIER = ("chroma.seal", "vectors.npz")  # files of earlier versions

_log = logging.getLogger(__name__)


class SearchIndex:
    """Chroma, and the queue of what it must learn. Thread-safe; one thread catches up at a time."""

    def __init__(self, catalog: Catalog, directory: Path) -> None:
        self._catalog = catalog
        self._queue = catalog.index_queue
        self._directory = directory
        self._mark = directory.with_name(f"{directory.name}.clean")
        self._guard = threading.Lock()
        self._has_all = False  # what Chroma lacks is queued
        self.chroma = ChromaProcess()

    @property
    def is_open(self) -> bool:
        return self._has_all and self.chroma.is_open

    @property
    def is_clean(self) -> bool:
        """Whether the files were closed properly, and for this library."""
        try:
            is_there = (self._directory / "chroma.sqlite3").is_file()
            return is_there and self._mark.read_text(encoding="utf-8") == self._queue.mark()
        except (OSError, ValueError):
            return False

    def open(self) -> None:
        """Open Chroma, and queue everything if it is not clean.

        If it cannot be opened, that is logged; searches are exact without it.
        """
        with self._guard:
            try:
                self._open(fresh=not self.is_clean)
            except (IndexDamaged, OSError) as error:
                _log.warning("The search index cannot be opened; searches are exact without it: %s", error)
                _log.info("Details:", exc_info=True)

    def close(self) -> None:
        """Close Chroma and mark it as clean."""
        if not self.chroma.is_open:
            return
        try:
            self.chroma.close()
            if not self._mark.exists():
                self._set_mark()
        except (IndexDamaged, OSError, LecternError) as error:
            _log.warning("The search index was not closed properly and will be rebuilt: %s", error)

    def nearest(
        self, vector: NDArray[np.float32], passage_filter: MetadataFilter, limit: int
    ) -> Condition | None:
        """Return what the nearest passages that pass meet; None while Chroma is closed, busy or behind."""
        if not self.is_open or self._queue.count():
            return None
        try:
            where = passage_filter.where(self._catalog.courses.lesson_numbers)
            ids = self.chroma.nearest(vector, limit, where)
            return None if ids is None else named(ids)
        except IndexDamaged as error:
            _log.warning("The search index is damaged and will be built again: %s", error)
            self._break_mark()
            return None

    def matches(self) -> bool:
        """Whether nothing is pending and Chroma holds exactly the library's records.

        Takes seconds in a big library; raises IndexDamaged if Chroma cannot answer.
        """
        return (
            not self._queue.count()
            and self.chroma.ids(CONTENT) == self._catalog.passages.ids()
            and self.chroma.ids(CATALOG) == {*self._catalog.courses.titles()} - {_UNTITLED}
        )

    def rebuild(self) -> None:
        """Delete Chroma's files and queue everything, now or when it is opened."""
        with self._guard:
            self._break_mark()
            if self.chroma.is_open:
                self._open(fresh=True)

    def catch_up(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Apply the queue to Chroma; meanwhile searches are exact without it.

        If that fails, Chroma is rebuilt. If that fails too, it is logged and Chroma stays closed until the
        next start: it only speeds up searches and holds nothing of its own.
        """
        with self._guard:
            if not self.is_open:
                return
            try:
                try:
                    yield from self._empty_queue(token)
                except IndexDamaged as error:
                    _log.warning("The search index is out of date; rebuilding it: %s", error)
                    self._open(fresh=True)
                    yield from self._empty_queue(token)
            except (IndexDamaged, OSError) as error:
                _log.warning("The search index cannot be built; searches are exact without it: %s", error)
                _log.info("Details:", exc_info=True)
                self.chroma.give_up()

    def repair(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Catch up, and rebuild Chroma if it still differs in any record; raises as :meth:`matches`."""
        yield from self.catch_up(token)
        if self.is_open and not self.matches():
            self.rebuild()
            yield from self.catch_up(token)

    def _open(self, *, fresh: bool) -> None:
        for name in _EARLIER:
            self._directory.with_name(name).unlink(missing_ok=True)
        self._has_all = False
        if fresh:
            self._break_mark()
        try:
            is_new = self.chroma.open(self._directory, fresh=fresh)
        except IndexDamaged as error:
            _log.warning("The search index cannot be opened; it is built again: %s", error)
            self._break_mark()  # first: if this process is killed, an empty index must not count as clean
            is_new = self.chroma.open(self._directory, fresh=True)
        if is_new:
            self._break_mark()
            self._queue.refill()
        self._has_all = True

    def _set_mark(self) -> None:
        mark = secrets.token_hex(8)
        self._queue.set_mark(mark)

        def write(path: Path) -> None:
            private_file(path)
            path.write_text(mark, encoding="utf-8")

        replace_file(self._mark, write)

    def _break_mark(self) -> None:
        if self._mark.exists():
            self._mark.unlink()
            flush_folder(self._mark.parent)  # before anything changes

    def _empty_queue(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Apply everything queued.

        Raises IndexDamaged if Chroma refuses something or ends up with another number of passages.
        """
        total = self._queue.count()
        if not total:
            return
        self._break_mark()
        done = 0
        yield IndexProgress(0, total)
        while rows := self._queue.next(_BATCH):
            token.check()
            # One call for each kind: Chroma takes as long for one record as for hundreds. Additions are
            # read from the library as it is now, so removing first is always right.
            added, removed, titles = (
                [row["item"] for row in rows if row["op"] == op] for op in ("add", "remove", "course")
            )
            self.chroma.remove(CONTENT, removed)
            self.chroma.put(CONTENT, self._catalog.passages.chunk_records(added))
            self._put_courses(titles)
            self._queue.remove(rows[-1]["seq"])
            done += len(rows)
            yield IndexProgress(done, max(total, done))
        passages, pending = self._queue.passages_and_count()
        counted = self.chroma.count()
        if not pending and counted != passages:  # another thread may have queued more
            raise IndexDamaged(f"it holds {counted} passages, and the library {passages}")

    def _put_courses(self, titles: list[str]) -> None:
        if not titles:
            return
        vectors = self._catalog.courses.vectors()
        vectors.pop(_UNTITLED, None)
        self.chroma.remove(CATALOG, [title for title in titles if title not in vectors])
        known = vectors.keys() & titles
        courses = [course for course in self._catalog.courses.all() if course.title in known]
        self.chroma.put(CATALOG, [_record(course, vectors[course.title]) for course in courses])


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
