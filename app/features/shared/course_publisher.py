"""Brings the courses on a server to the state of the library, one after the other.

New passages are sent first, then the parts of the course's entry. The course's own record, which names the
parts, then switches the course over for every reader, and what nobody needs any more is deleted. Before a
course is published for the first time, and while it is removed, a mark stands in the place of its record, by
which a later run knows that something may be left. A server decides nothing between two publishers: whoever
finds the record of another one in its place stops, and who switches last sends what the other has deleted.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import SharedError, UserError
from app.domain.messages import Message
from app.features.shared.connection import BATCH, CATALOG, CONTENT, Found, Record
from app.features.shared.entries import COURSE, UNFINISHED, decode_entry, encode_entry, head_of, mark_of
from app.features.shared.fields import fitted
from app.features.shared.model import CoursePublished, PublishProgress, PublishStatus
from app.features.shared.outgoing import LibraryChanged
from app.features.shared.records import course_uid, passage_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence

    from app.domain.cancel import CancelToken
    from app.features.shared.connection import ServerConnection
    from app.features.shared.entries import CourseHead, UnfinishedCourse
    from app.features.shared.model import PublishEvent, SharedCourse
    from app.features.shared.outgoing import OutgoingCourse, OutgoingCourses

_SENT_AT_ONCE = 100  # records, about 1 MB: a slow line needs seconds for it
_PARTS_AT_ONCE = 32  # of 16 KB
_TRIES = 3  # to publish a course while files are being read into the library, or another one publishes it


class CoursePublisher:
    """Publishes courses of a library through one connection, and removes them.

    Attributes:
        heads: the courses on the server by uid, as they were when the run began.
        marks: likewise, what was begun and not ended.
    """

    def __init__(
        self,
        connection: ServerConnection,
        outgoing: OutgoingCourses,
        library: str,
        dimension: int,
        now: Callable[[], float],
        cancel: CancelToken,
        *,
        replaces: bool,
    ) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._library = library
        self._vector = np.full(dimension, dimension**-0.5, np.float32)  # of marks; nobody searches for it
        self._now = now
        self._cancel = cancel
        self._replaces = replaces
        self.heads: dict[str, CourseHead] = {}
        self.marks: dict[str, UnfinishedCourse] = {}

    def look(self) -> None:
        kinds = {"kind": {"$in": [COURSE, UNFINISHED]}}
        for found in self._connection.get(CATALOG, where=kinds, metadatas=True, cancel=self._cancel):
            if (head := head_of(found)) is not None:
                self.heads[head.uid] = head
            elif (mark := mark_of(found)) is not None:
                self.marks[mark.uid] = mark

    def gone(self, titles: Iterable[str]) -> dict[str, str]:
        """Return the courses on the server that this library has published and has not any more, by uid."""
        kept = {course_uid(title) for title in titles}
        ours = {uid: one.title for uid, one in self._known().items() if one.publisher == self._library}
        return {uid: title for uid, title in ours.items() if uid not in kept}

    def named(self, name: str, *, exactly: bool = False) -> dict[str, str]:
        """Return the course on the server with this title, else the one with it in its title, by uid.

        Raises UserError if there is none, or more than one; if ``exactly``, without this title.
        """
        found = {uid: one.title for uid, one in self._known().items()}
        if course_uid(name) in found:
            return {course_uid(name): name}
        part = name.casefold()
        matching = {uid: title for uid, title in found.items() if not exactly and part in title.casefold()}
        if len(matching) != 1:
            titles = "; ".join(sorted((matching or found).values()))
            raise UserError(Message("shared.not_one_published", name=name, titles=titles or "–"))
        return matching

    def _known(self) -> dict[str, CourseHead | UnfinishedCourse]:
        return {**self.marks, **self.heads}

    def plan(self, title: str) -> CoursePublished:
        """Return what publishing a course would do; the server is only read."""
        course = self._outgoing.course(title, self._cancel).shared
        try:
            self._check_owner(course.uid, title)
        except UserError as error:
            return CoursePublished(title, PublishStatus.FAILED, reason=error.message)
        status = self._status(course)
        if status is PublishStatus.UNCHANGED:
            return CoursePublished(title, status, course.passages)
        live, present = _live(course), self._present_before(course.uid)
        return CoursePublished(title, status, course.passages, len(live - present), len(present - live))

    def publish(self, title: str) -> Iterator[PublishEvent]:
        """Publish a course unless it is there as it is; the last event says what became of it.

        Raises SharedError if the server is away or refuses.
        """
        yield PublishProgress(title, 0, 0)
        try:
            for attempt in range(_TRIES):
                try:
                    yield from self._publish(self._outgoing.course(title, self._cancel))
                except LibraryChanged:
                    if attempt == _TRIES - 1:
                        raise UserError(Message("shared.library_changes", title=title)) from None
                else:
                    return
        except SharedError:
            raise
        except UserError as error:
            yield CoursePublished(title, PublishStatus.FAILED, reason=error.message)

    def remove(self, uid: str, title: str) -> CoursePublished:
        """Remove a course, whole or what a run has left of it; raises SharedError as :meth:`publish` does."""
        try:
            self._check_owner(uid, title)
            self._mark(uid, title)  # from here on no reader has it
            retired = self._present(uid)
            self._delete(CONTENT, retired, uid, title)
            self._delete(CATALOG, self._parts(uid), uid, title)
            self._delete(CATALOG, {uid}, uid, title)
        except SharedError:
            raise
        except UserError as error:
            return CoursePublished(title, PublishStatus.FAILED, reason=error.message)
        return CoursePublished(title, PublishStatus.REMOVED, retired=len(retired))

    def _publish(self, course: OutgoingCourse) -> Iterator[PublishEvent]:
        uid, title, live = course.shared.uid, course.shared.title, _live(course.shared)
        self._check_owner(uid, title)
        status = self._status(course.shared)
        if status is PublishStatus.UNCHANGED:
            yield CoursePublished(title, status, course.shared.passages)
            return
        known = self.heads.get(uid)
        present = self._present_before(uid)
        if known is None:
            self._mark(uid, title)
        sent, retired = (yield from self._stage(course, present)), 0
        head = self._switch(course, known)
        for _ in range(_TRIES):
            present, parts = self._present(uid), self._parts(uid)
            if present == live and parts == set(head.part_ids):
                yield CoursePublished(title, status, course.shared.passages, sent, retired)
                return
            sent += yield from self._stage(course, present)  # nothing, unless it was lost or deleted
            self._delete(CONTENT, present - live, uid, title, head)
            self._delete(CATALOG, parts - set(head.part_ids), uid, title, head)
            retired += len(present - live)
        raise UserError(Message("shared.published_twice", title=title))

    def _stage(self, course: OutgoingCourse, present: Container[str]) -> Generator[PublishEvent, None, int]:
        """Send the passages that are not on the server; return how many."""
        missing = {
            document.uid: [n for n, name in enumerate(passage_ids(document)) if name not in present]
            for document in course.shared.documents
        }
        total, done = sum(map(len, missing.values())), 0
        records = self._records(course, missing)
        while batch := list(islice(records, _SENT_AT_ONCE)):
            self._connection.put(CONTENT, batch, cancel=self._cancel)
            done += len(batch)
            yield PublishProgress(course.shared.title, done, total)
        return done

    def _records(self, course: OutgoingCourse, missing: Mapping[str, Sequence[int]]) -> Iterator[Record]:
        for uid, numbers in missing.items():
            if numbers:
                document = self._outgoing.records(course, uid)
                for start in range(0, len(numbers), _SENT_AT_ONCE):
                    yield from self._outgoing.with_vectors(document, numbers[start : start + _SENT_AT_ONCE])

    def _switch(self, course: OutgoingCourse, known: CourseHead | None) -> CourseHead:
        """Write the course's entry, then the record that makes readers use it; return that record's head."""
        shared = replace(course.shared, published_at=self._now())
        parts, record = encode_entry(shared, course.title_vector, self._library)
        for start in range(0, len(parts), _PARTS_AT_ONCE):
            self._connection.put(CATALOG, parts[start : start + _PARTS_AT_ONCE], cancel=self._cancel)
        self._check_record(shared.uid, shared.title, known)
        self._connection.put(CATALOG, [record], cancel=self._cancel)
        head = head_of(Found(record.id, record.document, record.metadata))
        assert head is not None
        return head

    def _mark(self, uid: str, title: str) -> None:
        fields = {"kind": UNFINISHED, "title": fitted(title), "publisher": self._library}
        self._connection.put(CATALOG, [Record(uid, self._vector, fitted(title), fields)], cancel=self._cancel)

    def _check_record(self, uid: str, title: str, head: CourseHead | None = None) -> None:
        """Raise UserError unless a course's record is as it is known, or without a head the mark."""
        found = self._connection.get(CATALOG, ids=[uid], metadatas=True, cancel=self._cancel)
        there = head_of(found[0]) if found else None
        mark = mark_of(found[0]) if found else None
        is_ours = mark is not None and mark.publisher == self._library
        if not (is_ours if head is None else there is not None and there.revision == head.revision):
            raise UserError(Message("shared.published_twice", title=title))

    def _delete(
        self, collection: str, ids: set[str], uid: str, title: str, head: CourseHead | None = None
    ) -> None:
        """Delete records, none that others may need, once a computer that slept has lost the course."""
        ordered = sorted(ids)
        for start in range(0, len(ordered), BATCH):
            self._check_record(uid, title, head)
            self._connection.delete(collection, ordered[start : start + BATCH], cancel=self._cancel)

    def _present(self, uid: str) -> set[str]:
        """Return the ids of all passages of a course, of whatever version."""
        found = self._connection.get(CONTENT, where={"course": uid}, cancel=self._cancel)
        return {one.id for one in found}

    def _present_before(self, uid: str) -> set[str]:
        """Return them as they were when the run began: none of a course that nobody has begun to publish."""
        return self._present(uid) if uid in self.heads or uid in self.marks else set()

    def _parts(self, uid: str) -> set[str]:
        found = self._connection.get(CATALOG, where={"course": uid}, cancel=self._cancel)
        return {one.id for one in found}

    def _status(self, course: SharedCourse) -> PublishStatus:
        head = self.heads.get(course.uid)
        if head is None:
            return PublishStatus.ADDED
        parts: dict[str, str] = {}
        for start in range(0, head.parts, _PARTS_AT_ONCE):
            ids = head.part_ids[start : start + _PARTS_AT_ONCE]
            for found in self._connection.get(CATALOG, ids=ids, documents=True, cancel=self._cancel):
                parts[found.id] = found.document or ""
        entry = decode_entry(head, "".join(parts.get(name, "") for name in head.part_ids))
        is_same = entry is not None and replace(entry.course, revision="", published_at=0.0) == course
        is_whole = is_same and self._has_as_many(course) and self._parts(course.uid) == set(head.part_ids)
        return PublishStatus.UNCHANGED if is_whole else PublishStatus.CHANGED

    def _has_as_many(self, course: SharedCourse) -> bool:
        """Return whether the server has as many passages of a course as it should, none lost or left over.

        The last one is asked for, since Chroma counts only whole collections.
        """
        where, last = {"course": course.uid}, max(course.passages - 1, 0)
        found = self._connection.get(CONTENT, where=where, limit=2, offset=last, cancel=self._cancel)
        return len(found) == min(course.passages, 1)

    def _check_owner(self, uid: str, title: str) -> None:
        owner = self._known().get(uid)
        if owner is not None and owner.publisher != self._library and not self._replaces:
            raise UserError(Message("shared.of_another_library", title=title))


def _live(course: SharedCourse) -> set[str]:
    """Return the ids of a course's passages."""
    return {name for document in course.documents for name in passage_ids(document)}
