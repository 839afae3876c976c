"""Reading the courses of servers: their lessons in order, and the sources that answers cite.

Texts are put together from the stored passages. No file is looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.core.documents.text.sentences import sentence_spans
from app.core.search.sources import outline_source
from app.domain.errors import UserError
from app.domain.scope import includes
from app.domain.sources import LessonText, Source, SourceState
from app.features.shared.catalogue import shared_id, shared_path
from app.features.shared.course_text import Replaced, SharedText, fetched, in_order
from app.features.shared.records import lesson_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.elsewhere import CourseText
    from app.domain.courses import Course
    from app.domain.scope import Scope
    from app.domain.search import SearchHit
    from app.domain.shared import SharedCourse, SharedDocument
    from app.features.shared.service import SharedLibraries, Shown
    from app.features.shared.subscription import Subscription


class Found(NamedTuple):
    """A document that a server lists, and where."""

    subscription: Subscription
    course: SharedCourse
    document: SharedDocument


class SharedReading:
    """The courses of all subscriptions, as :class:`app.core.search.elsewhere.CoursesElsewhere`."""

    def __init__(self, libraries: SharedLibraries) -> None:
        self._libraries = libraries

    def courses(self) -> tuple[Course, ...]:
        return self._libraries.courses()

    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        for one in self._libraries.shown():
            if one.catalogue is not None and one.refused is None:
                titles = {course.title for course in one.courses}
                vectors = one.catalogue.title_vectors
                found |= {title: vectors[title] for title in vectors if title in titles}
        return found

    def text_of(self, title: str) -> CourseText | None:
        for one in self._libraries.shown():
            for course in _visible(one):
                if course.title == title:
                    return SharedText(one.subscription, course.uid)
        return None

    def characters(self, titles: Iterable[str], scope: Scope) -> int:
        wanted = set(titles)
        return sum(
            end - start
            for one in self._libraries.shown()
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
        return Source(n, ref, hit, _sentences(found, hit), found.document.sha256)

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        for one in self._libraries.shown():
            if one.subscription.address.url == course.server and one.catalogue is not None:
                for shared in one.catalogue.courses.values():
                    if shared.title == course.title and shared.documents:
                        first = in_order(shared)[0]
                        address = one.subscription.address
                        holder = (
                            shared_id(address.key, first.uid),
                            shared_path(address, first),
                            first.sha256,
                        )
                        return outline_source(n, course, text, holder)
        raise KeyError(course.title)

    def source_state(self, source: Source) -> SourceState:
        found = self._document(source.hit.document_id) or self._same(source)
        if found is not None:
            return SourceState.CURRENT
        return SourceState.CHANGED if self._successor(source) else SourceState.REMOVED

    def lesson_text(self, source: Source) -> LessonText | None:
        found = self._document(source.hit.document_id) or self._same(source) or self._successor(source)
        if found is None:
            return None
        state, path = self.source_state(source), shared_path(found.subscription.address, found.document)
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

    def _document(self, document_id: int) -> Found | None:
        """Return a document that is listed now, of a hidden course, too."""
        for one in self._libraries.shown():
            if one.catalogue is not None and (found := one.catalogue.by_id.get(document_id)):
                return Found(one.subscription, *found)
        return None

    def _same(self, source: Source) -> Found | None:
        """Return a document of the same file, such as one that was given another lesson number."""
        hit = source.hit
        for found in self._documents():
            is_same = found.document.sha256 == source.document_sha256
            if is_same and found.subscription.address.host == hit.server:
                return found
        return None

    def _successor(self, source: Source) -> Found | None:
        """Return the document that has taken the place of a source's."""
        for found in self._documents():
            address = found.subscription.address
            if found.course.title == source.hit.course_title and shared_path(address, found.document) == (
                source.hit.path
            ):
                return found
        return None

    def _documents(self) -> Iterable[Found]:
        for one in self._libraries.shown():
            if one.catalogue is not None:
                for course, document in one.catalogue.documents.values():
                    yield Found(one.subscription, course, document)


def _visible(one: Shown) -> list[SharedCourse]:
    courses = one.catalogue.courses.items() if one.catalogue else ()
    return [course for uid, course in courses if uid in one.uids]


def _around(found: Found, hit: SearchHit) -> tuple[int, str]:
    """Return where the lesson around a passage begins, or the whole document, and its text.

    Raises UserError and Replaced.
    """
    spans = enumerate(found.document.lessons)
    lesson = next((at for at, (start, end, _) in spans if start <= hit.start and hit.end <= end), None)
    passages = fetched(found.subscription, found.course, found.document, lesson)
    return lesson_text(passages) if passages else (0, "")


def _sentences(found: Found, hit: SearchHit) -> tuple[tuple[int, int], ...]:
    """Return the sentences of a hit: those of the passages it was found in, or else as texts are cut here."""
    memory = found.subscription.passages
    spans: set[tuple[int, int]] = set()
    for passage in memory.within(found.document.uid, hit.start, hit.end):
        spans.update(
            (max(start, hit.start), min(end, hit.end))
            for start, end in passage.sentences
            if start < hit.end and end > hit.start
        )
    if not spans:
        return tuple((hit.start + start, hit.start + end) for start, end in sentence_spans(hit.text))
    return tuple(sorted(spans))
