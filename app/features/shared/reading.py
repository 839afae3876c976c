"""The courses of servers: searched, read lesson by lesson, and cited.

Texts are put together from the stored passages. No file is looked for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from app.core.documents.text.sentences import sentence_spans
from app.core.search.remote import PassagePlace, RemoteCourses, hit_of
from app.core.search.sources import outline_source
from app.domain.errors import SharedError, UserError
from app.domain.file_paths import natural_path
from app.domain.messages import Message
from app.domain.scope import includes
from app.domain.shared import ServerState
from app.domain.sources import LessonText, Source, SourceState
from app.features.shared.catalogue import shared_id, shared_path
from app.features.shared.connection import CONTENT
from app.features.shared.records import decode_passage, is_listed, lesson_text
from app.features.shared.searching import ServerSearch, not_searched, remote_passage

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.filters import MetadataFilter
    from app.core.search.remote import CourseText, Pieces, RemoteLibrary
    from app.domain.courses import Course
    from app.domain.file_paths import NaturalKey
    from app.domain.scope import Scope
    from app.domain.search import SearchHit, Window
    from app.domain.shared import SharedLibrary
    from app.features.shared.model import SharedCourse, SharedDocument
    from app.features.shared.records import SharedPassage
    from app.features.shared.service import KnownLibrary, SharedLibraries
    from app.features.shared.subscription import Subscription

_AT_ONCE = 100  # passages a request, about half a megabyte
_WHOLE = 300  # passages of a document that is fetched whole, and not lesson by lesson
_LONGEST = 3_000  # passages that are read at once, about 15 megabytes


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
        """Return a document that is listed now, of a hidden course, too."""
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

    def pieces(self, passages: Sequence[int]) -> Pieces:
        found = ((key, self._passages[key]) for key in passages)
        return {key: (one.spans, one.vectors.reshape(len(one.spans), -1)) for key, one in found}

    def headings(self, lessons: Iterable[Hashable]) -> list[str]:
        marks = {
            (key, mark.start): str(mark.anchor.value)
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
    """Return a course's documents in the order in which they are read."""

    def order(document: SharedDocument) -> tuple[int, NaturalKey]:
        numbers = [number for _, _, number in document.lessons if number is not None]
        return min(numbers, default=-1), natural_path(document.name)

    return sorted(course.documents, key=order)


def fetched(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, lesson: int | None
) -> list[SharedPassage]:
    """Return the passages of a document in order, or of one of its lessons; those read last are kept.

    Raises:
        SharedError: the server is away, or what it has is not whole.
        UserError: that would be too much.
    """
    wanted = lesson if document.passages > _WHOLE else None
    if wanted is None and document.passages > _LONGEST:
        raise UserError(Message("shared.too_long"))
    passages = subscription.kept_text(document.uid, wanted)
    if passages is None:
        try:
            passages = _fetch(subscription, course, document, wanted)
        except SharedError as error:
            subscription.failed(error)
            raise
        subscription.keep_text(document.uid, wanted, passages)
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
