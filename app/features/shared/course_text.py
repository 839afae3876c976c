"""The passages of courses on servers, fetched lesson by lesson or document by document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.search.elsewhere import Place
from app.core.search.shelf import pages_of
from app.domain.errors import SharedError, UserError
from app.domain.file_paths import natural_path
from app.domain.messages import Message
from app.domain.search import SearchHit
from app.domain.shared import ServerState
from app.features.shared.catalogue import shared_id, shared_path
from app.features.shared.record import CONTENT
from app.features.shared.records import decode_passage, is_listed, lesson_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from app.core.search.elsewhere import Pieces
    from app.core.search.ranking import Window
    from app.domain.documents import Anchor
    from app.domain.file_paths import NaturalKey
    from app.domain.shared import SharedCourse, SharedDocument
    from app.features.shared.record import Found
    from app.features.shared.records import SharedPassage
    from app.features.shared.subscription import Subscription

_AT_ONCE = 100  # passages a request, about half a megabyte
_WHOLE = 300  # passages of a document that is fetched whole, and not lesson by lesson
_LONGEST = 3_000  # passages that are read at once, about 15 megabytes


class SharedText:
    """The text of a course by its uid; see :class:`app.core.search.elsewhere.CourseText`."""

    def __init__(self, subscription: Subscription, uid: str) -> None:
        self._subscription = subscription
        self._uid = uid
        self._passages: list[SharedPassage] = []  # by the keys of places
        self._lessons: dict[Hashable, list[SharedPassage]] = {}

    def passages(self, number: int | None) -> Sequence[Place]:
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
            Place(
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
        course = self._course()
        hits: list[SearchHit] = []
        documents = {document.uid: document for document in course.documents}
        texts = {key: lesson_text(of_lesson) for key, of_lesson in self._lessons.items()}
        for window in windows:
            one = self._passages[window.key]
            if one.document not in documents:
                continue
            of_lesson = self._lessons[one.document, one.lesson]
            begin, text = texts[one.document, one.lesson]
            anchor = _anchor(of_lesson, window.best)
            hit = SearchHit(
                rank=len(hits) + 1,
                score=window.score,
                course_title=course.title,
                lesson_number=one.lesson_number,
                lesson_title=one.lesson_title,
                chunk_index=one.chunk_index,
                text=text[window.start - begin : window.end - begin],
                path=shared_path(self._subscription.address, documents[one.document]),
                start=window.start,
                end=window.end,
                anchor=anchor,
                link=one.link or course.link,
                document_id=shared_id(self._subscription.address.key, one.document),
                pages=pages_of(anchor, _anchor(of_lesson, window.start), _anchor(of_lesson, window.end - 1)),
            )
            hits.append(hit)
        return tuple(hits)

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


def in_order(course: SharedCourse) -> list[SharedDocument]:
    """Return a course's documents in the order in which they are read."""

    def order(document: SharedDocument) -> tuple[int, NaturalKey]:
        numbers = [number for _, _, number in document.lessons if number is not None]
        return min(numbers, default=-1), natural_path(document.name)

    return sorted(course.documents, key=order)


def fetched(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, lesson: int | None
) -> list[SharedPassage]:
    """Return the passages of a document in order, or of one of its lessons.

    Raises:
        SharedError: the server is away, or what it has is not whole.
        UserError: that would be too much.
    """
    try:
        if lesson is not None and document.passages > _WHOLE:
            return _of_lesson(subscription, course, document, lesson)
        if document.passages > _LONGEST:
            raise UserError(Message("shared.too_long"))
        passages = _of_document(subscription, course, document)
    except SharedError as error:
        subscription.failed(error)
        raise
    return [one for one in passages if lesson is None or one.lesson == lesson]


def _of_document(
    subscription: Subscription, course: SharedCourse, document: SharedDocument
) -> list[SharedPassage]:
    memory = subscription.passages
    missing = memory.missing(document.uid, document.passages)
    new: dict[int, SharedPassage] = {}
    for start in range(0, len(missing), _AT_ONCE):
        ids = [f"{document.uid}_{n}" for n in missing[start : start + _AT_ONCE]]
        found = subscription.connection.get(CONTENT, ids=ids, documents=True, metadatas=True)
        new |= {one.n: one for one in _checked(subscription, course, document, found)}
    known = {n: memory.get(document.uid, n) for n in range(document.passages) if n not in new}
    memory.keep(new.values())
    whole = [new.get(n) or known.get(n) for n in range(document.passages)]
    found_all = [one for one in whole if one is not None]
    if len(found_all) < document.passages:
        _not_whole(subscription, document)
    return found_all


def _of_lesson(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, lesson: int
) -> list[SharedPassage]:
    memory = subscription.passages
    if (kept := memory.lesson(document.uid, lesson)) is not None:
        return kept
    where = {"$and": [{"document": document.uid}, {"lesson": lesson}]}
    passages: dict[int, SharedPassage] = {}
    for offset in range(0, min(document.passages, _LONGEST), _AT_ONCE):
        found = subscription.connection.get(
            CONTENT, where=where, limit=_AT_ONCE, offset=offset, documents=True, metadatas=True
        )
        passages |= {one.n: one for one in _checked(subscription, course, document, found)}
        if len(found) < _AT_ONCE:
            break
    ordered = [passages[n] for n in sorted(passages)]
    if not ordered:
        _not_whole(subscription, document)
    memory.keep_lesson(document.uid, lesson, ordered)
    return ordered


class Replaced(Exception):
    """The course has been published anew."""


def _not_whole(subscription: Subscription, document: SharedDocument) -> None:
    """Look whether a document of which passages are missing was replaced meanwhile; raise what is so."""
    if document.uid not in subscription.renew().documents:
        raise Replaced
    server = subscription.address.host
    raise SharedError(Message("shared.not_whole", server=server), ServerState.AWAY)


def _checked(
    subscription: Subscription, course: SharedCourse, document: SharedDocument, found: Iterable[Found]
) -> Iterable[SharedPassage]:
    """Yield what is a passage of the document as it is listed."""
    dimension = subscription.model()[1]
    for record in found:
        one = decode_passage(record, dimension)
        if one is not None and is_listed(one, course, document):
            yield one


def _anchor(passages: Sequence[SharedPassage], position: int) -> Anchor | None:
    """Return the last anchor at a position or before it."""
    marks = [mark for one in passages for mark in one.anchors if mark.start <= position]
    return max(marks, key=lambda mark: mark.start).anchor if marks else None
