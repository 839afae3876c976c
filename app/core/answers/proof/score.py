"""Grades a claim by one score: likeness of meaning, words that stand together, numbers.

The weights come from claims of language models that people labelled:
``python -m tests.tools.benchmarks.proof_weights FILE …`` prints them; docs/answers.md says how often it errs.
"""

import math
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.core.answers.likeness import Likeness
from app.core.answers.proof.evidence import Evidence, Sentence
from app.core.answers.proof.facts import wrong_fact
from app.domain.messages import Message
from app.domain.sources import Support

_BESIDE = 5  # words between two that stand together
_ROW = 3  # words

IN_LINE_FROM = 0.54
"""Score from which on a claim is taken to be in line with its sources."""
STANDS_FROM = 0.7
"""Share of a claim's words in rows of three from which on it stands there nearly as it is."""
RELATED_FROM = 0.25
"""Share of a claim's words from which on the sources have something to do with it."""


class Features(NamedTuple):
    """What is known of a claim and the sentences it is compared with; also the weight of each."""

    likeness: float  # of meaning, beyond what the question says; without a model, the share of its words
    together: float  # share of pairs of neighbouring words that stand near each other there
    numbers: float  # 1 if there are numbers, all of which stand in the sources


_WEIGHTS = Features(likeness=2.51, together=2.49, numbers=0.70)
_BIAS = -2.49


class Judgement(NamedTuple):
    """What the sources have to say about a claim."""

    support: Support
    places: tuple[int, ...] = ()  # of the sentences it was compared with, best first
    reason: Message | None = None


def judge(
    claim: Sentence,
    evidence: Evidence,
    likeness: Likeness,
    question: str = "",
    language: str = "",
    among: Collection[int] | None = None,
) -> Judgement:
    """Hold a claim against all sentences, or only those ``among`` them."""
    places, share = evidence.choose(claim, among)
    reason = wrong_fact(claim, evidence, places, language)
    if share < RELATED_FROM:
        return Judgement(Support.NOT_FROM_COURSES, places, reason)
    if reason is not None:
        return Judgement(Support.NOT_FOUND, places, reason)
    near = [evidence.sentences[place] for place in sorted(evidence.around(places))]
    if share_in_rows(claim, near) >= STANDS_FROM:
        return Judgement(Support.STANDS, places)
    features = features_of(claim, near, share)
    if score(features._replace(likeness=1.0)) >= IN_LINE_FROM:  # else no likeness is enough
        held_against = " ".join(evidence.sentences[place].text for place in places)
        alike = likeness.of(claim.text, held_against, question)
        if score(features if alike is None else features._replace(likeness=alike)) >= IN_LINE_FROM:
            return Judgement(Support.IN_LINE, places)
    return Judgement(Support.NOT_FOUND, places)


def score(features: Features) -> float:
    """Return how likely a claim is supported, where every second one is."""
    total = _BIAS + sum(weight * value for weight, value in zip(_WEIGHTS, features, strict=True))
    return 1 / (1 + math.exp(-total))


def features_of(claim: Sentence, near: Sequence[Sentence], share: float) -> Features:
    """Return what is known without the model of a claim that has no wrong fact."""
    words = [stem for sentence in near for stem in sentence.content]
    pairs = {
        frozenset((one, other)) for at, one in enumerate(words) for other in words[at + 1 : at + 1 + _BESIDE]
    }
    own = [frozenset(pair) for pair in pairwise(claim.content)]
    return Features(
        share,
        sum(pair in pairs for pair in own) / max(1, len(own)),
        float(any(number.is_asked for number in claim.numbers)),
    )


def share_in_rows(claim: Sentence, near: Sequence[Sentence]) -> float:
    """Return the share of a claim's words that stand near it in rows of three."""
    rows = {row for sentence in near for row in _rows(sentence)}
    in_row = {at + step for at, row in enumerate(_rows(claim)) if row in rows for step in range(_ROW)}
    return len(in_row) / max(1, len(claim.words))


def _rows(sentence: Sentence) -> list[tuple[str, ...]]:
    stems = [stem for _, stem in sentence.words]
    return [tuple(stems[at : at + _ROW]) for at in range(len(stems) - _ROW + 1)]
