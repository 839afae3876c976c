"""Claims: records that keep two publishers from working on one course at the same time.

A server offers nothing that is decided between two writers at once. A claim makes it unlikely that two of
them switch a course over one after the other; what is on the server stays whole even then.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.shared.connection import CATALOG, Record
from app.features.shared.entries import CLAIM
from app.features.shared.fields import Fields, Unusable, fitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.cancel import CancelToken
    from app.features.shared.connection import Found, ServerConnection, Value

STALE = 600.0  # seconds after which a claim that nobody has renewed counts no more
_RENEWED = 60.0  # seconds between two looks at an own claim


@dataclass(frozen=True, slots=True)
class Publisher:
    """Who publishes: a library, and one run of it, which continues what an earlier one has left."""

    library: str
    run: str


@dataclass(frozen=True, slots=True)
class ClaimMark:
    """A claim as it is on the server."""

    course: str  # uid
    title: str
    publisher: Publisher
    time: float  # seconds since the epoch


class CourseClaimed(UserError):
    """Another publisher works on the course."""


def mark_of(found: Found) -> ClaimMark | None:
    """Return the claim that a record of the catalogue is; None if it is none."""
    try:
        fields = Fields(found.metadata)
        if fields.text("kind") != CLAIM:
            return None
        publisher = Publisher(fields.text("library"), fields.text("run"))
        return ClaimMark(fields.text("course"), fields.text("title"), publisher, fields.moment("time"))
    except Unusable:
        return None


class Claim:
    """The claim of a publisher to one course, given by its uid and title."""

    def __init__(
        self,
        connection: ServerConnection,
        publisher: Publisher,
        course: tuple[str, str],
        dimension: int,
        now: Callable[[], float],
        cancel: CancelToken,
    ) -> None:
        self._connection = connection
        self._publisher = publisher
        self._uid, self._title = course
        self._vector = np.full(dimension, dimension**-0.5, np.float32)  # nobody searches for it
        self._now = now
        self._cancel = cancel
        self._looked = -math.inf

    def take(self) -> None:
        """Raises CourseClaimed if another publisher has the course."""
        mark = self._mark()
        if mark is not None and mark.publisher.library != self._publisher.library:
            left = STALE - abs(self._now() - mark.time)  # another computer's clock may be ahead
            if left > 0:
                minutes = math.ceil(left / 60)
                raise CourseClaimed(Message("shared.claimed", title=self._title, n=minutes))
        self._write()

    def keep(self) -> None:
        """Check and renew the claim, if that was not done lately."""
        if self._now() - self._looked > _RENEWED:
            self.check()
            self._write()

    def check(self) -> None:
        """Raises CourseClaimed if another publisher has taken the course."""
        mark = self._mark()
        if mark is None or mark.publisher != self._publisher:
            raise CourseClaimed(Message("shared.claim_lost", title=self._title))

    def release(self) -> None:
        self._connection.delete(CATALOG, [self._id], cancel=self._cancel)

    @property
    def _id(self) -> str:
        return f"{self._uid}#{CLAIM}"

    def _mark(self) -> ClaimMark | None:
        found = self._connection.get(CATALOG, ids=[self._id], metadatas=True, cancel=self._cancel)
        return mark_of(found[0]) if found else None

    def _write(self) -> None:
        self._looked = self._now()
        fields: dict[str, Value] = {
            "kind": CLAIM,
            "course": self._uid,
            "title": fitted(self._title),
            "library": self._publisher.library,
            "run": self._publisher.run,
            "time": self._looked,
        }
        self._connection.put(
            CATALOG, [Record(self._id, self._vector, self._title, fields)], cancel=self._cancel
        )
