"""Events of publishing courses to a server."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.messages import Message


class PublishStatus(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PublishProgress:
    """Passages of a course are on their way; ``total`` is 0 until it is known how many there are to send."""

    course: str  # its title
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class CoursePublished:
    """What became of a course, or in a plan what would; one that failed never stops the others."""

    title: str
    status: PublishStatus
    passages: int = 0  # of the course, on the server now
    sent: int = 0  # passages that the server did not have
    retired: int = 0  # passages that the server does not need any more
    reason: Message | None = None  # why it failed


@dataclass(frozen=True, slots=True)
class LibraryPublished:
    """The run is over."""

    courses: tuple[CoursePublished, ...]
    seconds: float
    passages_sent: int


PublishEvent = PublishProgress | CoursePublished | LibraryPublished
