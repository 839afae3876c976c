"""The courses of servers: searched, read lesson by lesson, and cited.

Texts are put together from stored passages; no file is read.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.sentences import sentence_spans
from app.core.search.filters import MetadataFilter
from app.core.search.pieces import passage_terms
from app.core.search.ranking import StoredChunk
from app.core.search.remote import (
    CourseText,
    NearPassage,
    PassagePlace,
    RemoteCourses,
    RemoteLibrary,
    RemotePassage,
    hit_of,
)
from app.core.search.sources import outline_source
from app.core.search.terms import hashed_terms
from app.core.storage import codec
from app.domain.cancel import CancelToken
from app.domain.courses import Course
from app.domain.errors import SharedError, UserError
from app.domain.file_paths import NaturalKey, natural_path
from app.domain.messages import Message
from app.domain.scope import Scope, includes
from app.domain.search import SearchHit, Window
from app.domain.shared import ServerAddress, ServerState, SharedLibrary
from app.domain.sources import LessonText, Source, SourceState
from app.features.shared.connection import BATCH, CONTENT, Found
from app.features.shared.model import SharedCourse, SharedDocument
from app.features.shared.records import SharedPassage, decode_passage, is_listed, lesson_text
from app.features.shared.service import KnownLibrary, SharedLibraries
from app.features.shared.subscription import Subscription, shared_id, shared_path

_AT_ONCE = 100  # passages a request, about half a megabyte
_WHOLE = 300  # passages of a document that is fetched whole, and not lesson by lesson
_KEPT = 4_000  # passages of texts that were read, about 20 megabytes
_LONGEST = 3_000  # passages that are read at once, about 15 megabytes
_ROUNDING = 0.01  # of cosine distances: that of equal vectors may be a little less than 0
_MOST = 0.8  # of all passages
Numbers = frozenset[int | None]
"""Numbers of lessons; None for text in none."""


class SharedPlace(NamedTuple):
    """A document that a server lists, and where."""

    subscription: Subscription
    course: SharedCourse
    document: SharedDocument


class SharedReading(RemoteCourses):
    def __init__(self, libraries: SharedLibraries) -> None:
        self._libraries = libraries

    def courses(self) -> tuple[Course, ...]:
        return self._libraries.courses()

    def libraries(self) -> tuple[SharedLibrary, ...]:
        return self._libraries.libraries()

    def close(self) -> None:
        self._libraries.close()

    def searches(self, passage_filter: MetadataFilter) -> tuple[list[RemoteLibrary], list[Message]]:
        asked: list[RemoteLibrary] = []
        problems: list[Message] = []
        for known in self._libraries.known():
            if search := ServerSearch(known, passage_filter, self._libraries):
                if known.refused is None:
                    asked.append(search)
                else:
                    problems.append(not_searched(search.host, known.refused))
        return asked, problems

    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        for one in self._libraries.known():
            if one.other_model is None:
                titles = {course.title for course in one.courses}
                vectors = one.catalogue.title_vectors
                found |= {title: vectors[title] for title in vectors if title in titles}
        return found

    def text_of(self, title: str) -> CourseText | None:
        for one in self._libraries.known():
            for course in _visible(one):
                if course.title == title:
                    return SharedText(one.subscription, course.uid)
        return None

    def characters(self, titles: Iterable[str], scope: Scope) -> int:
        wanted = set(titles)
        return sum(
            end - start
            for one in self._libraries.known()
            for course in _visible(one)
            if course.title in wanted
            for document in course.documents
            for start, end, number in document.lessons
            if includes(scope, course.title, number)
        )

    def make_source(self, n: int, hit: SearchHit) -> Source:
        found = self._document(hit.document_id)
        if found is None:
            raise KeyError(hit.document_id)
        ref = f"lectern:{hit.document_id}:{hit.start}-{hit.end}"
        sentences = tuple((hit.start + start, hit.start + end) for start, end in sentence_spans(hit.text))
        return Source(n, ref, hit, sentences, found.document.sha256)

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        for found in self._documents():
            address = found.subscription.address
            if address.url == course.server and found.course.title == course.title:
                first = in_order(found.course)[0]
                holder = shared_id(address.key, first.uid), shared_path(address, first), first.sha256
                return outline_source(n, course, text, holder)
        raise KeyError(course.title)

    def source_state(self, source: Source) -> SourceState:
        return self._find(source)[1]

    def lesson_text(self, source: Source) -> LessonText | None:
        found, state = self._find(source)
        if found is None:
            return None
        path = shared_path(found.subscription.address, found.document)
        passage = LessonText(source, state, source.hit.text, source.hit.start, False, path, False)
        try:
            start, text = _around(found, source.hit)
        except (UserError, Replaced):
            return passage
        at = source.hit.start - start
        if at < 0 or text[at : at + len(source.hit.text)] != source.hit.text:
            at = text.find(source.hit.text)
            if at < 0:
                return passage
        if state is SourceState.CHANGED:  # elsewhere
            state = SourceState.CURRENT
        return LessonText(source, state, text, source.hit.start - at, True, path, False)

    def _document(self, document_id: int) -> SharedPlace | None:
        """Return a document that is listed now; its course may be hidden."""
        for one in self._libraries.known():
            if found := one.catalogue.by_id.get(document_id):
                return SharedPlace(one.subscription, *found)
        return None

    def _find(self, source: Source) -> tuple[SharedPlace | None, SourceState]:
        """Return the document of a source as it is listed now, or what has taken its place."""
        hit = source.hit
        if found := self._document(hit.document_id):
            return found, SourceState.CURRENT
        successor = None
        for found in self._documents():
            address = found.subscription.address
            # The same file with another lesson number, for example.
            if address.host == hit.server and found.document.sha256 == source.document_sha256:
                return found, SourceState.CURRENT
            is_named = shared_path(address, found.document) == hit.path
            if successor is None and is_named and found.course.title == hit.course_title:
                successor = found
        return successor, SourceState.CHANGED if successor else SourceState.REMOVED

    def _documents(self) -> Iterable[SharedPlace]:
        for one in self._libraries.known():
            for course, document in one.catalogue.documents.values():
                yield SharedPlace(one.subscription, course, document)


class SharedText:
    """The text of a course by its uid; see :class:`app.core.search.remote.CourseText`."""

    def __init__(self, subscription: Subscription, uid: str) -> None:
        self._subscription = subscription
        self._uid = uid
        self._passages: list[SharedPassage] = []  # by the keys of places
        self._lessons: dict[Hashable, list[SharedPassage]] = {}

    def passages(self, number: int | None) -> Sequence[PassagePlace]:
        course = self._course()
        try:
            found = self._fetched(course, number)
        except Replaced:
            found = self._fetched(self._course(), number)
        self._passages = found
        self._lessons = {}
        for one in found:
            self._lessons.setdefault((one.document, one.lesson), []).append(one)
        return [
            PassagePlace(
                key,
                (one.document, one.lesson),
                one.lesson_number,
                one.lesson_title,
                one.start,
                one.end,
                one.text,
            )
            for key, one in enumerate(found)
        ]

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        course, address = self._course(), self._subscription.address
        documents = {document.uid: document for document in course.documents}
        keyed = {
            key: remote_passage(address, course, documents[one.document], one)
            for key, one in enumerate(self._passages)
            if one.document in documents
        }
        hits = [hit_of(window, keyed) for window in windows if window.key in keyed]
        return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))

    def pieces(self, passages: Sequence[int]) -> dict[int, tuple[NDArray[np.int32], NDArray[np.float32]]]:
        found = ((key, self._passages[key]) for key in passages)
        return {key: (one.spans, one.vectors.reshape(len(one.spans), -1)) for key, one in found}

    def headings(self, lessons: Iterable[Hashable]) -> list[tuple[Hashable, int, str]]:
        marks = {
            (key, mark.start): (key, mark.start, str(mark.anchor.value))
            for key in lessons
            for one in self._lessons.get(key, ())
            for mark in one.anchors
            if mark.anchor.kind == "heading" and mark.start >= self._lessons[key][0].start
        }
        return list(marks.values())

    def _course(self) -> SharedCourse:
        catalogue = self._subscription.catalogue
        course = catalogue.courses.get(self._uid) if catalogue else None
        if course is None:
            raise UserError(Message("shared.course_gone", server=self._subscription.address.host))
        return course

    def _fetched(self, course: SharedCourse, number: int | None) -> list[SharedPassage]:
        wanted: list[tuple[SharedDocument, int | None]] = []
        for document in in_order(course):
            if number is None:
                wanted.append((document, None))
            else:
                wanted += [(document, at) for at, one in enumerate(document.lessons) if one[2] == number]
        if sum(document.passages for document, at in wanted if at is None) > _LONGEST:
            raise UserError(Message("shared.too_long"))
        found = []
        for document, at in wanted:
            found += fetched(self._subscription, course, document, at)
            if len(found) > _LONGEST:
                raise UserError(Message("shared.too_long"))
        return found


class Replaced(Exception):
    """The course has been published anew."""


def in_order(course: SharedCourse) -> list[SharedDocument]:

    def order(document: SharedDocument) -> tuple[int, NaturalKey]:
        numbers = [number for _, _, number in document.lessons if number is not None]
        return min(numbers, default=-1), natural_path(document.name)

    return sorted(course.documents, key=order)


def fetched(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, lesson: int | None
) -> list[SharedPassage]:
    """Return the passages of a document, or of one of its lessons, in order; recent ones are cached.

    Raises:
        SharedError: the server is away, or its document is incomplete.
        UserError: there are too many passages.
    """
    wanted = lesson if document.passages > _WHOLE else None
    if wanted is None and document.passages > _LONGEST:
        raise UserError(Message("shared.too_long"))
    texts = subscription.texts
    passages = texts.get((document.uid, wanted))
    if passages is None:
        try:
            passages = _fetch(subscription, course, document, wanted)
        except SharedError as error:
            subscription.failed(error)
            raise
        if sum(map(len, list(texts.values()))) + len(passages) > _KEPT:
            texts.clear()
        texts[document.uid, wanted] = passages
    return [each for each in passages if lesson is None or each.lesson == lesson]


def _fetch(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, lesson: int | None
) -> list[SharedPassage]:
    """Fetch a document, or a lesson of it, page by page; raises SharedError, Replaced."""
    of_document = {"document": document.uid}
    where = of_document if lesson is None else {"$and": [of_document, {"lesson": lesson}]}
    dimension = subscription.model()[1]
    passages: dict[int, SharedPassage] = {}
    for offset in range(0, min(document.passages, _LONGEST), _AT_ONCE):
        page = subscription.connection.get(
            CONTENT, where=where, limit=_AT_ONCE, offset=offset, documents=True, metadatas=True
        )
        decoded = [decode_passage(record, dimension) for record in page]
        passages |= {each.n: each for each in decoded if each and is_listed(each, course, document)}
        if len(page) < _AT_ONCE:
            break
    if not passages or (lesson is None and len(passages) < document.passages):
        if document.uid not in subscription.renew().documents:
            raise Replaced
        raise SharedError(Message("shared.not_whole", server=subscription.address.host), ServerState.AWAY)
    return [passages[n] for n in sorted(passages)]


def _visible(one: KnownLibrary) -> list[SharedCourse]:
    return [one.catalogue.courses[uid] for uid in one.uids]


def _around(found: SharedPlace, hit: SearchHit) -> tuple[int, str]:
    """Return where the lesson around a passage begins, or the whole document, and its text.

    Raises UserError and Replaced.
    """
    spans = enumerate(found.document.lessons)
    lesson = next((at for at, (start, end, _) in spans if start <= hit.start and hit.end <= end), None)
    passages = fetched(found.subscription, found.course, found.document, lesson)
    return lesson_text(passages) if passages else (0, "")


class ServerSearch:
    """Searches one library on a server, within a filter."""

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
        """Return the passages nearest to a vector; see the protocol."""
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
        """Return these passages with what ranking needs; see the protocol."""
        with self._noting_failure():
            records = self._subscription.connection.get(
                CONTENT, ids=ids, documents=True, metadatas=True, cancel=token
            )
        decoded = [decode_passage(record, self._dimension) for record in records]
        live = [each for each in decoded if each is not None and self._passes(each)]
        self._subscription.worked()
        return [self._made(each) for each in _ascending(live)]

    def fail(self, reason: Message) -> Message:
        """Record why the library gave no results; see the protocol."""
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
    """Return a passage in the form that is shown and, with its ``terms``, ranked."""
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
    """Return the lesson numbers that a filter lets through, by the uid of their course."""
    found: dict[str, Numbers] = {}
    for uid in library.uids:
        course = library.catalogue.courses[uid]
        if kept := frozenset(one for one in _numbers(course) if wanted.includes(course.title, one)):
            found[uid] = kept
    return found


def where(courses: Mapping[str, SharedCourse], chosen: Mapping[str, Numbers]) -> dict[str, Any] | None:
    """Return Chroma's filter for the chosen lessons; it may let a little more through.

    Chroma's cloud takes eight conditions. If most passages are chosen, there is no filter: filtering would
    take a server five times as long.
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
    """Return whether a record has the text and distance that a query asks for."""
    distance = record.distance
    return bool(record.document) and distance is not None and -_ROUNDING <= distance <= 2 + _ROUNDING


def _ascending(found: Sequence[SharedPassage]) -> list[SharedPassage]:
    """Return passages in document order, without those that begin before the end of the previous one."""
    kept: list[SharedPassage] = []
    for each in sorted(found, key=lambda each: (each.document, each.n)):
        if not kept or kept[-1].document != each.document or kept[-1].spans[-1, 0] <= each.spans[0, 0]:
            kept.append(each)
    return kept
