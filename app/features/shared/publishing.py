"""PublishingService: puts courses of the library on a Chroma server, for others to search.

The parts of a course's entry are sent first, then its new passages. The course's own record, which names the
parts, then switches the course over for every reader, and what nobody needs any longer is deleted. An
interrupted run is continued by the next one, which sends what is missing and deletes what is left over. The
parts tell it which courses were begun.
"""

import os
import secrets
import time
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from app.config.files import private_directory, private_file
from app.core.rag_system import RAGSystem
from app.core.storage.catalog import Catalog
from app.domain.cancel import CancelToken
from app.domain.courses import Course, LessonInfo
from app.domain.errors import SharedError, UserError
from app.domain.file_paths import root_of
from app.domain.messages import Message
from app.domain.shared import ServerAddress, ServerState
from app.features.shared.connection import CATALOG, CONTENT, Record, ServerConnection, Value
from app.features.shared.model import (
    CoursePublished,
    LibraryPublished,
    PublishEvent,
    PublishProgress,
    PublishStatus,
    SharedCourse,
)
from app.features.shared.records import (
    PART,
    CourseHead,
    DocumentRecords,
    collection_metadata,
    course_uid,
    encode_entry,
    fitted,
    kept,
    passage_ids,
    refusal,
)
from app.features.shared.subscription import FOLDER, PARTS, fetch_entries, listed_heads, write_private

_ID_BYTES = 16
_SENT_AT_ONCE = 100  # records, about 1 MB: a slow line needs seconds for it
_TRIES = 3  # to publish a course while files are being read into the library


class LibraryChanged(Exception):  # internal: the course is looked at again
    """The course changed or was removed while it was being published."""


class OutgoingCourse(NamedTuple):
    """A course of the library; ``shared`` has no revision yet."""

    shared: SharedCourse
    title_vector: NDArray[np.float32]
    paths: Mapping[str, str]  # of the documents' files, by uid


class _Listed(NamedTuple):
    courses: Mapping[str, Course]  # by title
    vectors: Mapping[str, NDArray[np.float32]]  # of the titles
    folders: tuple[str, ...]  # that were chosen


class OutgoingCourses:
    """Reads courses for publishing; ``model_id`` made their vectors. Raises LibraryChanged."""

    def __init__(self, catalog: Catalog, model_id: str) -> None:
        self._catalog = catalog
        self._model_id = model_id
        self._generation: str | None = None
        self._listed: _Listed | None = None

    def course(self, title: str, token: CancelToken) -> OutgoingCourse:
        """Return a course, whose documents are read one after the other."""
        courses, vectors, folders = self._list()
        found, vector = courses.get(title), vectors.get(title)
        if found is None or vector is None:
            raise LibraryChanged
        names = _names(found.files, folders)
        documents = []
        for path in found.files:
            token.check()
            documents.append(self._records(path, names[path], title).shared)
        shared = SharedCourse(
            uid=course_uid(title),
            title=title,
            instructor=fitted(found.instructor or "") or None,
            link=kept(found.link),
            revision="",
            lessons=tuple(_lesson(lesson, names) for lesson in found.lessons),
            documents=tuple(documents),
        )
        uids = [document.uid for document in documents]
        return OutgoingCourse(shared, vector, dict(zip(uids, found.files, strict=True)))

    def records(self, course: OutgoingCourse, uid: str) -> DocumentRecords:
        shared = next(document for document in course.shared.documents if document.uid == uid)
        found = self._records(course.paths[uid], shared.name, course.shared.title)
        if found.shared != shared:
            raise LibraryChanged
        return found

    def with_vectors(self, records: DocumentRecords, numbers: Sequence[int]) -> list[Record]:
        """Return the records of a document with these numbers, ready to be sent."""
        keys = [records.key(n) for n in numbers]
        vectors = self._catalog.documents.vectors(keys)
        if len(vectors) < len(keys):
            raise LibraryChanged
        return [records.record(n, vectors[key]) for n, key in zip(numbers, keys, strict=True)]

    def _list(self) -> _Listed:
        """Return the courses of the library, cached until it changes; reading them may take a second."""
        generation = self._catalog.courses.generation()
        if self._listed is None or generation != self._generation:
            courses = {course.title: course for course in self._catalog.courses.all()}
            folders = tuple(self._catalog.places.folders())
            self._listed = _Listed(courses, self._catalog.courses.vectors(), folders)
            self._generation = generation
        return self._listed

    def _records(self, path: str, name: str, title: str) -> DocumentRecords:
        document = self._catalog.documents.whole(path)
        if document is None or document.course_title != title:
            raise LibraryChanged
        return DocumentRecords(document, name, self._model_id)


