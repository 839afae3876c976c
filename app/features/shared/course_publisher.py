"""Brings the courses on a server to the state of the library, one after the other.

The parts of the course's entry are sent first, then its new passages. The course's own record, which names
the parts, then switches the course over for every reader, and what nobody needs any more is deleted. An
interrupted run is continued by the next one, which sends what is missing and deletes what is left over; by
the parts it knows a course that no reader has seen yet.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from app.domain.errors import SharedError, UserError
from app.domain.messages import Message
from app.features.shared.catalogue import PARTS, fetch_entries, listed_heads
from app.features.shared.connection import CATALOG, CONTENT
from app.features.shared.entries import PART, encode_entry
from app.features.shared.model import CoursePublished, PublishProgress, PublishStatus
from app.features.shared.outgoing import LibraryChanged
from app.features.shared.records import course_uid, passage_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence

    from app.domain.cancel import CancelToken
    from app.features.shared.connection import Record, ServerConnection
    from app.features.shared.entries import CourseHead
    from app.features.shared.model import PublishEvent, SharedCourse
    from app.features.shared.outgoing import OutgoingCourse, OutgoingCourses

_SENT_AT_ONCE = 100  # records, about 1 MB: a slow line needs seconds for it
_TRIES = 3  # to publish a course while files are being read into the library


class CoursePublisher:
    """Publishes courses of a library through one connection, and removes them.

    Attributes:
        heads: the courses on the server by uid, as they were when the run began.
    """

    def __init__(
        self,
        connection: ServerConnection,
        outgoing: OutgoingCourses,
        library: str,
        now: Callable[[], float],
        cancel: CancelToken,
        *,
        replaces: bool,
    ) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._library = library
        self._now = now
        self._cancel = cancel
        self._replaces = replaces
        self.heads: dict[str, CourseHead] = {}

    def look(self) -> None:
        self.heads = {head.uid: head for head in listed_heads(self._connection, self._cancel)[0]}

    def unseen(self) -> set[str]:
        """Return the uids of courses that this library has begun to publish and no reader sees yet."""
        where = {"$and": [{"kind": PART}, {"publisher": self._library}]}
        found = self._connection.get(CATALOG, where=where, metadatas=True, cancel=self._cancel)
        return {str(part.metadata["course"]) for part in found if part.metadata} - self.heads.keys()

    def gone(self, titles: Iterable[str]) -> dict[str, str]:
        """Return the courses on the server that this library has published and has not any more, by uid."""
        kept = {course_uid(title) for title in titles}
        ours = {uid: one.title for uid, one in self.heads.items() if one.publisher == self._library}
        return {uid: title for uid, title in ours.items() if uid not in kept}

    def named(self, name: str, *, exactly: bool = False) -> dict[str, str]:
        """Return the course on the server with this title, else the one with it in its title, by uid.

        Raises UserError if there is none, or more than one; if ``exactly``, without this title.
        """
        found = {uid: one.title for uid, one in self.heads.items()}
        if course_uid(name) in found:
            return {course_uid(name): name}
        part = name.casefold()
        matching = {uid: title for uid, title in found.items() if not exactly and part in title.casefold()}
        if len(matching) != 1:
            titles = "; ".join(sorted((matching or found).values()))
            raise UserError(Message("shared.not_one_published", name=name, titles=titles or "–"))
        return matching

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
        """Remove a course; raises SharedError as :meth:`publish` does."""
        try:
            self._check_owner(uid, title)
        except UserError as error:
            return CoursePublished(title, PublishStatus.FAILED, reason=error.message)
        retired = self._present(uid)
        parts = self._parts(uid)
        self._delete(CONTENT, retired)
        self._delete(CATALOG, {uid})  # last of what a later run would need to go on
        self._delete(CATALOG, parts)
        return CoursePublished(title, PublishStatus.REMOVED, retired=len(retired))

    def _publish(self, course: OutgoingCourse) -> Iterator[PublishEvent]:
        uid, title, live = course.shared.uid, course.shared.title, _live(course.shared)
        self._check_owner(uid, title)
        status = self._status(course.shared)
        if status is PublishStatus.UNCHANGED:
            yield CoursePublished(title, status, course.shared.passages)
            return
        parts, record = encode_entry(course.shared, course.title_vector, self._library, self._now())
        for start in range(0, len(parts), PARTS):
            self._connection.put(CATALOG, parts[start : start + PARTS], cancel=self._cancel)
        present = self._present(uid)
        sent = yield from self._stage(course, present)
        self._connection.put(CATALOG, [record], cancel=self._cancel)
        self._delete(CONTENT, present - live)
        self._delete(CATALOG, self._parts(uid) - {part.id for part in parts})
        yield CoursePublished(title, status, course.shared.passages, sent, len(present - live))

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

    def _delete(self, collection: str, ids: set[str]) -> None:
        self._connection.delete(collection, sorted(ids), cancel=self._cancel)

    def _present(self, uid: str) -> set[str]:
        """Return the ids of all passages of a course, of whatever version."""
        found = self._connection.get(CONTENT, where={"course": uid}, cancel=self._cancel)
        return {one.id for one in found}

    def _parts(self, uid: str) -> set[str]:
        found = self._connection.get(CATALOG, where={"course": uid}, cancel=self._cancel)
        return {one.id for one in found}

    def _status(self, course: SharedCourse) -> PublishStatus:
        head = self.heads.get(course.uid)
        if head is None:
            return PublishStatus.ADDED
        entry = next(fetch_entries(self._connection, [head], self._cancel), None)
        is_same = entry is not None and replace(entry.course, revision="") == course
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
        owner = self.heads.get(uid)
        if owner is not None and owner.publisher != self._library and not self._replaces:
            raise UserError(Message("shared.of_another_library", title=title))


def _live(course: SharedCourse) -> set[str]:
    """Return the ids of a course's passages."""
    return {name for document in course.documents for name in passage_ids(document)}
