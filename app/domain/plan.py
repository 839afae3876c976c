"""What reading the chosen files would do, before any of them is read, and how that can be corrected."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PlannedState(StrEnum):
    """What the library knows of a planned file."""

    NEW = "new"
    CHANGED = "changed"
    """Size or time differ from what the library holds."""
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file that would be read, or is in the library as it is.

    Attributes:
        path: absolute.
        size: in bytes.
        state: what the library knows of it.
        lesson_number: a guess from name, folder and place; None for a file that is not a numbered
            lesson, such as a README, and for one that holds several.
        lesson_title: a guess, may be empty.
        own_course: its own header names the course.
    """

    path: str
    size: int
    state: PlannedState
    lesson_number: int | None
    lesson_title: str
    own_course: bool = False


@dataclass(frozen=True, slots=True)
class PlannedCourse:
    """A course as it would be; ``title`` is unique in a plan, ``files`` are in the order of lessons.

    Attributes:
        is_new: the library has no course of this title.
    """

    title: str
    files: tuple[PlannedFile, ...]
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class LeftOutFile:
    """A file that would not be read.

    Attributes:
        path: absolute.
        reason: one sentence, the same for all files of one kind.
        by_user: a correction left it out; another can take it in again.
    """

    path: str
    reason: str
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class IngestPlan:
    """What would become of the chosen paths.

    Attributes:
        paths: as chosen.
        courses: sorted by title; what the library holds besides is not among them.
        left_out: in the order in which they lie in the folders.
    """

    paths: tuple[str, ...]
    courses: tuple[PlannedCourse, ...]
    left_out: tuple[LeftOutFile, ...]

    @property
    def files(self) -> int:
        """How many files are planned, whatever their state."""
        return sum(len(course.files) for course in self.courses)

    @property
    def to_read(self) -> int:
        """How many of them would be read."""
        return sum(file.state is not PlannedState.UNCHANGED for file in self._all())

    def _all(self) -> list[PlannedFile]:
        return [file for course in self.courses for file in course.files]


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a person wants otherwise than planned. Remembered: reading again does the same.

    Courses are named by the title they have in the plan that is corrected.

    Attributes:
        renamed: pairs of a course's title and its new one; the title of another course joins the two.
        moved: pairs of a file's path and the title of the course it is to be in, an existing or a
            new one (as it is called after ``renamed``).
        left_out: paths of files that are not to be read.
        taken_in: paths of files that an earlier correction left out and that are to be read now.
    """

    renamed: tuple[tuple[str, str], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()
    left_out: tuple[str, ...] = ()
    taken_in: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to correct."""
        return bool(self.renamed or self.moved or self.left_out or self.taken_in)
