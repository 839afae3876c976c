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


@dataclass(frozen=True, slots=True)
class Passage:
    """A source as it is sent to the model.

    Attributes:
        source: with its number and reference.
        spans: of its sentences in the document, in order: the citable units.
        texts: the document's text at ``spans``.
    """

    source: Source
    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, source: Source) -> Passage:
        """Cut a source into its sentences, without empty ones, which servers refuse."""
        hit = source.hit
        cut = [(span, hit.text[span[0] - hit.start : span[1] - hit.start]) for span in source.sentences]
        cut = [(span, text) for span, text in cut if text.strip()] or [((hit.start, hit.end), hit.text)]
        spans, texts = zip(*cut, strict=True)
        return cls(source, spans, texts)

    @property
    def heading(self) -> str:
        return heading(self.source.hit)

    @property
    def numbered_text(self) -> str:
        return f"Passage [{self.source.n}]\n[{self.heading}]\n{' '.join(self.texts)}"

    def exact_text(self, first: int, last: int) -> str:
        """Return the document's text from sentence ``first`` up to ``last``, with what lies between them."""
        begin = self.source.hit.start
        return self.source.hit.text[self.spans[first][0] - begin : self.spans[last - 1][1] - begin]


def heading(hit: SearchHit) -> str:
    """Return ``Course - Lesson N``, or the course alone where there is no lesson."""
    title = one_line(hit.course_title)
    return title if hit.lesson_number is None else f"{title} - Lesson {hit.lesson_number}"


class SourceRegistry:
    """Numbers the passages of one answer from 1 on."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._by_place: dict[tuple[int, int, int], Passage] = {}  # in the order of their numbers

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(self._by_place.values())

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(passage.source for passage in self.passages)

    def add(self, hits: Iterable[SearchHit]) -> tuple[list[Passage], list[Passage]]:
        """Enter the hits of one search.

        Returns:
            The passages that are new, and those that an earlier search found.
        """
        new: list[Passage] = []
        known: list[Passage] = []
        for hit in hits:
            place = (hit.document_id, hit.start, hit.end)
            passage = self._by_place.get(place)
            if passage is None:
                passage = Passage.of(self._library.make_source(len(self._by_place) + 1, hit))
                self._by_place[place] = passage
                new.append(passage)
            elif passage not in new and passage not in known:
                known.append(passage)
        return new, known

    def by_ref(self, ref: str) -> Passage | None:
        return next((passage for passage in self.passages if passage.source.ref == ref), None)

    def by_number(self, n: int) -> Passage | None:
        return self.passages[n - 1] if 1 <= n <= len(self._by_place) else None
