from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from app.ui.library.course_model import CourseTreeModel, Role
from tests.support import side_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytestqt.qtbot import QtBot

    from app.domain.courses import Course


def shown(model: QAbstractItemModel, parent: QModelIndex | None = None) -> list[tuple[str, int | None]]:
    at = parent or QModelIndex()
    indexes = [model.index(row, 0, at) for row in range(model.rowCount(at))]
    return [(index.data(), index.data(Role.COUNT)) for index in indexes]


def expected(courses: Sequence[Course]) -> list[list[tuple[str, int | None]]]:
    return [[(f"{item.number} · {item.title}", None) for item in one.lessons] for one in courses]


def test_courses_and_lessons_in_order_with_counts(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_courses([side_data.course("B", 2), side_data.course("A", 3)])
    assert shown(model) == [("B", 2), ("A", 3)]
    assert shown(model, model.index(0, 0)) == [
        ("0 · Introduction", None),
        ("1 · What changes and what stays", None),
    ]
    assert "3 lessons in 1 file" in model.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tester.model() is model


def test_titles_of_an_imported_library_cannot_turn_writing_around(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    course = side_data.course("B\u202egnp.exe", 1)
    model.set_courses([course])
    index = model.index(0, 0)
    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
        assert "\u202e" not in index.data(role)
    assert index.data(Role.COURSE_TITLE) == course.title, "it is still found by its own name"


def test_every_change_of_the_library_is_followed(qtbot: QtBot) -> None:
    chance = random.Random(5)
    model = CourseTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    titles = [f"Course {n}" for n in range(8)]
    for _ in range(120):
        chosen = chance.sample(titles, chance.randrange(len(titles)))
        if chance.random() < 0.8:
            chosen.sort()
        courses = [
            side_data.course(title, chance.randrange(4), passages=chance.randrange(1, 9)) for title in chosen
        ]
        model.set_courses(courses)
        assert [title for title, _ in shown(model)] == chosen
        assert [shown(model, model.index(row, 0)) for row in range(len(courses))] == expected(courses)
    assert tester.model() is model


def test_indexes_of_what_stays_survive_what_comes_and_goes(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    a, b, c = (side_data.course(title) for title in "ABC")
    model.set_courses([a, b])
    course = QPersistentModelIndex(model.index(1, 0))
    lesson = QPersistentModelIndex(model.index(2, 0, model.index(1, 0)))
    gone = QPersistentModelIndex(model.index(0, 0))
    model.set_courses([b, c])
    assert course.data() == "B"
    assert course.row() == 0
    assert lesson.data() == "2 · Where to go from here"
    assert lesson.parent().data() == "B"
    assert not gone.isValid()


def test_unchanged_courses_change_nothing(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    model.set_courses([side_data.course("A"), side_data.course("B")])
    with qtbot.assertNotEmitted(model.layoutChanged), qtbot.assertNotEmitted(model.modelReset):
        model.set_courses([side_data.course("A"), side_data.course("B")])


def test_lessons_without_number_or_title_have_a_name(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    lessons = (
        side_data.lesson(None, ""),
        side_data.lesson(None, "Preface"),
        side_data.lesson(0, "Start"),
        side_data.lesson(12, ""),
    )
    model.set_courses([replace(side_data.course("A"), lessons=lessons)])
    names = [name for name, _ in shown(model, model.index(0, 0))]
    assert names == ["Text outside the lessons", "Preface", "0 · Start", "Lesson 12"]


def test_tool_tips_and_screen_readers_get_the_whole_and_no_markup(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    title = "<img src='file:///etc/passwd'> & more"
    model.set_courses([side_data.course(title, 1, sample=True, passages=1)])
    index = model.index(0, 0)
    tip = index.data(Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    assert "&lt;img" in tip
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == f"{title}, 1 lesson, sample course"


def test_filter_keeps_a_matching_course_whole_and_a_matching_lesson_with_its_course(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    model.set_courses([side_data.course("Statistics", 3), side_data.course("History", 2)])
    model.set_filter("STAT")
    assert [name for name, _ in shown(model)] == ["Statistics"]
    assert model.rowCount(model.index(0, 0)) == 3
    model.set_filter(" where to go ")
    assert shown(model) == [("Statistics", 1)]
    assert "3 lessons" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert shown(model, model.index(0, 0)) == [("2 · Where to go from here", None)]
    model.set_courses([side_data.course("Statistics", 6), side_data.course("Logic", 3)])
    assert [name for name, _ in shown(model)] == ["Statistics", "Logic"]
    assert model.rowCount(model.index(0, 0)) == 2
    model.set_filter("a. teacher")
    assert [model.rowCount(model.index(row, 0)) for row in range(2)] == [6, 3]
    model.set_filter("")
    assert model.rowCount() == 2
