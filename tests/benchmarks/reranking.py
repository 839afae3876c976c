"""How much longer a question takes with a reranking model: one of the real shape, with random weights.

``python -m tests.benchmarks.reranking [--size 500] [--questions 30]`` prints one JSON line. Every question
is asked without the model and with it, in turns; processor time is counted too, which depends less on what
else runs.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.config.paths import user_cache_dir
from app.core.embedding.embedder import Embedder
from app.core.embedding.model_files import find_model, folder_to_export
from app.domain.cancel import CancelToken
from tests.benchmarks.libraries import made
from tests.benchmarks.measuring import memory, parser_of, percentiles, print_result, size, timed
from tests.benchmarks.retrieval import OWN_QUESTIONS
from tests.support.courses import library
from tests.support.rerankers import MINILM, make_reranker


def main(passages: int, questions: int, place: Path) -> dict[str, object]:
    """Measure in a library of so many passages."""
    model = make_reranker(place / "model", folder_to_export(find_model(None, user_cache_dir())), sizes=MINILM)
    embedder = Embedder(None, user_cache_dir())
    lines = OWN_QUESTIONS.read_text("utf-8").splitlines()[:questions]
    asked = [json.loads(line)["question"] for line in lines]
    times: dict[str, list[dict[str, float]]] = {"off": [], "on": []}
    made_library = made(passages) / "data"
    embedder.prepare(CancelToken())
    embedder.cache_dir = place  # of what is prepared from now on
    with library(made_library, embedder) as rag:
        rag.search.retrieve(asked[0])
        before = memory()
        settings = {"off": rag.settings, "on": replace(rag.settings, reranking_model=str(model))}
        rag.settings = settings["on"]
        rag.reranker.prepare(CancelToken(), lambda _: None)
        rag.search.retrieve(asked[0])
        after = memory()
        for question in asked:
            for side, one in settings.items():
                rag.settings = one
                times[side].append(timed(partial(rag.search.retrieve, question)))
    result: dict[str, object] = {"passages": passages, "questions": len(asked)}
    for side, taken in times.items():
        result[side] = percentiles([one["seconds"] * 1e3 for one in taken])
        result[f"{side}_cpu"] = percentiles([one["cpu"] * 1e3 for one in taken])
    return {**result, "memory_mb": {"off": before, "on": after}}


if __name__ == "__main__":
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--questions", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_result({"benchmark": "reranking", **main(arguments.size, arguments.questions, Path(folder))})
