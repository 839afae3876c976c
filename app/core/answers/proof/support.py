"""Finds the sentences a claim rests on, and judges whether they show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from app.core.answers.proof.agreement import disagreement
from app.domain.messages import Message
from app.domain.sources import Support

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.answers.proof.evidence import Evidence, Sentence
    from app.domain.embedding_models import CosineScale


class TextModel(Protocol):
    @property
    def scale(self) -> CosineScale:
        """What its cosines are on the scale of the thresholds."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text, of length 1."""


class TextEmbedder(Protocol):
    def model_now(self) -> TextModel:
        """Return the model in use, which stays as it is when another one takes over."""


_MOST_TEXTS = 120  # of one answer: two to three milliseconds each
_LONGEST_TEXT = 1000  # characters


class Likeness:
    """Compares texts, as many as there is time for in one answer, all with the same model."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._embedder = embedder
        self._model: TextModel | None = None
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Read texts that matter most before others take the time."""
        for text in texts:
            self._vector(text)

    def of(self, one: str, other: str) -> float:
        """Return the scaled cosine of two texts; 0 when the model or the time is missing."""
        first, second = self._vector(one), self._vector(other)
        if self._model is None or first is None or second is None:
            return 0.0
        return float(self._model.scale.of(first @ second))

    def _vector(self, text: str) -> NDArray[np.float32] | None:
        text = text[:_LONGEST_TEXT]
        if text not in self._vectors:
            if self._embedder is None or len(self._vectors) >= _MOST_TEXTS:
                return None
            if self._model is None:
                self._model = self._embedder.model_now()
            self._vectors[text] = self._model.embed_query(text)
        return self._vectors[text]


_MOST_TOGETHER = 4  # sentences that may show one claim
_LEAST_GAIN = 0.08  # share of the claim that a further sentence must add
_NUMBER_WEIGHT = 1.0
# Shares of a claim's words, by their rarity. The thresholds are those of docs/answers.md.
SUPPORTED_FROM = 0.4
DOUBTFUL_FROM = 0.15  # from here on a claim is supported if its sentences mean much the same
RELATED_FROM = 0.25

ALIKE_FROM = 0.45
"""Cosine of a claim and the sentences it rests on from which on they mean much the same."""
ALIKE_IN_ANOTHER_LANGUAGE_FROM = 0.4
"""The same where they are in two languages, which the model places less near to each other."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the sources have to say about a claim."""

    support: Support
    places: tuple[int, ...] = ()  # the sentences it was held against, best first
    reason: Message | None = None
    score: float = 0.0  # share of the claim's words that they have

    @property
    def is_doubtful(self) -> bool:
        """Whether the words alone do not decide."""
        return self.reason is None and DOUBTFUL_FROM <= self.score < SUPPORTED_FROM


@dataclass(frozen=True, slots=True)
class _Item:
    """A word or number of a claim, and where the evidence has it."""

    held: Collection[int]
    weight: float


def judge(claim: Sentence, evidence: Evidence, among: Collection[int] | None = None) -> Judgement:
    """Hold a claim against all sentences, or only those ``among`` them."""
    items = _items(claim, evidence)
    total = sum(item.weight for item in items)
    if not total:
        return Judgement(Support.NOT_FROM_COURSES)
    places, covered = _choose(items, evidence, among)
    score = covered / total
    reason = disagreement(claim, evidence, places) if places else None
    if score < RELATED_FROM:
        return Judgement(Support.NOT_FROM_COURSES, places, reason, score)
    if reason is None and score >= SUPPORTED_FROM:
        return Judgement(Support.SUPPORTED, places, None, score)
    return Judgement(Support.NOT_FOUND, places, reason, score)


def judge_in_another_language(claim: Sentence, evidence: Evidence) -> Judgement | None:
    """Return what is wrong with the numbers of a claim whose words cannot be compared; None if nothing is."""
    for number in claim.numbers:
        if number.is_asked and not evidence.holding_number(number):
            return Judgement(Support.NOT_FOUND, (), Message("proof.not_in_sources", claimed=number.shown))
    return None


def _items(claim: Sentence, evidence: Evidence) -> list[_Item]:
    items = []
    seen: set[str] = set()
    for word in claim.words:
        if word.is_content and word.stem not in seen:
            seen.add(word.stem)
            held = evidence.holding(word)
            items.append(_Item(held, evidence.rarity(held)))
    for number in claim.numbers:
        if number.is_asked:
            held = evidence.holding_number(number)
            items.append(_Item(held, _NUMBER_WEIGHT * evidence.rarity(held)))
    return items


def _choose(
    items: Sequence[_Item], evidence: Evidence, among: Collection[int] | None
) -> tuple[tuple[int, ...], float]:
    """Return the sentences that together hold most of a claim, best first, and how much they hold."""
    total = sum(item.weight for item in items)
    chosen: list[int] = []
    covered = 0.0
    left = list(items)
    while len(chosen) < _MOST_TOGETHER:
        gains: dict[int, float] = {}
        for item in left:
            for place in item.held:
                if among is None or place in among:
                    gains[place] = gains.get(place, 0.0) + item.weight
        if not gains:
            break
        best = max(gains, key=lambda place: (gains[place], -place))
        if gains[best] < _LEAST_GAIN * total:
            break
        chosen.append(best)
        covered += gains[best]
        left = [item for item in left if best not in item.held]
    return tuple(chosen), covered
