"""Exam questions and course checks in the running window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.teaching.ui.controller import TeachingController
from app.workers.job import Lane
from tests.support.file_dialogs import choose_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

    from app.features.teaching.ui.results_window import ResultsWindow
    from tests.support.running_window import Opener, RunningWindow

EXAM = """\
1. What lives in a sourdough starter?
2. Why are there two high tides a day?
3. Which treaty ended the Thirty Years' War?
"""


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], object]:
    """Have the next dialogs choose a file."""

    return partial(choose_files, monkeypatch)


def controller(running: RunningWindow) -> TeachingController:
    found = running.window.findChild(TeachingController)
    assert isinstance(found, TeachingController)
    return found


def results(running: RunningWindow) -> ResultsWindow:
    window = controller(running).results
    assert window is not None
    return window


def row(tree: QTreeWidget, at: int) -> QTreeWidgetItem:
    found = tree.topLevelItem(at)
    assert found is not None
    return found


def passage(of: QTreeWidgetItem) -> QTreeWidgetItem:
    """Return the first passage of a question."""
    found = of.child(0)
    assert found is not None
    return found


def rows(tree: QTreeWidget) -> list[tuple[str, str]]:
    found = [row(tree, at) for at in range(tree.topLevelItemCount())]
    return [(one.text(0), one.text(1)) for one in found]


def click(tree: QTreeWidget, at: QTreeWidgetItem) -> None:
    place = tree.visualItemRect(at)
    QTest.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.x() + 8, place.center().y())
    )


def opened_map(running: RunningWindow) -> ResultsWindow:
    running.window.actions_["map_questions"].trigger()
    window = results(running)
    running.wait_for(lambda: window.questions.topLevelItemCount() > 0, "the map")
    return window


def test_an_exam_is_mapped_and_its_passages_open(
    open_window: Opener, choose: Callable[[Path], object], tmp_path: Path
) -> None:
    running, exam = open_window(), tmp_path / "exam.txt"
    exam.write_text(EXAM, encoding="utf-8")
    choose(exam)
    window = opened_map(running)
    assert not window.isModal()
    starter, tides, war = rows(window.questions)
    assert starter[0] == "1  What lives in a sourdough starter?"
    assert starter[1].startswith("Bread Baking at Home, Lesson 1: Sourdough starters")
    assert tides[1].startswith("Tides and Currents, Lesson 1: Why the sea rises")
    assert war == ("3  Which treaty ended the Thirty Years' War?", "Not in the material")

    first = row(window.questions, 0)
    click(window.questions, first)
    assert first.isExpanded()
    click(window.questions, passage(first))
    sources = running.window.sources
    running.wait_for(lambda: "wild yeast" in sources.reading.text.toPlainText(), "the passage")

    window.tabs.setCurrentIndex(1)
    unasked = rows(window.unasked)
    assert ("Lesson 2: Kneading and proofing", "Bread Baking at Home") in unasked
    at = unasked.index(("Lesson 2: Kneading and proofing", "Bread Baking at Home"))
    window.unasked.setCurrentItem(row(window.unasked, at))
    QTest.keyClick(window.unasked, Qt.Key.Key_Return)
    running.wait_for(lambda: "gluten" in sources.reading.text.toPlainText(), "the lesson")
    assert controller(running).results is window, "Enter does not close it"

    row(window.questions, 2).setCheckState(0, Qt.CheckState.Unchecked)
    choose(tmp_path / "table")
    window.export.click()
    running.wait_for((tmp_path / "table.csv").exists, "the table")
    table = (tmp_path / "table.csv").read_text(encoding="utf-8-sig")
    assert "high tides" in table and "Thirty Years" not in table

    window.course.setCurrentIndex(window.course.findData("Tides and Currents"))
    window.course.activated.emit(window.course.currentIndex())
    running.wait_for(lambda: rows(window.questions)[0][1:] == ("Not in the material",), "the one course")


def test_a_file_without_questions_says_so_and_another_can_be_chosen(
    open_window: Opener, choose: Callable[[Path], object], tmp_path: Path
) -> None:
    running, essay = open_window(), tmp_path / "essay.txt"
    essay.write_text("Bread is old. It is baked in ovens.\n", encoding="utf-8")
    choose(essay)
    running.window.actions_["map_questions"].trigger()
    window = results(running)
    assert window.bar.isVisible()
    running.wait_for(lambda: not window.bar.isVisible(), "the refusal")
    assert window.state.text() == "No question was found in essay.txt."
    exam = tmp_path / "exam.txt"
    exam.write_text(EXAM, encoding="utf-8")
    choose(exam)
    window.another.click()
    again = results(running)
    running.wait_for(lambda: again.questions.topLevelItemCount() == 3, "the map")


def test_closing_the_window_ends_the_work(
    open_window: Opener, choose: Callable[[Path], object], tmp_path: Path
) -> None:
    running, exam = open_window(), tmp_path / "exam.txt"
    exam.write_text("".join(f"{n}. What is number {n}?\n" for n in range(1, 900)), encoding="utf-8")
    choose(exam)
    running.window.actions_["map_questions"].trigger()
    window = results(running)
    running.wait_for(lambda: window.bar.value() > 1, "some questions")
    window.close()
    assert controller(running).results is None
    done: list[object] = []
    next_one = running.workers.job(Lane.READ, "Waiting", lambda *_: None, key="long")
    next_one.run(running.window, success=done.append)
    running.wait_for(lambda: bool(done), "the thread to be free")


def test_a_check_is_made_from_a_chat_and_tells_what_is_found_no_more(
    open_window: Opener, choose: Callable[[Path], object], tmp_path: Path
) -> None:
    running, check = open_window(), tmp_path / "bread.jsonl"
    actions = running.window.actions_
    assert not actions["make_check"].isEnabled()
    running.ask("How often is a sourdough starter fed?")
    choose(tmp_path / "bread")
    actions["make_check"].trigger()
    running.wait_for(check.exists, "the check")
    message = running.window.statusBar().currentMessage
    running.wait_for(lambda: message() == f"The course check was saved as {check}.", "the sentence")

    lost = '{"question": "Who eats bread?", "passages": [{"quote": "Bread is eaten by nobody."}]}\n'
    with check.open("a", encoding="utf-8") as file:
        file.write(lost)
    choose(check)
    actions["check_course"].trigger()
    window = results(running)
    running.wait_for(lambda: window.questions.topLevelItemCount() == 2, "the report")
    assert rows(window.questions) == [
        ("How often is a sourdough starter fed?", "All found"),
        ("Who eats bread?", "1 not found"),
    ]
    bad = row(window.questions, 1)
    assert bad.isExpanded()
    assert passage(bad).text(1) == "It is no longer in the material."
    good = row(window.questions, 0)
    good.setExpanded(True)
    click(window.questions, passage(good))
    reading = running.window.sources.reading
    running.wait_for(lambda: "fed once a day" in reading.text.toPlainText(), "the passage")
