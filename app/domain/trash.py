"""Removed documents that can still be restored."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """The documents removed from one course at one time."""

    documents: tuple[int, ...]
    course_title: str
    paths: tuple[str, ...]
    passages: int
    removed: float  # seconds since the epoch
    kept_until: float  # the same
    whole_course: bool = True  # whether the library holds nothing else of the course
    items: int = 0  # of the course's deck, which goes and comes back with the last of its documents
