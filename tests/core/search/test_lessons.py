"""Whole lessons, read from a real library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.scope import Scope, taught_so_far
from app.domain.search import LessonPart
from tests.support.courses import ingest

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

BREAD = "Bread Baking at Home"
SENTENCES = [f"Step {n} folds the dough once more before it rests for {n} minutes." for n in range(400)]


def read(
    rag: RAGSystem, course: str, number: int | None, part: int = 1, scope: Scope | None = None
) -> LessonPart:
    found = rag.search.read_lesson(course, number, part, scope or Scope())
    assert isinstance(found, LessonPart), found
    return found


@pytest.fixture
def long_lesson(rag: RAGSystem, tmp_path: Path) -> None:
    file = tmp_path / "long" / "folding.txt"
    file.parent.mkdir()
    lessons = f"Lesson 1: Folds\n{' '.join(SENTENCES)}\n\nLesson 2: Rest\nThe dough rests at last.\n"
    file.write_text(f"Course Title: Folding\n\n{lessons}", encoding="utf-8")
    ingest(rag, file.parent)


@pytest.mark.usefixtures("long_lesson")
def test_the_parts_of_a_lesson_are_all_of_its_text_once(rag: RAGSystem) -> None:
    parts = [read(rag, "Folding", 1, part) for part in (1, 2, 3)]
    assert {found.parts for found in parts} == {3}
    for found in parts:
        assert sum(len(hit.text) for hit in found.hits) <= 12_000
        assert all(len(hit.text) <= 2_000 for hit in found.hits)
    hits = [hit for found in parts for hit in found.hits]
    assert " ".join(hit.text for hit in hits) == " ".join(SENTENCES)
    assert {(hit.course_title, hit.lesson_number, hit.lesson_title) for hit in hits} == {
        ("Folding", 1, "Folds")
    }
    sources = [rag.search.make_source(n, hit) for n, hit in enumerate(hits, 1)]
    cited = [text for source in sources for text in source.texts if text.strip()]
    assert cited == SENTENCES


@pytest.mark.usefixtures("long_lesson")
def test_a_part_that_does_not_exist_is_refused_with_their_number(rag: RAGSystem) -> None:
    assert rag.search.read_lesson("Folding", 1, 4, Scope()) == "Lesson 1 of 'Folding' has 3 parts."
    assert rag.search.read_lesson("Folding", 1, 0, Scope()) == "Lesson 1 of 'Folding' has 3 parts."


def test_without_a_number_the_whole_course_is_read_in_order(rag: RAGSystem) -> None:
    found = read(rag, "bread", None)
    assert [hit.lesson_number for hit in found.hits] == [0, 1, 2]
    assert found.parts == 1


def test_only_what_the_question_may_use_is_read(rag: RAGSystem) -> None:
    scope = taught_so_far(BREAD, 1)
    assert [hit.lesson_number for hit in read(rag, BREAD, None, scope=scope).hits] == [0, 1]
    refused = rag.search.read_lesson(BREAD, 2, 1, scope)
    assert refused == f"Lesson 2 of '{BREAD}' has no text that this question may use; " + (
        "the outline lists the lessons."
    )
    elsewhere = rag.search.read_lesson("Tides", 1, 1, scope)
    assert elsewhere == f"The user restricted this question to: {BREAD}."


def test_an_unknown_course_is_refused_in_words(rag: RAGSystem) -> None:
    refused = rag.search.read_lesson("Tax law for farmers", 1, 1, Scope())
    assert isinstance(refused, str)
    assert "Tax law for farmers" in refused
