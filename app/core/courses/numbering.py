"""Numbers the lessons of a course in the order of its time: the number of a folder comes before a file's."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from app.core.courses.names import is_generic, is_section, read_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


@dataclass
class Numbered:
    """Where a lesson lies: ``sections`` are its folders within the course, from outer to inner.

    ``number`` is what its name or heading says, and becomes its number in the course. ``exercise`` is the
    number of the exercise that its file or folder is called by, such as "pset3".
    """

    sections: tuple[str, ...]
    group: int | None
    number: int | None
    exercise: int | None = None

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Its folders but for the generic ones: "slides" and "labs" share the numbers of their lessons."""
        return tuple(name for name in self.sections if is_section(name) or not is_generic(name))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The numbers of its folders, such as the week's, from outer to inner."""
        numbers = [read_name(name).number for name in self.folders]
        return tuple(number for number in (*numbers, self.group) if number is not None)


def number_lessons(lessons: Sequence[Numbered]) -> None:
    """Number the lessons of a course, given in natural order of their paths.

    Their own numbers hold if they go on from each numbered folder to the next. Otherwise, as where they
    restart each week, a lesson has the number of its folder. Numbers that restart in folders without a
    number give way to the position. Exercises have their own numbers, unless they lie in such folders.
    """
    exercises = [lesson for lesson in lessons if lesson.exercise is not None and not lesson.folders]
    for lesson in exercises:
        lesson.number = lesson.exercise
    _number_in_order([lesson for lesson in lessons if lesson.exercise is None or lesson.folders])


def _number_in_order(lessons: Sequence[Numbered]) -> None:
    in_numbered = [lesson for lesson in lessons if lesson.steps]
    by_themselves = _ascend(
        (lesson.steps, (lesson.folders, lesson.group), lesson.number) for lesson in lessons
    )
    if in_numbered and not (by_themselves and _most_have_numbers(in_numbered)):
        innermost = [(lesson.steps, lesson.steps, lesson.steps[-1]) for lesson in in_numbered]
        level = -1 if _ascend(innermost) else 0
        for lesson in lessons:
            if lesson.steps:
                lesson.number = lesson.steps[level]
            elif lesson.folders:
                lesson.number = None
    elif not by_themselves:
        for lesson in lessons:
            lesson.number = None
    else:
        _fill_numbered_folders(in_numbered)
    _fill(lessons)


def _ascend(found: Iterable[tuple[tuple[int, ...], Hashable, int | None]]) -> bool:
    """Whether numbers are unique to their areas and go up from one numbered folder to the next.

    ``found`` has the steps, the area and the number of each lesson.
    """
    areas: dict[Hashable, set[int]] = {}
    spans: dict[tuple[int, ...], list[int]] = {}
    for steps, area, number in found:
        if number is not None:
            areas.setdefault(area, set()).add(number)
            spans.setdefault(steps, []).append(number)
    # Folders that repeat the numbers of the lessons beside them belong to those, such as "clean".
    main = areas.pop(((), None), set())
    apart = [numbers for area, numbers in areas.items() if not numbers <= main]
    if sum(map(len, apart)) > len(set().union(*apart)) or not main.isdisjoint(set().union(*apart)):
        return False
    spans.pop((), None)
    ordered = [numbers for _, numbers in sorted(spans.items())]
    return all(max(before) <= min(after) for before, after in zip(ordered, ordered[1:], strict=False))


def _most_have_numbers(lessons: Sequence[Numbered]) -> bool:
    having = {lesson.steps for lesson in lessons if lesson.number is not None}
    return 2 * len(having) >= len({lesson.steps for lesson in lessons})


def _fill_numbered_folders(lessons: Sequence[Numbered]) -> None:
    """Give lessons without a number the last one of their folder, or of the folder before."""
    known = sorted((lesson.steps, lesson.number) for lesson in lessons if lesson.number is not None)
    for lesson in lessons:
        if lesson.number is None:
            before = bisect_right(known, lesson.steps, key=lambda item: item[0])
            lesson.number = known[max(before - 1, 0)][1]


def _fill(lessons: Sequence[Numbered]) -> None:
    """Give lessons without a number the next one after the previous lesson if free, else after all others."""
    used = {lesson.number for lesson in lessons if lesson.number is not None}
    last = max(used, default=0)
    following: list[int | None] = []
    for lesson in reversed(lessons):
        nearest = following[-1] if following else None
        following.append(nearest if lesson.number is None else lesson.number)
    before = 0
    for lesson, after in zip(lessons, reversed(following), strict=True):
        if lesson.number is not None:
            before = lesson.number
        elif before + 1 in used or (after is not None and before + 1 >= after):
            lesson.number = last + 1
        else:
            lesson.number = before = before + 1
        used.add(lesson.number)
        last = max(last, lesson.number)
