"""Courses and lessons as listed, the library's totals, and where a file belongs."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LessonInfo:
    """A lesson as listed; ``passages`` counts the searchable ones."""

    number: int | None
    title: str
    link: str | None
    passages: int
    files: tuple[str, ...] = ()  # paths of those that hold it, which may hold other lessons as well


@dataclass(frozen=True, slots=True)
class Course:
    """A course as listed, with its lessons in order; a lesson spread over several files is listed once."""

    title: str
    instructor: str | None
    link: str | None
    passages: int
    files: tuple[str, ...]  # paths, in the order of their lessons
    lessons: tuple[LessonInfo, ...]
    is_sample: bool = False
    description: str | None = None  # the first lines of its README, or None
    server: str = ""  # URL of the server that it is shared on; such a course and its lessons have no files


@dataclass(frozen=True, slots=True)
class LibraryCounts:
    courses: int
    documents: int
    passages: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What a document itself says about its place."""

    claim: str | None = None  # the course title in its header, or None
    heading: str = ""  # the heading it begins with; may be empty
    marked: bool = False  # it has its own lesson markers


@dataclass(frozen=True, slots=True)
class Correction:
    """The user's decision about a file, or about the folder of a course."""

    course: str | None = None  # title of its course; None for the automatic one
    left_out: bool | None = None  # whether the file is not read; None for the automatic decision


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document belongs."""

    course: str  # title of the course
    number: int | None = None  # of its lesson; ignored if the document has its own lesson markers
    title: str = ""  # of its lesson
    placed: bool = False  # number and title come from the file's location, not from the document
    about: bool = False  # it describes its course, as a README does
