"""A quiz in the window: questions answered by key, the score, and the wrong ones again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from app.features.study.kinds import QUIZ
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.ui.overview import ProgressPage
from app.features.study.ui.quiz_page import QuizPage
from app.features.study.ui.quiz_sides import QuizRun
from tests.support.study import BREAD_TITLE, SCALE, STARTER, item_on, study_of
from tests.support.study_window import study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from app.features.study.model.items import Item
    from tests.support.running_window import Opener, RunningWindow


def opened(open_window: Opener) -> RunningWindow:
    """Return a window with a question of either kind and a card in a deck."""
    running = open_window()
    rag, repository = running.rag, study_of(running.rag).repository
    question, wrong = "What matters more than an oven?", ("An apron", "A stone", "A timer")
    items = [
        item_on(rag, BREAD_TITLE, SCALE, ItemKind.CHOICE, question, "A **scale**", wrong),
        item_on(
            rag, BREAD_TITLE, STARTER, ItemKind.SHORT, "What lives in a starter?", "Yeast", ("Bacteria",)
        ),
        item_on(rag, BREAD_TITLE, STARTER),
    ]
    repository.add(repository.deck_of(BREAD_TITLE), items)
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: bool(study_pane(running.window).decks), "the deck")
    running.activate()
    return running


def press(keys: str | Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    if isinstance(keys, str):
        QTest.keyClicks(focus, keys)
    else:
        QTest.keyClick(focus, keys)


def results(running: RunningWindow) -> dict[str, bool | None]:
    """Return the last result of each question in the library."""
    found: tuple[Item, ...] = study_of(running.rag).items()
    return {item.kind: item.quiz_right for item in found if item.kind is not ItemKind.CARD}


def test_a_quiz_is_answered_by_key_scored_and_its_wrong_ones_asked_again(open_window: Opener) -> None:
    running = opened(open_window)
    study_controller(running.window).show_page("items")
    items = study_pane(running.window).page("items")
    next(one for one in items.findChildren(QPushButton) if one.text() == "Take a quiz").click()
    page = study_pane(running.window).page("quiz")
    assert isinstance(page, QuizPage)
    running.wait_for(lambda: page.start.lessons.count() == 2, "the lessons")
    press(Qt.Key.Key_Return)  # starts with all lessons
    assert page.run is not None and len(page.run.items) == 2
    while (item := page.run.item) is not None:
        if item.kind is ItemKind.CHOICE:
            wrong = next(at for at, text in enumerate(page.run.choices) if text != item.text.back)
            press("ABCD"[wrong])
            press("ABCD"[page.run.choices.index(item.text.back)])  # too late
            assert page.result.text().startswith("Not right. The answer is ")
        else:
            press("fungi")
            press(Qt.Key.Key_Return)
            assert page.result.text() == "Not the same as the answer."
            assert "You typed: fungi" in page.feedback.toPlainText()
            page.was_right.click()
        assert item.quote in page.feedback.toPlainText()
        page.next.setFocus()
        press(Qt.Key.Key_Space)
    assert page.end.score.text() == "1 of 2 right"
    wanted = {ItemKind.CHOICE: False, ItemKind.SHORT: True}
    running.wait_for(lambda: results(running) == wanted, "the results")
    press(Qt.Key.Key_Return)  # the wrong ones again
    assert [item.kind for item in page.run.items] == [ItemKind.CHOICE]
    press(str(page.run.choices.index("A **scale**") + 1))
    press(Qt.Key.Key_Return)
    assert page.end.verdict.text() == "All of them were right."
    running.wait_for(lambda: results(running)[ItemKind.CHOICE] is True, "the result")
    page.start.started.emit(study_of(running.rag).items(kinds=QUIZ), 2)
    page.stop.click()
    assert page.run is None and page.start.isVisible()  # nothing was answered
    page.start.started.emit(study_of(running.rag).items(kinds=QUIZ), 2)
    press("abc" if page.run is not None and page.run.choices else Qt.Key.Key_Return)
    page.stop.click()
    assert page.end.score.text().endswith(" of 1 right")


def test_an_answer_in_own_words_counts_as_right_with_all_its_points(open_window: Opener) -> None:
    running = opened(open_window)
    study = study_of(running.rag)
    (item,) = study.items(kinds=(ItemKind.SHORT,))
    study.edit(item.item_id, replace(item.text, back="Wild yeast and bacteria live in flour", others=()))
    running.window.actions_["study_quiz"].trigger()
    page = study_pane(running.window).page("quiz")
    assert isinstance(page, QuizPage)
    page.start.started.emit(study.items(kinds=(ItemKind.SHORT,)), 1)
    press("In the flour, bacteria are living with wild yeasts.")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: page.points.isVisible(), "the points")
    assert page.points.summary.text() == "Contains 1 of 1 point"
    running.wait_for(lambda: results(running)[ItemKind.SHORT] is True, "the result")
    assert not page.was_right.isVisible()
    page.next.click()
    assert page.end.score.text() == "1 of 1 right"


def test_a_deck_without_questions_offers_to_make_some(open_window: Opener) -> None:
    running = opened(open_window)
    study = study_of(running.rag)
    study.repository.delete([item.item_id for item in study.items(kinds=QUIZ)])
    running.window.actions_["study_quiz"].trigger()
    page = study_pane(running.window).page("quiz")
    assert isinstance(page, QuizPage)
    running.wait_for(page.start.make.hasFocus, "the offer")
    assert not page.start.start.isVisible()


def test_a_seed_gives_the_same_questions_and_choices(open_window: Opener) -> None:
    running = opened(open_window)
    items = study_of(running.rag).items(kinds=(ItemKind.CHOICE, ItemKind.SHORT))

    def order(seed: int) -> list[tuple[int, tuple[str, ...]]]:
        run = QuizRun.of(items, 2, seed)
        found = []
        while run.item is not None:
            found.append((run.item.item_id, run.choices))
            run.go_on()
        return found

    assert order(5) == order(5)
    many = replace(items[0], kind=ItemKind.CHOICE, text=ItemText("?", "right", tuple("abcdefghijk")))
    for seed in range(20):
        choices = QuizRun.of([many], 1, seed).choices
        assert len(choices) == 8 and "right" in choices
    assert len({str(order(seed)) for seed in range(20)}) > 4
    study_controller(running.window).show_page("progress", BREAD_TITLE)
    page = study_pane(running.window).page("progress")
    assert isinstance(page, ProgressPage)
    running.wait_for(lambda: bool(page.list.texts), "the progress")
    assert page.summary.text() == "1 card: 0 known, 0 being learned, 1 new"
    assert page.list.texts == [
        "Lessons",
        "Lesson 1: Sourdough starters: 0 known, 0 learning, 1 new",
        "Due in the next 30 days: Nothing is due. 1 new card not counted.",
        "Reviews in the last 30 days: No reviews yet.",
    ]
