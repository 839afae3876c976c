"""A library on a server as a search sees it: what it is asked, and what it gives.

:mod:`app.features.shared` has such libraries; here nobody knows how they are reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from app.domain.search import SearchHit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.ranking import StoredChunk, Window
    from app.core.search.vectors import MetadataFilter
    from app.domain.cancel import CancelToken
    from app.domain.documents import Anchor, AnchorMark
    from app.domain.figures import FigureLabel
    from app.domain.messages import Message

_FIRST_KEY = 2**50  # above those of any library file
_KEYS = 2**32  # of the passages of one document
_PAGED = ("page", "slide", "cell")


@dataclass(frozen=True, slots=True, eq=False)
class ShelfPassage:
    """A passage that was found there, with all that ranking and showing it need."""

    chunk: StoredChunk  # key and lesson count within its document; see numbered()
    document: int  # negative
    path: str  # that no file has
    course_title: str
    lesson_number: int | None
    lesson_title: str
    chunk_index: int
    link: str | None
    before: str  # what stands between it and the passage before it in its lesson
    anchors: tuple[AnchorMark, ...]  # within it, and the last one before it; ascending


class Near(NamedTuple):
    """A passage that may be a candidate; what ranking needs is fetched of the best only."""

    id: str  # what the library calls it
    text: str
    terms: Collection[int]  # hashes of those of its text and its course's title
    cosine: float  # of its vector and that of the question


class Terms(Protocol):
    """How many passages of a library contain each term of the full-text index."""

    def count(self, term: str) -> int:
        """Return in how many passages a term stands."""

    def beginning(self, begin: str) -> Sequence[str]:
        """Return the terms that begin so, in order."""


class ShelfView(Protocol):
    """What a filter passes of one library. Its methods may be called in any thread.

    Attributes:
        host: what the library is called in sentences.
        passages: how many the whole library has.
        searched: how many pass, about.
        languages: those of the library's documents.
        parts_courses: of some course only a part passes, whose terms are not known.
    """

    host: str
    passages: int
    searched: int
    languages: frozenset[str]
    parts_courses: bool

    @property
    def terms(self) -> Terms:
        """Those of the whole library."""

    @property
    def chosen(self) -> Terms:
        """Those of the courses of which anything passes."""

    def nearest(self, vector: NDArray[np.float32], token: CancelToken) -> list[Near]:
        """Return those of the passages that come nearest to a normalised vector, nearest first.

        Raises:
            SharedError: the library cannot be searched now.
            Cancelled: by the token.
        """

    def holding(
        self,
        vector: NDArray[np.float32],
        terms: Sequence[str],
        labels: Sequence[FigureLabel],
        token: CancelToken,
    ) -> list[Near]:
        """Return the nearest of the passages that have one of the terms, or name one of the figures.

        Raises as :meth:`nearest` does; the search goes on without them then. Some of the passages may have
        neither.
        """

    def fetch(self, ids: Sequence[str], token: CancelToken) -> list[ShelfPassage]:
        """Return these passages as they are ranked, without those that are gone; raises as the others do."""

    def fail(self, reason: Message) -> Message:
        """Note why the library gave nothing; return a sentence about it."""


class Shelf(Protocol):
    """A library on a server."""

    def view(self, passage_filter: MetadataFilter) -> ShelfView | Message | None:
        """Return what a filter passes; None if that is nothing, a sentence while the library is not asked."""


def numbered(found: Sequence[ShelfPassage]) -> dict[int, ShelfPassage]:
    """Return different passages by keys of one search: ascending, consecutive for neighbours in a lesson."""
    documents = {document: at for at, document in enumerate(sorted({each.document for each in found}))}
    keyed: dict[int, ShelfPassage] = {}
    for each in sorted(found, key=lambda each: (documents[each.document], each.chunk.key)):
        keyed[_FIRST_KEY + documents[each.document] * _KEYS + each.chunk.key] = each
    return keyed


def chunks_of(keyed: Mapping[int, ShelfPassage]) -> list[StoredChunk]:
    """Return the passages of :func:`numbered` as they are ranked."""
    return [
        each.chunk._replace(key=key, lesson=key - each.chunk.key + each.chunk.lesson)
        for key, each in keyed.items()
    ]


def hit_of(window: Window, keyed: Mapping[int, ShelfPassage]) -> SearchHit:
    """Return a window that begins in one of the passages as a hit, with any rank."""
    first = last = keyed[window.key]
    text, key = first.chunk.text, window.key
    while first.chunk.start + len(text) < window.end and (following := keyed.get(key := key + 1)):
        last = following
        gap = following.chunk.start - first.chunk.start - len(text)
        text += following.before.rjust(gap)[-gap:] if gap > 0 else ""
        text += following.chunk.text[max(-gap, 0) :]
    marks = {mark.start: mark.anchor for mark in (*first.anchors, *last.anchors)}
    anchor = _before(marks, window.best + 1)
    pages = pages_of(anchor, _before(marks, window.start + 1), _before(marks, window.end))
    start = window.start - first.chunk.start
    return SearchHit(
        rank=1,
        score=window.score,
        course_title=first.course_title,
        lesson_number=first.lesson_number,
        lesson_title=first.lesson_title,
        chunk_index=first.chunk_index,
        text=text[start : start + window.end - window.start],
        path=first.path,
        start=window.start,
        end=window.end,
        anchor=anchor,
        link=first.link,
        document_id=first.document,
        pages=pages,
    )


def pages_of(anchor: Anchor | None, first: Anchor | None, last: Anchor | None) -> tuple[int, int] | None:
    """Return the first and last page, slide or cell of a window, if they differ.

    ``anchor`` is that of its best piece, ``first`` and ``last`` are those of its ends; they may be headings.
    """
    if anchor is None or first is None or last is None or anchor.kind not in _PAGED:
        return None
    if first.kind != anchor.kind or last.kind != anchor.kind or first.value == last.value:
        return None
    return int(first.value), int(last.value)


def _before(marks: Mapping[int, Anchor], position: int) -> Anchor | None:
    """Return the last anchor before a position."""
    starts = [start for start in marks if start < position]
    return marks[max(starts)] if starts else None
