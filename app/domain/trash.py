"""What was removed and can still be brought back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrashEntry:
    """What was removed of one course at one time.

    Attributes:
        documents: opaque keys.
        course_title: the course they belong to.
        paths: of their files, in order.
        passages: how many come back with them.
        removed: seconds since the epoch.
        whole_course: whether nothing of the course is left in the library.
    """

    documents: tuple[int, ...]
    course_title: str
    paths: tuple[str, ...]
    passages: int
    removed: float
    whole_course: bool = True


def passages_of(entries: tuple[TrashEntry, ...]) -> int:
    """Return how many passages the entries hold together."""
    return sum(entry.passages for entry in entries)


def files_of(entries: tuple[TrashEntry, ...]) -> int:
    """Return how many files the entries hold together."""
    return sum(len(entry.paths) for entry in entries)
