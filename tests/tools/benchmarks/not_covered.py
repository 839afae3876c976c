"""How often "your courses do not seem to cover this" is right, by the kind of question.

``python -m tests.tools.benchmarks.not_covered [--documents FOLDER] [--questions FILE …] [--unanswerable FILE
…] [--leave-out N] [--sample N] [--model FOLDER]`` prints one JSON line: of the questions with an answer, the
share that is flagged (false alarms), and of those without one, the share that is flagged, each with its 95 %
interval (Wilson).

Questions are JSON lines with ``question`` and, optionally, ``kind``, ``course_name``, ``lesson_number`` and
``file``, the document that answers it. Of ``--questions`` those of the kind ``unanswerable`` have no answer.

``--leave-out N`` leaves every Nth document (or top folder) that questions name out of the library. Their
questions then have no answer there although the rest is about the same subject: near misses.

``--curve`` adds what a stricter or more lenient rule would do: for each share of false alarms, the share of
the questions without an answer that is flagged.
"""

from __future__ import annotations

import json
import math
import random
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.search import service
from app.core.search.coverage import COVERED_FROM, likelihood
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, percentiles, prepared_embedder, print_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.rag_system import RAGSystem
    from app.core.search.coverage import CoverageEvidence

_Z = 1.96
_DATA = Path(__file__).parents[2] / "data"
QUESTIONS = [_DATA / "questions_samples.jsonl", _DATA / "questions_answerable.jsonl"]
_FALSE_ALARMS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2)  # of the curve
UNANSWERABLE = [_DATA / "questions_unanswerable.jsonl"]


def wilson(hits: int, count: int) -> list[float]:
    """Return the 95 % interval of a share, in per cent."""
    share = hits / count
    middle = share + _Z**2 / (2 * count)
    width = _Z * math.sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    below = 1 + _Z**2 / count
    return [round(100 * max(0.0, (middle - width) / below), 1), round(100 * (middle + width) / below, 1)]


def share(flags: Sequence[bool]) -> dict[str, Any]:
    """Return how many of these are flagged."""
    percent = round(100 * sum(flags) / len(flags), 1)
    return {"percent": percent, "interval": wilson(sum(flags), len(flags)), "of": len(flags)}


def read(files: Iterable[Path], *, answered: bool) -> list[dict[str, Any]]:
    """Return the rows of question files, each with whether the documents answer it."""
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [{**row, "answered": answered and row.get("kind") != "unanswerable"} for row in rows]


def unit(file: str) -> str:
    """Return what is left out together: the top folder of a document, or itself."""
    return Path(file).parts[0]


def leave_out(rows: list[dict[str, Any]], step: int) -> set[str]:
    """Return every ``step``-th document or folder that questions name; their questions lose their answer."""
    units = sorted({unit(row["file"]) for row in rows if "file" in row})
    left = set(units[step - 1 :: step]) if step else set()
    for row in rows:
        if "file" in row and unit(row["file"]) in left:
            row.update(answered=False, kind=f"left out: {row.get('kind') or 'all'}")
    return left


def measure(rag: RAGSystem, rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Ask every question once; one that finds nothing at all counts as flagged."""
    margins: dict[bool, dict[str, list[float]]] = {True: defaultdict(list), False: defaultdict(list)}
    wrong: list[str] = []
    taken: list[float] = []
    judged = -math.inf

    def judge(evidence: CoverageEvidence) -> bool:
        nonlocal judged
        judged = likelihood(evidence) - COVERED_FROM
        return judged >= 0

    for row in rows:
        judged = -math.inf
        began = time.perf_counter()
        with patch.object(service, "is_covered", judge):
            found = rag.search.retrieve(row["question"], row.get("course_name"), row.get("lesson_number"))
        taken.append(1000 * (time.perf_counter() - began))
        margins[row["answered"]][row.get("kind") or "all"].append(judged)
        if (judged < 0) is row["answered"]:
            wrong.append(
                f"{'false alarm' if judged < 0 else 'missed'}: {row['question']} {list(found.missing)}"
            )
    result: dict[str, Any] = {}
    for name, kinds in (("false_alarms", margins[True]), ("flagged", margins[False])):
        every = [each for listed in kinds.values() for each in listed]
        result[name] = {kind: _below(0, listed) for kind, listed in sorted(kinds.items())}
        if every:
            result[name]["all"] = _below(0, every)
    return {**result, "search": percentiles(taken), "wrong": wrong, "curve": _curve(margins)}


def _curve(margins: dict[bool, dict[str, list[float]]]) -> list[dict[str, Any]]:
    """Return what other thresholds than that of the program would flag."""
    answered = sorted(each for listed in margins[True].values() for each in listed)
    points = []
    for aim in _FALSE_ALARMS if answered else ():
        threshold = answered[round(aim * (len(answered) - 1))]
        flagged = {kind: _below(threshold, listed) for kind, listed in sorted(margins[False].items())}
        points.append({"false_alarms": _below(threshold, answered), "flagged": flagged})
    return points


def _below(threshold: float, margins: Sequence[float]) -> dict[str, Any]:
    return share([each < threshold for each in margins])


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--documents", type=Path, default=resource_path("docs/courses"))
    parser.add_argument("--questions", type=Path, nargs="*", default=QUESTIONS)
    parser.add_argument("--unanswerable", type=Path, nargs="*", default=UNANSWERABLE)
    parser.add_argument("--leave-out", type=int, default=0, metavar="N")
    parser.add_argument("--sample", type=int, metavar="N", help="ask only so many of each kind")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="embedding model instead of the default")
    parser.add_argument("--wrong", action="store_true", help="list the questions that are judged wrongly")
    parser.add_argument("--curve", action="store_true", help="add what other thresholds would flag")
    options = parser.parse_args()
    rows = read(options.questions, answered=True)
    left = leave_out(rows, options.leave_out)
    rows += read(options.unanswerable, answered=False)
    if options.sample:
        random.Random(0).shuffle(rows)
        kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            kinds[row.get("kind") or "all"].append(row)
        rows = [row for listed in kinds.values() for row in listed[: options.sample]]
    embedder = prepared_embedder(options.model)
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings(), index=False) as rag,
    ):
        kept = [path for path in sorted(options.documents.iterdir()) if path.name not in left]
        ingest(rag, *kept)
        result = measure(rag, rows)
    for name in ("wrong", "curve"):
        if not getattr(options, name):
            del result[name]
    print_result({"benchmark": "not covered", "left_out": sorted(left), **result})


if __name__ == "__main__":
    main()
