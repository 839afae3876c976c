"""Questions that courses answer themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.answers.picking import pick_sentences
from app.core.courses.questions import TeachingText, course_questions
from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from tests.support.courses import library

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

TIDES = [
    "**Ebb**: the water that falls twice a day. An ebb is slow. After an ebb comes the flood.",
    "**Sand**: what is on the beach, mostly quartz.",
]
MAREAS = [
    "La **bajamar** es el momento en que el agua está más baja de todo el día.",
    "Tras la bajamar, otra bajamar.",
]


def test_a_lesson_asks_about_a_term_that_it_marks_and_often_names() -> None:
    lessons = [
        TeachingText(1, "Oct 3", "en", TIDES),
        TeachingText(2, "Week 2 › Spring tides", "en", ["One.", "Two."]),
        TeachingText(3, "gen_1", "en", ["One.", "Two."]),
        TeachingText(4, "The short one", "en", ["One."]),
        TeachingText(5, "Mareas", "es", MAREAS),
    ]
    assert course_questions("The Sea", lessons) == (
        "¿Qué es «bajamar»?",  # a sentence about it is the best answer
        "What is an ebb?",
        "Summarise the lesson on Spring tides",
        "Resume la lección sobre Mareas",
        "What is lesson 1 of The Sea about?",
        "What is lesson 3 of The Sea about?",
    )


@pytest.mark.slow
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
            for question in questions[:4]:
                place = rag.search.place_asked_for(question, Scope())
                if isinstance(place, tuple):
                    assert place[0] == course.title, question
                    continue
                hits = rag.search.retrieve(question).hits
                sources = [rag.search.make_source(n, hit) for n, hit in enumerate(hits, 1)]
                picks = pick_sentences(question, sources, embedder)
                term = question.rstrip("?").split()[-1].lower()
                assert hits[0].course_title == course.title, question
                assert any(term in pick.text.lower() for pick in picks), question
        rag.courses.remove_courses([courses[0].title], CancelToken())
        assert rag.courses.questions(rag.courses.all()) == found[1:]
