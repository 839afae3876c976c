"""Questions that courses answer themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.courses.questions import lesson_question
from app.domain.cancel import CancelToken
from tests.support.courses import library

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

ANSWERED = "The moon pulls the water of the sea towards itself, and away behind."


@pytest.mark.parametrize(
    ("title", "text", "question"),
    [
        ("Why does the sea rise?", ANSWERED, "Why does the sea rise?"),
        ("The sea", f"Look. Why does the sea rise? {ANSWERED}", "Why does the sea rise?"),
        ("Das Meer", f"Warum steigt das Meer am Strand? {ANSWERED}", "Warum steigt das Meer am Strand?"),
        ("El mar", f"¿Por qué sube el mar? {ANSWERED}", "¿Por qué sube el mar?"),
        ("The sea", "- **Ebb**: the water that falls twice a day.\n", "What does “Ebb” mean?"),
    ],
)
def test_a_lesson_asks_what_it_answers(title: str, text: str, question: str) -> None:
    assert lesson_question(title, [text]) == question


@pytest.mark.parametrize(
    "text",
    [
        f"Why does it rise? {ANSWERED}",  # what?
        "Why does the sea rise?\nWhen does the sea fall?\n",  # a list of questions
        "Why does the sea rise? And when does the sea fall, if it does so at all?",
        "Which kinds of water? There is salt water, and there is fresh water that rivers bring.",
        "Is the sea high? Yes, most of the time it is, as anybody can see who looks.",
        "The answer is the sum of all that has been said about the sea. That answer, this answer.",
        "The mark is a line on the wall of the harbour. That mark is green, this mark is red.",
        "for x in sea: print(x)",
        "",
    ],
)
def test_no_question_is_better_than_one_that_nobody_understands(text: str) -> None:
    assert lesson_question("data_gen", [text]) is None


def test_questions_of_the_samples_are_answered_by_the_course_they_are_from(
    tmp_path: Path, embedder: KeptEmbedder
) -> None:
    with library(tmp_path, embedder, index=False) as rag:
        for _ in rag.ingest.add_samples(CancelToken()):
            pass
        courses = rag.courses.all()
        found = rag.courses.questions(courses)
        assert len(found) == len(courses) == 4
        for course, questions in zip(courses, found, strict=True):
            assert len(questions) >= 2, course.title
            for question in questions:
                assert rag.search.retrieve(question).hits[0].course_title == course.title, question
        rag.courses.remove_courses([courses[0].title], CancelToken())
        assert rag.courses.questions(rag.courses.all()) == found[1:]
