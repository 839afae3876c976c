"""Pictures of reviewing: cards, the end of a session, a quiz, a practice exam, and the progress."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.scope import only_course
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.model.reviews import Rating
from app.features.study.ui.exam_page import ExamPage
from app.features.study.ui.overview import ProgressPage
from app.features.study.ui.quiz_page import QuizPage
from app.features.study.ui.review_page import ReviewPage
from tests.support.study import study_of
from tests.support.study_window import study_controller, study_jobs, study_pane
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_CODE = "What does this print?\n\n```python\nfrom statistics import median\n\nprint(median([1, 2, 300]))\n```"
_FORMULA = "What is the variance of a sample, $s^2$?"
_VARIANCE = (
    "The mean of the squared distances to the mean:\n\n$$s^2 = \\frac{1}{n-1}\\sum_i (x_i-\\bar{x})^2$$"
)
_TEXTS = (
    (ItemKind.CARD, ItemText(_FORMULA, _VARIANCE, (), "With $n-1$, since one degree of freedom is used up.")),
    (ItemKind.CARD, ItemText(_CODE, "`2`: the **median** is the middle value.")),
    (ItemKind.CLOZE, ItemText("The {{c1::median}} is the middle value, the {{c2::mean}} the balance point.")),
    (ItemKind.TERM, ItemText("Outlier", "A value far away from *all the others*.")),
    (
        ItemKind.CHOICE,
        ItemText(
            "Which of these is moved most by one outlier?",
            "The mean, since **every value** counts by its size",
            (
                "The median",
                "The mode",
                "None of them: an outlier is a single value among many, and what describes all of them can "
                "hardly change with it",
            ),
            "The mean adds everything up, so $\\bar{x}$ follows a single large value.",
        ),
    ),
    (ItemKind.SHORT, ItemText("What is the middle value of sorted data called?", "the median")),
    (ItemKind.SHORT, ItemText("Which value is most frequent?", "the mode", ("mode",))),
)


_PAPER = """Statistics, summer term

1. What is the middle value of sorted data called? (4 points)
2. Which of these is moved most by one outlier? (2 points)
 A) The mean
 B) The median
