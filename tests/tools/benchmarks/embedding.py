"""How fast texts are embedded, against sentence-transformers with its defaults.

``python -m tests.tools.benchmarks.embedding [--passages 96] [--rounds 5] [--folder TEXTS] [--model FOLDER]``
prints one JSON line. With another model, the reference is the built-in model in Lectern.

Each side is a process of its own, so that memory and start are its own too. They embed the same
passages in turns, so that what else the machine does falls on both; the ratio is the median of the
rounds' ratios. Processor seconds are the steadier figure on a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import resource_path, user_cache_dir
from app.core.embedding.embedder import Embedder
from app.core.embedding.model_export import OFFLINE
from app.core.embedding.model_files import find_model, folder_to_export
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

QUESTION = "How is a text split into chunks before it is embedded?"


def passages(count: int, folder: Path) -> list[str]:
    """Slices of a folder's text files, as long as passages are; repeated where there are too few."""
    files = sorted(folder.glob("*.txt"))
    text = " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in files)
    slices = [text[start : start + 800 - start % 300] for start in range(0, len(text) - 800, 700)]
    return [slices[number % len(slices)] for number in range(count)]


def memory() -> int | None:
    """Return the highest resident memory of this process so far in MB, where the system says it."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))


def serve(side: str, texts: list[str], model: Path | None) -> None:
    """Be one side: load, then embed all passages each time a line comes in."""
    started = time.perf_counter()
    ask, embed = start_reference() if side == "reference" else start_ours(model)
    ask(QUESTION)
    first = time.perf_counter() - started
    times = []
    for _ in range(50):
        began = time.perf_counter()
        ask(QUESTION)
        times.append(time.perf_counter() - began)
    report: dict[str, Any] = {
        "first_vector_s": round(first, 2),
        "question_ms": round(statistics.median(times) * 1e3, 1),
        "memory_for_questions_mb": memory(),
    }
    print(json.dumps(report), flush=True)
    for _ in sys.stdin:
        began, spent = time.perf_counter(), time.process_time()
        vectors = embed(texts)
        report = {
            "seconds": time.perf_counter() - began,
            "cpu": time.process_time() - spent,
            "memory_mb": memory(),
        }
        print(json.dumps({**report, "vectors": vectors.tolist()}), flush=True)
    if side == "ours":
        print(json.dumps(while_reading(ask, embed, texts)), flush=True)


def start_ours(
    model: Path | None,
) -> tuple[Callable[[str], object], Callable[[list[str]], NDArray[np.float32]]]:
    embedder = Embedder(model, user_cache_dir())
    embedder.prepare(CancelToken())
    return embedder.embed_query, lambda texts: embedder.embed_passages(texts, CancelToken())


def start_reference() -> tuple[Callable[[str], object], Callable[[list[str]], NDArray[np.float32]]]:
    os.environ.update(OFFLINE)
    from sentence_transformers import SentenceTransformer  # its import is part of its start

    folder = folder_to_export(find_model(None, user_cache_dir()))
    model = SentenceTransformer(str(folder), device="cpu")
    return model.encode, lambda texts: model.encode(texts, normalize_embeddings=True)


def while_reading(
    ask: Callable[[str], object], embed: Callable[[list[str]], object], texts: list[str]
) -> dict[str, float]:
    """Return how long questions take while passages are embedded."""
    reader = threading.Thread(target=embed, args=(texts,))
    reader.start()
    times = []
    while reader.is_alive():
        began = time.perf_counter()
        ask(QUESTION)
        times.append(time.perf_counter() - began)
        time.sleep(0.05)
    times.sort()
    return {
        "question_while_reading_ms": round(statistics.median(times) * 1e3, 1),
        "question_while_reading_p95_ms": round(times[int(len(times) * 0.95)] * 1e3, 1),
    }


class Side:
    """A process that embeds when it is told to."""

    def __init__(self, name: str, count: int, folder: Path, model: Path | None = None) -> None:
        command = [
            sys.executable,
            "-m",
            "tests.tools.benchmarks.embedding",
            "--side",
            name,
            "--passages",
            str(count),
            "--folder",
            str(folder),
            *([] if model is None else ["--model", str(model)]),
        ]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
        )
        self.start = self._read()
        self.rounds: list[dict[str, Any]] = []

    def embed(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self.rounds.append(self._read())

    def close(self) -> dict[str, Any]:
        rest, _ = self._process.communicate()
        return json.loads(rest) if rest.strip() else {}

    def summary(self, count: int) -> dict[str, Any]:
        rounds = self.rounds[1:]  # the first one warms up
        return {
            "passages_per_s": round(count / statistics.median(each["seconds"] for each in rounds), 1),
            "cpu_ms_per_passage": round(statistics.median(each["cpu"] for each in rounds) / count * 1e3, 1),
            **self.start,
            "memory_mb": self.rounds[-1]["memory_mb"],
        }

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def compare(count: int, rounds: int, folder: Path, model: Path | None) -> dict[str, Any]:
    """Return what is printed."""
    for each in {None, model}:  # exported before the clock runs
        Embedder(each, user_cache_dir()).prepare(CancelToken())
    ours = Side("ours", count, folder, model)
    reference = Side("reference" if model is None else "ours", count, folder)
    for _ in range(rounds + 1):
        ours.embed()
        reference.embed()
    busy = ours.close()
    reference.close()
    pairs = list(zip(ours.rounds, reference.rounds, strict=True))
    vectors = [np.array(side.rounds[0]["vectors"]) for side in (ours, reference)]
    ratios = {
        kind: round(statistics.median(theirs[kind] / mine[kind] for mine, theirs in pairs[1:]), 2)
        for kind in ("seconds", "cpu")
    }
    return {
        "benchmark": "embedding",
        "model": "built in" if model is None else model.name,
        "passages": count,
        "ratio": ratios["seconds"],
        "cpu_ratio": ratios["cpu"],
        "least_cosine": round(float((vectors[0] * vectors[1]).sum(axis=1).min()), 7)
        if model is None
        else None,
        "ours": {**ours.summary(count), **busy},
        "reference": reference.summary(count),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=resource_path("docs/courses"))
    parser.add_argument("--model", type=Path, help="a sentence-transformers folder")
    parser.add_argument("--side", choices=["ours", "reference"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        serve(options.side, passages(options.passages, options.folder), options.model)
    else:
        print(json.dumps(compare(options.passages, options.rounds, options.folder, options.model)))


if __name__ == "__main__":
    main()
