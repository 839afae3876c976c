"""What a search may look at: one course, one lesson, the user's scope, all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.domain.models import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class PassageFilter:
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

    def where(self, course_ids: Mapping[str, int]) -> tuple[str, list[int]]:
        """Return an SQL condition on ``chunks`` and its parameters; titles unknown pass nothing."""
        conditions: list[str] = ["1"]
        values: list[int] = []

        def any_of(titles: frozenset[str]) -> str:
            keys = [course_ids[title] for title in titles if title in course_ids]
            values.extend(keys)
            return f"chunks.course_id IN ({','.join('?' * len(keys))})"

        if self.courses is not None:
            conditions.append(any_of(self.courses))
        if self.lesson_number is not None:
            conditions.append("chunks.lesson_number = ?")
            values.append(self.lesson_number)
        if self.scope.courses or self.scope.lessons:
            choices = [any_of(frozenset(self.scope.courses))]
            for title, number in self.scope.lessons:
                values.append(course_ids.get(title, -1))
                if number is None:
                    choices.append("(chunks.course_id = ? AND chunks.lesson_number IS NULL)")
                else:
                    choices.append("(chunks.course_id = ? AND chunks.lesson_number = ?)")
                    values.append(number)
            conditions.append(f"({' OR '.join(choices)})")
        for title, last in self.scope.up_to:
            conditions.append(
                "NOT (chunks.course_id = ? AND chunks.lesson_number IS NOT NULL AND chunks.lesson_number > ?)"
            )
            values.extend((course_ids.get(title, -1), last))
        return " AND ".join(conditions), values
