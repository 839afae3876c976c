"""Runs all benchmarks, one after the other.

``python -m tests.tools.benchmarks.everything [--sizes 500 10000] [--into build]`` writes ``bench.json``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.tools.benchmarks.measuring import machine, parser_of, size

SIZES = (500, 2000, 10_000)


def commands(sizes: list[int]) -> list[list[str]]:
    """Return the arguments of each benchmark; the last size is the largest."""
    # Whether questions make memory grow is seen at the first size; more of them say nothing new at others.
    questions = {"search": ["60"] * len(sizes), "memory": ["1000", *["200"] * (len(sizes) - 1)]}
    each = [
        [name, "--size", str(count), "--questions", questions[name][number]]
        for number, count in enumerate(sizes)
        for name in ("search", "memory")
    ]
    return [
        ["retrieval"],
        ["retrieval", "--other"],
        ["grounding"],
        ["embedding", "--rounds", "2"],
        ["ingest", "--size", "100", "--rounds", "2"],
        ["reingest"],
        ["startup", "--size", str(sizes[0]), "--rounds", "3"],
        ["first_start"],
        ["streaming"],
        ["page_marks"],
        ["long_lists"],
        ["stalls", "--size", "500", "--rounds", "2"],
        *each,
    ]


def run(command: list[str]) -> dict[str, Any]:
    """Run one benchmark in a process of its own; return what it printed."""
    began = time.perf_counter()
    finished = subprocess.run(
        [sys.executable, "-m", f"tests.tools.benchmarks.{command[0]}", *command[1:]],
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    took = {"took_seconds": round(time.perf_counter() - began, 1)}
    if finished.returncode:
        return {"benchmark": command[0], "failed": finished.returncode, **took}
    return {**json.loads(finished.stdout.splitlines()[-1]), **took}


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--sizes", type=size, nargs="+", default=list(SIZES))
    parser.add_argument("--into", type=Path, default=Path("build"))
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    results = []
    for command in commands(options.sizes):
        result = run(command)
        results.append(result)
        print(json.dumps(result, ensure_ascii=False), flush=True)
    options.into.mkdir(parents=True, exist_ok=True)
    report = {"machine": machine(), "results": results}
    text = json.dumps(report, indent=1, ensure_ascii=False)
    (options.into / "bench.json").write_text(text + "\n", encoding="utf-8")
    return int(any("failed" in result for result in results))


if __name__ == "__main__":
    sys.exit(main())
