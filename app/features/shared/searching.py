"""Searching one library on a server, as :class:`app.core.search.remote.RemoteLibrary`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from app.core.search.pieces import passage_terms
from app.core.search.ranking import StoredChunk
from app.core.search.remote import NearPassage, RemotePassage
from app.core.search.terms import hashed_terms
from app.core.storage import codec
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.shared import ServerState
from app.features.shared.catalogue import shared_id, shared_path
from app.features.shared.connection import BATCH, CONTENT
from app.features.shared.records import decode_passage, is_listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.filters import MetadataFilter
    from app.domain.cancel import CancelToken
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import Found
    from app.features.shared.model import SharedCourse, SharedDocument
    from app.features.shared.records import SharedPassage
    from app.features.shared.service import KnownLibrary, SharedLibraries

_ROUNDING = 0.01  # of cosine distances: that of equal vectors may be a little less than 0
_MOST = 0.8  # of all passages

Numbers = frozenset[int | None]
"""Numbers of lessons; None for text in none."""


class ServerSearch:
    """What a filter passes of one library on a server."""

    def __init__(
        self, known: KnownLibrary, passage_filter: MetadataFilter, libraries: SharedLibraries
    ) -> None:
        self._libraries = libraries
        self._filter = passage_filter
        self._subscription = known.subscription
        self._dimension = 0
        self.host = self._subscription.address.host
        self._choose(known)

    def _choose(self, known: KnownLibrary) -> None:
        self._catalogue = known.catalogue
        self._passing = passing(known, self._filter)
        courses = self._catalogue.courses
        self.searched = sum(_passages(courses[uid], numbers) for uid, numbers in self._passing.items())

    def __bool__(self) -> bool:
        return bool(self._passing)

    def nearest(self, vector: NDArray[np.float32], token: CancelToken) -> list[NearPassage]:
        """Return those of the passages that come nearest to a vector; see the protocol."""
        self._dimension = len(vector)
        with self._noting_failure():
            records = self._subscription.connection.query(
                CONTENT, vector, BATCH, where=where(self._catalogue.courses, self._passing), cancel=token
            )
            whole = [record for record in records if _is_whole(record)]
            if any(_document(record) not in self._catalogue.documents for record in whole):
                # A publisher may have switched to it since the catalogue was fetched, or be about to.
                self._subscription.renew(token)
                others = self._libraries.known()
                self._choose(next(each for each in others if each.subscription is self._subscription))
        documents = self._catalogue.documents
        found = [(record, documents.get(_document(record))) for record in whole]
        listed = [(record, known[0]) for record, known in found if known and known[0].uid in self._passing]
        texts = [f"{course.title} {record.document}" for record, course in listed]
        return [
            NearPassage(self, record.id, text, terms, 1.0 - (record.distance or 0.0))
            for (record, _), text, terms in zip(listed, texts, hashed_terms(texts), strict=True)
        ]

    def fetch(self, ids: Sequence[str], token: CancelToken) -> list[RemotePassage]:
        """Return these passages as they are ranked; see the protocol."""
        with self._noting_failure():
            records = self._subscription.connection.get(
                CONTENT, ids=ids, documents=True, metadatas=True, cancel=token
            )
        decoded = [decode_passage(record, self._dimension) for record in records]
        live = [each for each in decoded if each is not None and self._passes(each)]
        self._subscription.worked()
        return [self._made(each) for each in _ascending(live)]

    def fail(self, reason: Message) -> Message:
        """Note why the library gave nothing; see the protocol."""
        return self._failed(SharedError(reason, ServerState.AWAY))

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except SharedError as error:
            raise SharedError(self._failed(error), error.state) from error

    def _failed(self, error: SharedError) -> Message:
        self._subscription.failed(error)
        return not_searched(self.host, error.message)

    def _passes(self, passage: SharedPassage) -> bool:
        known = self._catalogue.documents.get(passage.document)
        passes = passage.lesson_number in self._passing.get(passage.course, ())
        return passes and known is not None and is_listed(passage, *known)

    def _made(self, passage: SharedPassage) -> RemotePassage:
        spans = (passage.spans - passage.start).tolist()
        terms = passage_terms([passage.text[start:end] for start, end in spans])
        known = self._catalogue.documents[passage.document]
        return remote_passage(self._subscription.address, *known, passage, codec.encode_terms(terms))


def remote_passage(
    address: ServerAddress,
    course: SharedCourse,
    document: SharedDocument,
    passage: SharedPassage,
    terms: bytes = b"",
) -> RemotePassage:
    """Return a passage as it is shown, and with its ``terms`` as it is ranked."""
    return RemotePassage(
        chunk=StoredChunk(
            key=passage.n,
            lesson=passage.lesson,
            start=passage.start,
            text=passage.text,
            pieces=codec.encode_spans(passage.spans.tolist()),
            terms=terms,
            vectors=passage.vectors,
        ),
        document=shared_id(address.key, document.uid),
        path=shared_path(address, document),
        course_title=course.title,
        lesson_number=passage.lesson_number,
        lesson_title=passage.lesson_title,
        chunk_index=passage.chunk_index,
        link=passage.link or course.link,
        before=passage.before,
        anchors=passage.anchors,
    )


def not_searched(host: str, reason: Message) -> Message:
    return Message("search.not_shared", server=host, reason=reason)


def passing(library: KnownLibrary, wanted: MetadataFilter) -> dict[str, Numbers]:
    """Return the courses of which a filter passes anything, by uid, with the lesson numbers that pass."""
    found: dict[str, Numbers] = {}
    for uid in library.uids:
        course = library.catalogue.courses[uid]
        if kept := frozenset(one for one in _numbers(course) if wanted.includes(course.title, one)):
            found[uid] = kept
    return found


def where(courses: Mapping[str, SharedCourse], chosen: Mapping[str, Numbers]) -> dict[str, Any] | None:
    """Return Chroma's filter for what passes, or a little more where parts of several courses do.

    Chroma's cloud takes eight conditions. Where few courses do not pass, there is none: it would take a
    server five times as long.
    """
    parts = {uid for uid, numbers in chosen.items() if numbers < _numbers(courses[uid])}
    passages = sum(courses[uid].passages for uid in chosen)
    if not parts and passages >= _MOST * sum(course.passages for course in courses.values()):
        return None
    conditions = []
    if whole := chosen.keys() - parts:
        conditions.append(_of_courses(whole))
    if parts:
        kept = frozenset().union(*(chosen[uid] for uid in parts))
        if None in kept:  # a record of text in no lesson has no number, which every list of others lacks
            every = {number for uid in parts for number in _numbers(courses[uid])}
            lessons = {"$nin": sorted(number for number in every - kept if number is not None)}
        else:
            lessons = {"$in": sorted(number for number in kept if number is not None)}
        conditions.append({"$and": [_of_courses(parts), {"lesson_number": lessons}]})
    return {"$or": conditions} if len(conditions) > 1 else conditions[0]


def _of_courses(uids: Collection[str]) -> dict[str, Any]:
    return {"course": {"$in": sorted(uids)}}


def _numbers(course: SharedCourse) -> Numbers:
    of_documents = (number for document in course.documents for _, _, number in document.lessons)
    return frozenset((*(lesson.number for lesson in course.lessons), *of_documents))


def _passages(course: SharedCourse, numbers: Numbers) -> int:
    """Return how many passages of a course stand in lessons with these numbers, about."""
    if numbers >= _numbers(course):
        return course.passages
    return sum(lesson.passages for lesson in course.lessons if lesson.number in numbers)


def _document(record: Found) -> str:
    return record.id.rpartition("_")[0]


def _is_whole(record: Found) -> bool:
    """Return whether the record of a query has what it must have; nobody knows what a server sends."""
    distance = record.distance
    return bool(record.document) and distance is not None and -_ROUNDING <= distance <= 2 + _ROUNDING


def _ascending(found: Sequence[SharedPassage]) -> list[SharedPassage]:
    """Return passages in the order of their documents, without those that reach back: no window runs so."""
    kept: list[SharedPassage] = []
    for each in sorted(found, key=lambda each: (each.document, each.n)):
        if not kept or kept[-1].document != each.document or kept[-1].spans[-1, 0] <= each.spans[0, 0]:
            kept.append(each)
    return kept
