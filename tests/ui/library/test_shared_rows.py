"""Courses on servers in the tree: below their server's row, and with fewer things to do."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.shared import ServerAddress, ServerState, SharedLibrary
from app.ui.library.course_model import CourseTreeModel, Role
from app.ui.library.sidebar import CourseSidebar
from app.ui.widgets.theme import Theme, apply_theme
from tests.support import side_data
from tests.support.sidebar import choose, open_menu, opens_menus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ADDRESS = ServerAddress("https://chroma.example.org:8000")
OTHER = ServerAddress("https://library.example.com")
TOOLTIP, SPOKEN = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole


def library(*titles: str, address: ServerAddress = ADDRESS) -> SharedLibrary:
    courses = tuple(replace(side_data.course(title), files=(), server=address.url) for title in titles)
    return SharedLibrary(address, ServerState.READY, None, 1_700_000_000.0, courses)


def away(one: SharedLibrary) -> SharedLibrary:
    return replace(one, state=ServerState.AWAY, problem=Message("server.away", server="chroma"))


def rows(model: CourseTreeModel) -> list[str]:
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.fixture
def sidebar(qtbot: QtBot, qapp: QApplication) -> CourseSidebar:
    apply_theme(qapp, Theme.light())
    pane = CourseSidebar()
    qtbot.addWidget(pane)
    pane.resize(280, 700)
    pane.show()
    qtbot.waitExposed(pane)
    pane.set_snapshot((side_data.course("Own"),), (library("Tides"),))
    return pane


def index_of(sidebar: CourseSidebar, title: str) -> QModelIndex:
    return sidebar.tree.courses.find(title)


def server_row(sidebar: CourseSidebar) -> QModelIndex:
    return sidebar.tree.courses.index(1, 0)


def test_courses_on_servers_follow_the_own_ones_below_their_server(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    shared = library("Tides", "Winds"), library("Optics", address=OTHER)
    model.set_courses([side_data.course("Own")], shared)
    assert rows(model) == ["Own", ADDRESS.host, "Tides", "Winds", "library.example.com", "Optics"]
    for title, server in (("Own", None), ("Tides", shared[0]), ("Optics", shared[1])):
        assert model.find(title).data(Role.SERVER) == server
    assert model.rowCount(model.find("Tides")) == 3
    assert ADDRESS.host in model.find("Tides").data(TOOLTIP)
    assert model.find("Tides").data(SPOKEN) == "Tides, 3 lessons, on chroma.example.org:8000"
    model.set_filter("optic")
    assert rows(model) == ["library.example.com", "Optics"], "a server goes with its last course"
    assert tester.model() is model


def test_a_change_of_state_moves_nothing(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    one = library("Tides")
    model.set_courses([side_data.course("Own")], (one,))
    course = QPersistentModelIndex(model.index(2, 0))
    server = QPersistentModelIndex(model.index(1, 0))
    with qtbot.assertNotEmitted(model.modelReset), qtbot.assertNotEmitted(model.rowsRemoved):
        model.set_courses([side_data.course("Own")], (replace(one, state=ServerState.CHECKING),))
        assert server.data(SPOKEN).endswith("checking…")
        model.set_courses([side_data.course("Own")], (away(one),))
    assert server.data(SPOKEN) == "chroma.example.org:8000, shared library, 1 course, unavailable"
    assert "chroma cannot be reached" in server.data(TOOLTIP)
    assert "chroma cannot be reached" in course.data(TOOLTIP)


def test_a_title_stands_in_the_tree_once(qtbot: QtBot) -> None:
    model = CourseTreeModel()
    model.set_courses([side_data.course("Own")], (library("Own", "Tides"), library("Tides", address=OTHER)))
    assert rows(model) == ["Own", ADDRESS.host, "Tides", "library.example.com"]
    model.set_courses([side_data.course("Own"), side_data.course("Tides")], (library("Own", "Tides"),))
    assert rows(model) == ["Own", "Tides", ADDRESS.host]


def test_ticks_span_own_and_shared_courses(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    model = sidebar.tree.courses
    for title in ("Own", "Tides"):
        model.setData(model.find(title), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert model.scope == Scope(courses=("Own", "Tides"))
    assert not server_row(sidebar).flags() & Qt.ItemFlag.ItemIsUserCheckable


@opens_menus
def test_the_menus_offer_only_what_works_with_shared_courses(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    menu = open_menu(sidebar, index_of(sidebar, "Tides"))
    offered = [action.text() for action in menu.actions() if action.text()]
    assert offered == [
        "Read first lesson",
        "Ask in this course",
        "Ask in all courses",
        "Shared libraries…",
    ]
    with qtbot.waitSignal(sidebar.ask_requested):
        choose(menu, "Ask in this course")
    assert sidebar.tree.courses.scope == Scope(courses=("Tides",))
    with qtbot.waitSignal(sidebar.server_check_requested) as asked:
        choose(open_menu(sidebar, server_row(sidebar)), "Check again")
    assert asked.args == [ADDRESS]
    with qtbot.waitSignal(sidebar.shared_libraries_requested):
        choose(open_menu(sidebar, server_row(sidebar)), "Shared libraries…")


@opens_menus
def test_keys_neither_rename_nor_remove_what_is_on_a_server(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    tree = sidebar.tree
    for index in (index_of(sidebar, "Tides"), server_row(sidebar)):
        tree.setFocus()
        tree.setCurrentIndex(index)
        QTest.keyClick(tree, Qt.Key.Key_F2)
        assert tree.state() is not tree.State.EditingState
        with (
            qtbot.assertNotEmitted(sidebar.remove_course_requested),
            qtbot.assertNotEmitted(sidebar.remove_files_requested),
        ):
            QTest.keyClick(tree, Qt.Key.Key_Delete)
        menu = QApplication.activePopupWidget()
        assert menu is not None, "it shows what can be done instead"
        menu.close()
    with qtbot.waitSignal(sidebar.shared_libraries_requested):
        QTest.keyClick(tree, Qt.Key.Key_Return)


def test_a_server_is_shown_also_where_there_are_no_own_courses(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    sidebar.set_snapshot((), (library(),))
    assert sidebar.tree.isVisible() and rows(sidebar.tree.courses) == [ADDRESS.host]
    sidebar.set_snapshot(())
    assert not sidebar.tree.isVisible()


def test_only_own_courses_can_be_renamed(sidebar: CourseSidebar) -> None:
    told: list[bool] = []
    sidebar.can_rename.connect(told.append)
    for row in (server_row(sidebar), index_of(sidebar, "Own"), index_of(sidebar, "Tides")):
        sidebar.tree.setCurrentIndex(row)
    sidebar.set_snapshot((), ())
    assert [can for can, _ in groupby(told)] == [False, True, False]
