"""What a scope lets through, and what ticks and chips make of it."""

from __future__ import annotations

import pytest

from app.domain.courses import Course, LessonInfo
from app.domain.scope import (
    Scope,
    ScopePart,
    includes,
    only_course,
    scope_parts,
    still_known,
    taught_so_far,
    ticked,
    with_course,
    with_ticks,
    without_course,
)


def course(title: str, *numbers: int | None) -> Course:
    lessons = tuple(LessonInfo(number, "", None, 1) for number in numbers)
    return Course(title, None, None, len(numbers), (), lessons)


A = course("A", None, 0, 1, 2, 3)
B = course("B", 1, 2)
C = course("C", None)
LIBRARY = (A, B, C)


@pytest.mark.parametrize(
    ("scope", "let_through"),
    [
        (Scope(), {("A", None), ("A", 0), ("A", 3), ("B", 2)}),
        (Scope(courses=("A",)), {("A", None), ("A", 0), ("A", 3)}),
        (Scope(lessons=(("A", 0), ("B", 2))), {("A", 0), ("B", 2)}),
        (Scope(lessons=(("A", None),)), {("A", None)}),
        (taught_so_far("A", 0), {("A", None), ("A", 0)}),
        (Scope(up_to=(("A", 0),)), {("A", None), ("A", 0), ("B", 2)}),
    ],
)
def test_what_a_scope_lets_through(scope: Scope, let_through: set[tuple[str, int | None]]) -> None:
    asked = [("A", None), ("A", 0), ("A", 3), ("B", 2)]
    assert {one for one in asked if includes(scope, *one)} == let_through


def test_ticking_one_lesson_after_the_other_ends_in_the_whole_course() -> None:
    scope = with_ticks(Scope(), B, {2}, LIBRARY)
    assert scope == Scope(lessons=(("B", 2),))
    assert ticked(scope, B) == {2}
    assert with_ticks(scope, B, {1, 2}, LIBRARY) == Scope(courses=("B",))


def test_unticking_the_last_lesson_is_everything_again() -> None:
    assert with_ticks(Scope(lessons=(("B", 2),)), B, (), LIBRARY) == Scope()
    assert ticked(Scope(), B) == frozenset()


def test_a_tick_leaves_other_courses_as_they_are() -> None:
    scope = with_ticks(taught_so_far("A", 1), B, {1}, LIBRARY)
    assert scope == Scope(("A",), (("B", 1),), (("A", 1),))
    assert with_ticks(scope, B, (), LIBRARY) == taught_so_far("A", 1)


def test_a_tick_in_a_course_with_a_limit_replaces_the_limit() -> None:
    scope = taught_so_far("A", 1)
    assert ticked(scope, A) == {None, 0, 1}
    assert with_ticks(scope, A, ticked(scope, A) | {3}, LIBRARY) == Scope(
        lessons=(("A", None), ("A", 0), ("A", 1), ("A", 3))
    )


def test_unticking_in_a_scope_that_only_limits_names_the_other_courses() -> None:
    scope = with_ticks(Scope(up_to=(("A", 1),)), B, {1}, LIBRARY)
    assert scope == Scope(("A", "C"), (("B", 1),), (("A", 1),))


def test_parts_are_one_a_course() -> None:
    scope = Scope(("B",), (("A", 3), ("A", None), ("A", 0), ("B", 1)), (("B", 1), ("gone", 2)))
    assert scope_parts(scope) == (ScopePart("B", (), 1), ScopePart("A", (None, 0, 3)))
    assert scope_parts(Scope(up_to=(("A", 2),))) == (ScopePart("A", (), 2, others_too=True),)
    assert scope_parts(Scope()) == ()


def test_a_course_added_by_name_widens_a_scope_and_narrows_everything() -> None:
    assert with_course(Scope(), "A") == only_course("A")
    assert with_course(Scope(lessons=(("A", 1), ("B", 1))), "A") == Scope(("A",), (("B", 1),))
    assert with_course(Scope(up_to=(("B", 1),)), "A") == only_course("A")


def test_a_part_can_be_taken_out() -> None:
    scope = Scope(("A",), (("B", 1),), (("A", 1),))
    assert without_course(scope, "A") == Scope(lessons=(("B", 1),))
    assert without_course(without_course(scope, "A"), "B") == Scope()


def test_what_is_gone_from_the_library_is_dropped_by_name() -> None:
    scope = Scope(("A", "gone"), (("B", 9), ("C", None)), (("A", 1), ("gone", 2)))
    assert still_known(scope, LIBRARY) == (Scope(("A",), (("C", None),), (("A", 1),)), ("gone", "B"))
    assert still_known(only_course("gone"), LIBRARY) == (Scope(), ("gone",))
    assert still_known(taught_so_far("A", 7), LIBRARY) == (taught_so_far("A", 7), ())
    assert still_known(Scope(), ()) == (Scope(), ())
