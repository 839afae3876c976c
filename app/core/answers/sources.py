"""The sources of one answer: numbered, without duplicates, found again by their reference."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from app.core.answers.prompts import one_line
from app.domain.courses import Course
from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.search import LessonDigest, LessonPart, SearchHit, SearchResults
from app.domain.sources import OUTLINE, Source, SourceState


class Library(Protocol):
    """What answering needs of the library. Called from a worker thread."""

    def retrieve(
        self,
        query: str,
        course_name: str | None,
        lesson_number: int | None,
        scope: Scope,
        limit: int | None,
        *,
        rewordings: Sequence[str] = (),
    ) -> SearchResults:
        """Return the best passages inside ``scope`` for a query and other wordings of it."""

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return the course, or a sentence saying why there is none."""

    def read_lesson(
        self, course_name: str, lesson_number: int | None, part: int, scope: Scope
    ) -> LessonPart | str:
        """Return a part of a lesson or a whole course, or a sentence saying why there is none."""

    def place_asked_for(self, question: str, scope: Scope) -> tuple[str, int | None] | Message | None:
        """Return the course and the lesson of which a question asks for all; a message if several fit."""

    def digest(self, course_title: str, lesson_number: int | None, scope: Scope) -> LessonDigest | None:
        """Return a lesson, or a whole course, in a few of its own sentences."""

    def whole(self, scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Return all text of a scope in reading order; none if it is everything, or longer than that."""

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return the hit as source ``n`` with its sentences, hash and a reference of its own.

        Raises KeyError if its document has left the library.
        """

    def make_outline_source(self, n: int, course: Course, text: str) -> Source:
        """Return the outline of a course as source ``n``, of which each line can be cited.

        Raises KeyError if the course has left the library.
        """

    def titles(self) -> tuple[str, ...]:
        """Return the titles of all courses, in order."""

    def source_state(self, source: Source) -> SourceState:
        """Return how a source stands to the current library."""


class SentWhole(NamedTuple):
    """Sources sent because of their position; an answer shows those that it cites."""

    sources: tuple[Source, ...]


class SourceRegistry:
    """Numbers the sources of one answer from 1 on."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._by_place: dict[tuple[int, int, int], Source] = {}  # in the order of their numbers

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(self._by_place.values())

    def add(self, hits: Iterable[SearchHit]) -> tuple[list[Source], list[Source]]:
        """Enter the hits of a search; return the sources that are new, and those found before."""
        new: list[Source] = []
        known: list[Source] = []
        for hit in hits:
            place = (hit.document_id, hit.start, hit.end)
            source = self._by_place.get(place)
            if source is None:
                with suppress(KeyError):  # removed since it was found
                    source = _citable(self._library.make_source(len(self._by_place) + 1, hit))
                    self._by_place[place] = source
                    new.append(source)
            elif source not in new and source not in known:
                known.append(source)
        return new, known

    def add_outline(self, course: Course, text: str) -> Source | None:
        """Enter the outline of a course; None if the course was removed meanwhile."""
        with suppress(KeyError):
            source = self._library.make_outline_source(len(self._by_place) + 1, course, text)
            return self._by_place.setdefault((source.hit.document_id, OUTLINE, OUTLINE), source)
        return None

    def by_ref(self, ref: str) -> Source | None:
        return next((source for source in self.sources if source.ref == ref), None)

    def by_number(self, n: int) -> Source | None:
        return self.sources[n - 1] if 1 <= n <= len(self._by_place) else None


def heading(hit: SearchHit) -> str:
    """Return ``Course - Lesson N``, or the course alone where there is no lesson."""
    title = one_line(hit.course_title)
    return title if hit.lesson_number is None else f"{title} - Lesson {hit.lesson_number}"


def full_heading(hit: SearchHit) -> str:
    """Return the heading with the title of the lesson behind it."""
    title = one_line(hit.lesson_title)
    return f"{heading(hit)}: {title}" if title else heading(hit)


def numbered_text(source: Source) -> str:
    """Return a source for a model that cites with ``[n]``."""
    joint = "\n" if source.hit.chunk_index == OUTLINE else " "
    return f"Passage [{source.n}]\n[{full_heading(source.hit)}]\n{joint.join(source.texts)}"


def _citable(source: Source) -> Source:
    """Leave out empty sentences, which servers refuse; without any, the passage is its only one."""
    spans = tuple(span for span in source.sentences if source.text(*span).strip())
    return replace(source, sentences=spans or ((source.hit.start, source.hit.end),))
