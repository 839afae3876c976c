"""Restricts a search to courses, a lesson and the user's scope."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

NO_LESSON = -1
"""Lesson number of a passage without a lesson; real ones start at 0."""


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """Passes passages that meet all its conditions.

    Courses and lessons of the user's scope add up: courses in ``scope.courses`` pass as a whole, others only
    the lessons in ``scope.lessons``. ``scope.up_to`` then excludes later lessons.
    """

    courses: frozenset[str] | None = None  # titles asked for; None for any
    lesson_number: int | None = None  # asked for; passages without a lesson do not pass
    scope: Scope = field(default_factory=Scope)

    def passing(
        self, courses: NDArray[np.int64], lessons: NDArray[np.int64], course_ids: Mapping[str, int]
    ) -> NDArray[np.bool_]:
        """Return which passages pass, given the keys of their courses and numbers of their lessons.

        ``course_ids`` are keys by title; unknown titles pass nothing.
        """
        kept = np.ones(len(courses), bool)
        if self.courses is not None:
            kept &= np.isin(courses, _keys(self.courses, course_ids))
        if self.lesson_number is not None:
            kept &= lessons == self.lesson_number
        if self.scope.courses or self.scope.lessons:
            in_scope = np.isin(courses, _keys(self.scope.courses, course_ids))
            # One number for each course and lesson; lesson numbers have at most nine digits.
            wanted = [
                course_ids[title] * 2**31 + (NO_LESSON if number is None else number)
                for title, number in self.scope.lessons
                if title in course_ids
            ]
            in_scope |= np.isin(courses * 2**31 + lessons, wanted)
            kept &= in_scope
        last = {course_ids[title]: number for title, number in self.scope.up_to if title in course_ids}
        if last:
            limit = np.full(max(int(courses.max(initial=0)), *last) + 1, np.iinfo(np.int64).max)
            limit[list(last)] = list(last.values())
            kept &= lessons <= limit[courses]
        return kept


def _keys(titles: Iterable[str], course_ids: Mapping[str, int]) -> list[int]:
    return [course_ids[title] for title in titles if title in course_ids]
