from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QWidget

from app.domain.courses import Course, LessonInfo
from app.domain.scope import Scope
from app.ui.library.sidebar import CourseSidebar
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from tests.support import side_data
from tests.support.sidebar import button, choose, fill, open_menu, opens_menus, texts

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def sidebar(qtbot: QtBot, qapp: QApplication) -> CourseSidebar:
    apply_theme(qapp, Theme.light())
    pane = CourseSidebar()
    qtbot.addWidget(pane)
    pane.resize(280, 700)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def filter_box(pane: CourseSidebar) -> QLineEdit:
    box = pane.findChild(QLineEdit)
    assert isinstance(box, QLineEdit)
    return box


def click(pane: CourseSidebar, index: QModelIndex, *, double: bool = False) -> None:
    at, view = pane.tree.visualRect(index).center(), pane.tree.viewport()
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    if double:  # its second half
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)


def test_before_and_without_courses(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    assert "Opening your library…" in texts(sidebar)
    fill(sidebar, ())
    assert "No courses yet" in texts(sidebar)
    with qtbot.waitSignal(sidebar.add_folder_requested):
        QTest.mouseClick(button(sidebar, "Add folder…"), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(sidebar.add_files_requested):
        QTest.keyClick(button(sidebar, "Add files…"), Qt.Key.Key_Space)


def test_a_library_that_can_not_be_opened_is_said(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    fill(sidebar, [side_data.course("A")])
    sidebar.set_unavailable("The library could not be opened.")
    assert [text for text in texts(sidebar) if text] == ["The library could not be opened."]
    assert not [b for b in sidebar.findChildren(QPushButton) if b.isVisibleTo(sidebar)]
    fill(sidebar, [side_data.course("A")])
    assert sidebar.tree.isVisible()


def test_the_buttons_below_add_folders_and_files(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    fill(sidebar, [side_data.course("A"), side_data.course("B")])
    with qtbot.waitSignal(sidebar.add_folder_requested):
        QTest.mouseClick(button(sidebar, "Add folder…"), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(sidebar.add_files_requested):
        QTest.mouseClick(button(sidebar, "Add files…"), Qt.MouseButton.LeftButton)


def test_double_click_and_enter_unfold_a_course_and_read_a_lesson(
    sidebar: CourseSidebar, qtbot: QtBot, opened_links: list[str]
) -> None:
    fill(sidebar, [side_data.course("A", 2, link="https://example.org/a"), side_data.course("B", 1)])
    read: list[tuple[str, int | None, str]] = []
    sidebar.lesson_requested.connect(lambda *lesson: read.append(lesson))
    tree, model = sidebar.tree, sidebar.tree.model()
    click(sidebar, model.index(0, 0), double=True)
    assert tree.isExpanded(model.index(0, 0))
    click(sidebar, model.index(0, 0, model.index(0, 0)), double=True)
    assert read == [("A", 0, "Introduction")]
    click(sidebar, model.index(1, 0, model.index(0, 0)))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert read[1:] == [("A", 1, "What changes and what stays")]
    QTest.keyClick(tree, Qt.Key.Key_End)
    QTest.keyClick(tree, Qt.Key.Key_Enter)
    assert tree.isExpanded(model.index(1, 0))
    assert len(read) == 2
    assert not opened_links


@opens_menus
def test_the_menu_reads_lessons_and_asks_about_them(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    listed = side_data.course("A", 2)
    first, second = listed.lessons
    lessons = (first, replace(second, files=("/a/1.pptx", "/a/1 & 2.mp4")))
    fill(sidebar, [replace(listed, lessons=lessons)])
    course = sidebar.tree.model().index(0, 0)
    sidebar.tree.expand(course)
    lesson = sidebar.tree.model().index(1, 0, course)
    menu = open_menu(sidebar, lesson)
    assert menu.actions()[0].text() == "Read lesson"
    with qtbot.waitSignal(sidebar.file_requested) as read:
        choose(menu, "Read 1 && 2.mp4")
    assert read.args == ["A", 1, "What changes and what stays", "/a/1 & 2.mp4"]
    menu = open_menu(sidebar, lesson)
    with qtbot.waitSignal(sidebar.lesson_requested) as read:
        choose(menu, "Read lesson")
    assert read.args == ["A", 1, "What changes and what stays"]
    with qtbot.waitSignal(sidebar.lesson_requested) as read:
        choose(open_menu(sidebar, course), "Read first lesson")
    assert read.args == ["A", 0, "Introduction"]
    with qtbot.waitSignals([sidebar.scope_changed, sidebar.ask_requested], order="strict"):
        choose(open_menu(sidebar, lesson), "Ask in this lesson")


@opens_menus
@pytest.mark.parametrize("link", ["file:///etc/passwd", "javascript:alert(1)", "https://", "ftp://x.org"])
def test_other_links_are_never_opened_or_offered(
    sidebar: CourseSidebar, opened_links: list[str], link: str
) -> None:
    fill(sidebar, [side_data.course("A", 0, link=link)])
    index = sidebar.tree.model().index(0, 0)
    click(sidebar, index, double=True)
    menu = open_menu(sidebar, index)
    assert "Open course page" not in [action.text() for action in menu.actions()]
    menu.close()
    assert not opened_links


@opens_menus
def test_delete_key_and_menu_ask_for_removal_of_the_course(
    sidebar: CourseSidebar, opened_links: list[str]
) -> None:
    fill(sidebar, [side_data.course("A"), side_data.course("B", link="https://example.org/b")])
    asked: list[str] = []
    sidebar.remove_course_requested.connect(asked.append)
    model = sidebar.tree.model()
    sidebar.tree.setCurrentIndex(model.index(0, 0))
    QTest.keyClick(sidebar.tree, Qt.Key.Key_Delete)
    choose(open_menu(sidebar, model.index(1, 0)), "Remove course")
    assert asked == ["A", "B"]
    choose(open_menu(sidebar, model.index(1, 0)), "Open course page")
    assert opened_links == ["https://example.org/b"]


@opens_menus
def test_delete_on_a_lesson_never_takes_its_course_along(sidebar: CourseSidebar) -> None:
    whole = side_data.course("A", 2)
    apart = tuple(replace(one, files=(f"/{one.number}.md",)) for one in whole.lessons)
    together = tuple(replace(one, files=("/b.txt",)) for one in whole.lessons)
    fill(sidebar, [replace(whole, lessons=apart), replace(whole, title="B", lessons=together)])
    courses, files = list[str](), list[tuple[str, ...]]()
    sidebar.remove_course_requested.connect(courses.append)
    sidebar.remove_files_requested.connect(files.append)
    model = sidebar.tree.model()
    for course in range(2):
        sidebar.tree.expand(model.index(course, 0))
        sidebar.tree.setCurrentIndex(model.index(1, 0, model.index(course, 0)))
        QTest.keyClick(sidebar.tree, Qt.Key.Key_Delete)
    assert files == [("/1.md",)]
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    choose(menu, "Remove file with 2 lessons")
    assert files == [("/1.md",), ("/b.txt",)]
    assert not courses


def test_typing_filters_and_clearing_brings_back_what_was_unfolded(
    sidebar: CourseSidebar, qtbot: QtBot
) -> None:
    fill(sidebar, [side_data.course("Statistics"), side_data.course("History"), side_data.course("Using it")])
    model = sidebar.tree.model()
    sidebar.tree.expand(model.index(1, 0))
    box = filter_box(sidebar)
    QTest.keyClicks(box, "where to")
    assert model.rowCount() == 3
    assert all(sidebar.tree.isExpanded(model.index(row, 0)) for row in range(3))
    assert model.rowCount(model.index(0, 0)) == 1
    box.selectAll()
    QTest.keyClicks(box, "stat")
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Statistics"]
    assert not sidebar.tree.isExpanded(model.index(0, 0))
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert sidebar.tree.hasFocus()
    QTest.keyClicks(box, "xyz")
    assert "No course or lesson matches “statxyz”." in texts(sidebar)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == ""
    assert [sidebar.tree.isExpanded(model.index(row, 0)) for row in range(3)] == [False, True, False]


def test_a_new_snapshot_moves_nothing_the_user_looks_at(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    courses = [side_data.course(f"Course {n:02}", 10) for n in range(10, 40)]
    fill(sidebar, courses)
    model, tree = sidebar.tree.model(), sidebar.tree
    tree.expand(model.index(20, 0))
    tree.setCurrentIndex(model.index(3, 0, model.index(20, 0)))
    tree.scrollTo(model.index(20, 0), tree.ScrollHint.PositionAtTop)
    top = tree.visualRect(model.index(20, 0)).top()
    fill(sidebar, [*courses, side_data.course("Course 99", 3)])
    assert tree.currentIndex().data() == "3 · Introduction"
    assert tree.isExpanded(model.index(20, 0))
    assert tree.visualRect(model.index(20, 0)).top() == top


def test_samples_are_marked_and_can_be_removed(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    fill(sidebar, side_data.samples())
    assert "4 sample courses" in texts(sidebar)
    with qtbot.waitSignal(sidebar.remove_samples_requested):
        QTest.mouseClick(button(sidebar, "Remove samples"), Qt.MouseButton.LeftButton)
    fill(sidebar, [*side_data.samples(), side_data.course("Mine")])
    assert "4 sample courses" in texts(sidebar)
    fill(sidebar, [side_data.course("Mine")])
    assert not any("sample" in text for text in texts(sidebar))


def test_the_badge_of_a_sample_is_painted(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    sidebar.resize(400, 700)

    def row_picture() -> object:
        rect = sidebar.tree.visualRect(sidebar.tree.model().index(0, 0))
        return sidebar.tree.viewport().grab(rect).toImage()

    fill(sidebar, [side_data.course("A", sample=True)])
    marked = row_picture()
    fill(sidebar, [side_data.course("A")])
    assert row_picture() != marked


def test_rows_are_mirrored_for_languages_from_right_to_left(
    sidebar: CourseSidebar, qtbot: QtBot, qapp: QApplication
) -> None:
    fill(sidebar, [side_data.course("Tides and Currents", sample=True)])

    def ink() -> tuple[int, int]:
        """Return how many points of a row are not its ground, in its left and its right half."""
        picture = sidebar.tree.viewport().grab(sidebar.tree.visualRect(sidebar.tree.model().index(0, 0)))
        image, middle = picture.toImage(), picture.width() // 2
        ground = image.pixel(middle, 1)
        inked = [
            x
            for x in range(picture.width())
            for y in range(2, picture.height() - 2)
            if image.pixel(x, y) != ground
        ]
        left = sum(x < middle for x in inked)
        return left, len(inked) - left

    left, right = ink()
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        mirrored = ink()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert left > right
    assert mirrored == pytest.approx((right, left), rel=0.15)


def test_long_titles_take_two_lines_and_the_rest_is_in_the_tool_tip(
    sidebar: CourseSidebar, qtbot: QtBot
) -> None:
    two = "An introduction to retrieval"
    endless = "Seven lectures on " * 8
    fill(sidebar, [side_data.course(title, 1) for title in ("Ink", two, endless)])
    tree, line = sidebar.tree, sidebar.tree.fontMetrics().lineSpacing()
    _, long, cut = rows = [tree.model().index(row, 0) for row in range(3)]
    heights = [tree.visualRect(index).height() for index in rows]
    assert heights[0] <= 2 * line < heights[1] == heights[2] <= 3 * line
    assert endless.strip() in cut.data(Qt.ItemDataRole.ToolTipRole)
    sidebar.resize(700, 700)
    qtbot.waitUntil(lambda: tree.visualRect(long).height() == heights[0])


def test_two_thousand_lessons_stay_smooth(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    courses = [side_data.course(f"Course {n}", 40) for n in range(50)]
    started = time.thread_time()
    fill(sidebar, courses)
    sidebar.tree.expandAll()
    sidebar.tree.viewport().grab()
    fill(sidebar, [side_data.course("Course 0", 41), *courses[1:]])
    QTest.keyClicks(filter_box(sidebar), "where")
    sidebar.tree.viewport().grab()
    assert time.thread_time() - started < 2.0
    assert len(sidebar.tree.findChildren(QWidget)) < 20


def test_a_theme_change_repaints(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    fill(sidebar, side_data.samples())
    area = QPoint(0, 0)
    before = sidebar.grab().toImage().pixelColor(area).lightness()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, Theme.dark())
    assert sidebar.grab().toImage().pixelColor(area).lightness() < before


def test_every_control_has_a_name_for_screen_readers(sidebar: CourseSidebar, qtbot: QtBot) -> None:
    fill(sidebar, side_data.samples())
    for control in sidebar.findChildren(QPushButton):
        assert control.text() or control.accessibleName()
    assert sidebar.tree.accessibleName()
    assert filter_box(sidebar).accessibleName()


@opens_menus
def test_the_menus_of_courses_and_lessons_hold_everything_one_can_do(
    sidebar: CourseSidebar, qtbot: QtBot
) -> None:
    alone, shared = (
        LessonInfo(number, "Fog", None, 3, files)
        for number, files in enumerate([("/c/fog.pdf", "/c/fog.pptx"), ("/c/rain.md",)])
    )
    third = replace(shared, number=2, title="Rain")
    files = ("/c/fog.pdf", "/c/fog.pptx", "/c/rain.md")
    fill(sidebar, [Course("Weather", None, None, 9, files, (alone, shared, third))])
    course = sidebar.tree.model().index(0, 0)
    sidebar.tree.expand(course)
    made: list[Scope] = []
    sidebar.course_commands.append(("Make study material…", "study", made.append))
    menu = open_menu(sidebar, course)
    assert [action.text() for action in menu.actions() if action.text()] == [
        *("Read first lesson", "Ask in this course", "Ask in all courses"),
        *("Make study material…",),
        *("Show in folder", "Files…", "Rename course", "Remove course"),
    ]
    menu.close()
    first = sidebar.tree.model().index(0, 0, course)
    choose(open_menu(sidebar, first), "Make study material…")
    assert made == [Scope(lessons=(("Weather", 0),))]
    with qtbot.waitSignal(sidebar.remove_files_requested) as removed:
        choose(open_menu(sidebar, first), "Remove lesson")
    assert removed.args == [("/c/fog.pdf", "/c/fog.pptx")]
    with qtbot.waitSignal(sidebar.remove_files_requested) as removed:
        choose(open_menu(sidebar, first.siblingAtRow(2)), "Remove file with 2 lessons")
    assert removed.args == [("/c/rain.md",)]


def test_buttons_stand_below_each_other_where_they_do_not_fit(
    sidebar: CourseSidebar, qapp: QApplication
) -> None:
    fill(sidebar, [side_data.course("A")])
    apply_theme(qapp, theme_for("light", 200))
    add, files = button(sidebar, "Add folder…"), button(sidebar, "Add files…")
    for width, beside in ((440, True), (340, False)):
        sidebar.resize(width, 700)
        QApplication.processEvents()
        assert add.sizeHint().width() <= add.width()
        assert (add.y() == files.y()) == beside
    apply_theme(qapp, Theme.light())


def test_in_large_text_the_badge_leaves_the_title_its_room(
    sidebar: CourseSidebar, qapp: QApplication
) -> None:
    apply_theme(qapp, theme_for("light", 200))
    sidebar.resize(400, 700)
    title = "Statistics 101"
    fill(sidebar, [side_data.course(title), side_data.course(title + "!", sample=True)])
    rows = [sidebar.tree.model().index(row, 0) for row in range(2)]
    plain, sample = (sidebar.tree.visualRect(row).height() for row in rows)
    apply_theme(qapp, Theme.light())
    assert plain == sample
