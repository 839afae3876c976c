"""Brings the courses on a server to the state of the library, one after the other.

New passages are sent first, then the parts of the course's entry. The course's own record, which names the
parts, then switches the course over for every reader, and what nobody needs any more is deleted. A run that
is interrupted leaves its claim, by which the next one knows that something may be left of it.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from app.domain.errors import SharedError, UserError
from app.domain.messages import Message
from app.features.shared.claims import Claim, CourseClaimed, mark_of
from app.features.shared.connection import BATCH, CATALOG, CONTENT, Found
from app.features.shared.entries import CLAIM, COURSE, PART, decode_entry, encode_entry, head_of
from app.features.shared.model import CoursePublished, PublishProgress, PublishStatus
from app.features.shared.outgoing import LibraryChanged
from app.features.shared.records import course_uid, passage_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence

    from app.domain.cancel import CancelToken
    from app.domain.shared import SharedCourse
    from app.features.shared.claims import ClaimMark, Publisher
    from app.features.shared.connection import Record, ServerConnection
    from app.features.shared.entries import CourseEntry, CourseHead
    from app.features.shared.model import PublishEvent
    from app.features.shared.outgoing import OutgoingCourse, OutgoingCourses

_SENT_AT_ONCE = 100  # records, about 1 MB: a slow line needs seconds for it
_PARTS_AT_ONCE = 32  # of 16 KB
_TRIES = 3  # to publish a course while files are being read into the library


class CoursePublisher:
    """Publishes courses through one connection, and removes them. One run of one publisher.

    Attributes:
        heads: the courses on the server by uid, as they were when the run began.
        claims: likewise, what earlier runs and other publishers have begun and not ended.
    """

    def __init__(
        self,
        connection: ServerConnection,
        outgoing: OutgoingCourses,
        publisher: Publisher,
        dimension: int,
        now: Callable[[], float],
        cancel: CancelToken,
        *,
        replaces: bool,
    ) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._publisher = publisher
        self._dimension = dimension
        self._now = now
        self._cancel = cancel
        self._replaces = replaces
        self.heads: dict[str, CourseHead] = {}
        self.claims: dict[str, ClaimMark] = {}

    def look(self) -> None:
        """Fetch what is on the server."""
        kinds = {"kind": {"$in": [COURSE, CLAIM]}}
        for found in self._connection.get(CATALOG, where=kinds, metadatas=True, cancel=self._cancel):
            if (head := head_of(found)) is not None:
                self.heads[head.uid] = head
            elif (mark := mark_of(found)) is not None:
                self.claims[mark.course] = mark

    def gone(self, titles: Iterable[str]) -> dict[str, str]:
        """Return the courses on the server that this library has published and has not any more, by uid."""
        ours = self._publisher.library
        found = {uid: head.title for uid, head in self.heads.items() if head.publisher == ours}
        kept = {course_uid(title) for title in titles}
        return {uid: title for uid, title in (self._left_over() | found).items() if uid not in kept}

    def named(self, name: str, *, exactly: bool = False) -> dict[str, str]:
        """Return the course on the server with this title, else the one with it in its title, by uid.

        Raises UserError if there is none, or more than one; if ``exactly``, without this title.
        """
        found = self._left_over() | {uid: head.title for uid, head in self.heads.items()}
        if course_uid(name) in found:
            return {course_uid(name): name}
        part = name.casefold()
        matching = {uid: title for uid, title in found.items() if not exactly and part in title.casefold()}
        if len(matching) != 1:
            titles = "; ".join(sorted((matching or found).values()))
            raise UserError(Message("shared.not_one_published", name=name, titles=titles or "–"))
        return matching

    def _left_over(self) -> dict[str, str]:
        """Return the courses that this library has begun to publish or to remove, by uid."""
        return {uid: mark.title for uid, mark in self.claims.items() if self._is_left_over(uid)}

    def plan(self, title: str) -> CoursePublished:
        """Return what publishing a course would do; the server is only read."""
        course = self._outgoing.course(title, self._cancel).shared
        try:
            self._check_owner(course.uid, title)
        except UserError as error:
            return CoursePublished(title, PublishStatus.FAILED, reason=error.message)
        status = self._status(course)
        if status is PublishStatus.UNCHANGED and not self._is_left_over(course.uid):
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
            claim = self._claim(uid, title)
            claim.take()
            self._connection.delete(CATALOG, [uid], cancel=self._cancel)  # from here on no reader has it
            retired = self._present(uid)
            self._delete(CONTENT, sorted(retired), claim)
            self._delete(CATALOG, self._parts(uid), claim)
            claim.release()
        except SharedError:
            raise
        except UserError as error:
            return CoursePublished(title, PublishStatus.FAILED, reason=error.message)
        return CoursePublished(title, PublishStatus.REMOVED, retired=len(retired))

    def _publish(self, course: OutgoingCourse) -> Iterator[PublishEvent]:
        uid, title = course.shared.uid, course.shared.title
        self._check_owner(uid, title)
        status = self._status(course.shared)
        if status is PublishStatus.UNCHANGED and not self._is_left_over(uid):
            yield CoursePublished(title, status, course.shared.passages)
            return
        claim = self._claim(uid, title)
        claim.take()
        present = self._present_before(uid)
        sent = yield from self._stage(course, present, claim)
        head = self._switch(course, claim)
        present = self._present(uid)
        sent += yield from self._stage(course, present, claim)  # nothing, unless the server has lost some
        retired = self._retire(course.shared, head, present, claim)
        claim.release()
        yield CoursePublished(title, status, course.shared.passages, sent, retired)

    def _stage(
        self, course: OutgoingCourse, present: Container[str], claim: Claim
    ) -> Generator[PublishEvent, None, int]:
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
            claim.keep()
            yield PublishProgress(course.shared.title, done, total)
        return done

    def _records(self, course: OutgoingCourse, missing: Mapping[str, Sequence[int]]) -> Iterator[Record]:
        for uid, numbers in missing.items():
            if numbers:
                document = self._outgoing.records(course, uid)
                for start in range(0, len(numbers), _SENT_AT_ONCE):
                    yield from self._outgoing.with_vectors(document, numbers[start : start + _SENT_AT_ONCE])

    def _switch(self, course: OutgoingCourse, claim: Claim) -> CourseHead:
        """Write the course's entry, then the record that makes readers use it; return that record's head."""
        shared = replace(course.shared, published_at=self._now())
        parts, record = encode_entry(shared, course.title_vector, self._publisher.library)
        for start in range(0, len(parts), _PARTS_AT_ONCE):
            self._connection.put(CATALOG, parts[start : start + _PARTS_AT_ONCE], cancel=self._cancel)
        claim.check()
        self._connection.put(CATALOG, [record], cancel=self._cancel)
        head = head_of(Found(record.id, record.document, record.metadata))
        assert head is not None
        return head

    def _retire(self, course: SharedCourse, head: CourseHead, present: Iterable[str], claim: Claim) -> int:
        """Delete the passages and parts that no reader needs any more; return how many passages."""
        retired = sorted(set(present) - _live(course))
        parts = sorted(set(self._parts(course.uid)) - set(head.part_ids))
        found = self._connection.get(CATALOG, ids=[course.uid], metadatas=True, cancel=self._cancel)
        if [_revision(one) for one in found] != [head.revision]:  # somebody else has switched it over since
            raise CourseClaimed(Message("shared.claim_lost", title=course.title))
        self._delete(CONTENT, retired, claim)
        self._delete(CATALOG, parts, claim)
        return len(retired)

    def _delete(self, collection: str, ids: Sequence[str], claim: Claim) -> None:
        """Delete records; none that others may need, once a computer that slept has lost the course."""
        for start in range(0, len(ids), BATCH):
            claim.keep()
            claim.check()
            self._connection.delete(collection, ids[start : start + BATCH], cancel=self._cancel)

    def _present(self, uid: str) -> set[str]:
        """Return the ids of all passages of a course, of whatever version."""
        found = self._connection.get(CONTENT, where={"course": uid}, cancel=self._cancel)
        return {one.id for one in found}

    def _present_before(self, uid: str) -> set[str]:
        """Return them as they were when the run began: none of a course that nobody has begun to publish."""
        return self._present(uid) if uid in self.heads or uid in self.claims else set()

    def _parts(self, uid: str) -> list[str]:
        where = {"$and": [{"course": uid}, {"kind": PART}]}
        return [one.id for one in self._connection.get(CATALOG, where=where, cancel=self._cancel)]

    def _entry(self, uid: str) -> CourseEntry | None:
        head = self.heads.get(uid)
        if head is None:
            return None
        parts: dict[str, str] = {}
        for start in range(0, head.parts, _PARTS_AT_ONCE):
            ids = head.part_ids[start : start + _PARTS_AT_ONCE]
            for found in self._connection.get(CATALOG, ids=ids, documents=True, cancel=self._cancel):
                parts[found.id] = found.document or ""
        return decode_entry(head, [parts.get(name, "") for name in head.part_ids])

    def _status(self, course: SharedCourse) -> PublishStatus:
        if course.uid not in self.heads:
            return PublishStatus.ADDED
        entry = self._entry(course.uid)
        if entry is None or replace(entry.course, revision="", published_at=0.0) != course:
            return PublishStatus.CHANGED
        return PublishStatus.UNCHANGED if self._has_passages(course) else PublishStatus.CHANGED

    def _has_passages(self, course: SharedCourse) -> bool:
        """Return whether the server has as many passages of a course as it should: it may have lost some.

        Their last one is asked for, since Chroma counts only whole collections.
        """
        where, last = {"course": course.uid}, course.passages - 1
        return last < 0 or bool(
            self._connection.get(CONTENT, where=where, limit=1, offset=last, cancel=self._cancel)
        )

    def _is_left_over(self, uid: str) -> bool:
        """Return whether a run of this library has begun to publish or to remove a course, and not ended."""
        mark = self.claims.get(uid)
        return mark is not None and mark.publisher.library == self._publisher.library

    def _check_owner(self, uid: str, title: str) -> None:
        head = self.heads.get(uid)
        if head is not None and head.publisher != self._publisher.library and not self._replaces:
            raise UserError(Message("shared.of_another_library", title=title))

    def _claim(self, uid: str, title: str) -> Claim:
        course = (uid, title)
        return Claim(self._connection, self._publisher, course, self._dimension, self._now, self._cancel)


def _live(course: SharedCourse) -> set[str]:
    """Return the ids of a course's passages."""
    return {name for document in course.documents for name in passage_ids(document)}


def _revision(found: Found) -> str | None:
    head = head_of(found)
    return None if head is None else head.revision
