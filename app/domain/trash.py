"""Removed documents that can still be restored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """The documents removed from one course at one time.

    Attributes:
        removed: seconds since the epoch.
        whole_course: whether the library holds nothing else of the course.
    """

    documents: tuple[int, ...]
    course_title: str
    paths: tuple[str, ...]
    passages: int
    removed: float
    whole_course: bool = True
