"""How often "your courses do not seem to cover this" is wrong, both ways.

``python -m tests.benchmarks.not_covered [--documents FOLDER] [--questions FILE …] [--unanswerable FILE …]``
prints one JSON line. A question that has an answer and is flagged is a false alarm; one that has none
and is not flagged is a miss. Both by the kind of question, each with its 95 % interval (Wilson), at the
score the program uses and at others, in terms of the fused score (1.3 times that of a hit).

Questions are JSON lines with ``question``, ``kind`` and, where restricted, ``course_name`` and
``lesson_number``. Of ``--questions`` those of the kind ``unanswerable`` count as such.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import resource_path, user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from app.domain.search import COVERED_SCORE
from tests.benchmarks.measuring import parser_of, print_result
from tests.support.courses import ingest, library

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem

FUSED = 1.3
_OTHERS = (0.35, 0.45, 0.50)
_Z = 1.96
_DATA = Path(__file__).parents[1] / "data"
_QUESTIONS = _DATA / "questions_samples.jsonl"
_UNANSWERABLE = _DATA / "questions_unanswerable.jsonl"


def wilson(hits: int, count: int) -> list[float]:
    """Return the 95 % interval of a share, in per cent."""
    share = hits / count
    middle = share + _Z**2 / (2 * count)
    width = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    below = 1 + _Z**2 / count
    return [round(100 * max(0.0, (middle - width) / below), 1), round(100 * (middle + width) / below, 1)]


def share(scores: Sequence[float], threshold: float, *, flagged: bool) -> dict[str, Any]:
    """Return how many of these are flagged, or are not."""
    hits = sum((score < threshold) is flagged for score in scores)
    percent = round(100 * hits / len(scores), 1)
    return {"percent": percent, "interval": wilson(hits, len(scores)), "of": len(scores)}


def read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the rows of question files."""
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def best_score(rag: RAGSystem, row: dict[str, Any]) -> float:
    """Return the fused score of a question's best hit."""
    found = rag.search.retrieve(row["question"], row.get("course_name"), row.get("lesson_number"))
    return FUSED * max((hit.score for hit in found.hits), default=0.0)


def measure(rag: RAGSystem, questions: Sequence[Path], unanswerable: Sequence[Path]) -> dict[str, Any]:
    """Return both kinds of error at several thresholds."""
    good: dict[str, list[float]] = defaultdict(list)
    bad: dict[str, list[float]] = defaultdict(list)
    rows = [*read(questions), *({**row, "unanswerable": True} for row in read(unanswerable))]
    for row in rows:
        kind = row.get("kind") or "all"
        without = row.get("unanswerable") or kind == "unanswerable"
        (bad if without else good)[kind].append(best_score(rag, row))
    result: dict[str, Any] = {}
    for threshold in sorted({round(COVERED_SCORE * FUSED, 4), *_OTHERS}):
        result[f"{threshold:.2f}"] = {
            "false_alarms": {kind: share(scores, threshold, flagged=True) for kind, scores in good.items()},
            "misses": {kind: share(scores, threshold, flagged=False) for kind, scores in bad.items()},
        }
    return {"used": round(COVERED_SCORE * FUSED, 4), "at": result}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--documents", type=Path, default=resource_path("docs/courses"))
    parser.add_argument("--questions", type=Path, nargs="*", default=[_QUESTIONS])
    parser.add_argument("--unanswerable", type=Path, nargs="*", default=[_UNANSWERABLE])
    options = parser.parse_args()
    embedder = Embedder(None, user_cache_dir())
    embedder.prepare(CancelToken())
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings(), index=False) as rag,
    ):
        ingest(rag, options.documents)
        print_result({"benchmark": "not covered", **measure(rag, options.questions, options.unanswerable)})


if __name__ == "__main__":
    main()
