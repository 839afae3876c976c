"""How fast texts are embedded, against sentence-transformers with its defaults.

``python -m tests.tools.benchmarks.embedding [--passages 96] [--rounds 5] [--folder TEXTS] [--model FOLDER]``
prints one JSON line. With another model, the reference is the built-in model in Lectern.

Each side is a process of its own, so that memory and start are its own too. They embed the same
passages in turns, so that what else the machine does falls on both; the ratio is the median of the
rounds' ratios. Processor seconds are the steadier figure on a busy machine.
"""

from __future__ import annotations

import os
import statistics
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
from tests.tools.benchmarks.measuring import Side, memory, parser_of, percentiles, print_result, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

QUESTION = "How is a text split into chunks before it is embedded?"


class Model:
    """A loaded model with the passages to embed."""

    def __init__(
        self,
        ask: Callable[[str], object],
        embed: Callable[[list[str]], NDArray[np.float32]],
        options: dict[str, Any],
    ) -> None:
        self._ask, self._embed = ask, embed
        self._texts = passages(options["passages"], Path(options["texts"]))
        ask(QUESTION)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask questions alone, embed the passages, or ask while they are embedded."""
        match request["do"]:
            case "ask":
                asked = percentiles([self._milliseconds() for _ in range(50)])
                return {"question_ms": asked["p50_ms"], "memory_for_questions_mb": memory("VmHWM")}
            case "embed":
                vectors: list[NDArray[np.float32]] = []
                taken = timed(lambda: vectors.append(self._embed(self._texts)))
                return {**taken, "memory_mb": memory("VmHWM"), "vectors": vectors[0].tolist()}
            case _:
                return self._while_reading()

    def _while_reading(self) -> dict[str, float]:
        reader = threading.Thread(target=self._embed, args=(self._texts,))
        reader.start()
        times = []
        while reader.is_alive():
            times.append(self._milliseconds())
            time.sleep(0.05)
        return {f"question_while_reading_{name}": value for name, value in percentiles(times).items()}

    def _milliseconds(self) -> float:
        return 1000 * timed(lambda: self._ask(QUESTION))["seconds"]


def passages(count: int, folder: Path) -> list[str]:
    """Slices of a folder's text files, as long as passages are; repeated where there are too few."""
    files = sorted(folder.glob("*.txt"))
    text = " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in files)
    slices = [text[start : start + 800 - start % 300] for start in range(0, len(text) - 800, 700)]
    return [slices[number % len(slices)] for number in range(count)]


def serve(side: str, options: dict[str, Any]) -> Model:
    """Load one side."""
    if side == "ours":
        embedder = Embedder(options["model"] and Path(options["model"]), user_cache_dir())
        embedder.prepare(CancelToken())
        return Model(
            embedder.embed_query, lambda texts: embedder.embed_passages(texts, CancelToken()), options
        )
    os.environ.update(OFFLINE)
    from sentence_transformers import SentenceTransformer  # its import is part of its start

    model = SentenceTransformer(str(folder_to_export(find_model(None, user_cache_dir()))), device="cpu")
    return Model(model.encode, lambda texts: model.encode(texts, normalize_embeddings=True), options)


def compare(count: int, rounds: int, folder: Path, model: Path | None) -> dict[str, Any]:
    """Return what is printed."""
    for each in {None, model}:  # exported before the clock runs
        Embedder(each, user_cache_dir()).prepare(CancelToken())
    options = {"passages": count, "texts": str(folder), "model": None}
    ours = Side("embedding", "ours", {**options, "model": model and str(model)})
    sides = {"ours": ours, "reference": Side("embedding", "reference" if model is None else "ours", options)}
    asked = {name: side.ask(do="ask") for name, side in sides.items()}
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in sides}
    for _ in range(rounds + 1):  # the first one warms up
        for name, side in sides.items():
            taken[name].append(side.ask(do="embed"))
    asked["ours"] |= ours.ask(do="both")
    for side in sides.values():
        side.close()
    pairs = list(zip(taken["ours"], taken["reference"], strict=True))
    mine, theirs = (np.array(one["vectors"]) for one in pairs[0])
    result: dict[str, Any] = {
        "benchmark": "embedding",
        "model": "built in" if model is None else model.name,
        "passages": count,
        "least_cosine": round(float((mine * theirs).sum(axis=1).min()), 7) if model is None else None,
    }
    for key, kind in (("ratio", "seconds"), ("cpu_ratio", "cpu")):
        result[key] = round(statistics.median(other[kind] / own[kind] for own, other in pairs[1:]), 2)
    for name, each_round in taken.items():
        seconds, cpu = (statistics.median(one[kind] for one in each_round[1:]) for kind in ("seconds", "cpu"))
        result[name] = {
            "passages_per_s": round(count / seconds, 1),
            "cpu_ms_per_passage": round(cpu / count * 1000, 1),
            "first_vector_s": sides[name].start["start_seconds"],
            "memory_mb": each_round[-1]["memory_mb"],
            **asked[name],
        }
    return result


if __name__ == "__main__":
    parser = parser_of(__doc__)
    parser.add_argument("--passages", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=resource_path("docs/courses"))
    parser.add_argument("--model", type=Path, help="a sentence-transformers folder")
    chosen = parser.parse_args()
    print_result(compare(chosen.passages, chosen.rounds, chosen.folder, chosen.model))
