"""How often "taught" and "not in the material" are right where questions are mapped to lessons.

``python -m tests.tools.benchmarks.mapping [--set FOLDER] [--others FILE …] [--kind KIND] [--sample N]
[--leave-out N] [--model FOLDER]`` prints one JSON line.

The set is a folder with ``docs``, which become one course, and ``dev.jsonl`` with questions that name their
``file`` (of a kind, if one is given). ``--others`` are questions that the course does not answer, of which
``--sample`` are asked. ``right`` is the share whose file is among the first three lessons, ``taught`` the
share said to be taught, as the program decides; intervals are Wilson's for 95 %.

``threshold`` is what the others calibrate: in 95 of 100 draws of their files (with replacement), at most 10
% of the questions come as near as that. ``unseen`` calibrates with every other file of the others, and
tells the shares of the rest. ``--leave-out N`` leaves every Nth folder out of the course; ``near`` are its
questions then, which are about the same subject. ``seconds`` is the time for a file with 200 questions.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

import numpy as np

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.search import coverage, service
from app.core.search.exam_map import map_exam, map_question
from app.domain.cancel import CancelToken
from app.domain.exam_map import AskedQuestion
from app.domain.scope import Scope
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, prepared_embedder, print_result
from tests.tools.benchmarks.not_covered import leave_out, read, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.rag_system import RAGSystem
    from app.core.search.coverage import CoverageEvidence

_DATA = Path(__file__).parents[2] / "data"
_SAMPLES = [_DATA / "questions_samples.jsonl"]
_FAR = [_DATA / "questions_unanswerable.jsonl"]
_AIM, _SURE = 0.10, 0.95  # share of other questions that may be said to be taught, and how sure that is
_DRAWS = 500
_IN_ONE_FILE = 200


class Mapped(NamedTuple):
    """What came of one question."""

    file: str
    nearness: float
    taught: bool
    right: bool  # its file is among the first three lessons


def ask(rag: RAGSystem, rows: Iterable[dict[str, Any]]) -> list[Mapped]:
    """Map each question as the program does."""
    mapped: list[Mapped] = []
    for row in rows:
        near = float("-inf")

        def judge(evidence: CoverageEvidence) -> bool:
            nonlocal near
            near = coverage.nearness(evidence)
            return coverage.is_taught(evidence)

        with patch.object(service, "is_taught", judge):
            found = map_question(rag.search, AskedQuestion("", row["question"]), Scope())
        file = str(row.get("file") or row.get("course_file") or row["question"])
        paths = [passage.path for lesson in found.lessons for passage in lesson.passages]
        right = any(Path(path).as_posix().endswith(file) for path in paths)
        mapped.append(Mapped(file, near, found.is_taught, right))
    return mapped


def calibrated(others: Iterable[Mapped]) -> float:
    """Return how near a question has to come so that few of others, of other files too, are taught."""
    files: dict[str, list[float]] = defaultdict(list)
    for one in others:
        files[one.file].append(one.nearness)
    listed, random_ = list(files.values()), np.random.default_rng(0)
    draws = [random_.integers(0, len(listed), len(listed)) for _ in range(_DRAWS)]
    limits = [np.quantile(np.concatenate([listed[at] for at in draw]), 1 - _AIM) for draw in draws]
    return round(float(np.quantile(limits, _SURE)), 3)


def report(own: Sequence[Mapped], others: Sequence[Mapped]) -> dict[str, Any]:
    """Return what is right as the program decides, and with a threshold from one half for the other."""
    files = sorted({one.file for one in others})
    unseen = []
    for seen in (set(files[::2]), set(files[1::2])):
        threshold = calibrated(one for one in others if one.file in seen)
        unseen.append(
            {
                "threshold": threshold,
                "taught": share([one.nearness >= threshold for one in own]),
                "others_taught": share([one.nearness >= threshold for one in others if one.file not in seen]),
            }
        )
    return {
        "right": share([one.right for one in own]),
        "taught": share([one.taught for one in own]),
        "others_taught": share([one.taught for one in others]),
        "threshold": calibrated(others),
        "unseen": unseen,
    }


def seconds_for_file(rag: RAGSystem, rows: Sequence[dict[str, Any]], folder: Path) -> float:
    """Return how long it takes to map a file of questions, reading it included."""
    lines = (rows[index % len(rows)]["question"] for index in range(_IN_ONE_FILE))
    path = folder / "questions.txt"
    path.write_text("".join(f"{n}. {' '.join(line.split())}\n" for n, line in enumerate(lines, 1)), "utf-8")
    began = time.perf_counter()
    for _ in map_exam(rag.search, path, None, CancelToken()):
        pass
    return round(time.perf_counter() - began, 2)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--set", type=Path, metavar="FOLDER", help="instead of the sample courses")
    parser.add_argument("--others", type=Path, nargs="*", default=_FAR, metavar="FILE")
    parser.add_argument("--kind", help="only questions of this kind about the set")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many of the others")
    parser.add_argument("--leave-out", type=int, default=0, metavar="N")
    parser.add_argument("--model", type=Path, metavar="FOLDER", help="embedding model instead of the default")
    options = parser.parse_args()
    documents = options.set / "docs" if options.set else resource_path("docs/courses")
    own = read([options.set / "dev.jsonl"] if options.set else _SAMPLES, answered=True)
    own = [row for row in own if row["answered"] and options.kind in (None, row.get("kind"))]
    left = leave_out(own, options.leave_out)
    others = read(options.others, answered=False)
    random.Random(0).shuffle(others)
    embedder = prepared_embedder(options.model)
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings(), index=False) as rag,
    ):
        kept = [path for path in sorted(documents.iterdir()) if path.name not in left]
        ingest(rag, *(kept if left or not options.set else [documents]))
        near = ask(rag, [row for row in own if not row["answered"]])
        result = report(ask(rag, [row for row in own if row["answered"]]), ask(rag, others[: options.sample]))
        seconds = seconds_for_file(rag, own, Path(folder))
    result["near"] = share([one.taught for one in near]) if near else None
    print_result({"benchmark": "mapping", **result, "seconds": seconds})


if __name__ == "__main__":
    main()
