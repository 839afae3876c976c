"""The scope of a question, and how ticks and chips change it.

All functions are pure. A library is the sequence of its courses as listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.courses import Course


@dataclass(frozen=True, slots=True)
class Scope:
    """What the user restricts a question to; an empty scope is the whole library."""

    courses: tuple[str, ...] = ()  # exact course titles; empty means all
    # Pairs (title, number) that narrow a course to some of its lessons; None is text outside the lessons
    lessons: tuple[tuple[str, int | None], ...] = ()
    up_to: tuple[tuple[str, int], ...] = ()  # (title, N) excludes lessons after N, not text outside lessons

    @property
    def is_everything(self) -> bool:
        return not (self.courses or self.lessons or self.up_to)


@dataclass(frozen=True, slots=True)
class ScopePart:
    """What a scope says about one course."""

    title: str
    lessons: tuple[int | None, ...] = ()  # it is narrowed to, None for text outside them; empty for all
    up_to: int | None = None  # lessons after this one are excluded
    others_too: bool = False  # the part limits this course and leaves all others unrestricted


def includes(scope: Scope, title: str, number: int | None) -> bool:
    """Return whether a scope includes a lesson; ``number`` is None for text outside lessons."""
    chosen = scope.courses or scope.lessons
    if chosen and title not in scope.courses and (title, number) not in scope.lessons:
        return False
    return all(title != course or number is None or number <= last for course, last in scope.up_to)


def scope_parts(scope: Scope) -> tuple[ScopePart, ...]:
    """Return the parts of a scope, one for each course, in the order in which they were named."""
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
    return Scope(
        tuple(course for course in scope.courses if course != title),
        tuple(pair for pair in scope.lessons if pair[0] != title),
        tuple(pair for pair in scope.up_to if pair[0] != title),
    )


def with_course(scope: Scope, title: str) -> Scope:
    """Add the whole of a course to a scope; the whole library becomes only this course."""
    rest = without_course(scope, title)
    return _tidy(Scope((*rest.courses, title), rest.lessons, rest.up_to))


def with_renamed(scope: Scope, old: str, new: str) -> Scope:
    """Return the same scope after a course has got another title."""

    def now(title: str) -> str:
        return new if title == old else title

    return Scope(
        tuple(now(title) for title in scope.courses),
        tuple((now(title), number) for title, number in scope.lessons),
        tuple((now(title), number) for title, number in scope.up_to),
    )


def only_course(title: str) -> Scope:
    return Scope(courses=(title,))


def taught_so_far(title: str, number: int) -> Scope:
    return Scope(courses=(title,), up_to=((title, number),))


def ticked(scope: Scope, course: Course) -> frozenset[int | None]:
    """Return the numbers of a course's lessons in a scope; none if the scope is the whole library."""
    if scope.is_everything:
        return frozenset()
    return frozenset(one.number for one in course.lessons if includes(scope, course.title, one.number))


def with_ticks(
    scope: Scope, course: Course, numbers: Iterable[int | None], library: Sequence[Course]
) -> Scope:
    """Return a scope in which exactly these lessons of a course are ticked.

    No tick anywhere means the whole library. Other courses keep their restrictions; an "up to" of this
    course is dropped.
    """
    wanted = set(numbers)
    rest = without_course(scope, course.title)
    if not scope.is_everything and not (scope.courses or scope.lessons):
        # It only limited some courses, so all others were ticked: now they have to be named.
        others = tuple(one.title for one in library if one.title != course.title)
        rest = Scope(others, (), rest.up_to)
    if wanted >= {one.number for one in course.lessons}:
        return with_course(rest, course.title)
    pairs = tuple((course.title, number) for number in _in_order(wanted))
    return _tidy(Scope(rest.courses, (*rest.lessons, *pairs), rest.up_to))


def still_known(scope: Scope, library: Sequence[Course]) -> tuple[Scope, tuple[str, ...]]:
    """Return a scope without what has left the library, and the titles that it lost.

    A course is also lost if none of the lessons it was narrowed to is left.
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
    """Drop the limits of courses that a scope does not name."""
    named = {*scope.courses, *(title for title, _ in scope.lessons)}
    return Scope(scope.courses, scope.lessons, tuple(pair for pair in scope.up_to if pair[0] in named))


def _in_order(numbers: Iterable[int | None]) -> tuple[int | None, ...]:
    return tuple(sorted(set(numbers), key=lambda number: (number is not None, number or 0)))
