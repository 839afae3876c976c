"""Reorders the best passages by what a slower model says of each together with the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from app.core.search.ranking import RankedPieces

Scores = Callable[[str, Sequence[str]], NDArray[np.float32] | None]
"""Says how well each text answers a question, on any scale; None if it cannot say."""

_PASSAGES = 20  # that are compared with the question; the model takes some ten milliseconds for each
_WEIGHT = 0.5  # of the model's order; the rest is that of meaning and words


def reranked(ranked: RankedPieces, question: str, scores: Scores) -> RankedPieces:
    """Return the pieces with those of the best passages moved up or down.

    The best passages stay the best, in another order: the model's scores are brought to the range that
    theirs have. The order of the pieces within a passage stays.
    """
    best = np.full(len(ranked.candidates), -np.inf, np.float32)
    np.maximum.at(best, ranked.owner, ranked.score)
    compared = np.argsort(-best, kind="stable")[:_PASSAGES]
    given = scores(question, [ranked.candidates[at].text for at in compared.tolist()])
    if given is None or not np.ptp(given) > 0:
        return ranked
    before = best[compared]
    wanted = before.min() + np.ptp(before) * (given - given.min()) / np.ptp(given)
    moved = np.zeros_like(best)
    moved[compared] = _WEIGHT * (wanted - before)
    return replace(ranked, score=ranked.score + moved[ranked.owner])
