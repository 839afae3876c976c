"""What is found of several sets of documents, as a table in Markdown.

``python -m tests.benchmarks.retrieval --sets FOLDER … [--model FOLDER] [--together] [--keep FOLDER]``

A set is a folder with the folder ``docs`` and, beside it, questions (:mod:`tests.benchmarks.questions`). Its
documents are one library. A row is a set's questions, or one kind of them; a cell the recall within 4,000
characters with its 95 % interval, by three pipelines:

- Lectern's, with the embedding model given,
- the reference: the web version's (:mod:`tests.benchmarks.reference`),
- a simple hybrid of the same passages and vectors with bm25: each side's 50 best, both scores stretched to
  0…1, half of each.

Where a question asks for a place alone, a second row has the share whose first hit lies there. ``--together``
adds a column: what Lectern finds with the documents of all sets in one library.
"""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.paths import user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from tests.benchmarks.questions import (
    CHARACTERS,
    ask,
    files_in,
    fill,
    interval,
    read_questions,
    recall,
    touches,
    within,
)
from tests.benchmarks.reference import RESULTS, Found, Reference
from tests.support.courses import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.core.rag_system import RAGSystem
    from tests.benchmarks.questions import Question, Spans

_NEAREST = 50  # passages of each side that the hybrid chooses from

Answers = dict[str, list["Spans"]]  # what each pipeline finds for each question


def table(paths: Sequence[Path], model: Path | None, keep: Path | None, *, together: bool) -> str:
    """Return the table of all sets.

    Args:
        paths: sets, or folders of sets.
        model: folder of Lectern's embedding model; None for the default.
        keep: folder in which libraries are kept and looked for; None for new ones.
        together: also ask one library with the documents of all sets.
    """
    sets = [each for path in paths for each in _sets_in(path)]
    asked = {each.name: _questions_of(each) for each in sets}
    found: dict[str, Answers] = {each.name: {} for each in sets}
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for each in sets:
            with _filled(folder / f"{each.name}-ours", model, each) as rag:
                found[each.name]["Lectern"] = _asked(rag, each, asked[each.name])
        if together:
            with _filled(folder / "all-ours", model, *sets) as rag:
                for each in sets:
                    found[each.name]["in one library"] = _asked(rag, each, asked[each.name])
        for each in sets:
            found[each.name].update(_ask_reference(folder / f"{each.name}-reference", each, asked[each.name]))
    columns = list(next(iter(found.values())))
    lines = ["| set | questions | " + " | ".join(columns) + " |", "|---" * (len(columns) + 2) + "|"]
    for name, answers in found.items():
        lines += _rows(name, asked[name], answers)
    return "\n".join(lines)


def _sets_in(path: Path) -> list[Path]:
    return [path] if (path / "docs").is_dir() else [each for each in sorted(path.iterdir()) if each.is_dir()]


def _questions_of(folder: Path) -> list[Question]:
    return read_questions(sorted(folder.glob("*.jsonl")), folder / "docs")


@contextmanager
def _filled(folder: Path, model: Path | None, *sets: Path) -> Iterator[RAGSystem]:
    embedder = Embedder(model, user_cache_dir())
    embedder.prepare(CancelToken())
    is_new = not folder.exists()
    with library(folder, embedder, Settings(), index=False) as rag:
        if is_new:
            fill(rag, *((each / "docs").resolve() for each in sets))
        yield rag


def _asked(rag: RAGSystem, folder: Path, questions: Sequence[Question]) -> list[Spans]:
    return [ask(rag, question, folder / "docs", CHARACTERS) for question in questions]


def _ask_reference(folder: Path, of: Path, questions: Sequence[Question]) -> Answers:
    """Return what the reference and the hybrid find."""
    files = files_in(of / "docs")
    is_new = not folder.exists()
    reference = Reference(folder)
    if is_new:
        for name, file in files.items():
            reference.add(file, name)
    hybrid = _Hybrid(reference)
    answers: Answers = {"reference": [], "simple hybrid": []}
    for question in questions:
        nearest = reference.search(question.text, question.course, question.lesson, _NEAREST)
        where = reference.condition(question.course, question.lesson)
        both = hybrid.order(question.text, nearest, where)
        for name, hits in (("reference", nearest), ("simple hybrid", both)):
            spans = [(hit.file, hit.start, hit.end) for hit in hits[:RESULTS]]
            answers[name].append(within(spans, CHARACTERS))
    reference.close()
    return answers


class _Hybrid:
    """The reference's passages, also in SQLite's full-text index."""

    def __init__(self, reference: Reference) -> None:
        self._content = reference.content
        stored: Any = self._content.get()
        columns = (stored["ids"], stored["metadatas"], stored["documents"])
        self._passages = {
            key: Found(item["file"], item["start"], item["end"], text, key, 0)
            for key, item, text in zip(*columns, strict=True)
        }
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE passages USING fts5 (key, text, tokenize = porter)")
        rows = [(key, found.text) for key, found in self._passages.items()]
        self._database.executemany("INSERT INTO passages VALUES (?, ?)", rows)

    def order(self, question: str, nearest: Sequence[Found], where: dict[str, Any] | None) -> list[Found]:
        """Return the nearest passages and the best by their words, best first."""
        scores: dict[str, float] = defaultdict(float)
        by_meaning = {found.key: -found.distance for found in nearest}
        for side in (by_meaning, self._by_words(question, where)):
            low, high = min(side.values(), default=0), max(side.values(), default=0)
            for key, value in side.items():
                scores[key] += (value - low) / (high - low or 1)
        return [self._passages[key] for key in sorted(scores, key=scores.__getitem__, reverse=True)]

    def _by_words(self, question: str, where: dict[str, Any] | None) -> dict[str, float]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"[^\W_]+", question))
        if not words:
            return {}
        passing = set(self._content.get(where=where, include=[])["ids"]) if where else self._passages
        rows = self._database.execute(
            "SELECT key, -bm25(passages) FROM passages WHERE text MATCH ? ORDER BY 2 DESC", (words,)
        )
        return dict(islice(((key, score) for key, score in rows if key in passing), _NEAREST))


def _rows(name: str, questions: Sequence[Question], answers: Answers) -> Iterator[str]:
    """Yield the rows of a set: all its questions, then each kind where there are several."""
    kinds = list(dict.fromkeys(question.kind for question in questions))
    for kind in [None, *kinds] if len(kinds) > 1 else [None]:
        chosen = [at for at, question in enumerate(questions) if kind in (None, question.kind)]
        label = name if kind is None else f"– {kind}"
        yield _row(label, recall, [questions[at] for at in chosen], _only(answers, chosen))
        if all(questions[at].place_alone for at in chosen):
            yield _row(
                f"{label}, first hit", _first, [questions[at] for at in chosen], _only(answers, chosen)
            )


def _only(answers: Answers, chosen: Sequence[int]) -> Answers:
    return {name: [found[at] for at in chosen] for name, found in answers.items()}


def _row(
    label: str, measure: Callable[[Question, Spans], float], questions: Sequence[Question], answers: Answers
) -> str:
    cells = [label, str(len(questions))]
    for found in answers.values():
        values = np.array([measure(*each) for each in zip(questions, found, strict=True)])
        low, high = interval(values)
        cells.append(f"{values.mean() * 100:.1f} [{low}, {high}]")
    return "| " + " | ".join(cells) + " |"


def _first(question: Question, found: Spans) -> float:
    return float(bool(found) and touches(question, found[0]))
