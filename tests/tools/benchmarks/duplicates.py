"""How well items that ask the same are told from those that ask something near.

``python -m tests.tools.benchmarks.duplicates [--pairs FILE] [--model FOLDER]`` prints one JSON line: for some
thresholds, the share of pairs that ask the same and the share of near misses that are taken for the same,
comparing questions with their answers; and, as the reference, comparing the questions alone. Also how long
comparing with a deck of 1,000 items takes at first, and then.

Each line of the file has ``same``, questions with answers that ask one thing in other words, and
``different``, near misses: about the same subject, often but for one word.
"""

from __future__ import annotations

import json
import time
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.domain.cancel import CancelToken
from app.features.study.kinds import KINDS
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.service import Duplicates
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder

_PAIRS = Path(__file__).parents[2] / "data" / "questions_same.jsonl"
_THRESHOLDS = (0.78, 0.82, 0.84, 0.86, 0.88, 0.9, 0.94)
_DECK = 1_000


def measure(embedder: Embedder, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the shares by threshold, for questions with answers and for questions alone."""
    found: dict[str, dict[bool, list[float]]] = {"with_answer": {True: [], False: []}}
    found["question_alone"] = {True: [], False: []}

    def vector(front: str, back: str) -> NDArray[np.float32]:
        meaning = KINDS[ItemKind.CARD].meaning(ItemText(front, back))
        found: NDArray[np.float32] = embedder.embed_passages([meaning], CancelToken())[0]
        return found

    for row in rows:
        pairs = [(True, one, other) for one, other in combinations(row["same"], 2)]
        pairs += [(False, row["same"][0], other) for other in row["different"]]
        pairs += [(False, one, other) for one, other in combinations(row["different"], 2)]
        for same, (one, answer), (other, other_answer) in pairs:
            alone = vector(one, "") @ vector(other, "")
            whole = vector(one, answer) @ vector(other, other_answer)
            for name, cosine in (("question_alone", alone), ("with_answer", whole)):
                found[name][same].append(float(embedder.scale.of(cosine)))
    return {
        name: {
            str(limit): {
                "same": round(float(np.mean(np.array(cosines[True]) >= limit)), 3),
                "near_misses": round(float(np.mean(np.array(cosines[False]) >= limit)), 3),
            }
            for limit in _THRESHOLDS
        }
        | {"pairs": [len(cosines[True]), len(cosines[False])]}
        for name, cosines in found.items()
    }


def milliseconds(embedder: Embedder, deck: int) -> list[float]:
    """Return how long it takes to compare one question with a deck, and then another one."""
    known = Duplicates(embedder.model_now())
    for number in range(deck):
        known.add(
            ItemKind.CARD, ItemText(f"Why does law {number} hold for gases?", f"Its cause is {number}.")
        )
    taken = []
    for number in range(2):
        began = time.perf_counter()
        known.is_new(ItemKind.CARD, ItemText(f"What is number {-number}?", "One."))
        taken.append(round(1000 * (time.perf_counter() - began), 1))
    return taken


def main() -> None:
    """Measure, and print the JSON line."""
    parser = parser_of(__doc__)
    parser.add_argument("--pairs", type=Path, default=_PAIRS)
    parser.add_argument("--model", type=Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.pairs.read_text(encoding="utf-8").splitlines()]
    embedder = prepared_embedder(options.model)
    print_result(
        {"benchmark": "duplicates", **measure(embedder, rows), "deck_ms": milliseconds(embedder, _DECK)}
    )
    embedder.close()


if __name__ == "__main__":
    main()
