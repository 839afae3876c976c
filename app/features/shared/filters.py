"""What a search's filters pass of a library on a server: exactly here, and as the server is asked for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.search.vectors import NO_LESSON

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from app.core.search.vectors import MetadataFilter
    from app.domain.shared import SharedCourse

_PREDICATES = 8  # that Chroma's cloud takes in one request
_EXCLUDED = 100  # documents named in a request; of more the server may send some, which are dropped here
_MOST = 0.8  # of all passages

Numbers = frozenset[int | None]
"""Numbers of lessons; None for text in none."""


@dataclass(frozen=True, slots=True)
class Passing:
    """The courses of which a filter passes anything.

    Attributes:
        whole: uids of those that pass as a whole.
        parts: of the others, by uid, the numbers of lessons that pass, and of those that do not.
        passages: how many pass.
        of: how many there are.
    """

    whole: frozenset[str]
    parts: Mapping[str, tuple[Numbers, Numbers]]
    passages: int
    of: int

    @property
    def uids(self) -> frozenset[str]:
        return self.whole | self.parts.keys()

    def has(self, course: str, lesson_number: int | None) -> bool:
        """Return whether the passages of a lesson pass."""
        return course in self.whole or (course in self.parts and lesson_number in self.parts[course][0])


def passing(
    courses: Mapping[str, SharedCourse], may_be_searched: Collection[str], wanted: MetadataFilter
) -> Passing:
    """Return what a filter passes of those courses of a catalogue that may be searched."""
    known = [courses[uid] for uid in may_be_searched]
    lessons = [_numbers(course) for course in known]
    owners = np.repeat(np.arange(len(known)), [len(numbers) for numbers in lessons])
    listed = [NO_LESSON if number is None else number for numbers in lessons for number in numbers]
    ids = {course.title: at for at, course in enumerate(known)}
    passes = iter(wanted.passing(owners, np.array(listed, np.int64), ids).tolist())
    whole = set()
    parts = {}
    passages = 0
    for course, numbers in zip(known, lessons, strict=True):
        kept = frozenset(number for number in numbers if next(passes))
        if len(kept) == len(numbers):
            whole.add(course.uid)
            passages += course.passages
        elif kept:
            parts[course.uid] = kept, frozenset(numbers) - kept
            passages += sum(lesson.passages for lesson in course.lessons if lesson.number in kept)
    return Passing(frozenset(whole), parts, passages, sum(course.passages for course in courses.values()))


def where(chosen: Passing, excluded: Sequence[str]) -> tuple[dict[str, Any] | None, bool]:
    """Return Chroma's filter for what passes, without some documents; and whether it parts no course wrongly.

    A filter with too many conditions for a server becomes one that passes whole courses. Where few courses do
    not pass, there is none: it would take a server five times as long.
    """
    room = _PREDICATES - bool(excluded) - bool(chosen.whole)
    is_exact = 2 * len(chosen.parts) <= room
    if not chosen.parts and chosen.passages >= _MOST * chosen.of:
        conditions = []
    elif is_exact:
        conditions = [_course(chosen.whole)] if chosen.whole else []
        conditions += [_part(uid, *numbers) for uid, numbers in chosen.parts.items()]
    else:
        conditions = [_course(chosen.uids)]
    joined = [{"$or": conditions} if len(conditions) > 1 else conditions[0]] if conditions else []
    if excluded:
        joined.append({"document": {"$nin": list(excluded[:_EXCLUDED])}})
    if not joined:
        return None, True
    return {"$and": joined} if len(joined) > 1 else joined[0], is_exact


def _numbers(course: SharedCourse) -> list[int | None]:
    of_documents = (number for document in course.documents for _, _, number in document.lessons)
    return list(dict.fromkeys([*(lesson.number for lesson in course.lessons), *of_documents]))


def _course(uids: Collection[str]) -> dict[str, Any]:
    return {"course": {"$in": sorted(uids)}}


def _part(uid: str, kept: Numbers, others: Numbers) -> dict[str, Any]:
    # A record of text in no lesson has no number: no list of numbers has it, every other one lacks it.
    if None in kept:
        lessons = {"$nin": sorted(number for number in others if number is not None)}
    else:
        lessons = {"$in": sorted(number for number in kept if number is not None)}
    return {"$and": [{"course": uid}, {"lesson_number": lessons}]}
