"""Questions to start with."""

from __future__ import annotations

from app.domain.courses import Course
from app.domain.scope import Scope
from app.ui.library.sidebar_parts import suggested_questions

SAMPLE, MOON, SAND = (
    Course(title, None, None, 2, (), (), is_sample=title == "A sample")
    for title in ("A sample", "Moon", "Sand")
)
FOUND = (("What is a sample?",), ("What is a tide?", "What is a neap?"), ("What is sand?",))


def test_own_courses_come_in_turns_and_samples_last() -> None:
    asked = suggested_questions([SAMPLE, MOON, SAND], FOUND, Scope(), 4)
    assert asked == ("What is a tide?", "What is sand?", "What is a neap?", "What is a sample?")
    assert suggested_questions([SAMPLE, MOON, SAND], FOUND, Scope(), 2) == asked[:2]


def test_only_the_courses_of_the_scope_are_asked_about() -> None:
    scope = Scope(courses=("Sand",), lessons=(("A sample", 2),))
    assert suggested_questions([SAMPLE, MOON, SAND], FOUND, scope, 9) == (
        "What is sand?",
        "What is a sample?",
    )
