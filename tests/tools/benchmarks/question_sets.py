"""What is found of several sets of documents, as a table in Markdown.

``python -m tests.tools.benchmarks.retrieval --sets FOLDER … [--model FOLDER] [--together] [--keep FOLDER]``

A set is a folder with the folder ``docs`` and, beside it, questions
(:mod:`tests.tools.benchmarks.questions`). Its
documents are one library. A row is a set's questions, or one kind of them; a cell the recall within 4,000
characters with its 95 % interval, by three pipelines:

- Lectern's, with the embedding model given,
- the reference: the web version's (:mod:`tests.tools.benchmarks.reference`),
- a simple hybrid of the same passages and vectors with bm25: each side's 50 best, both scores stretched to
  0…1, half of each.

Where a question asks for a place alone, a second row has the share whose first hit lies there. ``--together``
adds a column: what Lectern finds with the documents of all sets in one library. For that, no two documents
without a title may have the same name.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.settings import Settings
from tests.support.courses import library
from tests.tools.benchmarks.measuring import prepared_embedder
from tests.tools.benchmarks.questions import (
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
from tests.tools.benchmarks.reference import RESULTS, Found, Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.core.rag_system import RAGSystem
    from tests.tools.benchmarks.questions import Question, Spans

_WHOLE = "whole"  # marks a library in which everything is
_NEAREST = 50  # passages of each side that the hybrid chooses from

Answers = list[list["Spans"]]  # what each pipeline finds for each question


def table(
    paths: Sequence[Path],
    model: Path | None,
    keep: Path | None,
    *,
    together: bool,
    with_reference: bool = True,
) -> Iterator[str]:
    """Yield the lines of the table, each set's as soon as it was asked.

    Args:
        paths: sets, or folders of sets.
        model: folder of Lectern's embedding model; None for the default.
        keep: folder in which libraries are kept and looked for; None for new ones.
        together: also ask one library with the documents of all sets.
        with_reference: also ask the reference and the simple hybrid.
    """
    sets = [each for path in paths for each in sets_in(path)]
    columns = ["Lectern", *(["in one library"] if together else [])]
    columns += ["reference", "simple hybrid"] if with_reference else []
    yield "| set | questions | " + " | ".join(columns) + " |"
    yield "|---" * (len(columns) + 2) + "|"
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for each in sets:
            questions = read_questions(sorted(each.glob("*.jsonl")), each / "docs")
            libraries = {f"{each.name}-ours": [each]}
            if together:
                libraries["all-ours"] = sets
            answers: Answers = []
            for name, of in libraries.items():
                with filled(folder / name, model, *of) as rag:
                    answers.append([ask(rag, question, each / "docs", CHARACTERS) for question in questions])
            if with_reference:
                answers += _ask_reference(folder / f"{each.name}-reference", each, questions)
            yield from _rows(each.name, questions, answers)


def sets_in(path: Path) -> list[Path]:
    """Return a set, or those in a folder of sets."""
    return [path] if (path / "docs").is_dir() else [each for each in sorted(path.iterdir()) if each.is_dir()]


@contextmanager
def filled(folder: Path, model: Path | None, *sets: Path) -> Iterator[RAGSystem]:
    """Open a library with the documents of sets, which is made unless it was kept."""
    embedder = prepared_embedder(model)
    is_whole = _is_whole(folder)
    with library(folder, embedder, Settings()) as rag:
        if not is_whole:
            fill(rag, *((each / "docs").resolve() for each in sets))
            (folder / _WHOLE).touch()
        yield rag


def _is_whole(folder: Path) -> bool:
    """Whether a kept library is complete; the rest of an interrupted run is removed."""
    is_whole = (folder / _WHOLE).exists()
    if not is_whole:
        shutil.rmtree(folder, ignore_errors=True)
    return is_whole


def _ask_reference(folder: Path, of: Path, questions: Sequence[Question]) -> Answers:
    """Return what the reference and the hybrid find."""
    files = files_in(of / "docs")
    is_whole = _is_whole(folder)
    reference = Reference(folder)
    if not is_whole:
        for name, file in files.items():
            reference.add(file, name)
        (folder / _WHOLE).touch()
    hybrid = _Hybrid(reference)
    alone: list[Spans] = []
    joined: list[Spans] = []
    for question in questions:
        nearest = reference.search(question.text, question.course, question.lesson, _NEAREST)
        where = reference.condition(question.course, question.lesson)
        both = hybrid.order(question.text, nearest, where)
        for found, hits in ((alone, nearest), (joined, both)):
            spans = [(hit.file, hit.start, hit.end) for hit in hits[:RESULTS]]
            found.append(within(spans, CHARACTERS))
    reference.close()
    return [alone, joined]


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
        of_kind = [questions[at] for at in chosen]
        found = [[every[at] for at in chosen] for every in answers]
        label = name if kind is None else f"– {kind}"
        yield _row(label, recall, of_kind, found)
        if all(question.place_alone for question in of_kind):
            yield _row(f"{label}, first hit", _first, of_kind, found)


def _row(
    label: str, measure: Callable[[Question, Spans], float], questions: Sequence[Question], answers: Answers
) -> str:
    cells = [label, str(len(questions))]
    for found in answers:
        values = np.array([measure(*each) for each in zip(questions, found, strict=True)])
        low, high = interval(values)
        cells.append(f"{values.mean() * 100:.1f} [{low}, {high}]")
    return "| " + " | ".join(cells) + " |"


def _first(question: Question, found: Spans) -> float:
    return float(bool(found) and touches(question, found[0]))
