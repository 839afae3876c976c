"""Courses that the library file does not hold, as they are listed, read and cited beside its own.

:mod:`app.features.shared` has such courses, on servers; here nobody knows how they are reached. Their
documents have negative keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from app.domain.sources import SourceState

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.ranking import Window
    from app.domain.courses import Course
    from app.domain.scope import Scope
    from app.domain.search import SearchHit
    from app.domain.sources import LessonText, Source

    Pieces = Mapping[int, tuple[NDArray[np.int32], NDArray[np.float32]]]
    """Spans of passages' pieces in the document, and their vectors, by the keys of the passages."""


class Place(NamedTuple):
    """A passage and where it stands."""

    key: int
    lesson: Hashable  # the same for passages of one lesson of one document
    number: int | None  # of the lesson
    title: str  # of the lesson
    start: int
    end: int
    text: str


class CourseText(Protocol):
    """The passages of one course."""

    def passages(self, number: int | None) -> Sequence[Place]:
        """Return them in reading order; with a number only those of its lessons. Neighbours may overlap.

        Raises UserError if they cannot be had now.
        """

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        """Turn windows of the text of passages into hits; those whose passage is gone are dropped."""

    def pieces(self, passages: Sequence[int]) -> Pieces:
        """Return the pieces of passages, which are without them if another model is taking over."""

    def headings(self, lessons: Iterable[Hashable]) -> list[str]:
        """Return the headings inside lessons, in order of these."""


class CoursesElsewhere(Protocol):
    """All courses that are not the library's own. Thread-safe; asks a server only where that is said."""

    def courses(self) -> tuple[Course, ...]:
        """Return the courses, none of which has the title of an own one."""

    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of their titles, of the embedding model in use."""

    def text_of(self, title: str) -> CourseText | None:
        """Return a course's text, which is fetched when it is read; None for an unknown title."""

    def characters(self, titles: Iterable[str], scope: Scope) -> int:
        """Return about how long the text in a scope is of those of these courses that are here."""

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return a hit as a source; raises KeyError if its document is not listed any more."""

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        """Return an outline as a source; raises KeyError if its course is not listed any more."""

    def source_state(self, source: Source) -> SourceState:
        """Return how a source stands to what is listed now."""

    def lesson_text(self, source: Source) -> LessonText | None:
        """Return the lesson of a source, which may be fetched, or the passage alone while that fails.

        None if its document is not listed any more.
        """


class Nowhere:
    """No courses."""

    def courses(self) -> tuple[Course, ...]:
        return ()

    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        return {}

    def text_of(self, title: str) -> CourseText | None:
        return None

    def characters(self, titles: Iterable[str], scope: Scope) -> int:
        return 0

    def make_source(self, n: int, hit: SearchHit) -> Source:
        raise KeyError(hit.document_id)

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        raise KeyError(course.title)

    def source_state(self, source: Source) -> SourceState:
        return SourceState.REMOVED

    def lesson_text(self, source: Source) -> LessonText | None:
        return None
