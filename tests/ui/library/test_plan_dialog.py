"""The plan of a folder: looked at, corrected with mouse and keys, and what is asked for then."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, QModelIndex, QPoint, Qt, QTimer
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionViewItem

from app.domain.courses import (
    Corrections,
    IngestPlan,
    LeftOutFile,
    PlannedCourse,
    PlannedFile,
    PlannedFolder,
    PlannedState,
    Use,
)
from app.domain.messages import LITERAL, Message
from app.ui.library.plan_dialog import MoveDialog, PlanDialog
from app.ui.library.plan_edits import EditedPlan, needs_review
from app.ui.library.plan_model import Column, PlanModel
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.sidebar import choose, open_menu, opens_menus

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

INK, TIDES = "Ink", "Tides"
ZIP = ".zip files aren't supported."


def file(course: str, number: int, state: PlannedState = PlannedState.NEW) -> PlannedFile:
    return PlannedFile(f"/c/{course}/{number}.pdf", 2048, state, number, f"Part {number}")


def plan(ink: int = 3, tides: int = 2, *left_out: LeftOutFile) -> IngestPlan:
    courses = (
        PlannedCourse(INK, tuple(file(INK, n) for n in range(1, ink + 1))),
        PlannedCourse(TIDES, tuple(file(TIDES, n) for n in range(1, tides + 1))),
    )
    return IngestPlan(("/c",), tuple(course for course in courses if course.files), left_out)


OLD = LeftOutFile("/c/old.pdf", Message("ingest.excluded"), optional=True)
ARCHIVE = LeftOutFile("/c/all.zip", Message(LITERAL, text=ZIP))


@pytest.fixture
def dialog(qtbot: QtBot, qapp: QApplication) -> PlanDialog:
    apply_theme(qapp, Theme.light())
    made = PlanDialog([Path("/c")])
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def model_of(dialog: PlanDialog) -> PlanModel:
    model = dialog.tree.model()
    assert isinstance(model, PlanModel)
    return model


def rows(dialog: PlanDialog) -> dict[str, list[str]]:
    model = model_of(dialog)
    found = {}
    for row in range(model.rowCount()):
        group = model.index(row, 0)
        found[str(group.data())] = [
            str(model.index(n, 0, group).data()) for n in range(model.rowCount(group))
        ]
    return found


def row(dialog: PlanDialog, group: int, item: int | None = None) -> QModelIndex:
    index = model_of(dialog).index(group, 0)
    return index if item is None else model_of(dialog).index(item, 0, index)


def click(dialog: PlanDialog, index: QModelIndex, *, ctrl: bool = False) -> QPoint:
    dialog.tree.scrollTo(index)
    place = dialog.tree.visualRect(index).center()
    keys = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, keys, place)
    return place


def answer_move(title: str) -> None:
    """Type a course into the dialog that is about to open, and press Enter."""

    def answer() -> None:
        asked = QApplication.activeModalWidget()
        assert isinstance(asked, MoveDialog)
        edit = asked.field.lineEdit()
        assert edit is not None
        QTest.keyClicks(edit, title)
        QTest.mouseClick(asked.move_button, Qt.MouseButton.LeftButton)

    QTimer.singleShot(100, answer)


def test_it_says_what_is_one_course_and_asks_for_the_other_way(dialog: PlanDialog, qtbot: QtBot) -> None:
    dialog.show_plan(plan())
    assert not dialog.other_way.isVisible()  # nothing to decide
    one, several = PlannedFolder("/c", one_course=True), PlannedFolder("/d", one_course=False)
    for folders, text, other in (
        ((one,), "It is one course.", "Make each folder inside a course"),
        ((several,), "Each folder inside is a course.", "Make one course"),
        (
            (one, several),
            "Some of these folders are one course, others are several.",
            "Make each of these folders one course",
        ),
    ):
        dialog.show_plan(replace(plan(3, 0), folders=folders))
        assert (dialog.layout_text.text(), dialog.other_way.text()) == (text, other)
    assert dialog.draft.corrections() == Corrections(one_course=(("/c", True), ("/d", False)))
    with qtbot.waitSignal(dialog.other_way_requested) as asked:
        QTest.mouseClick(dialog.other_way, Qt.MouseButton.LeftButton)
    assert asked.args == [Corrections(one_course=(("/c", True), ("/d", True)))]
    assert not dialog.read.isEnabled()


def test_beside_other_courses_a_folder_is_not_said_to_be_the_only_one(dialog: PlanDialog) -> None:
    folder = PlannedFolder("/c", one_course=True)
    dialog.show_plan(replace(plan(2, 2), folders=(folder,)))
    assert dialog.layout_text.text() == "Files that name no course of their own form one course."


def test_a_plan_that_decides_on_courses_is_shown() -> None:
    found = IngestPlan(("/c",), (PlannedCourse(INK, (file(INK, 1),)),), ())
    assert not needs_review(found, ())
    for is_new in (True, False):  # chosen again, it can be decided the other way
        folder = PlannedFolder("/c", one_course=True, is_new=is_new)
        assert needs_review(replace(found, folders=(folder,)), ())


def test_it_says_that_it_looks_and_can_be_cancelled(dialog: PlanDialog, qtbot: QtBot) -> None:
    assert dialog.heading.text() == "Scanning the folder…"
    assert not dialog.read.isVisible()
    with qtbot.waitSignal(dialog.rejected):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_plan_is_shown_and_read_on_enter(dialog: PlanDialog, qtbot: QtBot) -> None:
    dialog.show_plan(plan(3, 2, ARCHIVE))
    assert dialog.heading.text() == "2 courses, 5 files, 1 excluded"
    assert rows(dialog) == {
        INK: ["1 · Part 1", "2 · Part 2", "3 · Part 3"],
        TIDES: ["1 · Part 1", "2 · Part 2"],
        "Excluded": ["all.zip"],
    }
    left_out = model_of(dialog).index(0, 1, row(dialog, 2))
    assert left_out.data() == ZIP
    assert dialog.read.text() == "Read 5 files"
    with qtbot.waitSignal(dialog.read_requested) as asked:
        QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert asked.args == [Corrections()]
    assert not dialog.isVisible()


def test_several_courses_are_folded_one_is_not_and_a_line_says_what_to_do(dialog: PlanDialog) -> None:
    assert not dialog.explanation.isVisible()
    dialog.show_plan(plan())
    assert dialog.explanation.isVisible()
    assert not any(dialog.tree.isExpanded(row(dialog, n)) for n in (0, 1))
    dialog.show_plan(plan(3, 0))
    assert dialog.tree.isExpanded(row(dialog, 0))


def test_sizes_are_whole_numbers_that_are_not_cut(dialog: PlanDialog) -> None:
    sizes = (1_600_000, 990_000_000, 2_048, 0)
    files = tuple(replace(file(INK, n), size=size) for n, size in enumerate(sizes))
    dialog.show_plan(IngestPlan(("/c",), (PlannedCourse(INK, files),), ()))
    tree, model = dialog.tree, model_of(dialog)
    cells = [model.index(n, Column.SIZE, row(dialog, 0)) for n in range(len(sizes))]
    assert [cell.data() for cell in cells] == ["2 MB", "990 MB", "2 kB", ""]
    assert all(tree.sizeHintForIndex(cell).width() <= tree.visualRect(cell).width() for cell in cells)


def test_a_course_is_renamed_with_f2_at_once(dialog: PlanDialog, qtbot: QtBot) -> None:
    dialog.show_plan(plan())
    QTest.keyClick(dialog, Qt.Key.Key_F2)
    field = dialog.tree.findChild(QLineEdit)
    assert field is not None
    assert field.height() <= dialog.tree.visualRect(row(dialog, 0)).height() + 2
    field.selectAll()
    QTest.keyClicks(field, "  Ink   and paper ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: list(rows(dialog)) == ["Ink and paper", TIDES])
    assert dialog.isVisible()
    assert dialog.draft.corrections() == Corrections(renamed=((INK, "Ink and paper"),))


def test_the_name_of_another_course_joins_the_two(dialog: PlanDialog, qtbot: QtBot) -> None:
    dialog.show_plan(plan())
    click(dialog, row(dialog, 0))
    dialog.rename.trigger()
    field = dialog.tree.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, "tides")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: list(rows(dialog)) == [TIDES])
    assert dialog.heading.text() == "1 course, 5 files"
    assert dialog.draft.corrections() == Corrections(renamed=((INK, TIDES),))


def test_files_are_moved_to_a_new_course(dialog: PlanDialog) -> None:
    dialog.show_plan(plan())
    click(dialog, row(dialog, 0, 0))
    click(dialog, row(dialog, 1, 1), ctrl=True)
    answer_move("Odds and ends")
    QTest.keyClick(dialog.tree, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert rows(dialog) == {
        INK: ["2 · Part 2", "3 · Part 3"],
        TIDES: ["1 · Part 1"],
        "Odds and ends": ["1 · Part 1", "2 · Part 2"],
    }
    assert dialog.draft.corrections().moved == (
        ("/c/Ink/1.pdf", "Odds and ends"),
        ("/c/Tides/2.pdf", "Odds and ends"),
    )
    assert dialog.tree.isExpanded(row(dialog, 2))


def test_files_are_left_out_and_taken_in_again(dialog: PlanDialog) -> None:
    dialog.show_plan(plan(3, 2, OLD, ARCHIVE))
    click(dialog, row(dialog, 1))  # a course: all of its files
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    assert list(rows(dialog)) == [INK, TIDES, "Excluded"], "what is left out stays in its place"
    assert dialog.heading.text() == "1 course, 3 files, 4 excluded"
    assert dialog.draft.corrections() == Corrections(left_out=("/c/Tides/1.pdf", "/c/Tides/2.pdf"))
    assert not dialog.exclude.isEnabled()
    dialog.include.trigger()
    click(dialog, row(dialog, 2))
    assert not dialog.exclude.isEnabled()
    dialog.include.trigger()
    assert rows(dialog) == {
        INK: ["1 · Part 1", "2 · Part 2", "3 · Part 3"],
        TIDES: ["1 · Part 1", "2 · Part 2"],
        "Included; their courses are found when they are read": ["old.pdf"],
        "Excluded": ["all.zip"],  # it cannot be read, whoever wants it
    }
    assert dialog.draft.corrections() == Corrections(taken_in=("/c/old.pdf",))
    click(dialog, row(dialog, 3, 0))
    assert not dialog.include.isEnabled()
    assert not dialog.move_to.isEnabled()


def tick(dialog: PlanDialog, index: QModelIndex) -> None:
    """Click the box of a row."""
    dialog.tree.scrollTo(index)
    option = QStyleOptionViewItem()
    dialog.tree.initViewItemOption(option)
    option.rect = dialog.tree.visualRect(index)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    box = dialog.tree.style().subElementRect(part, option, dialog.tree)
    QTest.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=box.center())


def test_courses_and_files_are_ticked_wholly_or_partly(dialog: PlanDialog) -> None:
    dialog.show_plan(plan(3, 2, OLD, ARCHIVE))
    state = Qt.ItemDataRole.CheckStateRole
    on, off, some = Qt.CheckState.Checked, Qt.CheckState.Unchecked, Qt.CheckState.PartiallyChecked
    assert [row(dialog, group).data(state) for group in range(3)] == [on, on, off]
    dialog.tree.expandAll()
    tick(dialog, row(dialog, 0, 1))
    assert [row(dialog, 0, item).data(state) for item in range(3)] == [on, off, on]
    assert row(dialog, 0).data(state) == some
    assert dialog.heading.text() == "2 courses, 4 files, 3 excluded"
    assert dialog.read.text() == "Read 4 files"
    tick(dialog, row(dialog, 0))
    assert row(dialog, 0, 1).data(state) == on
    tick(dialog, row(dialog, 0))
    dialog.tree.setCurrentIndex(row(dialog, 1, 1))
    QTest.keyClick(dialog.tree, Qt.Key.Key_Space)
    assert dialog.tree.isExpanded(row(dialog, 0))
    files = ("/c/Ink/1.pdf", "/c/Ink/2.pdf", "/c/Ink/3.pdf", "/c/Tides/2.pdf")
    assert dialog.draft.corrections() == Corrections(left_out=files)
    assert dialog.heading.text() == "1 course, 1 file, 6 excluded"
    tick(dialog, row(dialog, 2, 0))
    assert dialog.draft.corrections() == Corrections(left_out=files, taken_in=(OLD.path,))
    tick(dialog, row(dialog, 2, 0))
    assert dialog.draft.corrections() == Corrections(left_out=files)
    assert row(dialog, 2, 1).data(state) is None, "it cannot be read, whoever wants it"


def test_source_code_that_is_left_out_can_be_included(dialog: PlanDialog) -> None:
    code = LeftOutFile("/c/a.py", Message("ingest.source_code"), optional=True)
    dialog.show_plan(plan(3, 2, code))
    click(dialog, row(dialog, 2, 0))
    dialog.include.trigger()
    assert dialog.draft.corrections() == Corrections(taken_in=("/c/a.py",))


def test_what_can_be_done_depends_on_what_is_chosen(dialog: PlanDialog) -> None:
    dialog.show_plan(plan(3, 2, OLD))

    def offered(index: QModelIndex) -> list[str]:
        click(dialog, index)
        return [action.text() for action in dialog.tree.actions() if action.isEnabled()]

    assert offered(row(dialog, 0)) == ["Rename", "Move to…", "Exclude"]
    assert offered(row(dialog, 0, 0)) == ["Move to…", "Exclude"]
    assert offered(row(dialog, 2, 0)) == ["Move to…", "Include"]


def test_what_was_renamed_and_moved_is_told_relative_to_the_plan() -> None:
    draft = EditedPlan(plan(2, 2))
    draft.rename(draft.courses[0].key, "Paper")
    draft.move(["/c/Tides/1.pdf"], "Paper")
    draft.exclude(["/c/Ink/1.pdf"])
    draft.include(["/c/Ink/1.pdf"])
    assert draft.corrections() == Corrections(renamed=((INK, "Paper"),), moved=(("/c/Tides/1.pdf", "Paper"),))
    draft.move(["/c/Tides/1.pdf"], TIDES)
    draft.rename(draft.courses[0].key, INK)
    assert not draft.corrections()


def test_another_plan_of_the_files_keeps_what_is_ticked() -> None:
    both = (*plan().courses[0].files, *plan().courses[1].files)
    first = EditedPlan(plan(3, 2, OLD))
    first.rename(first.courses[0].key, "Paper")
    first.exclude(["/c/Ink/2.pdf"])
    first.include([OLD.path])
    second = EditedPlan(IngestPlan(("/c",), (PlannedCourse("All", both),), (OLD,)))
    second.take_over(first)
    assert [course.title for course in second.courses] == ["All"]
    assert second.corrections() == Corrections(left_out=("/c/Ink/2.pdf",), taken_in=(OLD.path,))


def test_when_a_plan_is_worth_a_look() -> None:
    endings = {".pdf", ".txt"}
    assert not needs_review(plan(20, 0), endings)
    assert needs_review(plan(21, 0), endings)
    assert needs_review(plan(1, 1), endings)
    assert not needs_review(plan(3, 0, ARCHIVE, OLD), endings)
    assert needs_review(
        plan(3, 0, LeftOutFile("/c/two.PDF", Message(LITERAL, text="Two files claim one course."))), endings
    )
    known = PlannedCourse(INK, tuple(file(INK, n, PlannedState.UNCHANGED) for n in range(99)), is_new=False)
    assert not needs_review(IngestPlan(("/c",), (known,), ()), endings)


def test_every_row_explains_itself(dialog: PlanDialog) -> None:
    model = model_of(dialog)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    known = PlannedCourse(INK, (file(INK, 1, PlannedState.UNCHANGED),), is_new=False)
    dialog.show_plan(IngestPlan(("/c",), (known,), (ARCHIVE,)))
    tip = Qt.ItemDataRole.ToolTipRole
    assert "This course is already in the library." in row(dialog, 0).data(tip)
    assert "Already in the library, unchanged." in row(dialog, 0, 0).data(tip)
    assert "files aren" in row(dialog, 1, 0).data(tip)
    assert not model.setData(row(dialog, 0, 0), "a file has no title to change")
    assert tester.model() is model


def test_courses_to_move_to_are_offered_whatever_the_case(qtbot: QtBot) -> None:
    asked = MoveDialog(1, [INK, TIDES])
    qtbot.addWidget(asked)
    completer = asked.field.completer()
    assert completer is not None
    completer.setCompletionPrefix(TIDES[1:5].upper())
    assert completer.currentCompletion() == TIDES


@opens_menus
def test_the_menu_offers_what_can_be_done(dialog: PlanDialog) -> None:
    dialog.show_plan(plan())
    click(dialog, row(dialog, 0, 0))
    menu = open_menu(dialog, row(dialog, 0, 0))
    assert [action.text() for action in menu.actions()] == ["Move to…", "Exclude", "Use as"]
    choose(menu, "Exclude")
    assert dialog.draft.corrections() == Corrections(left_out=("/c/Ink/1.pdf",))


def test_what_is_left_out_is_said_by_kind(dialog: PlanDialog) -> None:
    dialog.show_plan(plan(3, 0, ARCHIVE))
    assert not dialog.left_out.isVisible()
    reasons = ("ingest.illustration", "ingest.no_text_picture", "ingest.translation")
    left_out = [LeftOutFile(f"/c/{n}", Message(reason, extension=".svg")) for n, reason in enumerate(reasons)]
    dialog.show_plan(plan(3, 0, *left_out))
    assert dialog.left_out.text() == "Left out: 2 pictures, 1 translation."
    assert dialog.left_out.isVisible()
    dialog.show_plan(plan(3, 0, *left_out, ARCHIVE))
    assert dialog.left_out.text() == "Left out: 2 pictures, 1 translation, 1 other file."
    assert dialog.heading.text().endswith("4 excluded")


@opens_menus
def test_what_files_are_for_is_shown_and_changed(dialog: PlanDialog) -> None:
    dialog.show_plan(plan(3, 0, ARCHIVE))
    index = row(dialog, 0, 1).siblingAtColumn(Column.USE)
    assert index.data() == "Teaching text"
    click(dialog, row(dialog, 0, 1))
    assert dialog.uses.isEnabled()
    next(action for action in dialog.use_as.actions() if action.text() == "Data").trigger()
    assert row(dialog, 0, 1).siblingAtColumn(Column.USE).data() == "Data"
    assert dialog.draft.corrections() == Corrections(used=(("/c/Ink/2.pdf", Use.DATA),))
    click(dialog, row(dialog, 1, 0))
    assert not dialog.uses.isEnabled()  # it is excluded


def test_twenty_thousand_files_are_shown_at_once(dialog: PlanDialog, qtbot: QtBot) -> None:
    many = plan(20_000, 0)
    began = time.thread_time()
    dialog.show_plan(many)
    QApplication.processEvents()
    assert time.thread_time() - began < 1.0  # 60 ms on an idle machine
    model = model_of(dialog)
    assert model.rowCount(row(dialog, 0)) == 20_000
    assert row(dialog, 0, 19_999).data() == "20000 · Part 20000"
    dialog.tree.setFocus()
    dialog.tree.selectAll()
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    assert dialog.heading.text() == f"0 courses, 0 files, {QLocale().toString(20_000)} excluded"
