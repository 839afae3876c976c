"""What a document is for counts in the order of what is found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.scope import Scope
from app.domain.search import LessonPart
from tests.support.courses import ingest

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

FACT = "The ferns of this valley were counted in the year 1871 by a botanist from Graz.\n"


@pytest.fixture
def ferns(rag: RAGSystem, tmp_path: Path) -> RAGSystem:
    for name, text in {
        "README.md": "# Ferns\n\nProfessor Moss teaches ferns here. There is one exam in June.\n",
        "a/exercise 1.md": f"# Exercise 1\n\n{FACT}Who was it, and what did the ferns count?\n",
        "b/ferns.md": f"# Counting\n\n{FACT}Who was it, and what did the ferns count!\n",
        "b/exams.md": "# Examples\n\nWho teaches ferns, an exam of a fern, or the fern? Nobody knows.\n",
    }.items():
        path = tmp_path / "ferns" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ingest(rag, tmp_path / "ferns")
    return rag


def names(rag: RAGSystem, question: str) -> list[str]:
    return [Path(hit.path).name for hit in rag.search.retrieve(question).hits]


def test_teaching_texts_come_before_exercises(ferns: RAGSystem) -> None:
    found = names(ferns, "When were the ferns of the valley counted?")
    assert found.index("ferns.md") < found.index("exercise 1.md")


def test_what_asks_about_the_course_looks_into_its_readme_first(ferns: RAGSystem) -> None:
    assert names(ferns, "Who teaches ferns, and when is the exam?")[0] == "README.md"


def test_a_numbered_lesson_is_read_without_the_exercise_of_its_number(rag: RAGSystem, tmp_path: Path) -> None:
    for name, text in {
        "slides/Lecture 5 spores.md": "# Spores\n\nA spore is a single cell from which a new fern grows.\n",
        "exercises/exercise 5.md": "# Exercise 5\n\nDraw a spore, and write below it what it is.\n",
        "README.md": "# Ferns\n\nProfessor Moss teaches ferns here every Monday.\n",
    }.items():
        path = tmp_path / "ferns" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ingest(rag, tmp_path / "ferns")
    assert rag.search.place_asked_for("Summarise lecture 5", Scope()) == ("Ferns", 5)
    part = rag.search.read_lesson("Ferns", 5, 1, Scope())
    assert isinstance(part, LessonPart)
    assert [Path(hit.path).name for hit in part.hits] == ["Lecture 5 spores.md"]
