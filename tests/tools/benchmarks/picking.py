"""Whether an answer without a model quotes a sentence that answers.

``python -m tests.tools.benchmarks.picking QUESTIONS DOCUMENTS … [--keep FOLDER]`` prints one JSON line: of
the questions, the share whose first quotation answers, the share of which one of the three does, and the
median of the answers' words. The reference is what answers began with before: of the first lesson found, the
sentence with most words of the question.

Questions are JSON lines with ``question`` and either ``answers``, the sentences (``text``) that answer, or
``references``, the passages (``content``) that do. A sentence answers if it is in one of them, or holds it.
Of a sentence that is not ours, ``text`` has the first and the last words with " … " between.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.paths import user_cache_dir
from app.config.settings import Settings
from app.core.answers.passage_answer import worth_showing
from app.core.answers.picking import pick_sentences
from app.core.embedding.embedder import Embedder
from app.core.search.terms import content_terms
from app.domain.cancel import CancelToken
from app.domain.embedding_models import model_choice
from tests.support.courses import ingest, library
from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.sources import Source

_SIGNS = re.compile(r"[\W_]+")


def measured(rag: RAGSystem, questions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Ask the library without a model."""
    first, among, before, words = 0, 0, 0, []
    for row in questions:
        texts = row.get("answers") or row["references"]
        right = [one.get("text") or one["content"] for one in texts]
        hits = worth_showing(rag.search.retrieve(row["question"]).hits)
        sources = [rag.search.make_source(n, hit) for n, hit in enumerate(hits, 1)]
        picks = pick_sentences(row["question"], sources, rag.embedder)
        answers = [
            any(_answers(text, right) for text in pick.source.texts if text in pick.text) for pick in picks
        ]
        first += any(answers[:1])
        among += any(answers)
        before += bool(sources) and _answers(_with_most_words(row["question"], sources), right)
        words.append(sum(len(pick.text.split()) for pick in picks))
    shares = {"first": first, "among_three": among, "first_before": before}
    percent = {name: round(100 * count / len(questions), 1) for name, count in shares.items()}
    return {"questions": len(questions), **percent, "words": statistics.median(words)}


def _answers(text: str, right: Sequence[str]) -> bool:
    letters = _letters(text)
    for one in right:
        first, *last = map(_letters, one.split(" … "))
        if last and first in letters and last[0] in letters:
            return True
        if not last and (first in letters or (letters in first and 2 * len(letters) >= min(len(first), 80))):
            return True
    return False


def _letters(text: str) -> str:
    return _SIGNS.sub("", text).lower()


def _with_most_words(question: str, sources: Sequence[Source]) -> str:
    terms = content_terms(question)
    texts = [text for one in sources if one.hit.path == sources[0].hit.path for text in one.texts]
    return max(texts, key=lambda text: len(terms & content_terms(text)))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("questions", type=Path)
    parser.add_argument("documents", type=Path, nargs="+")
    parser.add_argument("--keep", type=Path, help="a folder in which the library stays and is looked for")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.questions.read_text("utf-8").splitlines()]
    embedder = Embedder(model_choice(""), user_cache_dir())
    embedder.prepare(CancelToken())
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        is_new = not (folder / "library.sqlite3").exists()
        with library(folder, embedder, Settings()) as rag:
            if is_new:
                ingest(rag, *(path.resolve() for path in arguments.documents))
            print_result(measured(rag, rows))


if __name__ == "__main__":
    main()
