"""How much of what answers a question is found, against the web version's pipeline.

``python -m tests.tools.benchmarks.retrieval [--documents FOLDER] [--questions FILE …] [--other]
[--misspelt]``
prints one JSON line; ``--sets FOLDER`` prints a table instead (:mod:`tests.tools.benchmarks.question_sets`).

A question's recall is the share of its reference text, in characters, that lies within the passages
found, 4,000 characters of them; :mod:`tests.tools.benchmarks.questions` describes the files.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import resource_path, user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from tests.support.courses import library
from tests.tools.benchmarks.measuring import parser_of, print_result
from tests.tools.benchmarks.question_sets import table
from tests.tools.benchmarks.questions import (
    CHARACTERS,
    Question,
    Spans,
    ask,
    files_in,
    fill,
    interval,
    misspelt,
    read_questions,
    recall,
    within,
)
from tests.tools.benchmarks.reference import Reference, add_all

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_DATA = Path(__file__).parents[2] / "data"
OWN_QUESTIONS = _DATA / "questions_samples.jsonl"
OTHER_DOCUMENTS, OTHER_QUESTIONS = _DATA / "other", _DATA / "questions_other.jsonl"


def ask_ours(questions: Sequence[Question], documents: Path, characters: int) -> list[Spans]:
    """Return what Lectern finds for each question."""
    embedder = Embedder(None, user_cache_dir())
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings()) as rag,
    ):
        fill(rag, documents)
        return [ask(rag, question, documents, characters) for question in questions]


def ask_reference(questions: Sequence[Question], documents: Path, characters: int) -> list[Spans]:
    """Return what the reference finds for each question."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        reference = Reference(Path(folder))
        add_all(reference, list(files_in(documents).values()))
        for question in questions:
            hits = reference.search(question.text, question.course, question.lesson)
            found.append(within([(hit.file, hit.start, hit.end) for hit in hits], characters))
        reference.close()
    return found


def compare(
    documents: Path,
    files: Sequence[Path],
    characters: int,
    *,
    with_reference: bool = True,
    with_slips: bool = False,
) -> dict[str, Any]:
    """Return what is printed."""
    Embedder(None, user_cache_dir()).prepare(CancelToken())
    questions = read_questions(files, documents)
    if with_slips:
        questions = misspelt(questions)
    sides = {"ours": ask_ours(questions, documents, characters)}
    if with_reference:
        sides["reference"] = ask_reference(questions, documents, characters)
    kinds = np.array([question.kind for question in questions])
    result: dict[str, Any] = {
        "benchmark": "retrieval",
        "documents": documents.name,
        "characters": characters,
    }
    means: dict[str, float] = {}
    for side, found in sides.items():
        scores = np.array([recall(*each) for each in zip(questions, found, strict=True)])
        means[side] = float(scores.mean())
        groups = {"all": np.ones(len(scores), bool)}
        groups.update({kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())})
        result[side] = {
            kind: {
                "questions": int(chosen.sum()),
                "recall": round(float(scores[chosen].mean()) * 100, 1),
                "interval": interval(scores[chosen]),
            }
            for kind, chosen in groups.items()
        }
    if with_reference:
        result["ratio"] = round(means["ours"] / means["reference"], 2)
        result["gain"] = _gain(questions, sides)
    return result


def _gain(questions: Sequence[Question], sides: dict[str, list[Spans]]) -> dict[str, Any]:
    """Return how much more is found, question by question: narrower than the two intervals."""
    score = {
        side: np.array([recall(*each) for each in zip(questions, found, strict=True)])
        for side, found in sides.items()
    }
    difference = score["ours"] - score["reference"]
    return {"points": round(float(difference.mean()) * 100, 1), "interval": interval(difference)}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--documents", type=Path, default=resource_path("docs/courses"))
    parser.add_argument("--questions", type=Path, nargs="+", default=[OWN_QUESTIONS])
    parser.add_argument("--characters", type=int, default=CHARACTERS)
    parser.add_argument("--without-reference", action="store_true")
    parser.add_argument("--misspelt", action="store_true", help="with a slip in each question")
    parser.add_argument("--other", action="store_true", help="notes, slides, tables, code, German instead")
    parser.add_argument("--sets", type=Path, nargs="+", metavar="FOLDER", help="a set, or a folder of sets")
    parser.add_argument("--model", type=Path, help="embedding model of the sets, a folder")
    parser.add_argument("--together", action="store_true", help="the sets in one library, too")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep the sets' libraries, to use them again"
    )
    options: argparse.Namespace = parser.parse_args()
    if options.sets:
        with_reference = not options.without_reference
        sets = options.sets, options.model, options.keep
        for line in table(*sets, together=options.together, with_reference=with_reference):
            print(line, flush=True)
        return
    documents, questions = options.documents, options.questions
    if options.other:
        documents, questions = OTHER_DOCUMENTS, [OTHER_QUESTIONS]
    print_result(
        compare(
            documents,
            questions,
            options.characters,
            with_reference=not options.without_reference,
            with_slips=options.misspelt,
        )
    )


if __name__ == "__main__":
    main()
