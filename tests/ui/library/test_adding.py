"""Adding a folder in the real window: looked through, its plan shown and corrected, and read so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from app.ui.library.plan_model import PlanModel
from tests.support.courses import TITLES
from tests.support.file_dialogs import choose_files
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytestqt.qtbot import QtBot

    from app.domain.cancel import CancelToken
    from app.domain.courses import IngestPlan
    from app.ui.library.plan_dialog import PlanDialog
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def running(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[RunningWindow]:
    opened = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
    opened.open()
    opened.wait_until_ready(samples=False)
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A chosen folder with two courses of two lessons each."""
    made = tmp_path / "term"
    for course in ("Knots", "Sails"):
        (made / course).mkdir(parents=True)
        for n in (1, 2):
            text = f"# Part {n} of {course}\n\n{course} are explained in part {n}, at some length.\n"
            (made / course / f"{n}.md").write_text(text, encoding="utf-8")
    return made


def planned(running: RunningWindow, *paths: Path) -> PlanDialog:
    """Add something and return the dialog with its plan."""
    running.window.ingest_controller.add_paths(paths)
    plans = running.window.ingest_controller.plan_controller
    running.wait_for(lambda: plans.dialog is not None and bool(plans.dialog.draft.files), "the plan")
    assert plans.dialog is not None
    return plans.dialog


def titles(running: RunningWindow) -> set[str]:
    return {course.title for course in running.rag.courses.all()} - set(TITLES)


def test_a_plan_is_corrected_and_read(running: RunningWindow, folder: Path) -> None:
    dialog = planned(running, folder)
    assert dialog.heading.text() == "2 courses, 4 files"
    dialog.rename.trigger()
    field = dialog.tree.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    QTest.keyClicks(field, "Ropework")
    QTest.keyClick(field, Qt.Key.Key_Return)
    running.wait_for(lambda: dialog.draft.courses[0].title == "Ropework", "it")
    model = dialog.tree.model()
    dialog.tree.setCurrentIndex(model.index(1, 0, model.index(1, 0)))
    QTest.keyClick(dialog.tree, Qt.Key.Key_Delete)
    assert dialog.read.text() == "Read 3 files"
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    running.wait_until_read()
    assert titles(running) == {"Ropework", "Sails"}
    assert running.rag.courses.counts().documents == 6
    # What was corrected is remembered: there is nothing new. The folder could still be one course instead.
    again = planned(running, folder)
    assert [course.title for course in again.draft.courses] == ["Ropework", "Sails"]
    assert (again.read.text(), again.other_way.text()) == ("Apply", "Make one course")
    QTest.mouseClick(again.read, Qt.MouseButton.LeftButton)
    running.wait_until_read()
    assert titles(running) == {"Ropework", "Sails"}


def test_a_small_folder_is_just_read(running: RunningWindow, folder: Path) -> None:
    running.window.ingest_controller.add_paths([folder / "Knots"])
    running.wait_until_read()
    assert titles(running) == {"Knots"}
    assert running.window.ingest_controller.plan_controller.dialog is None


def test_what_was_added_is_no_longer_said_once_it_is_removed(running: RunningWindow, folder: Path) -> None:
    def result() -> list[str]:
        labels = running.window.ingest_status.findChildren(QLabel)
        return [label.text() for label in labels if label.isVisible() and label.text()]

    running.window.ingest_controller.add_paths([folder / "Knots"])
    running.wait_until_read()
    assert result() == ["Added 1 course: 2 files"]
    running.window.library_controller.remove_course("Knots")
    running.wait_for(lambda: titles(running) == set(), "the removal")
    running.wait_for(lambda: result() == [], "the result to go")


