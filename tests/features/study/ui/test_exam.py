"""A practice exam in the window: planned from a paper, answered by key, graded, compared with the last."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit

from app.domain.cancel import CancelToken
from app.features.study.exams import ExamLesson, ExamTask, PracticeExam
from app.features.study.grading import Grade
from app.features.study.model.names import ItemKind
from app.features.study.ui.asking import Question, answer_field
from app.features.study.ui.exam_page import ExamPage
from app.ui.widgets.dialog import Dialog
from tests.support.study import BREAD_TITLE, SCALE, STARTER, item_on, study_of
from tests.support.study_window import study_jobs, study_pane

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener, RunningWindow

PAPER = """1. What lives in a sourdough starter? (4 points)
2. Which tool matters more than an expensive oven? (2 points)
 A) A scale
 B) A stone
3. How do the planets of other stars form? (9 points)
"""


@pytest.fixture
def running(open_window: Opener) -> RunningWindow:
    running = open_window()
    rag, repository = running.rag, study_of(running.rag).repository
    back = "Wild yeast lives in it with bacteria; bakers feed it with fresh flour every day."
    items = [
        item_on(rag, BREAD_TITLE, STARTER, front="What is a starter?", back=back),
        item_on(rag, BREAD_TITLE, SCALE, ItemKind.CHOICE, "What matters?", "A scale", ("A stone", "Salt")),
    ]
    repository.add(repository.deck_of(BREAD_TITLE), items)
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: bool(study_pane(running.window).decks), "the deck")
    running.activate()
    return running


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifier)


def planned(running: RunningWindow, folder: Path, paper: str = PAPER) -> ExamPage:
    """Open the page and let it read a paper, as after the file dialog."""
    running.window.actions_["study_practice"].trigger()
    page = study_pane(running.window).page("exam")
    assert isinstance(page, ExamPage)
    path = folder / "paper.txt"
    path.write_text(paper, encoding="utf-8")
    page.read_paper(path)
    running.wait_for(lambda: not page.bar.isVisible(), "the plan")
    return page


def begun(running: RunningWindow, page: ExamPage) -> None:
    running.activate()
    page.begin_button.setFocus()
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: page.view is not None, "the first question")


def answer_all(page: ExamPage, typed: str, choice: str) -> None:
    """Answer and hand in; what is left without an answer is said before."""
    while (view := page.view) is not None:
        assert QApplication.focusWidget() is view.first
        assert view.first.accessibleName()
        if view.field.isVisible():
            QTest.keyClicks(view.field, typed)
        else:
            view.buttons[view.choices.index(choice)].setFocus()
            press(Qt.Key.Key_Space)
        press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        asked = QApplication.activeModalWidget()
        is_open = page.view is view
        assert isinstance(asked, Dialog) is (is_open and not typed)
        if isinstance(asked, Dialog):
            asked.accept()


def test_an_exam_is_taken_by_key_graded_by_points_and_compared(
    running: RunningWindow, tmp_path: Path
) -> None:
    page = planned(running, tmp_path)
    assert "2 questions of this deck." in page.hint.text()
    assert "Not taught in this course: 1 question of the paper." in page.hint.text()
    begun(running, page)
    assert page.view is not None
    term = replace(page.view.item, kind=ItemKind.TERM)
    asked = Question(term, "", (), answer_field(), study_jobs(running.window).formulas)
    assert asked.view.toPlainText().endswith("Explain this term.")
    press(Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is page.next, "from the answer to the buttons"
    page.view.first.setFocus()
    assert isinstance(page.view.field, QPlainTextEdit)
    page.view.field.setPlainText(" and so on" * 2_000)
    answer_all(page, "Bacteria and wild yeast live in it", "A stone")
    running.wait_for(lambda: bool(page.grades), "the grade")
    assert page.score.text() == "2 / 6 points"
    for _ in range(3):
        if not page.points.isVisible():
            press(Qt.Key.Key_Down)
    assert page.points.summary.text() == "Contains 1 of 2 points"
    assert page.detail.height() < page.results.height(), "a long answer leaves room for the others"
    page.points.list.setFocus()
    page.points.list.setCurrentRow(1)
    press(Qt.Key.Key_Space)  # the student knows better
    page._take_grade((0, Grade((), "a model")))  # noqa: SLF001 - which was slow
    assert page.score.text() == "4 / 6 points"
    page.add.click()
    dialog = running.window.findChild(Dialog)
    assert dialog is not None
    assert any("What matters?" in label.text() for label in dialog.findChildren(QLabel))
    running.wait_for(dialog.isActiveWindow, "the dialog to have the keyboard")
    press(Qt.Key.Key_Return)
    study = study_of(running.rag)
    running.wait_for(lambda: len(study.items(kinds=(ItemKind.CARD,))) == 2, "the new card")
    said = running.window.statusBar().currentMessage
    running.wait_for(lambda: said() == "1 card added.", "the number of cards")
    page.add.click()
    again = running.window.findChildren(Dialog)[-1]
    running.wait_for(again.isActiveWindow, "the dialog to have the keyboard")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: said() == "0 cards added.", "that there is one already")

    page.other.click()
    running.wait_for(lambda: "4 / 6" in page.before.text(), "the result of the last time")
    planned(running, tmp_path)
    begun(running, page)
    answer_all(page, "", "A scale")
    assert page.score.text() == "2 / 6 points"
    assert page.verdict.text().startswith("Last time: 4 / 6 ")
    assert any("last time" in row.text(1) for row in page.rows.values())


def test_an_exam_that_was_left_goes_on_without_what_was_deleted(
    running: RunningWindow, tmp_path: Path
) -> None:
    page = planned(running, tmp_path)
    page.limit.setValue(30)
    begun(running, page)
    assert page.view is not None
    QTest.keyClicks(page.view.field, "Yeast")
    press(Qt.Key.Key_Escape)
    study = study_of(running.rag)
    (deck,) = study.decks()
    kept = partial(study.exams.of_deck, deck.deck_id)
    running.wait_for(lambda: "Yeast" in [task.answer for task in kept()[0].tasks], "what was typed")
    running.window.actions_["study_practice"].trigger()
    QTest.qWait(1100)  # a second of the clock, which runs again
    page._save()  # noqa: SLF001
    running.wait_for(lambda: kept()[0].spent >= 1, "the time that was spent")
    (choice,) = study.items(kinds=(ItemKind.CHOICE,))
    study.delete([choice.item_id])
    page._leave()  # noqa: SLF001 - as after the next start
    running.window.actions_["study_practice"].trigger()
    running.wait_for(page.resume.isVisible, "the exam that was left")
    page.resume.click()
    running.wait_for(lambda: page.view is not None, "its question")
    assert page.view.answer == "Yeast"
    (card,) = study.items()
    study.delete([card.item_id])
    page._leave()  # noqa: SLF001
    running.wait_for(page.resume.isVisible, "the exam that was left")
    running.window.say("")
    page.resume.click()
    left_out = "Deleted meanwhile and left out: 1 question."
    running.wait_for(lambda: running.window.statusBar().currentMessage() == left_out, "a sentence")
    assert page.view is None


def test_another_deck_may_be_chosen_meanwhile(running: RunningWindow, tmp_path: Path) -> None:
    study = study_of(running.rag)
    other = study.repository.deck_of("Stones")
    study.repository.add(other, [item_on(running.rag, BREAD_TITLE, SCALE, front="Which?")])
    task = ExamTask("0" * 32, ExamLesson(1, "Flour"), 5.0, share=1.0)
    done = study.exams.begin(PracticeExam(other, "stones.txt", (task,)))
    study.exams.save(replace(done, finished_at=1.0))
    page = planned(running, tmp_path)
    begun(running, page)
    page.show_deck(next(deck for deck in study.decks() if deck.deck_id == other))
    running.wait_for(lambda: bool(page._kept), "the exams of the deck")  # noqa: SLF001
    answer_all(page, "", "A scale")
    assert page.score.text() == "2 / 6 points"
    assert not page.verdict.text().startswith("Last time")
    jobs, renaming = study_jobs(running.window), partial(running.rag.ingest.rename_course, BREAD_TITLE)
    list(renaming("Loaves", CancelToken()))
    jobs.list_decks().run(running.window)
    pane = study_pane(running.window)
    running.wait_for(lambda: "Loaves" in [deck.course_title for deck in pane.decks], "the new name")
    page.results.itemActivated.emit(page.results.topLevelItem(0), 0)
    running.wait_for(lambda: running.window.sources.is_reading, "the lesson")


def test_what_a_paper_or_a_deck_lacks_is_said(running: RunningWindow, tmp_path: Path) -> None:
    page = planned(running, tmp_path, "Only a sentence of prose that asks nothing at all. And one more.")
    running.wait_for(lambda: "No question was found" in page.hint.text(), "a sentence")
    page.show_deck(study_pane(running.window).decks[0])  # its exams are listed again, late
    listed: list[object] = []
    study_jobs(running.window).list_decks().run(page, success=listed.append)
    running.wait_for(lambda: bool(listed), "what comes after")
    assert "No question was found" in page.hint.text()
    starters = "1. What lives in a starter?\n2. What lives in a starter, too?\n3. And in a starter?\n"
    planned(running, tmp_path, starters)
    running.wait_for(lambda: "lacks" in page.hint.text(), "another sentence")
