"""Ticks and the menu of the course tree restrict what is searched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.domain.scope import Scope, taught_so_far
from app.ui.library.sidebar import CourseSidebar
from app.ui.widgets.theme import Theme, apply_theme
from tests.support import side_data
from tests.support.sidebar import choose, fill, open_menu, opens_menus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
CHECKED, PARTLY, UNCHECKED = (
    Qt.CheckState.Checked,
    Qt.CheckState.PartiallyChecked,
    Qt.CheckState.Unchecked,
)
COURSES = (side_data.course("A", 3), side_data.course("B", 4, link="https://example.org/b"))


@pytest.fixture
def chosen() -> list[Scope]:
    return []


@pytest.fixture
def sidebar(qtbot: QtBot, qapp: QApplication, chosen: list[Scope]) -> CourseSidebar:
    apply_theme(qapp, Theme.light())
    pane = CourseSidebar()
    qtbot.addWidget(pane)
    pane.resize(280, 700)
    pane.show()
    qtbot.waitExposed(pane)
    fill(pane, COURSES)
    pane.tree.expandAll()
    pane.scope_changed.connect(chosen.append)
    return pane


def row(pane: CourseSidebar, course: int, lesson: int | None = None) -> QModelIndex:
    model = pane.tree.model()
    index = model.index(course, 0)
    return index if lesson is None else model.index(lesson, 0, index)


def tick(pane: CourseSidebar, index: QModelIndex) -> None:
    QTest.mouseClick(pane.tree.viewport(), LEFT, pos=pane.tree.check_box(index).center())


def states(pane: CourseSidebar, course: int) -> tuple[Qt.CheckState, list[Qt.CheckState]]:
    def state(index: QModelIndex) -> Qt.CheckState:
        return Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole))

    parent = row(pane, course)
    return state(parent), [state(row(pane, course, n)) for n in range(pane.tree.model().rowCount(parent))]


def test_nothing_is_ticked_while_everything_is_searched(sidebar: CourseSidebar) -> None:
    assert states(sidebar, 0) == (UNCHECKED, [UNCHECKED] * 3)


def test_a_click_on_the_box_of_a_course_ticks_all_its_lessons(
    sidebar: CourseSidebar, chosen: list[Scope]
) -> None:
    tick(sidebar, row(sidebar, 0))
    assert chosen == [Scope(courses=("A",))]
    assert states(sidebar, 0) == (CHECKED, [CHECKED] * 3)
    assert states(sidebar, 1) == (UNCHECKED, [UNCHECKED] * 4)
    tick(sidebar, row(sidebar, 0))
    assert chosen[1:] == [Scope()]
    assert states(sidebar, 0) == (UNCHECKED, [UNCHECKED] * 3)


def test_unticking_a_lesson_leaves_its_course_partly_ticked(
    sidebar: CourseSidebar, chosen: list[Scope]
) -> None:
    tick(sidebar, row(sidebar, 0))
    tick(sidebar, row(sidebar, 0, 1))
    assert chosen[-1] == Scope(lessons=(("A", 0), ("A", 2)))
    assert states(sidebar, 0) == (PARTLY, [CHECKED, UNCHECKED, CHECKED])
    tick(sidebar, row(sidebar, 0))
    assert states(sidebar, 0) == (CHECKED, [CHECKED] * 3)


def test_space_ticks_the_current_row(sidebar: CourseSidebar, chosen: list[Scope]) -> None:
    sidebar.tree.setFocus()
    sidebar.tree.setCurrentIndex(row(sidebar, 1, 2))
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Space)
    assert chosen == [Scope(lessons=(("B", 2),))]
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Up)
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Space)
    assert chosen[-1] == Scope(lessons=(("B", 1), ("B", 2)))
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Space)
    assert chosen[-1] == Scope(lessons=(("B", 2),))


def test_a_click_beside_the_box_ticks_nothing(sidebar: CourseSidebar, chosen: list[Scope]) -> None:
    QTest.mouseClick(sidebar.tree.viewport(), LEFT, pos=sidebar.tree.visualRect(row(sidebar, 0)).center())
    assert not chosen


def test_a_double_click_on_the_box_is_two_clicks_and_opens_nothing(
    sidebar: CourseSidebar, chosen: list[Scope], opened_links: list[str]
) -> None:
    at = sidebar.tree.check_box(row(sidebar, 1)).center()
    view = sidebar.tree.viewport()
    QTest.mouseClick(view, LEFT, pos=at)
    QTest.mouseDClick(view, LEFT, pos=at)  # sends the second press alone
    QTest.mouseRelease(view, LEFT, pos=at)
    assert chosen == [Scope(courses=("B",)), Scope()]
    assert not opened_links


def test_what_is_set_from_outside_is_not_told_again(sidebar: CourseSidebar, chosen: list[Scope]) -> None:
    sidebar.set_scope(Scope(lessons=(("B", 2),)))
    assert not chosen
    sidebar.set_scope(Scope())
    assert states(sidebar, 1) == (UNCHECKED, [UNCHECKED] * 4)


@opens_menus
@pytest.mark.parametrize(
    ("at", "entry", "scope"),
    [
        ((1, None), "Ask in this course", Scope(courses=("B",))),
        ((1, 2), "Ask in this course", Scope(courses=("B",))),
        ((1, 2), "Ask in this lesson", Scope(lessons=(("B", 2),))),
        ((1, 2), "Ask up to lesson 2", taught_so_far("B", 2)),
        ((1, 2), "Ask in all courses", Scope()),
    ],
)
def test_the_menu_restricts_in_one_go(
    sidebar: CourseSidebar, chosen: list[Scope], at: tuple[int, int | None], entry: str, scope: Scope
) -> None:
    sidebar.set_scope(Scope(courses=("A",)))
    choose(open_menu(sidebar, row(sidebar, *at)), entry)
    assert chosen == [scope]


def test_up_to_a_lesson_is_seen_in_the_ticks(sidebar: CourseSidebar) -> None:
    sidebar.set_scope(taught_so_far("B", 1))
    assert states(sidebar, 1) == (PARTLY, [CHECKED, CHECKED, UNCHECKED, UNCHECKED])
    assert states(sidebar, 0)[0] is UNCHECKED


def test_a_course_found_by_its_lesson_is_ticked_as_a_whole(
    sidebar: CourseSidebar, chosen: list[Scope]
) -> None:
    box = sidebar.findChild(QLineEdit)
    assert isinstance(box, QLineEdit)
    QTest.keyClicks(box, "Where to go")
    assert sidebar.tree.model().rowCount(row(sidebar, 1)) == 1
    tick(sidebar, row(sidebar, 1))
    assert chosen == [Scope(courses=("B",))]


def test_text_outside_the_lessons_can_be_ticked(sidebar: CourseSidebar, chosen: list[Scope]) -> None:
    infos = (side_data.lesson(None, ""), side_data.lesson(0, "Begin"))
    course = side_data.course("C", 0)
    fill(sidebar, [type(course)("C", None, None, 14, (), infos)])
    sidebar.tree.expandAll()
    tick(sidebar, row(sidebar, 0, 0))
    assert chosen == [Scope(lessons=(("C", None),))]
    tick(sidebar, row(sidebar, 0, 1))
    assert chosen[-1] == Scope(courses=("C",))


def test_ticks_follow_the_library(qtbot: QtBot, sidebar: CourseSidebar) -> None:
    tester = QAbstractItemModelTester(
        sidebar.tree.model(), QAbstractItemModelTester.FailureReportingMode.Warning
    )
    sidebar.set_scope(Scope(courses=("B",)))
    fill(sidebar, [COURSES[0], side_data.course("B", 6)])
    assert states(sidebar, 1) == (CHECKED, [CHECKED] * 6)
    fill(sidebar, [COURSES[0]])
    assert states(sidebar, 0) == (UNCHECKED, [UNCHECKED] * 3)
    assert tester.model() is sidebar.tree.model()


def test_a_tick_is_painted(sidebar: CourseSidebar) -> None:
    accent = QColor(Theme.light().accent).rgb()
    box = sidebar.tree.check_box(row(sidebar, 0))

    def painted() -> bool:
        image = sidebar.tree.viewport().grab(box).toImage()
        return any(image.pixel(QPoint(x, box.height() // 2)) == accent for x in range(image.width()))

    assert not painted()
    sidebar.set_scope(Scope(courses=("A",)))
    assert painted()
    sidebar.set_scope(Scope(lessons=(("A", 0),)))
    assert painted()
