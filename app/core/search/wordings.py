"""A question in several wordings, searched for as one.

The question itself counts half, its other wordings share the other half. Cosine and coverage are both linear,
so one blended vector and one blended weight for each word rank a passage by the mean of its scores for all
wordings, at the cost of one search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

_OF_THE_QUESTION = 0.5


def blended_vector(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Blend the vectors of the question and its other wordings; not normalized."""
    if len(vectors) == 1:
        return vectors[0]
    return np.asarray(np.array(_shares(len(vectors)), np.float32) @ np.stack(vectors))


def blended_weights(wordings: Sequence[Collection[str]], rarity: Mapping[str, float]) -> dict[str, float]:
    """Return what each stem weighs, 1 in all.

    ``wordings`` are the stems of the question and of its other wordings, ``rarity`` those of all of them.
    """
    weights: dict[str, float] = {}
    for stems, share in zip(wordings, _shares(len(wordings)), strict=True):
        total = sum(rarity[stem] for stem in stems) or 1.0
        for stem in stems:
            weights[stem] = weights.get(stem, 0.0) + share * rarity[stem] / total
    return weights


def _shares(wordings: int) -> list[float]:
    if wordings == 1:
        return [1.0]
    return [_OF_THE_QUESTION, *[(1 - _OF_THE_QUESTION) / (wordings - 1)] * (wordings - 1)]
