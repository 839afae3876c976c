"""Fits the weights by which a search judges whether the courses cover a question.

``python -m tests.tools.benchmarks.not_covered_weights FOLDER … [--sample N] [--keep FOLDER]`` prints the
weights of :mod:`app.core.search.coverage`, and what they flag of sets that they were not fitted to: each is
left out in turn, with its library and its questions.

A set is a folder with ``docs`` and questions beside it, of which ``near-….jsonl`` have no answer; the sample
courses are one more. For each set it prints the share that is flagged of its own questions, of those of each
other set, and of the near ones without an answer, which nothing is fitted to. Sets with the same articles are
not asked each other's questions.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import numpy as np

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.search import service
from app.core.search.coverage import COVERED_FROM, features, is_covered
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result
from tests.tools.benchmarks.not_covered import QUESTIONS, UNANSWERABLE, read
from tests.tools.benchmarks.proof_weights import fitted
from tests.tools.benchmarks.question_sets import filled, sets_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.rag_system import RAGSystem
    from app.core.search.coverage import CoverageEvidence

_SAMPLES = "samples"
_SAME_ARTICLES = ("squad2", "xquad")  # how the names of such sets begin
# The kinds of the questions that were written for the sample courses
_WITHOUT_ANSWER = {"far": ("far",), "near": ("near", "missing", "swapped", "unanswerable")}
_EACH = 300  # that each group of questions counts for


class Asked(NamedTuple):
    """A question to a set's library; ``group`` is "own", "near", "far" or the set it comes from."""

    library: str
    group: str
    features: tuple[float, ...]


def ask(rag: RAGSystem, library: str, group: str, rows: Iterable[dict[str, Any]]) -> list[Asked]:
    """Ask questions; those in another language than the documents are judged otherwise, and left out."""
    seen: list[CoverageEvidence] = []

    def judge(evidence: CoverageEvidence) -> bool:
        seen.append(evidence)
        return is_covered(evidence)

    with patch.object(service, "is_covered", judge):
        for row in rows:
            rag.search.retrieve(row["question"], row.get("course_name"), row.get("lesson_number"))
    return [Asked(library, group, features(each)) for each in seen if each.same_language]


def report(asked: Sequence[Asked]) -> dict[str, Any]:
    """Return the weights, the constant last, and what is flagged of each set that is left out."""
    left_out: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(each.library for each in asked):
        weights = _fit([each for each in asked if name not in (each.library, each.group)])
        groups: dict[str, list[bool]] = {}
        for each in asked:
            if each.library == name:
                flagged = np.dot([*each.features, 1.0], weights) < COVERED_FROM
                groups.setdefault(each.group, []).append(bool(flagged))
        left_out[name] = {group: round(100 * float(np.mean(of)), 1) for group, of in groups.items()}
    return {"weights": np.round(_fit(asked), 2).tolist(), "left_out": left_out}


def _fit(asked: Sequence[Asked]) -> Any:  # noqa: ANN401 - an array
    groups: dict[tuple[str, bool], list[Asked]] = {}
    for each in asked:
        if each.group != "near":
            groups.setdefault((each.library, each.group == "own"), []).append(each)
    chosen = [of[at % len(of)] for of in groups.values() for at in range(max(_EACH, len(of)))]
    labels = np.array([each.group == "own" for each in chosen])
    return fitted(np.array([each.features for each in chosen]), labels)


def _sampled(rows: Sequence[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    return random.Random(0).sample(list(rows), min(count, len(rows)))


def _rows(files: Iterable[Path]) -> list[dict[str, Any]]:
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--sample", type=int, default=300, metavar="N", help="of a set's own questions")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where libraries are kept")
    options = parser.parse_args()
    folders = {each.name: each for path in options.sets for each in sets_in(path)}
    own = {
        name: _rows(file for file in folder.glob("*.jsonl") if not file.name.startswith("near-"))
        for name, folder in folders.items()
    }
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory() as new:
        kept = options.keep or Path(new)
        for name, folder in folders.items():
            with filled(kept / f"{name}-ours", None, folder) as rag:
                asked += ask(rag, name, "own", _sampled(own[name], options.sample))
                asked += ask(rag, name, "near", _sampled(_rows(folder.glob("near-*.jsonl")), options.sample))
                for other, rows in own.items():
                    same = all(each.startswith(_SAME_ARTICLES) for each in (name, other))
                    if not same and other != name:
                        asked += ask(rag, name, other, _sampled(rows, options.sample // 3))
        embedder = prepared_embedder()
        with library(Path(new, _SAMPLES), embedder, Settings(), index=False) as rag:
            ingest(rag, *sorted(resource_path("docs/courses").iterdir()))
            rows = read(QUESTIONS, answered=True) + read(UNANSWERABLE, answered=False)
            asked += ask(rag, _SAMPLES, "own", [row for row in rows if row["answered"]])
            for group, kinds in _WITHOUT_ANSWER.items():
                asked += ask(rag, _SAMPLES, group, [row for row in rows if row.get("kind") in kinds])
            for other, listed in own.items():
                asked += ask(rag, _SAMPLES, other, _sampled(listed, options.sample // 3))
    print_result({"benchmark": "not covered, weights", **report(asked)})


if __name__ == "__main__":
    main()
