"""What a search may look at: one course, one lesson, the user's scope, all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

NO_LESSON = -1
"""Stands for the number of a passage's lesson where it has none; lessons are numbered from 0 on."""


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """A passage passes when every part of the filter lets it through.

    Attributes:
        courses: titles that were asked for; None for any.
        lesson_number: the lesson that was asked for; passages without a lesson do not pass it.
        scope: what the user restricted the question to. Courses and lessons add up: a course
            that is named in ``scope.courses`` is open as a whole, the others as far as
            ``scope.lessons`` says. ``scope.up_to`` then keeps later lessons out.
    """

    courses: frozenset[str] | None = None
    lesson_number: int | None = None
    scope: Scope = field(default_factory=Scope)

    @property
    def passes_everything(self) -> bool:
        """Whether nothing is left out."""
        return self.courses is None and self.lesson_number is None and self.scope.is_everything

    def passing(
        self, courses: NDArray[np.int64], lessons: NDArray[np.int64], course_ids: Mapping[str, int]
    ) -> NDArray[np.bool_]:
        """Return which passages pass.

        Args:
            courses: of each passage, the key of its course.
            lessons: of each passage, the number of its lesson, or :data:`NO_LESSON`.
            course_ids: keys of the courses by title; titles unknown pass nothing.
        """
        kept = np.ones(len(courses), bool)
        if self.courses is not None:
            kept &= np.isin(courses, _keys(self.courses, course_ids))
        if self.lesson_number is not None:
            kept &= lessons == self.lesson_number
        if self.scope.courses or self.scope.lessons:
            open_to_it = np.isin(courses, _keys(self.scope.courses, course_ids))
            wanted = [
                (course_ids[title], NO_LESSON if number is None else number)
                for title, number in self.scope.lessons
                if title in course_ids
            ]
            if wanted:
                pairs = np.array(wanted, np.int64)
                open_to_it |= np.isin(_joined(courses, lessons), _joined(pairs[:, 0], pairs[:, 1]))
            kept &= open_to_it
        last = {course_ids[title]: number for title, number in self.scope.up_to if title in course_ids}
        if last:
            limit = np.full(max(int(courses.max(initial=0)), *last) + 1, np.iinfo(np.int64).max)
            limit[list(last)] = list(last.values())
            kept &= lessons <= limit[courses]
        return kept


def _joined(courses: NDArray[np.int64], lessons: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one number for each course and lesson; numbers of lessons have at most nine digits."""
    return courses * 2**31 + lessons


def _keys(titles: Iterable[str], course_ids: Mapping[str, int]) -> list[int]:
    return [course_ids[title] for title in titles if title in course_ids]
