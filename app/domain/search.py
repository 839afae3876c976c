"""What a search returns, and whether it covers the question."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.domain.documents import Anchor
from app.domain.messages import Message


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One passage found, best first by ``rank`` (from 1).

    ``score`` lies in 0…1, higher is better. It orders the hits of one search; across searches it only
    separates questions that the library covers from those it does not, see :data:`COVERED_SCORE`.
    ``anchor`` is where its best sentence stands, ``pages`` the first and last page (slide, cell) of a hit
    that covers several. ``missing`` are the words of the query that stand nowhere in what was searched.
    """

    rank: int
    score: float
    course_title: str
    lesson_number: int | None
    lesson_title: str
    chunk_index: int
    text: str
    path: str
    start: int
    end: int
    anchor: Anchor | None
    link: str | None
    document_id: int
    missing: tuple[str, ...] = ()
    pages: tuple[int, int] | None = None

    @property
    def server(self) -> str:
        """The host of the server that holds it, with which its path begins; empty for the own library."""
        return self.path.partition("/")[0] if self.document_id < 0 else ""


COVERED_SCORE = 0.40 / 1.3
"""A search whose best hit scores less most likely found no answer.

``python -m tests.tools.benchmarks.not_covered`` prints how often that is wrong, both ways.
"""
_JUST_BELOW = 0.99 * COVERED_SCORE


def are_covered(hits: Sequence[SearchHit]) -> bool | None:
    """Return whether the best hit is close enough to the question; None without hits."""
    return max(hit.score for hit in hits) >= COVERED_SCORE if hits else None


def rated(hits: Sequence[SearchHit], *, covered: bool, missing: tuple[str, ...]) -> tuple[SearchHit, ...]:
    """Return hits whose scores say the same as ``covered``; their order and ratios stay."""
    best = max((hit.score for hit in hits), default=0.0)
    limit = max(best, COVERED_SCORE) if covered else min(best, _JUST_BELOW)
    factor = limit / best if best else 1.0
    return tuple(replace(hit, score=hit.score * factor, missing=missing) for hit in hits)


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The answer to one search, best hit first."""

    query: str
    # The course that the course name resolved to; None without a name, with no match, or with several
    course_title: str | None
    hits: tuple[SearchHit, ...]
    # One sentence if the result needs explaining (no such course, several courses searched, an empty
    # library), else None
    message: Message | None = None
    # False if even the best hit is so far from the question that the material most likely does not answer it;
    # None if unknown
    covered: bool | None = None
    # Words of the query that stand nowhere in what was searched, as they were written
    missing: tuple[str, ...] = ()
    # Whether the material most likely teaches what is asked, which is more than to cover it; None if unknown
    taught: bool | None = None


class LessonPart(NamedTuple):
    """A part of a lesson, or of a whole course, as passages that follow each other without a gap."""

    hits: tuple[SearchHit, ...]
    part: int  # from 1
    parts: int


class LessonDigest(NamedTuple):
    """A lesson, or a whole course, in a few of its own sentences.

    ``headings`` are those that its parts, in order, stand under; they are empty where a part has none.
    """

    headings: tuple[str, ...]
    parts: tuple[SearchHit, ...]


def lesson_name(hit: SearchHit) -> Message:
    """Return the number and the title of a numbered lesson."""
    if hit.lesson_title:
        return Message("answers.lesson_titled", number=str(hit.lesson_number), title=hit.lesson_title)
    return Message("answers.lesson", number=str(hit.lesson_number))


def missing_words(words: Sequence[str]) -> Message | None:
    """Return a sentence that names words that stand in none of the lessons searched; None without any."""
    return Message("search.missing_words", words=", ".join(words)) if words else None


class Window(NamedTuple):
    """A contiguous slice of a document to show."""

    key: int  # of the passage it begins in
    start: int
    end: int
    score: float  # 0…1
    best: int  # where its best piece begins, at which to open the file
