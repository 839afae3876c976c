"""The sources of one answer: numbered, without duplicates, found again by their reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.core.answers.prompts import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.domain.courses import Course
    from app.domain.scope import Scope
    from app.domain.search import SearchHit, SearchResults
    from app.domain.sources import Source


class Library(Protocol):
    """What answering needs of the library. Called from a worker thread."""

    def retrieve(
        self, query: str, course_name: str | None, lesson_number: int | None, scope: Scope, limit: int | None
    ) -> SearchResults:
        """Return the best passages inside ``scope``."""

    def outline(self, course_name: str, scope: Scope) -> Course | str:
        """Return the course, or a sentence saying why there is none."""

    def make_source(self, n: int, hit: SearchHit) -> Source:
        """Return the hit as source ``n`` with its sentences, hash and a reference of its own."""

    def document_text(self, document_id: int) -> str:
        """Return the whole text of a document as read."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A source as it is sent to the model.

    Attributes:
        source: with its number and reference.
        spans: of the citable units in the document, in order; one text block is sent for each.
        texts: the document's text at ``spans``.
    """

    source: Source
    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]

    @property
    def heading(self) -> str:
        """``Course - Lesson N``, or the course alone where there is no lesson."""
        return heading(self.source.hit)


def heading(hit: SearchHit) -> str:
    """Return ``Course - Lesson N``, or the course alone where there is no lesson."""
    title = one_line(hit.course_title)
    return title if hit.lesson_number is None else f"{title} - Lesson {hit.lesson_number}"


class SourceRegistry:
    """Numbers the passages of one answer from 1 on and keeps the text they were cut from."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._by_place: dict[tuple[int, int, int], Passage] = {}
        self._by_ref: dict[str, Passage] = {}
        self._by_number: dict[int, Passage] = {}
        self._texts: dict[int, str] = {}

    @property
    def sources(self) -> tuple[Source, ...]:
        """All sources so far in the order of their numbers."""
        return tuple(passage.source for passage in self._by_number.values())

    @property
    def passages(self) -> list[Passage]:
        """All passages so far in the order of their numbers."""
        return list(self._by_number.values())

    def add(self, hits: Iterable[SearchHit]) -> tuple[list[Passage], list[Passage]]:
        """Enter the hits of one search.

        Returns:
            The passages that are new, and those that were entered by an earlier search.
        """
        new: list[Passage] = []
        known: list[Passage] = []
        for hit in hits:
            place = (hit.document_id, hit.start, hit.end)
            if place in self._by_place:
                known.append(self._by_place[place])
                continue
            passage = self._passage(self._library.make_source(len(self._by_number) + 1, hit))
            self._by_place[place] = passage
            self._by_ref[passage.source.ref] = passage
            self._by_number[passage.source.n] = passage
            new.append(passage)
        return new, [passage for passage in dict.fromkeys(known) if passage not in new]

    def by_ref(self, ref: str) -> Passage | None:
        """Return the passage that was sent under this reference."""
        return self._by_ref.get(ref)

    def by_number(self, n: int) -> Passage | None:
        """Return the passage with this number."""
        return self._by_number.get(n)

    def text_of(self, passage: Passage) -> str:
        """Return the text of the passage's document."""
        return self._texts[passage.source.hit.document_id]

    def _passage(self, source: Source) -> Passage:
        hit = source.hit
        if hit.document_id not in self._texts:
            self._texts[hit.document_id] = self._library.document_text(hit.document_id)
        text = self._texts[hit.document_id]
        # The API refuses empty blocks, and the index of a block has to be the index of a span.
        spans = [(start, end) for start, end in source.sentences if text[start:end].strip()]
        spans = spans or [(hit.start, hit.end)]
        return Passage(source, tuple(spans), tuple(text[start:end] for start, end in spans))