3. Explain what an outlier is, and how it moves the mean. (6 points)
4. How do the planets of other stars form? (9 points)
"""


def review_states(pictures: Pictures) -> None:
    """Take a review, a quiz and the progress of a deck that was studied for a month."""
    with pictures.window() as (running, _):
        title = _fill(running)
        _reviewing(pictures, running)
        _quiz(pictures, running)
        _progress(pictures, running, title)


def practice_states(pictures: Pictures) -> None:
    """Walk through a practice exam by keyboard, and print what has it as a screen reader says it."""
    with pictures.window() as (running, _), tempfile.TemporaryDirectory() as folder:
        _fill(running)
        running.activate()
        running.window.actions_["study_practice"].trigger()
        page = study_pane(running.window).page("exam")
        assert isinstance(page, ExamPage)
        _walk(pictures, running, "practice-paper")
        paper = Path(folder) / "paper.txt"
        paper.write_text(_PAPER, encoding="utf-8")
        page.read_paper(paper)
        running.wait_for(lambda: page.plan is not None and not page.bar.isVisible(), page.hint.text())
        _walk(pictures, running, "practice-plan")
        page.limit.setValue(45)
        page.begin_button.setFocus()
        _press(Qt.Key.Key_Return)
        running.wait_for(lambda: page.view is not None, "the first question")
        while (view := page.view) is not None:
            _walk(pictures, running, f"practice-question-{page.at}")
            view.first.setFocus()
            if view.choices:
                _press(Qt.Key.Key_Space)
            else:
                QTest.keyClicks(view.first, "The median is in the middle")
            _press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        running.wait_for(lambda: page.other.isEnabled(), "the grades")
        _walk(pictures, running, "practice-result")
        page.results.setFocus()
        _press(Qt.Key.Key_Down)
        _walk(pictures, running, "practice-result-question")


def _walk(pictures: Pictures, running: RunningWindow, name: str) -> None:
    """Take a picture, and print what Tab leads to."""
    pictures.take(running, name)
    first = QApplication.focusWidget()
    for _ in range(40):
        if (focus := QApplication.focusWidget()) is None:
            break
        said = QAccessible.queryAccessibleInterface(focus)
        text, role = said.text(QAccessible.Text.Name), said.role().name
        about = said.text(QAccessible.Text.Description) or said.text(QAccessible.Text.Value)
        sys.stderr.write(f"{pictures.look.name} {name}: {role} “{text}” {about[:60]}\n")
        if study_pane(running.window).isAncestorOf(focus):
            _press(Qt.Key.Key_Tab)
        if QApplication.focusWidget() in (first, focus) or not study_pane(running.window).isAncestorOf(focus):
            break
    if first is not None:
        first.setFocus()


def _press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    if (focus := QApplication.focusWidget()) is not None:
        QTest.keyClick(focus, key, modifier)


def _fill(running: RunningWindow) -> str:
    """Make items in all lessons of a course, with a month of reviews behind them; return its title."""
    rag, chance = running.rag, random.Random(3)
    course = next(one for one in rag.courses.all() if "Statistics" in one.title)
    hits = [hit for hit in rag.search.whole(only_course(course.title), 400_000) if hit.lesson_number]
    sources = [rag.search.make_source(1, hit) for hit in hits]
    new = []
    for source in sources:
        for kind, text in _TEXTS:
            start, end = source.sentences[0]
            new.append(NewItem(kind, text, source, start, end, source.text(start, end)))
    chance.shuffle(new)
    new.sort(key=lambda item: (item.kind is not ItemKind.CARD, item.text.front != _FORMULA))
    study = study_of(rag)
    keys = study.repository.add(study.repository.deck_of(course.title), new)
    now = time.time()
    cards = [key for key, item in zip(keys, new, strict=True) if item.kind is ItemKind.CARD][:60]
    clock = study.reviews._now  # noqa: SLF001
    for day in range(28, 0, -1):
        study.reviews._now = lambda day=day: now - day * 86_400  # type: ignore[misc]  # noqa: SLF001
        for key in cards:
            if chance.random() < 0.25:
                study.reviews.rate(key, chance.choice((Rating.AGAIN, Rating.GOOD, Rating.GOOD, Rating.EASY)))
    study.reviews._now = clock  # noqa: SLF001
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: bool(study_pane(running.window).decks), "the deck")
    return course.title


def _reviewing(pictures: Pictures, running: RunningWindow) -> None:
    study_controller(running.window).show_page("review")
    page = study_pane(running.window).page("review")
    assert isinstance(page, ReviewPage)
    running.wait_for(lambda: page.session.card is not None, "a card")
    settle(500)
    pictures.take(running, "review-question")
    page.answer()
    settle(500)
    pictures.take(running, "review-answer")
    names = {ItemKind.CLOZE: "gaps", ItemKind.TERM: "term"}
    for _ in range(300):
        card = page.session.card
        if card is None or not names:
            break
        if name := names.pop(card.item.kind, ""):
            page.types.setChecked(name == "gaps")
            pictures.take(running, f"review-{name}-question")
            if name == "gaps":
                page.field.setText("median, mode")
            page.answer()
            pictures.take(running, f"review-{name}-answer")
            page.types.setChecked(False)
        page.answer()
        page.rate(Rating.EASY)
        running.wait_for(lambda: not page.session.is_waiting, "the review")
    card = page.session.card
    if card is not None:
        page._tell_leech(card.item)  # noqa: SLF001
        page.answer()
        pictures.take(running, "review-leech")
        page.notice.hide()
    while page.session.card is not None:
        page.answer()
        page.rate(Rating.EASY)
        running.wait_for(lambda: not page.session.is_waiting, "the review")
    pictures.take(running, "review-done")


def _quiz(pictures: Pictures, running: RunningWindow) -> None:
    study_controller(running.window).show_page("quiz")
    page = study_pane(running.window).page("quiz")
    assert isinstance(page, QuizPage)
    running.wait_for(lambda: page.start.lessons.count() > 0, "the lessons")
    pictures.take(running, "quiz-start")
    page.start.number.setCurrentIndex(1)
    page.start.start.click()
    taken: set[str] = set()
    while page.run is not None and (item := page.run.item) is not None:
        name = "" if item.kind in taken else f"quiz-{item.kind}"
        taken.add(item.kind)
        settle(300)
        if name:
            pictures.take(running, name)
        if item.kind is ItemKind.CHOICE:
            QTest.keyClick(page, Qt.Key.Key_B)
        elif page.asked is not None:
            QTest.keyClicks(page.asked.field, "the mean")
            page.check_typed()
        settle(300)
        if name:
            pictures.take(running, f"{name}-answered")
        page.next.click()
    pictures.take(running, "quiz-score")


def _progress(pictures: Pictures, running: RunningWindow, title: str) -> None:
    study_controller(running.window).show_page("progress", title)
    page = study_pane(running.window).page("progress")
    assert isinstance(page, ProgressPage)
    running.wait_for(lambda: bool(page.list.texts), "the progress")
    pictures.take(running, "progress")
