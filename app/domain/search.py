"""What a search returns, and whether it covers the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.documents import Anchor
    from app.domain.messages import Message


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One passage found, best first by ``rank`` (from 1).

    ``score`` lies in 0…1, higher is better. It orders the hits of one search; across searches it only
    separates questions that the library covers from those it does not, see :data:`COVERED_SCORE`.
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


COVERED_SCORE = 0.40 / 1.3
"""A search whose best hit scores less most likely found no answer.

``python -m tests.benchmarks.not_covered`` prints how often that is wrong, both ways.
"""


def are_covered(hits: Sequence[SearchHit]) -> bool | None:
    """Return whether the best hit is close enough to the question; None without hits."""
    return max(hit.score for hit in hits) >= COVERED_SCORE if hits else None


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