def test_chosen_files_are_read(running: RunningWindow, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [str(folder / "Knots" / "1.md")]
    choose_files(monkeypatch, *map(Path, chosen))
    running.window.actions_["add_files"].trigger()
    running.wait_for(lambda: running.rag.courses.counts().documents == 4, "the file to be read")
    read_files = [file for course in running.rag.courses.all() for file in course.files]
    assert chosen[0] in read_files


@pytest.mark.slow
def test_file_dialogs_open_at_home_and_then_where_courses_were_chosen(
    running: RunningWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_in = []
    for chosen in ([], [folder / "Knots"], []):  # cancelled, it remembers nothing
        opened_in.append(choose_files(monkeypatch, *chosen))
        running.window.actions_["add_folder"].trigger()
        running.wait_until_read()
    assert opened_in == [[str(Path.home())], [str(Path.home())], [str(folder)]]


def test_a_folder_of_courses_becomes_one_course_in_one_click(running: RunningWindow, folder: Path) -> None:
    dialog = planned(running, folder)
    assert dialog.layout_text.text() == "Each folder inside is a course."
    dialog.tree.setCurrentIndex(dialog.tree.model().index(1, 0, dialog.tree.model().index(1, 0)))
    dialog.exclude.trigger()
    QTest.mouseClick(dialog.other_way, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: dialog.layout_text.text() == "It is one course.", "the other plan")
    assert dialog.heading.text() == "1 course, 3 files, 1 excluded"
    assert (dialog.layout_text.text(), dialog.other_way.text()) == (
        "It is one course.",
        "Make each folder inside a course",
    )
    QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
    running.wait_until_read()
    assert titles(running) == {"term"}
    # It stays so, and the next plan still offers the other way.
    (folder / "Sails" / "2.md").write_text("Sails are explained anew.\n", encoding="utf-8")
    running.window.ingest_controller.add_paths([folder])
    running.wait_until_read()
    assert titles(running) == {"term"}


def test_what_is_ticked_is_kept_when_switching_to_the_other_way_and_back(
    running: RunningWindow, folder: Path
) -> None:
    dialog = planned(running, folder)
    left_out = str(folder / "Knots" / "1.md")
    model = dialog.tree.model()
    assert isinstance(model, PlanModel)
    model.change(lambda: dialog.draft.exclude([left_out]))
    QTest.mouseClick(dialog.other_way, Qt.MouseButton.LeftButton)
    one = "It is one course."
    running.wait_for(lambda: dialog.layout_text.text() == one, "the other plan")
    assert dialog.draft.corrections().left_out == (left_out,)
    QTest.mouseClick(dialog.other_way, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: dialog.layout_text.text() == "Each folder inside is a course.", "the first plan")
    assert dialog.draft.corrections().left_out == (left_out,)


def test_nothing_is_read_when_the_plan_is_cancelled(running: RunningWindow, folder: Path) -> None:
    dialog = planned(running, folder)
    running.window.ingest_controller.add_paths([folder / "Sails"])  # dropped meanwhile: its turn comes after
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    running.wait_until_read()
    assert titles(running) == {"Sails"}
    assert running.rag.courses.counts().documents == 5


def test_a_folder_that_is_gone_is_said(running: RunningWindow, folder: Path) -> None:
    running.window.ingest_controller.add_paths([folder / "Flags"])

    def said() -> bool:
        return any("no longer exists" in one.text() for one in running.window.findChildren(QLabel))

    running.wait_for(said, "the sentence")


def test_what_was_chosen_after_a_folder_that_is_gone_is_read(running: RunningWindow, folder: Path) -> None:
    running.window.ingest_controller.add_paths([folder / "Flags"])
    running.window.ingest_controller.add_paths([folder / "Sails"])
    running.wait_until_read()
    assert titles(running) == {"Sails"}


def test_a_fault_while_looking_holds_up_nothing(
    running: RunningWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, faults = running.rag.ingest.plan, [RuntimeError("a bug")]

    def break_once(paths: Sequence[Path], token: CancelToken, *corrections: None) -> IngestPlan:
        if faults:
            raise faults.pop()
        return plan(paths, token)

    monkeypatch.setattr(running.rag.ingest, "plan", break_once)
    running.window.ingest_controller.add_paths([folder / "Knots"])
    running.window.ingest_controller.add_paths([folder / "Sails"])
    running.wait_until_read()
    assert titles(running) == {"Sails"}


def test_closing_with_the_plan_open(running: RunningWindow, folder: Path) -> None:
    dialog = planned(running, folder)
    running.window.close()
    assert not dialog.isVisible()
    assert not running.window.isVisible()
