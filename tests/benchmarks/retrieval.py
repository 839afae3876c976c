"""How much of what answers a question is found, against the web version's pipeline.

``python -m tests.benchmarks.retrieval [--documents FOLDER] [--questions FILE …] [--other]``
prints one JSON line.

A question's recall is the share of its reference text, in characters, that lies within the passages
found, 4,000 characters of them. Questions are JSON lines with ``question``, ``references`` (each
with ``content``, ``start_index``, ``end_index`` in its file), the file as ``course_file``, ``corpus`` or
``file``, and, where the question is restricted, ``course_name`` and ``lesson_number``. Those without
references are left out.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import resource_path, user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from tests.benchmarks.measuring import parser_of, print_result
from tests.benchmarks.reference import Reference, add_all
from tests.support.courses import ingest, library

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem

CHARACTERS = 4000
_SAMPLES = 10_000  # of the bootstrap
_DATA = Path(__file__).parents[1] / "data"
OWN_QUESTIONS = _DATA / "questions_samples.jsonl"
OTHER_DOCUMENTS, OTHER_QUESTIONS = _DATA / "other", _DATA / "questions_other.jsonl"

Spans = list[tuple[str, int, int]]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the text that answers it."""

    text: str
    kind: str
    course: str | None
    lesson: int | None
    references: tuple[tuple[str, int, int], ...]


def read_questions(files: Sequence[Path], documents: Path) -> list[Question]:
    """Read questions that have an answer in one of the documents."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in documents_in(documents)}
    questions = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            name = row.get("course_file") or row.get("corpus") or row["file"]
            if not row["references"] or name not in texts:
                continue
            places = tuple((name, *_place(texts[name], item)) for item in row["references"])
            kind = row.get("kind") or "all"
            questions.append(
                Question(row["question"], kind, row.get("course_name"), row.get("lesson_number"), places)
            )
    return questions


def documents_in(folder: Path) -> list[Path]:
    """Return the folder's documents: the questions may lie beside them."""
    return [file for file in sorted(folder.iterdir()) if file.is_file() and file.suffix != ".jsonl"]


def _place(text: str, reference: dict[str, Any]) -> tuple[int, int]:
    start, end = reference["start_index"], reference["end_index"]
    if text[start:end] != reference["content"] and reference["content"] in text:
        start = text.index(reference["content"])
        end = start + len(reference["content"])
    return start, end


def recall(question: Question, found: Spans) -> float:
    """Return the share of the reference's characters that were found."""
    wanted = {(name, place) for name, start, end in question.references for place in range(start, end)}
    got = {(name, place) for name, start, end in found for place in range(start, end)}
    return len(wanted & got) / len(wanted)


def within(found: Spans, characters: int) -> Spans:
    """Return passages, best first, cut off where their text is longer than ``characters``."""
    kept: Spans = []
    for name, start, end in found:
        kept.append((name, start, min(end, start + characters)))
        characters -= end - start
        if characters <= 0:
            break
    return kept


def interval(values: NDArray[np.float64]) -> list[float]:
    """Return the bootstrap's 95 % interval of a mean, in per cent."""
    chosen = np.random.default_rng(1).integers(0, len(values), (_SAMPLES, len(values)))
    low, high = np.percentile(values[chosen].mean(1), [2.5, 97.5])
    return [round(low * 100, 1), round(high * 100, 1)]


def ask_ours(questions: Sequence[Question], documents: Path, characters: int) -> list[Spans]:
    """Return what Lectern finds for each question."""
    embedder = Embedder(None, user_cache_dir())
    with (
        tempfile.TemporaryDirectory() as folder,
        library(Path(folder), embedder, Settings(), index=False) as rag,
    ):
        report = ingest(rag, *documents_in(documents))
        failed = [file for file in report.files if file.reason]
        assert not failed, failed
        return [_ask(rag, question, characters) for question in questions]


def _ask(rag: RAGSystem, question: Question, characters: int) -> Spans:
    results = rag.search.retrieve(question.text, question.course, question.lesson, max_chars=characters)
    return [(Path(hit.path).name, hit.start, hit.end) for hit in results.hits]


def ask_reference(questions: Sequence[Question], documents: Path, characters: int) -> list[Spans]:
    """Return what the reference finds for each question."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        reference = Reference(Path(folder))
        add_all(reference, documents_in(documents))
        for question in questions:
            hits = reference.search(question.text, question.course, question.lesson)
            found.append(within([(hit.file, hit.start, hit.end) for hit in hits], characters))
        reference.close()
    return found


def compare(
    documents: Path, files: Sequence[Path], characters: int, *, with_reference: bool = True
) -> dict[str, Any]:
    """Return what is printed."""
    Embedder(None, user_cache_dir()).prepare(CancelToken())
    questions = read_questions(files, documents)
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
    parser.add_argument("--other", action="store_true", help="notes, slides, tables, code, German instead")
    options: argparse.Namespace = parser.parse_args()
    documents, questions = options.documents, options.questions
    if options.other:
        documents, questions = OTHER_DOCUMENTS, [OTHER_QUESTIONS]
    print_result(
        compare(
            documents,
            questions,
            options.characters,
            with_reference=not options.without_reference,
        )
    )


if __name__ == "__main__":
    main()