def _names(paths: Sequence[str], roots: Sequence[str]) -> dict[str, str]:
    """Return a unique name for each file, relative to the chosen folder."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for path in paths:
        root = root_of(path, roots)
        below = os.path.relpath(path, root) if root not in (None, path) else os.path.basename(path)
        name = fitted(PurePath(below).as_posix(), 1000)
        stem, ending = os.path.splitext(name)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem} ({number}){ending}"
        names[path] = name
        taken.add(name)
    return names


def _lesson(lesson: LessonInfo, names: Mapping[str, str]) -> LessonInfo:
    files = tuple(names[path] for path in lesson.files)
    return replace(lesson, title=fitted(lesson.title), link=kept(lesson.link), files=files)


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
        cancel: CancelToken,
        *,
        replaces: bool,
    ) -> None:
        self._connection = connection
        self._outgoing = outgoing
        self._library = library
        self._cancel = cancel
        self._replaces = replaces
        self.heads: dict[str, CourseHead] = {}

    def look(self) -> None:
        self.heads = {head.uid: head for head in listed_heads(self._connection, self._cancel)[0]}

    def unseen(self) -> set[str]:
        """Return the uids of courses whose publication this library has begun but not finished."""
        where = {"$and": [{"kind": PART}, {"publisher": self._library}]}
        found = self._connection.get(CATALOG, where=where, metadatas=True, cancel=self._cancel)
        return {str(part.metadata["course"]) for part in found if part.metadata} - self.heads.keys()

    def gone(self, titles: Iterable[str]) -> dict[str, str]:
        """Return the courses, by uid, that this library has published and no longer has."""
        kept = {course_uid(title) for title in titles}
        ours = {uid: one.title for uid, one in self.heads.items() if one.publisher == self._library}
        return {uid: title for uid, title in ours.items() if uid not in kept}

    def named(self, name: str, *, exactly: bool = False) -> dict[str, str]:
        """Return the course on the server with this title, else the one whose title contains it, by uid.

        Raises UserError if there is not exactly one; if ``exactly``, unless the title is the same.
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
        """Publish a course unless it is up to date on the server; the last event is its result.

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
        uid, title = course.shared.uid, course.shared.title
        live = {name for document in course.shared.documents for name in passage_ids(document)}
        self._check_owner(uid, title)
        status = self._status(course.shared)
        if status is PublishStatus.UNCHANGED:
            yield CoursePublished(title, status, course.shared.passages)
            return
        parts, record = encode_entry(course.shared, course.title_vector, self._library, time.time())
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
        """Return whether the server has exactly as many passages of a course as it should.

        The last one is asked for, since Chroma counts only whole collections.
        """
        where, last = {"course": course.uid}, max(course.passages - 1, 0)
        found = self._connection.get(CONTENT, where=where, limit=2, offset=last, cancel=self._cancel)
        return len(found) == min(course.passages, 1)

    def _check_owner(self, uid: str, title: str) -> None:
        owner = self.heads.get(uid)
        if owner is not None and owner.publisher != self._library and not self._replaces:
            raise UserError(Message("shared.of_another_library", title=title))


class PublishingService:
    """Publishes courses, and removes them from a server. Works beside a process that writes the library."""

    def __init__(self, rag: RAGSystem) -> None:
        self._rag, self._catalog = rag, rag.catalog
        self._folder = rag.database.data_dir / FOLDER

    def publish(
        self,
        address: ServerAddress,
        token: str = "",
        titles: Sequence[str] | None = None,
        *,
        remove: Sequence[str] = (),
        replaces: bool = False,
        exactly: bool = False,
        cancel: CancelToken | None = None,
    ) -> Iterator[PublishEvent]:
        """Make courses on a server match the library; the last event is ``LibraryPublished``.

        What an interrupted run has sent is not sent again. Readers have the old course or the new one.

        Without titles and without courses to ``remove``, all but the samples are published, and those that
        this library has published and no longer has are removed. Part of a title is enough to remove a
        course, unless ``exactly``. ``replaces``: courses of another library may be replaced and removed.

        Raises:
            SharedError: the server is away or refuses; what readers see there is whole.
            UserError: nothing can be published.
        """
        cancel = cancel or CancelToken()
        started = time.monotonic()
        chosen = self._chosen(titles, remove)
        done: list[CoursePublished] = []
        with self._alone(), closing(ServerConnection(address, token)) as connection:
            if chosen:
                model = self._rag.embedder.model_id, self._dimension()
                connection.create(collection_metadata(*model), partial(_check, model), cancel=cancel)
            outgoing = OutgoingCourses(self._catalog, self._rag.embedder.model_id)
            publisher = CoursePublisher(connection, outgoing, self._library_id(), cancel, replaces=replaces)
            publisher.look()
            for uid in publisher.unseen() - {course_uid(title) for title in self._catalog.courses.titles()}:
                publisher.remove(uid, "")  # begun under a title that no course has any more
            for title in chosen:
                for event in publisher.publish(title):
                    if isinstance(event, CoursePublished):
                        done.append(event)
                    yield event
            gone = publisher.gone(self._catalog.courses.titles()) if titles is None and not remove else {}
            for name in remove:
                gone |= publisher.named(name, exactly=exactly)
            for uid, title in gone.items():
                cancel.check()
                done.append(publisher.remove(uid, title))
                yield done[-1]
        yield LibraryPublished(tuple(done), time.monotonic() - started, sum(one.sent for one in done))

    def _chosen(self, titles: Sequence[str] | None, remove: Sequence[str]) -> tuple[str, ...]:
        if titles is None and not remove:
            found = tuple(course.title for course in self._catalog.courses.all() if not course.is_sample)
            if not found:
                raise UserError(Message("shared.nothing_to_publish"))
        else:
            found = tuple(dict.fromkeys(titles or ()))
            if unknown := [title for title in found if title not in self._catalog.courses.titles()]:
                raise UserError(Message("ingest.unknown_name", name=unknown[0]))
        if found and not self._rag.reindex.has_same_model():
            raise UserError(Message("shared.index_first"))
        return found

    def _dimension(self) -> int:
        """Return the length of the library's vectors; 1 while it has none."""
        return max((len(vector) for vector in self._catalog.courses.vectors().values()), default=1)

    def _library_id(self) -> str:
        """Return the id of this library on servers, which is created on first use."""
        path = self._folder / "publisher"
        try:
            if path.exists():
                return path.read_text(encoding="ascii")[: 2 * _ID_BYTES]
            private_directory(self._folder)
            name = secrets.token_hex(_ID_BYTES)
            write_private(path, name.encode())
        except (OSError, ValueError) as error:
            raise UserError(Message("shared.publisher_unknown", path=path, reason=error)) from error
        return name

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Allow one run at a time: a second one would delete what the first has sent."""
        path = self._folder / "publishing.lock"
        try:
            private_directory(self._folder)
            private_file(path)
            lock = FileLock(path, thread_local=False)
            lock.acquire(timeout=0)
        except Timeout:
            raise UserError(Message("shared.publishing_already")) from None
        except OSError as error:
            raise UserError(Message("shared.publisher_unknown", path=path, reason=error)) from error
        try:
            yield
        finally:
            lock.release()


def _check(model: tuple[str, int], metadata: Mapping[str, Value]) -> None:
    """Refuse a collection that another program, form or embedding model has made."""
    if reason := refusal(metadata, *model):
        raise SharedError(Message("shared.other_database", reason=reason), ServerState.REFUSED)
