"""Questions to start with."""

from __future__ import annotations

from app.domain.courses import Course, LessonInfo
from app.ui.library.sidebar_parts import suggested_questions


def course(*titles: str) -> Course:
    lessons = tuple(LessonInfo(n, title, None, 1) for n, title in enumerate(titles))
    return Course("Tides", None, None, len(lessons), (), lessons)


def test_questions_of_the_courses_come_in_turns() -> None:
    found = (("What is a tide?", "What is a neap?"), ("What is sand?",))
    asked = suggested_questions([course("The moon"), course("Sand")], found, 3)
    assert asked == ("What is a tide?", "What is sand?", "What is a neap?")


def test_without_any_they_ask_about_subjects_and_not_about_places() -> None:
    titles = "README", "Introduction", "Week 2 › The moon", "Why is it late?", "gen_1"
    asked = suggested_questions([course(*titles)], ((),), 9)
    assert asked == ("What are the main points of “The moon”?", "Why is it late?")


def test_each_course_is_heard() -> None:
    asked = suggested_questions([course("The moon", "The sun"), course("Sand")], (), 2)
    assert asked == ("What are the main points of “The moon”?", "What are the main points of “Sand”?")
