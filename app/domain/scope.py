"""What a scope lets through, and the scopes that ticks and chips make of one another.

All functions are pure. A library is the sequence of its courses as listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.models import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.domain.models import Course


@dataclass(frozen=True, slots=True)
class ScopePart:
    """What a scope says of one course.

    Attributes:
        title: of the course.
        lessons: numbers of the lessons it is narrowed to, None for text outside the lessons; empty
            for all of them.
        up_to: lessons after this one are kept out.
        others_too: the part limits this course and leaves all others as they are.
    """

    title: str
    lessons: tuple[int | None, ...] = ()
    up_to: int | None = None
    others_too: bool = False


def includes(scope: Scope, title: str, number: int | None) -> bool:
    """Return whether a scope lets a lesson through; ``number`` is None for text outside lessons."""
    chosen = scope.courses or scope.lessons
    if chosen and title not in scope.courses and (title, number) not in scope.lessons:
        return False
    return all(title != course or number is None or number <= last for course, last in scope.up_to)


def scope_parts(scope: Scope) -> tuple[ScopePart, ...]:
    """Return what a scope consists of, one part a course, in the order in which they were named."""
    limits = dict(scope.up_to)
    lessons: dict[str, list[int | None]] = {}
    for title, number in scope.lessons:
        lessons.setdefault(title, []).append(number)
    named = bool(scope.courses or scope.lessons)
    titles = dict.fromkeys([*scope.courses, *lessons] if named else limits)
    return tuple(
        ScopePart(
            title,
            () if title in scope.courses else _in_order(lessons.get(title, ())),
            limits.get(title),
            others_too=not named,
        )
        for title in titles
    )


def without_course(scope: Scope, title: str) -> Scope:
    """Return a scope that no longer names a course."""
    return Scope(
        tuple(course for course in scope.courses if course != title),
        tuple(pair for pair in scope.lessons if pair[0] != title),
        tuple(pair for pair in scope.up_to if pair[0] != title),
    )


def with_course(scope: Scope, title: str) -> Scope:
    """Return a scope that also has the whole of a course; everything becomes only this course."""
    rest = without_course(scope, title)
    return _tidy(Scope((*rest.courses, title), rest.lessons, rest.up_to))


def only_course(title: str) -> Scope:
    """Return the scope of one whole course."""
    return Scope(courses=(title,))


def taught_so_far(title: str, number: int) -> Scope:
    """Return the scope of one course up to a lesson."""
    return Scope(courses=(title,), up_to=((title, number),))


def ticked(scope: Scope, course: Course) -> frozenset[int | None]:
    """Return the numbers of a course's lessons that a scope names; of none, if it is everything."""
    if scope.is_everything:
        return frozenset()
    return frozenset(one.number for one in course.lessons if includes(scope, course.title, one.number))


def with_ticks(
    scope: Scope, course: Course, numbers: Iterable[int | None], library: Sequence[Course]
) -> Scope:
    """Return a scope in which exactly these lessons of a course are ticked.

    No tick anywhere is everything. What the scope says of other courses stays, an "up to" of this
    one goes.
    """
    wanted = set(numbers)
    rest = without_course(scope, course.title)
    if not scope.is_everything and not (scope.courses or scope.lessons):
        # It only limited some courses, so that all others were ticked: now they have to be named.
        others = tuple(one.title for one in library if one.title != course.title)
        rest = Scope(others, (), rest.up_to)
    if wanted >= {one.number for one in course.lessons}:
        return _tidy(Scope((*rest.courses, course.title), rest.lessons, rest.up_to))
    pairs = tuple((course.title, number) for number in _in_order(wanted))
    return _tidy(Scope(rest.courses, (*rest.lessons, *pairs), rest.up_to))


def still_known(scope: Scope, library: Sequence[Course]) -> tuple[Scope, tuple[str, ...]]:
    """Return a scope without what is no longer in the library, and the titles that it lost.

    A course is lost too when none of the lessons it was narrowed to is left.
    """
    numbers = {course.title: {one.number for one in course.lessons} for course in library}
    kept = Scope(
        tuple(title for title in scope.courses if title in numbers),
        tuple(pair for pair in scope.lessons if pair[1] in numbers.get(pair[0], ())),
        tuple(pair for pair in scope.up_to if pair[0] in numbers),
    )
    if scope.courses or scope.lessons:
        kept = _tidy(kept)
    left = {part.title for part in scope_parts(kept)}
    return kept, tuple(part.title for part in scope_parts(scope) if part.title not in left)


def _tidy(scope: Scope) -> Scope:
    """Return a scope that names courses without limits of courses it does not name."""
    named = {*scope.courses, *(title for title, _ in scope.lessons)}
    return Scope(scope.courses, scope.lessons, tuple(pair for pair in scope.up_to if pair[0] in named))


def _in_order(numbers: Iterable[int | None]) -> tuple[int | None, ...]:
    """Return numbers in order, without a number first."""
    return tuple(sorted(set(numbers), key=lambda number: (number is not None, number or 0)))
