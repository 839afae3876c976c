"""Courses and lessons as listed, the library's totals, and where a file belongs."""

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
        claim: the course title in its header, or None.
        heading: the heading it begins with; may be empty.
        marked: it has its own lesson markers.
    """

    claim: str | None = None
    heading: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """The user's decision about a file, or about the folder of a course.

    Attributes:
        course: title of its course; None for the automatic one.
        left_out: the file is not read.
    """

    course: str | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document belongs.

    Attributes:
        course: title of the course.
        number: of its lesson; ignored if the document has its own lesson markers.
        title: of its lesson.
        placed: number and title come from the file's location, not from the document.
        about: it describes its course, as a README does.
    """

    course: str
    number: int | None = None
    title: str = ""
    placed: bool = False
    about: bool = False
