from __future__ import annotations

import numpy as np
import pytest

from app.core.search.vectors import NO_LESSON, MetadataFilter
from app.domain.scope import Scope

IDS = {"Bread": 1, "Tides": 2}
# Two courses with lessons 0 to 2, and a passage before the first lesson.
PASSAGES = [(course, lesson) for course in (1, 2) for lesson in (None, 0, 1, 2)]
EVERYTHING = set(PASSAGES)


def passing(passages: MetadataFilter) -> set[tuple[int, int | None]]:
    courses = np.array([course for course, _ in PASSAGES])
    numbers = np.array([NO_LESSON if lesson is None else lesson for _, lesson in PASSAGES])
    return {PASSAGES[row] for row in np.flatnonzero(passages.passing(courses, numbers, IDS))}


def lessons(course: int, *numbers: int | None) -> set[tuple[int, int | None]]:
    return {(course, number) for number in numbers}


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        (MetadataFilter(), EVERYTHING),
        (MetadataFilter(frozenset({"Bread"})), lessons(1, None, 0, 1, 2)),
        (MetadataFilter(frozenset({"Bread", "Tides"})), EVERYTHING),
        (MetadataFilter(frozenset({"Unknown"})), set()),
        (MetadataFilter(frozenset()), set()),
        (MetadataFilter(lesson_number=0), {(1, 0), (2, 0)}),
        (MetadataFilter(frozenset({"Tides"}), 0), {(2, 0)}),
        (MetadataFilter(frozenset({"Tides"}), 7), set()),
        (MetadataFilter(scope=Scope(courses=("Bread",))), lessons(1, None, 0, 1, 2)),
        (MetadataFilter(scope=Scope(courses=("Unknown",))), set()),
        (MetadataFilter(scope=Scope(lessons=(("Bread", 0), ("Tides", 2)))), {(1, 0), (2, 2)}),
        (
            MetadataFilter(scope=Scope(courses=("Bread",), lessons=(("Tides", 1),))),
            lessons(1, None, 0, 1, 2) | {(2, 1)},
        ),
        (MetadataFilter(scope=Scope(up_to=(("Bread", 0),))), lessons(1, None, 0) | lessons(2, None, 0, 1, 2)),
        (MetadataFilter(scope=Scope(courses=("Bread",), up_to=(("Bread", 1),))), lessons(1, None, 0, 1)),
        (MetadataFilter(frozenset({"Tides"}), scope=Scope(courses=("Bread",))), set()),
        (MetadataFilter(None, 2, Scope(up_to=(("Bread", 1),))), {(2, 2)}),
    ],
)
def test_what_passes(passages: MetadataFilter, expected: set[tuple[int, int | None]]) -> None:
    assert passing(passages) == expected
