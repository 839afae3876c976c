"""How long a question takes: resolve the course, embed, search, rank.

``python -m tests.tools.benchmarks.search [--size 500] [--questions 100]`` prints one JSON line.

Both sides are processes of their own and answer every question in turns, without and with a course's
name; last, ours answers while it adds files with the real model. The ratio says how many times
longer the reference takes.
"""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import user_cache_dir
from app.core.embedding.embedder import Embedder
from app.domain.cancel import Cancelled, CancelToken
from tests.support.courses import library
from tests.tools.benchmarks.libraries import Maker, made
from tests.tools.benchmarks.measuring import (
    Side,
    memory,
    memory_with_children,
    parser_of,
    percentiles,
    print_result,
    size,
    timed,
)
from tests.tools.benchmarks.reference import Reference
from tests.tools.benchmarks.retrieval import OWN_QUESTIONS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.search import SearchResults


class Ours:
    """Lectern on a library that was made."""

    def __init__(self, data_dir: Path, folder: Path) -> None:
        self._library = library(data_dir, Embedder(None, user_cache_dir()))
        self._rag: RAGSystem = self._library.__enter__()
        self._folder = folder
        self._token = CancelToken()
        self._writer: threading.Thread | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "ask":
            results: list[SearchResults] = []
            taken = timed(
                lambda: results.append(self._rag.search.retrieve(request["question"], request["course"]))
            )
            assert results[0].hits, results[0].message
            return {"ms": taken["seconds"] * 1e3, "cpu_ms": taken["cpu"] * 1e3}
        if request["do"] == "write":
            text = Maker(int(time.time())).course(20, 20_000)
            file = self._folder / "more.txt"
            file.write_text(text, encoding="utf-8")
            self._writer = threading.Thread(target=self._write, args=(file,))
            self._writer.start()
        if request["do"] == "clean":
            assert self._writer is not None
            self._token.cancel()
            self._writer.join()
        writing = bool(self._writer and self._writer.is_alive())
        return {"memory_mb": memory_with_children(), "writing": writing}

    def close(self) -> None:
        self._library.__exit__(None, None, None)

    def _write(self, file: Path) -> None:
        try:
            for _ in self._rag.ingest.add_course_folder([file], self._token):
                pass
        except Cancelled:
            pass


class Theirs:
    """The reference on the same files."""

    def __init__(self, folder: Path) -> None:
        self._reference = Reference(folder)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "ask":
            taken = timed(lambda: self._reference.search(request["question"], request["course"]))
            return {"ms": taken["seconds"] * 1e3, "cpu_ms": taken["cpu"] * 1e3}
        return {"memory_mb": memory()}

    def close(self) -> None:
        self._reference.close()


def serve(side: str, options: dict[str, Any]) -> Ours | Theirs:
    """Open one side."""
    made_in = Path(options["made"])
    if side == "ours":
        return Ours(made_in / "data", Path(options["folder"]))
    return Theirs(made_in / "reference")


def compare(passages: int, count: int, *, kept: Path | None = None) -> dict[str, Any]:
    """Return what is printed."""
    folder = made(passages, reference=True, **({"kept": kept} if kept else {}))
    rows = [json.loads(line) for line in OWN_QUESTIONS.read_text(encoding="utf-8").splitlines()]
    questions = [row["question"] for row in rows]
    titles = [
        file.read_text(encoding="utf-8").split("\n", 1)[0][14:]
        for file in sorted((folder / "courses").iterdir())
    ]
    sides = {name: Side("search", name, {"made": str(folder)}) for name in ("ours", "reference")}
    first = {
        name: side.ask(do="ask", question="What comes first?", course=None)["ms"]
        for name, side in sides.items()
    }
    kinds = ("everything", "one_course")
    times: dict[str, dict[str, list[dict[str, float]]]]
    times = {name: {kind: [] for kind in kinds} for name in sides}
    for number in range(count):
        for kind in kinds:
            course = titles[number % len(titles)] if kind == "one_course" else None
            for name, side in sides.items():
                taken = side.ask(do="ask", question=questions[number % len(questions)], course=course)
                times[name][kind].append(taken)
    result: dict[str, Any] = {"benchmark": "search", "passages": passages}
    for name, side in sides.items():
        result[name] = {
            **side.start,
            "first_question_ms": round(first[name], 1),
            **{kind: _summary(taken) for kind, taken in times[name].items()},
            **side.ask(do="look"),
        }
    sides["reference"].close()
    result["ours"]["while_ingesting"] = _while_ingesting(sides["ours"], questions, count)
    sides["ours"].close()
    for key, figure in (("ratio", "p50_ms"), ("cpu_ratio", "cpu_ms")):
        result[key] = {
            kind: round(result["reference"][kind][figure] / result["ours"][kind][figure], 2) for kind in kinds
        }
    return result


def _summary(taken: list[dict[str, float]]) -> dict[str, float]:
    cpu = statistics.median(each["cpu_ms"] for each in taken)
    return {**percentiles([each["ms"] for each in taken]), "cpu_ms": round(cpu, 1)}


def _while_ingesting(ours: Side, questions: list[str], count: int) -> dict[str, float]:
    ours.ask(do="write")
    times = []
    memory_mb = 0
    for number in range(count):
        time.sleep(0.05)  # nobody asks without a pause
        times.append(ours.ask(do="ask", question=questions[number % len(questions)], course=None)["ms"])
        look = ours.ask(do="look")
        memory_mb = max(memory_mb, look["memory_mb"] or 0)
        if not look["writing"]:
            break
    ours.ask(do="clean")
    return {**percentiles(times), "questions": len(times), "most_memory_mb": memory_mb}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    print_result(compare(options.size, options.questions))


if __name__ == "__main__":
    main()
