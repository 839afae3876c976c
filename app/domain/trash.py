"""Removed documents that can still be restored."""

from __future__ import annotations

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


def passages_of(entries: tuple[TrashEntry, ...]) -> int:
    return sum(entry.passages for entry in entries)


def files_of(entries: tuple[TrashEntry, ...]) -> int:
    return sum(len(entry.paths) for entry in entries)
