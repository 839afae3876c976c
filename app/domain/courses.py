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


@dataclass(frozen=True, slots=True)
class Facts:
    """What a document itself says about its place.

    Attributes:
        claim: the course title its header names; None without such a header.
        heading: its first heading; empty where it does not begin with one.
        marked: it has lesson markers of its own.
    """

    claim: str | None = None
    heading: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person decided about a file, or about the folder of a course.

    Attributes:
        course: the title of its course; None as it would be.
        left_out: the file is not to be read.
    """

    course: str | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document belongs.

    Attributes:
        course: title of the course.
        number: of the lesson that the document is; of no meaning where it has markers of its own.
        title: of the lesson.
        placed: number and title come from the place, not from the document.
        about: it describes its course, as a README does.
    """

    course: str
    number: int | None = None
    title: str = ""
    placed: bool = False
    about: bool = False
