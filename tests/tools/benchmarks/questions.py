"""Questions with the texts that answer them, and how much of these is found.

Questions are JSON lines with ``question``, ``references`` (each with ``content``, ``start_index``,
``end_index`` in its file), the file as ``course_file``, ``corpus`` or ``file``, and, where the question is
restricted, ``course_name`` and ``lesson_number``. Those without references are left out. A text that stands
in its file more than once is found at any of these places. A reference without content asks for the place
alone: any text from there has found it. ``rewordings`` are given to Lectern's search along with the question.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.support.courses import ingest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem

CHARACTERS = 4000
_SAMPLES = 10_000  # of the bootstrap

Spans = list[tuple[str, int, int]]
Places = tuple[tuple[str, int, int], ...]  # of one text


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the texts that answer it."""

    text: str
    kind: str
    course: str | None
    lesson: int | None
    references: tuple[Places, ...]
    place_alone: bool = False  # whether any text from there answers it
    rewordings: tuple[str, ...] = ()


def read_questions(files: Sequence[Path], documents: Path) -> list[Question]:
    """Read questions that have an answer in one of the documents."""
    texts = {name: file.read_text(encoding="utf-8") for name, file in files_in(documents).items()}
    questions = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            row: dict[str, Any] = json.loads(line)
            name = row.get("course_file") or row.get("corpus") or row["file"]
            if not row["references"] or name not in texts:
                continue
            questions.append(
                Question(
                    row["question"],
                    row.get("kind") or "all",
                    row.get("course_name"),
                    row.get("lesson_number"),
                    tuple(_places(name, texts[name], item) for item in row["references"]),
                    place_alone=not any(item["content"] for item in row["references"]),
                    rewordings=tuple(row.get("rewordings", ())),
                )
            )
    return questions


def misspelt(questions: Sequence[Question]) -> list[Question]:
    """Return the questions with a slip in the longest word of each, of six letters at least: one is left out,
    changed places with the next, or was replaced. The same slips in every run.
    """
    random = Random(5)
    found = []
    for question in questions:
        words = sorted(set(re.findall(r"[^\W\d_]{6,}", question.text)), key=lambda word: (-len(word), word))
        text = question.text.replace(words[0], _with_slip(random, words[0])) if words else question.text
        found.append(replace(question, text=text))
    return found


def _with_slip(random: Random, word: str) -> str:
    kind, at = random.randrange(3), random.randrange(2, len(word) - 1)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + random.choice("aeirnst") + word[at + 1 :]


def documents_in(folder: Path) -> list[Path]:
    """Return the folder's documents, and folders of them: the questions may lie beside them."""
    return [path for path in sorted(folder.iterdir()) if path.suffix != ".jsonl"]


def files_in(folder: Path) -> dict[str, Path]:
    """Return all documents by their path in the folder."""
    files = [file for path in documents_in(folder) for file in (path, *path.rglob("*")) if file.is_file()]
    return {file.relative_to(folder).as_posix(): file for file in sorted(files)}


def _places(name: str, text: str, reference: dict[str, Any]) -> Places:
    start, end, content = reference["start_index"], reference["end_index"], reference["content"]
    found = [each.span() for each in re.finditer(re.escape(content), text)] if content else []
    return tuple((name, *span) for span in found or [(start, end)])


def recall(question: Question, found: Spans) -> float:
    """Return the share of the references' characters that were found."""
    if question.place_alone:
        return float(any(touches(question, each) for each in found))
    got = {(name, place) for name, start, end in found for place in range(start, end)}
    wanted: set[tuple[str, int]] = set()
    for places in question.references:
        texts = [{(name, place) for place in range(start, end)} for name, start, end in places]
        wanted |= max(texts, key=lambda text: len(text & got))
    return len(wanted & got) / len(wanted)


def touches(question: Question, found: tuple[str, int, int]) -> bool:
    """Whether a text that was found has something of a reference."""
    name, first, last = found
    return any(
        name == file and first < end and start < last
        for places in question.references
        for file, start, end in places
    )


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


def fill(rag: RAGSystem, *folders: Path) -> None:
    """Add the documents of all folders."""
    report = ingest(rag, *(path for folder in folders for path in documents_in(folder)))
    failed = [file for file in report.files if file.reason]
    assert not failed, failed


def ask(rag: RAGSystem, question: Question, documents: Path, characters: int) -> Spans:
    """Return what Lectern finds for a question, in a library that may have other documents too."""
    results = rag.search.retrieve(
        question.text, question.course, question.lesson, max_chars=characters, rewordings=question.rewordings
    )
    root = documents.resolve()
    return [(Path(os.path.relpath(hit.path, root)).as_posix(), hit.start, hit.end) for hit in results.hits]
