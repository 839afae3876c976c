"""Questions to start with."""

from __future__ import annotations

from app.domain.courses import Course, LessonInfo
from app.ui.courses.suggestions import suggested_questions


def course(*titles: str) -> Course:
    lessons = tuple(LessonInfo(n, title, None, 1) for n, title in enumerate(titles))
    return Course("Tides", None, None, len(lessons), (), lessons)


def test_they_ask_about_subjects_and_not_about_places() -> None:
    asked = suggested_questions([course("README", "Introduction", "Week 2 › The moon", "Why is it late?")], 9)
    assert asked == ("Tell me about “The moon”.", "Why is it late?")


def test_each_course_is_heard() -> None:
    asked = suggested_questions([course("The moon", "The sun"), course("Sand")], 2)
    assert asked == ("Tell me about “The moon”.", "Tell me about “Sand”.")
