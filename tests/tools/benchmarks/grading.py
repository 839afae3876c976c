"""How often an answer in own words is graded right without a model, and the weights of that.

``python -m tests.tools.benchmarks.grading FILE`` prints one JSON line. ``FILE`` has an exercise a line, as a
JSON object: ``question``, ``solution``, ``paraphrase`` (all of it in other words), ``short`` (a part of it)
and ``has`` (the sentences of the solution that ``short`` has, from 0; null for all). Shares of points:

- ``same``, ``paraphrase``, ``short``: found in the solution itself, in the paraphrase, in the short answer.
- ``short_lacks``, ``other``: not found, since the short answer leaves them out, or the answer is the solution
  or the paraphrase of another exercise.
- ``negated``, ``number``, ``term``: not found, since the solution was altered: denied in one word, a number
  changed, the longest word exchanged for one of another exercise.

``weights`` are fitted to all exercises; ``unseen`` has the shares with weights fitted to the other half.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.core.answers.likeness import Likeness
from app.core.documents.text.sentences import sentence_spans
from app.features.study.grading import _BIAS, _WEIGHTS, AnswerPoint, Nearness, Reading, points_of
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder

    Vector = NDArray[np.float64]

_VERB = re.compile(r"\b(is|are|can|was|were|may|must|will|would)\b(?! not)")
_NUMBER = re.compile(r"\d+")
_STEPS, _RATE = 4_000, 0.5


class Case(NamedTuple):
    what: str
    near: Nearness | None
    is_there: bool
    half: int


def altered(sentence: str, term: str) -> Iterator[tuple[str, str]]:
    """Yield kinds of alterations of a sentence with the sentence they make."""
    if _VERB.search(sentence):
        yield "negated", _VERB.sub(r"\1 not", sentence, count=1)
    elif " not " in sentence or "cannot" in sentence:
        yield "negated", sentence.replace(" not ", " ", 1).replace("cannot", "can", 1)
    if found := _NUMBER.search(sentence):
        yield "number", _NUMBER.sub(str(int(found[0]) + 3), sentence, count=1)
    yield "term", sentence.replace(max(sentence.split(), key=len), term)


def _graded(
    embedder: Embedder,
    question: str,
    half: int,
    what: str,
    answer: str,
    among: Sequence[AnswerPoint],
    is_there: bool,
) -> Iterator[Case]:
    reading = Reading(answer, question, Likeness(embedder))
    yield from (Case(what, reading.nearness(one), is_there, half) for one in among)


def cases(rows: Sequence[dict[str, Any]], embedder: Embedder) -> Iterator[Case]:
    for at, row in enumerate(rows):
        points = points_of(row["solution"])
        sentences = [row["solution"][slice(*span)] for span in sentence_spans(row["solution"])]
        kept = sentences if row["has"] is None else [sentences[place] for place in row["has"]]

        graded = partial(_graded, embedder, row["question"], at % 2)
        yield from graded("same", row["solution"], points, True)
        yield from graded("paraphrase", row["paraphrase"], points, True)
        yield from graded("short", row["short"], [one for one in points if one.sentence in kept], True)
        yield from graded(
            "short_lacks", row["short"], [one for one in points if one.sentence not in kept], False
        )
        yield from graded("other", rows[at - 1]["solution"], points, False)
        yield from graded("other", rows[at + 1 - len(rows)]["paraphrase"], points, False)
        term = max(rows[at - 1]["solution"].split(), key=len).strip(".,;")
        for point in points:
            for what, text in altered(point.text, term):
                yield from graded(what, row["solution"].replace(point.text, text), [point], False)


def fitted(seen: Sequence[Case]) -> Vector:
    """Return weights and bias where both answers are as frequent; altered solutions are not looked at."""
    told = [(*one.near, 1.0) for one in seen if one.near]
    values, labels = np.array(told), np.array([one.is_there for one in seen if one.near], float)
    balance = 0.5 / np.where(labels == 1, labels.mean(), 1 - labels.mean())
    weights = np.zeros(values.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-values @ weights))
        pull = np.append(weights[:-1], 0.0) / (2 * len(labels))
        weights -= _RATE * (values.T @ (balance * (chance - labels)) / len(labels) + pull)
    return weights


def shares(found: Sequence[Case], weights: Sequence[float]) -> dict[str, float]:
    right: dict[str, list[bool]] = defaultdict(list)
    for one in found:
        there = one.near is not None and float(np.dot((*one.near, 1.0), weights)) > 0
        right[one.what].append(there == one.is_there)
    return {what: round(sum(each) / len(each), 3) for what, each in right.items()}


def measure(rows: Sequence[dict[str, Any]], embedder: Embedder) -> dict[str, Any]:
    found = list(cases(rows, embedder))
    plain = [one for one in found if one.what not in ("negated", "number", "term")]
    halves = [[one for one in found if one.half == half] for half in (0, 1)]
    unseen = []
    for half, other in (halves, halves[::-1]):
        weights = fitted([one for one in other if one in plain])
        unseen.append(shares(half, weights.tolist()))
    counts: dict[str, int] = defaultdict(int)
    for one in found:
        counts[one.what] += 1
    return {
        "points": dict(counts),
        "now": shares(found, (*_WEIGHTS, _BIAS)),
        "weights": fitted(plain).round(1).tolist(),
        "unseen": unseen,
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("exercises", type=Path, metavar="FILE")
    options = parser.parse_args()
    embedder = prepared_embedder()
    rows = [json.loads(line) for line in options.exercises.read_text("utf-8").splitlines()]
    print_result(measure(rows, embedder))


if __name__ == "__main__":
    main()
