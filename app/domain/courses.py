"""Courses and lessons as listed, and the library's totals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LessonInfo:
    """A lesson as listed; ``passages`` counts the searchable ones."""

    number: int | None
    title: str
    link: str | None
    passages: int


@dataclass(frozen=True, slots=True)
class Course:
    """A course as listed, with its lessons in order; a lesson spread over several files is listed once.

    Attributes:
        files: paths, in the order of their lessons.
        description: the first lines of its README, or None.
    """

    title: str
    instructor: str | None
    link: str | None
    passages: int
    files: tuple[str, ...]
    lessons: tuple[LessonInfo, ...]
    is_sample: bool = False
    description: str | None = None


@dataclass(frozen=True, slots=True)
class LibraryCounts:
    courses: int
    documents: int
    passages: int
