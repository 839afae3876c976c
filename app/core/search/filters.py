"""What a search may find: asked of one lesson, of the library file, and of Chroma."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.storage.passages import Condition
from app.domain.scope import Scope, includes

Where = dict[str, Any]
_Part = tuple[str, Sequence[object]]  # a condition and the values of its parameter

_IN_COURSES = "k.course_id IN (SELECT id FROM courses WHERE title IN (SELECT value FROM json_each(?)))"
_OF_LESSONS = """SELECT other.id FROM json_each(?) AS pair
                 JOIN courses AS c ON c.title = json_extract(pair.value, '$[0]')
                 JOIN chunks AS other ON other.course_id = c.id AND other.lesson_number"""
_IN_LESSONS = f"k.id IN ({_OF_LESSONS} IS json_extract(pair.value, '$[1]'))"
_NOT_AFTER = f"k.id NOT IN ({_OF_LESSONS} > json_extract(pair.value, '$[1]'))"
_OF_OTHER_FILES = (
    "k.document_id NOT IN (SELECT id FROM documents WHERE path IN (SELECT value FROM json_each(?)))"
)
_OF_NUMBER = "k.lesson_number IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """Passes passages that meet all its conditions.

    Courses and lessons of the user's scope add up: courses in ``scope.courses`` pass as a whole, others only
    the lessons in ``scope.lessons``. ``scope.up_to`` then excludes later lessons.
    """

    courses: frozenset[str] | None = None  # titles asked for; None for any
    lesson_number: int | None = None  # asked for; passages without a lesson do not pass
    scope: Scope = field(default_factory=Scope)
    without: str = ""  # path of a file of the library whose passages do not pass

    @property
    def is_everything(self) -> bool:
        return (
            self.courses is None
            and self.lesson_number is None
            and self.scope.is_everything
            and not self.without
        )

    def includes(self, title: str, number: int | None) -> bool:
        """Return whether a lesson's passages pass; ``number`` is None for text outside lessons."""
        if self.courses is not None and title not in self.courses:
            return False
        return self.lesson_number in (None, number) and includes(self.scope, title, number)

    def condition(self) -> Condition:
        """Return what a row of ``chunks AS k`` has to meet, and the parameters."""
        scope = self.scope
        chosen: list[_Part] = [(_IN_COURSES, scope.courses)] if scope.courses else []
        chosen += [(_IN_LESSONS, scope.lessons)] if scope.lessons else []
        others: list[_Part] = [(_IN_COURSES, [*self.courses])] if self.courses is not None else []
        others += [(_OF_NUMBER, [self.lesson_number])] if self.lesson_number is not None else []
        others += [(_OF_OTHER_FILES, [self.without])] if self.without else []
        others += [(_NOT_AFTER, scope.up_to)] if scope.up_to else []
        either = " OR ".join(text for text, _ in chosen) or "TRUE"
        text = " AND ".join([f"({either})", *(text for text, _ in others)])
        return text, [json.dumps(values) for _, values in (*chosen, *others)]

    def where(self, numbers: Callable[[str], Iterable[int]]) -> Where | None:
        """Return Chroma's filter, None for everything; ``numbers`` gives those of a course's lessons.

        It passes a file left out as well. A record of text outside lessons has no number: ``$nin`` passes it,
        whatever it lists.
        """
        scope = self.scope
        chosen: list[Where] = [{"course_title": {"$in": [*scope.courses]}}] if scope.courses else []
        chosen += [
            _joined("$and", [{"course_title": title}, *_lesson(number, numbers(title))])
            for title, number in scope.lessons
        ]
        every = [_joined("$or", chosen)] if chosen else []
        if self.courses is not None:
            every.append({"course_title": {"$in": sorted(self.courses)}})
        if self.lesson_number is not None:
            every.append({"lesson_number": self.lesson_number})
        for title, last in scope.up_to:
            if later := [number for number in numbers(title) if number > last]:
                every.append({"$or": [{"course_title": {"$ne": title}}, {"lesson_number": {"$nin": later}}]})
        return _joined("$and", every) if every else None


def _lesson(number: int | None, numbers: Iterable[int]) -> list[Where]:
    if number is not None:
        return [{"lesson_number": number}]
    others = [*numbers]
    return [{"lesson_number": {"$nin": others}}] if others else []


def _joined(operator: str, conditions: list[Where]) -> Where:
    return {operator: conditions} if len(conditions) > 1 else conditions[0]
