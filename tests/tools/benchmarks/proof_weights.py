"""Fits the weights of the score of a claim to claims that people labelled.

``python -m tests.tools.benchmarks.proof_weights FILE …`` prints the weights and the bias of
:mod:`app.core.answers.proof.score`, and how good they are where they were not fitted: by ten parts
of all claims, and with each set of claims left out in turn, this also for other thresholds. A ``FILE`` is one
for :mod:`tests.tools.benchmarks.proof`; claims without a set are one of their own, reported apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.core.answers.likeness import Likeness
from app.core.answers.proof.claims import plain
from app.core.answers.proof.evidence import Evidence, read_sentence
from app.core.answers.proof.facts import wrong_fact, wrong_number
from app.core.answers.proof.score import (
    IN_LINE_FROM,
    STANDS_FROM,
    Features,
    features_of,
    share_in_rows,
)
from app.core.documents.text.languages import certain_language_of
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result
from tests.tools.benchmarks.proof import TRUE_LABELS, read_claims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from tests.tools.benchmarks.proof import Row

    Vector = NDArray[np.float64]

_PARTS = 10
_THRESHOLDS = (0.5, 0.52, IN_LINE_FROM, 0.57, 0.6, 0.65, 0.7, 0.75)
_OTHER = "other"  # the set of claims that name none
_HARD = "ExpertQA"  # what experts judged there, words and meaning tell little of
_RIDGE = 3.0  # of weights of features whose spread is 1


class Seen(NamedTuple):
    """What is known of a claim."""

    features: Features
    share: float  # of its words that the sources have
    stands: bool
    is_wrong: bool  # in a fact, whatever the score
    is_true: bool
    source_set: str


def seen(row: Row, embedder: Embedder) -> Seen:
    text, evidence = plain(row.claim), Evidence(row.sources(given=True), row.question)
    language = certain_language_of(text)
    claim = read_sentence(text, language)
    places, share = evidence.choose(claim)
    near = [evidence.sentences[place] for place in sorted(evidence.around(places))]
    features = features_of(claim, near, share)
    held_against = " ".join(evidence.sentences[place].text for place in places)
    alike = Likeness(embedder).of(claim.text, held_against, row.question)
    features = features if alike is None else features._replace(likeness=alike)
    if wrong_number(claim, evidence, places):
        features = features._replace(numbers=-1.0)  # it never comes to a score: only the fit sees it
    wrong = wrong_fact(claim, evidence, places, language) is not None
    stands = share_in_rows(claim, near) >= STANDS_FROM
    return Seen(features, share, stands, wrong, row.label in TRUE_LABELS, row.source_set or _OTHER)


def fitted(features: Vector, labels: NDArray[np.bool_]) -> Vector:
    """Return the weights of a logistic regression, the bias last, found by Newton's method."""
    spread = features.std(0) + 1e-9
    rows = np.c_[(features - features.mean(0)) / spread, np.ones(len(features))]
    ridge = _RIDGE * np.diag([*np.ones(features.shape[1]), 0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (likely - labels) + ridge @ weights
        curvature = (rows * (likely * (1 - likely))[:, None]).T @ rows + ridge
        weights -= np.linalg.solve(curvature, slope)
    own = weights[:-1] / spread
    return np.array([*own, weights[-1] - own @ features.mean(0)])


def scores(features: Vector, weights: Vector) -> Vector:
    result: Vector = 1 / (1 + np.exp(-(features @ weights[:-1] + weights[-1])))
    return result


def weights_for(features: Vector, labels: NDArray[np.bool_], sets: NDArray[np.str_]) -> Vector:
    """Return fitted weights; of each set as many claims count as true as count as false."""
    chosen: list[NDArray[np.intp]] = []
    for name in np.unique(sets):
        sides = [np.flatnonzero((sets == name) & (labels == label)) for label in (True, False)]
        chosen += [np.resize(side, max(map(len, sides))) for side in sides]
    rows = np.concatenate(chosen)
    return fitted(features[rows], labels[rows])


def left_out(
    features: Vector, labels: NDArray[np.bool_], sets: NDArray[np.str_], groups: NDArray[Any]
) -> Vector:
    """Return the score of each claim by weights fitted without its group."""
    result = np.zeros(len(labels))
    for group in np.unique(groups):
        own = groups == group
        result[own] = scores(features[own], weights_for(features[~own], labels[~own], sets[~own]))
    return result


def quality(
    found: Vector, claims: Sequence[Seen], mine: NDArray[np.bool_], threshold: float = IN_LINE_FROM
) -> dict[str, float]:
    """Return in percent what is accepted of true claims, and which of the grades are labelled false."""
    true = np.array([one.is_true for one in claims])
    right = np.array([not one.is_wrong for one in claims])
    stands = right & np.array([one.stands for one in claims])
    good = right & (stands | (found >= threshold))

    def percent(part: NDArray[np.bool_], whole: NDArray[np.bool_]) -> float:
        return round(100 * float((part & whole & mine).sum()) / max(1, int((whole & mine).sum())), 1)

    accepted, refused = percent(good, true), percent(~good, ~true)
    return {
        "of": int(mine.sum()),
        "balanced": round((accepted + refused) / 2, 1),
        "accepted": accepted,
        "refused": refused,
        "false of good": percent(~true, good),
        "false of stands": percent(~true, stands),
        "true of not found": percent(true, ~good),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("claims", type=Path, nargs="+")
    options = parser.parse_args()
    embedder = prepared_embedder()
    claims = [seen(row, embedder) for file in options.claims for row in read_claims(file)]
    features = np.array([one.features for one in claims])
    labels = np.array([one.is_true for one in claims])
    sets = np.array([one.source_set for one in claims])
    *weights, bias = weights_for(features, labels, sets).round(2).tolist()
    named = sets != _OTHER
    parts = np.random.default_rng(1).integers(0, _PARTS, len(claims))
    by_set = left_out(features, labels, sets, sets)
    shares = np.array([one.share for one in claims])[:, None]
    by_words = left_out(shares, labels, sets, sets)
    result: dict[str, Any] = {"weights": Features(*weights)._asdict(), "bias": bias}
    result["ten parts"] = quality(left_out(features, labels, sets, parts), claims, named)
    for name in np.unique(sets):
        own = sets == name
        words = by_words >= 0.5
        balanced = (words[labels & own].mean() + (~words)[~labels & own].mean()) / 2
        result[name] = quality(by_set, claims, own) | {
            "balanced by words alone": round(100 * float(balanced), 1)
        }
    for threshold in _THRESHOLDS:
        chosen = {"all": named, f"without {_HARD}": named & (sets != _HARD), _OTHER: ~named}
        result[f"from {threshold}"] = {
            name: quality(by_set, claims, own, threshold) for name, own in chosen.items()
        }
    print_result({"benchmark": "proof_weights", **result})


if __name__ == "__main__":
    main()
