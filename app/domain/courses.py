"""Courses and lessons as listed, the library's totals, where a file belongs, and the plan of an ingestion."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from app.domain.messages import Message


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


class LibraryCounts(NamedTuple):
    courses: int
    documents: int
    passages: int


class Use(StrEnum):
    """What a document is for."""

    TEACHING = "teaching"
    EXERCISE = "exercise"  # or an exam
    SOLUTION = "solution"
    DATA = "data"  # to be worked with
    CODE = "code"
    ABOUT = "about"  # the course: its teachers, dates, exams, books


@dataclass(frozen=True, slots=True)
class Facts:
    """What a document itself says about its place and its use."""

    claim: str | None = None  # the course title in its header, or None
    heading: str = ""  # the heading it begins with; may be empty
    marked: bool = False  # it has its own lesson markers
    use: Use = field(default=Use.TEACHING, compare=False)  # which says nothing about its place


class Correction(NamedTuple):
    """The user's decision about a file, or about the folder of a course."""

    course: str | None = None  # title of its course; None for the automatic one
    left_out: bool | None = None  # whether the file is not read; None for the automatic decision
    use: Use | None = None  # None for the automatic one


class Place(NamedTuple):
    """Where a document belongs."""

    course: str  # title of the course
    number: int | None = None  # of its lesson; ignored if the document has its own lesson markers
    title: str = ""  # of its lesson
    placed: bool = False  # number and title come from the file's location, not from the document
    about: bool = False  # it describes its course, as a README does


class PlannedState(StrEnum):
    NEW = "new"
    CHANGED = "changed"  # size or time differ
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that would be read, or is in the library unchanged."""

    path: str  # absolute
    size: int
    state: PlannedState
    lesson_number: int | None  # a guess from name, folder and order; None for no lesson or several
    lesson_title: str  # a guess, may be empty
    own_course: bool = False  # its own header names the course
    use: Use = Use.TEACHING  # a guess as well until it is read


@dataclass(frozen=True, slots=True)
class PlannedCourse:
    """A course as planned; ``title`` is unique in a plan, ``files`` are in the order of lessons."""

    title: str
    files: tuple[PlannedFile, ...]
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class LeftOutFile:
    """A file that is skipped, for a ``reason`` of one sentence, the same for all files of one format.

    ``optional``: it can be read; the user or Lectern chose not to, and a correction reverts that.
    """

    path: str
    reason: Message
    optional: bool = False


@dataclass(frozen=True, slots=True)
class PlannedFolder:
    """A chosen folder that could be one course, or have a course in each of its subfolders."""

    path: str
    one_course: bool
    is_new: bool = True  # decided just now


@dataclass(frozen=True, slots=True)
class IngestPlan:
    paths: tuple[str, ...]
    courses: tuple[PlannedCourse, ...]  # sorted by title; without other courses of the library
    left_out: tuple[LeftOutFile, ...]  # in folder order
    folders: tuple[PlannedFolder, ...] = ()

    @property
    def files(self) -> int:
        return sum(len(course.files) for course in self.courses)

    @property
    def to_read(self) -> int:
        """Number of files that would be read."""
        states = [file.state for course in self.courses for file in course.files]
        return len(states) - states.count(PlannedState.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Corrections:
    """The user's changes to a plan. They are stored, so that reading again has the same result.

    Courses are named by their titles in the corrected plan.
    """

    renamed: tuple[tuple[str, str], ...] = ()  # (title, new title); another course's title merges them
    moved: tuple[tuple[str, str], ...] = ()  # (path, title of a course, new or as in `renamed`)
    left_out: tuple[str, ...] = ()  # paths of files to skip
    taken_in: tuple[str, ...] = ()  # paths of files that would be skipped and that are read now
    one_course: tuple[tuple[str, bool], ...] = ()  # (chosen folder, whether it is one course)
    used: tuple[tuple[str, Use], ...] = ()  # (path, what the file is for)

    def __bool__(self) -> bool:
        return any((self.renamed, self.moved, self.left_out, self.taken_in, self.one_course, self.used))
