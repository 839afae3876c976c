"""Where a big library breaks: its start, its memory, its questions and its counts.

``python -m tests.tools.benchmarks.large [--size 500000] [--questions 60] [--cold] [--closed]
[--beside FOLDER]`` prints one JSON line. Passages are written straight into the library file
(:mod:`tests.tools.benchmarks.large_libraries`); what Chroma lacks it is told before anything is measured.
``--closed`` leaves it closed, as it is for commands beside a window. ``--beside`` is a checkout of another
version: its program answers the same questions about a copy of the library, and those with the same first
five hits are counted. Each version starts twice. ``--cold`` has the system forget the library's files before
each start, where it can.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import user_cache_dir
from app.core.embedding.embedder import Embedder
from app.domain.scope import Scope
from tests.support.courses import library, open_index
from tests.tools.benchmarks.large_libraries import made_large
from tests.tools.benchmarks.libraries import KEPT
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
from tests.tools.benchmarks.retrieval import OWN_QUESTIONS

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.search import SearchResults

_KINDS = ("everywhere", "one_course", "most_courses")


class Ours:
    """Lectern on a big library."""

    def __init__(self, data_dir: Path, *, closed: bool = False) -> None:
        self._closed = closed
        self._library = library(data_dir, Embedder(None, user_cache_dir()), index=False)
        self._rag: RAGSystem = self._library.__enter__()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "load":
            before = memory_with_children()
            load = getattr(self._rag.search, "load_vectors", None)  # of earlier versions
            taken = {} if self._closed else timed(load or (lambda: open_index(self._rag)))
            return {**taken, "memory_before_mb": before, "memory_mb": memory_with_children()}
        if request["do"] == "count":
            courses = self._rag.courses
            parts = {"counts": courses.counts, "courses": courses.all}
            return {name: timed(work)["seconds"] * 1e3 for name, work in parts.items()}
        titles = self._rag.search.titles()
        number = request["number"]
        scope = Scope(courses=titles[1 + len(titles) // 10 :] if request["kind"] == "most_courses" else ())
        course = titles[number % len(titles)] if request["kind"] == "one_course" else None
        results: list[SearchResults] = []
        ask = self._rag.search.retrieve
        taken = timed(lambda: results.append(ask(request["question"], course, scope=scope)))
        hits = [[hit.path, hit.start, hit.end] for hit in results[0].hits]
        return {"ms": taken["seconds"] * 1e3, "cpu_ms": taken["cpu"] * 1e3, "hits": hits}

    def close(self) -> None:
        self._library.__exit__(None, None, None)


def serve(_side: str, options: dict[str, Any]) -> Ours:
    """Open the library."""
    return Ours(Path(options["data"]), closed=options["closed"])


def compare(
    passages: int,
    count: int,
    *,
    kept: Path = KEPT,
    beside: Path | None = None,
    cold: bool = False,
    closed: bool = False,
) -> dict[str, Any]:
    """Return what is printed."""
    data = made_large(passages, kept=kept)
    copy = kept / "beside" / data.parent.name / data.name
    if beside and not copy.exists():  # before this version upgrades it
        shutil.copytree(data, copy)
    with library(data, Embedder(None, user_cache_dir()), index=not closed):
        pass
    lines = OWN_QUESTIONS.read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines]
    codes = {"ours": None, **({"beside": beside} if beside else {})}
    result: dict[str, Any] = {"benchmark": "large", "passages": passages, "questions": count, "cold": cold}
    hits: dict[str, list[Any]] = {}
    # First one version, then the other, then both again the other way round.
    for turn, order in enumerate((list(codes), list(codes)[::-1])[: len(codes)]):
        for name in order:
            of_side = copy if codes[name] else data
            if cold:
                _forget(of_side)
            side = {"data": str(of_side), "closed": closed}
            found = _one_side(side, codes[name], questions, count)
            hits[name] = found.pop("hits")
            result.setdefault(name, []).append(found)
        result["load"] = [round(value, 1) for value in os.getloadavg()] if turn == 0 else result["load"]
    if beside:
        same = [mine[:5] == theirs[:5] for mine, theirs in zip(hits["ours"], hits["beside"], strict=True)]
        result["same_first_five"] = round(statistics.mean(same), 3)
    return result


def _one_side(options: dict[str, Any], code: Path | None, questions: list[str], count: int) -> dict[str, Any]:
    began = time.perf_counter()
    side = Side("large", "ours", options, code=code)
    opened = time.perf_counter() - began
    loaded = side.ask(do="load")
    found: dict[str, Any] = {"open_seconds": opened, "index": loaded, "first_ms": 0.0}
    taken: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _KINDS}
    for number in range(count):
        for kind in _KINDS:
            question = questions[number % len(questions)]
            answer = side.ask(do="ask", question=question, kind=kind, number=number)
            found["first_ms"] = found["first_ms"] or answer["ms"]
            taken[kind].append(answer)
    for kind in _KINDS:
        cpu = statistics.median(each["cpu_ms"] for each in taken[kind])
        found[kind] = {**percentiles([each["ms"] for each in taken[kind]]), "cpu_ms": round(cpu, 1)}
    found["count_ms"] = side.ask(do="count")
    found["memory_mb"] = memory(pid=side.pid)
    side.close()
    return {**found, "hits": [each["hits"] for kind in _KINDS for each in taken[kind]]}


def _forget(data: Path) -> None:
    """Have the system drop what it keeps of the library's files; nothing where it cannot."""
    if not hasattr(os, "posix_fadvise"):
        return
    for path in data.iterdir():
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--kept", type=Path, default=KEPT)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--closed", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    sides = {
        "kept": options.kept,
        "beside": options.beside,
        "cold": options.cold,
        "closed": options.closed,
    }
    print_result(compare(options.size, options.questions, **sides))


if __name__ == "__main__":
    main()
