"""How fast files are read in: parse, cut, embed, store, index; ours against the reference.

``python -m tests.tools.benchmarks.ingest [--size 200] [--rounds 3]`` prints one JSON line.

Both sides are processes of their own. Each round both read the same new files, taking turns; the ratio
is the median of the rounds' ratios. A passage of ours is not one of theirs (they share 100
characters with the one before), so seconds for the same files are compared, and passages per second
are the reference's passages for both.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from app.config.paths import user_cache_dir
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from tests.support.courses import ingest, library
from tests.tools.benchmarks.libraries import Maker
from tests.tools.benchmarks.measuring import Side, memory, parser_of, print_result, size, timed
from tests.tools.benchmarks.reference import Reference, add_all

MOST = 500  # passages in a round: an hour of reading says no more than a minute


class Ours:
    """Lectern on a library that starts empty."""

    def __init__(self, folder: Path) -> None:
        self._library = library(folder / "data", Embedder(None, user_cache_dir()))
        self._rag = self._library.__enter__()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        before = self._rag.courses.counts().passages
        taken = timed(lambda: ingest(self._rag, Path(request["courses"])))
        return {
            **taken,
            "passages": self._rag.courses.counts().passages - before,
            "memory_mb": memory("VmHWM"),
        }

    def close(self) -> None:
        self._library.__exit__(None, None, None)


class Theirs:
    """The reference on a library that starts empty."""

    def __init__(self, folder: Path) -> None:
        self._reference = Reference(folder / "reference")

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        before = self._reference.content.count()
        files = sorted(Path(request["courses"]).iterdir())
        taken = timed(lambda: add_all(self._reference, files))
        passages = self._reference.content.count() - before
        return {**taken, "passages": passages, "memory_mb": memory("VmHWM")}

    def close(self) -> None:
        self._reference.close()


def serve(side: str, options: dict[str, Any]) -> Ours | Theirs:
    """Open one side."""
    folder = Path(options["folder"])
    return Ours(folder) if side == "ours" else Theirs(folder)


def compare(passages: int, rounds: int, folder: Path, *, with_reference: bool = True) -> dict[str, Any]:
    """Return what is printed."""
    Embedder(None, user_cache_dir()).prepare(CancelToken())
    names = ("ours", "reference") if with_reference else ("ours",)
    sides = {name: Side("ingest", name, {}) for name in names}
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in sides}
    maker = Maker(int(time.time()))
    for number in range(rounds + 1):
        courses = folder / str(number)
        courses.mkdir()
        for part in range(4):
            text = maker.course(min(5, passages), max(passages // 20, 1) * 720)
            (courses / f"{number}_{part}.txt").write_text(text, encoding="utf-8")
        order = list(sides) if number % 2 else list(reversed(sides))
        for name in order:
            answer = sides[name].ask(courses=str(courses))
            if number:  # the first one warms up
                taken[name].append(answer)
    for side in sides.values():
        side.close()
    count = taken[names[-1]][0]["passages"]
    result: dict[str, Any] = {"benchmark": "ingest", "passages": count}
    for name, each in taken.items():
        seconds = statistics.median(item["seconds"] for item in each)
        result[name] = {
            "passages_per_s": round(count / seconds, 1),
            "seconds": round(seconds, 2),
            "cpu_seconds": round(statistics.median(item["cpu"] for item in each), 2),
            "own_passages": each[0]["passages"],
            "memory_mb": each[-1]["memory_mb"],
        }
    ratios = (("ratio", "seconds"), ("cpu_ratio", "cpu")) if with_reference else ()
    for key, kind in ratios:
        pairs = zip(taken["ours"], taken["reference"], strict=True)
        result[key] = round(statistics.median(theirs[kind] / ours[kind] for ours, theirs in pairs), 2)
    return result


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_result(compare(min(options.size, MOST), options.rounds, Path(folder)))


if __name__ == "__main__":
    main()
