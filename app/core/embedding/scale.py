"""How a model's cosines compare with the default model's.

Every constant of the search was fitted to the default model, whose cosines between a question and
unrelated passages lie around 0.03. Other models place the same texts elsewhere: multilingual-e5-small has
them all between 0.7 and 0.9. So a model's cosines between the questions and passages of a file are measured
when it is exported, and mapped to the mean and the spread that the default model's have.

Names of courses are too short for that scale. Much of what the vector of a few words says is that they are
few, and no sentence: so the means of names and of titles are taken away before the two are compared.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.config.paths import resource_path
from app.domain.embedding_models import IDENTITY, CosineScale


class NameScale(NamedTuple):
    """Tells how alike a course's name is to titles, on the scale of the default model's cosines."""

    names: Sequence[float] = ()  # mean of their vectors; the default model's are compared as they are
    titles: Sequence[float] = ()
    factor: float = 1.0
    offset: float = 0.0

    def of(self, name: NDArray[np.float32], titles: NDArray[np.float32]) -> NDArray[np.float32]:
        if not self.names:
            return titles @ name
        alike = _centred(titles, self.titles) @ _centred(name, self.names)
        return alike * self.factor + self.offset


COSINES = NameScale()  # the default model's


def measured_scale(questions: NDArray[np.float32], passages: NDArray[np.float32]) -> CosineScale:
    """Return the scale of the model that gave these vectors to the questions and passages to measure with.

    A model whose cosines do not differ keeps them.
    """
    cosines = questions @ passages.T
    spread = float(cosines.std())
    if spread < _LEAST_SPREAD:
        return IDENTITY
    factor = _DEFAULT_SPREAD / spread
    return CosineScale(factor, _DEFAULT_MEAN - factor * float(cosines.mean()))


def measured_names(names: NDArray[np.float32], titles: NDArray[np.float32]) -> NameScale:
    """Return the scale of the model that gave these vectors to the names and titles to measure with.

    With a model that cannot tell them apart, no name is like any title.
    """
    means = names.mean(axis=0), titles.mean(axis=0)
    own, nearest = own_and_nearest(_centred(names, means[0]) @ _centred(titles, means[1]).T)
    factor = offset = 0.0
    if own - nearest >= _LEAST_GAP:
        default_own, default_nearest = DEFAULT_OWN_AND_NEAREST
        factor = (default_own - default_nearest) / (own - nearest)
        offset = default_own - factor * own
    return NameScale(tuple(means[0].tolist()), tuple(means[1].tolist()), factor, offset)


def own_and_nearest(cosines: NDArray[np.float32]) -> tuple[float, float]:
    """Return the mean cosine of each name to its own title, and to the nearest of the others."""
    others = np.where(np.eye(len(cosines), dtype=bool), -1, cosines)
    return float(cosines.diagonal().mean()), float(others.max(axis=1).mean())


def _centred(
    vectors: NDArray[np.float32], mean: Sequence[float] | NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return vectors of length 1 without what all of their kind share."""
    rest = vectors - np.asarray(mean, np.float32)
    lengths = np.linalg.norm(rest, axis=-1, keepdims=True)
    return np.asarray(rest / np.maximum(lengths, _LEAST_LENGTH), np.float32)


# Of the default model's cosines between all questions and passages
_DEFAULT_MEAN, _DEFAULT_SPREAD = 0.059, 0.123
_LEAST_SPREAD = 0.005
# Of its cosines between names and titles
DEFAULT_OWN_AND_NEAREST = (0.517, 0.211)
_LEAST_GAP, _LEAST_LENGTH = 0.05, 1e-6


class Calibration(NamedTuple):
    """Texts to measure a model with, of many subjects: matches, neighbours and strangers."""

    questions: list[str]
    passages: list[str]  # that answer them, in the same order
    names: list[str]  # of courses, as people may call them
    titles: list[str]  # of the same courses


@cache
def calibration() -> Calibration:
    texts = json.loads(resource_path("resources/calibration.json").read_text(encoding="utf-8"))
    questions, passages = zip(*texts["questions"], strict=True)
    names, titles = zip(*texts["courses"], strict=True)
    return Calibration(list(questions), list(passages), list(names), list(titles))
