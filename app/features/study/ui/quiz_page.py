"""The page that takes a quiz: choosing questions, answering them, and the score."""

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.features.study.grading import Grade
from app.features.study.kinds import KINDS
from app.features.study.model.items import Deck, Item
from app.features.study.ui.asking import LETTERS, AnswerPoints, FittedView, Question, answer_field
from app.features.study.ui.card_html import plain, quote_html
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.quiz_sides import QuizEnd, QuizRun, QuizStart
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    link_button,
    push_button,
    scroll_area,
    vbox,
)
from app.ui.widgets.pane_keys import PaneKey, with_keys
from app.ui.widgets.source_labels import source_label
from app.ui.widgets.text_labels import plain_label

_RIGHT, _WRONG = "✓", "✗"


class QuizPage(StudyPage):
    """Asks all questions of a deck's lessons, or some of them; nothing of it is scheduled."""

    chooses_deck = True

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Quiz")
        self.setWindowTitle(self.title)  # above its keys in the list of all
        self._controller, self._jobs = study, study.jobs
        self.run: QuizRun | None = None
        self.asked: Question | None = None
        self.is_answered = False
        self.start, self.end = QuizStart(study.jobs, study.make), QuizEnd()
        self._build_question()
        self._sides = self.lay_out(self.start, self._asking, self.end)
        self._add_keys()
        self.start.started.connect(self._begin)
        self.end.again_requested.connect(self._repeat_wrong)
        self.end.other_requested.connect(self._leave)

    # ---- StudyPage ----

    def show_deck(self, deck: Deck | None) -> None:
        """Offer the questions of a deck; a quiz that is being taken goes on."""
        self.start.show_deck(deck)

    def focus_first(self) -> None:
        side = self._sides.currentIndex()
        target: QWidget = self.end.first if side else self.start.first
        if side == 1 and self.asked is not None:
            target = self.next if self.is_answered else self.asked.view
            if not self.is_answered and not self.asked.choices:
                target = self.asked.field
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def draw(self) -> None:
        if self.asked is not None:
            self.asked.draw()
            if self.is_answered:
                self.feedback.show_html(self._feedback_html(self.asked.item))

    # ---- building ----

    def _build_question(self) -> None:
        self._place = plain_label("", "caption", wrap=False)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress of this quiz"))
        self.feedback = FittedView(self._jobs.formulas)
        self.feedback.setAccessibleName(self.tr("Explanation"))
        self._jobs.formulas.came_late.connect(self.draw)
        self.result = plain_label("", "lead")
        self.points = AnswerPoints(self._jobs)
        self.points.changed.connect(self._count_points)
        self.check = push_button(self.tr("Check"), self.check_typed, "primary")
        self.next = push_button(self.tr("Next"), self._go_on, "primary")
        self.was_right = link_button(self.tr("I was right"), self._override)
        self.source = link_button(self.tr("Open source"), self._open_source)
        self.stop = link_button(self.tr("End the quiz"), self._stop)
        buttons = FlowLayout(12, self.check, self.next, self.was_right, self.source, self.stop)
        inner = QWidget()
        parts = self.result, self.points, self.feedback, Stretch()
        self._inner = vbox(*parts, spacing=8, margins=(0, 8, 8, 8), parent=inner)
        self._scroll = scroll_area(inner)
        self._asking = QWidget()
        vbox(self._place, self.bar, Cell(self._scroll, 1), buttons, spacing=8, parent=self._asking)

    def _add_keys(self) -> None:
        """Letters and digits choose; Space and Enter go on; like all keys of a quiz, they stay."""
        for at, letter in enumerate(LETTERS):
            PaneKey(self, (letter, str(at + 1)), partial(self.choose, at))
        for pane in (self, self.feedback):
            PaneKey(pane, ("Space", "Return", "Enter"), self._press)
        key = PaneKey(self, "O", self._open_source, text=self.source.text(), is_plain=True)
        self.source.setToolTip(with_keys(self.source.text(), key.keys()))

    # ---- asking ----

    def _begin(self, items: Sequence[Item], number: int) -> None:
        self._take(QuizRun.of(items, number, time.time_ns()))

    def _repeat_wrong(self) -> None:
        if self.run is not None:
            wrong = self.run.wrong_items
            self._begin(wrong, len(wrong))

    def _stop(self) -> None:
        """Show the score of what was answered; without any answer, offer another quiz."""
        if self.run is not None and self.run.results:
            self.run.end()
            self._ask()
        else:
            self._leave()

    def _leave(self) -> None:
        self.run = None
        self._clear()
        self._sides.setCurrentIndex(0)
        self.start.refresh()
        self.focus_first()

    def _take(self, run: QuizRun) -> None:
        self.run = run
        self._sides.setCurrentIndex(1)
        self._ask()

    def _ask(self) -> None:
        run = self.run
        if run is None or run.item is None:
            self._clear()
            if run is not None:
                self.end.show_run(run)
            self._sides.setCurrentIndex(2)
            self.focus_first()
            return
        self.is_answered = False
        self.points.clear()
        self.result.hide()
        self.feedback.hide()
        self._show_question(run.item, run.choices)
        self._show_state()
        self._feedback_html(run.item)  # so that its formulas are set meanwhile
        self._scroll.verticalScrollBar().setValue(0)
        self.focus_first()
        choices = (f"{letter}: {text}" for letter, text in zip(LETTERS, run.choices, strict=False))
        announce(self, ". ".join((plain(run.item, is_answered=False), *choices)))

    def _show_question(self, item: Item, choices: Sequence[str]) -> None:
        self._clear()
        about = source_label(item.source.hit)
        self.asked = Question(item, about, choices, answer_field(), self._jobs.formulas)
        self.asked.view.setAccessibleName(self.tr("Question"))
        PaneKey(self.asked.view, ("Space", "Return", "Enter"), self._press)
        for at, button in enumerate(self.asked.buttons):
            button.clicked.connect(partial(self.choose, at))
        self._inner.insertWidget(0, self.asked)
        self.asked.lead_to(self.check, self.next, self.was_right, self.source, self.stop)

    def _clear(self) -> None:
        if self.asked is not None:
            self.asked.hide()
            self.asked.deleteLater()
            self.asked = None

    def _show_state(self) -> None:
        run, asked = self.run, self.asked
        if run is None or asked is None:
            return
        is_short = not asked.choices
        asked.field.setVisible(is_short and not self.is_answered)
        self.check.setVisible(is_short and not self.is_answered)
        self.next.setVisible(self.is_answered)
        self.was_right.setVisible(is_short and self.is_answered and not run.results[-1])
        self.source.setVisible(self.is_answered)
        self._place.setText(self.tr("Question {0} of {1}").format(run.at + 1, len(run.items)))
        self.bar.setRange(0, len(run.items))
        self.bar.setValue(len(run.results))

    def _feedback_html(self, item: Item) -> str:
        parts = []
        if not KINDS[item.kind].has_choices:
            if not self.points.is_right:
                parts.append(self.points.html())
            parts.append(self.feedback.html_of(item.text.back))
        if item.text.explanation:
            parts.append(self.feedback.html_of(item.text.explanation))
        return "".join((*parts, quote_html(item)))

    def choose(self, at: int) -> None:
        """Answer with a choice; ignored where there is no such, or none is asked for."""
        asked = self.asked
        if asked is None or self.is_answered or at >= len(asked.choices):
            return
        right = asked.choices.index(asked.item.text.back)
        for place, button in enumerate(asked.buttons):
            if place == right:
                button.mark(_RIGHT, self.tr("right"), "success")
            elif place == at:
                button.mark(_WRONG, self.tr("wrong"), "danger")
        wrong = self.tr("Not right. The answer is {0}.").format(LETTERS[right])
        self._finish(is_right=at == right, wrong=wrong)

    def check_typed(self) -> None:
        if self.asked is not None and not self.asked.choices and not self.is_answered:
            is_right = self.points.check(self.asked.item, self.asked.answer)
            self._finish(is_right=is_right, wrong=self.tr("Not the same as the answer."))

    def _count_points(self, grade: Grade) -> None:
        self._note(is_right=grade.there == len(grade.points))
        self.result.hide()  # the points say it
        self._show_state()

    def _finish(self, *, is_right: bool, wrong: str) -> None:
        self.is_answered = True
        self._note(is_right=is_right)
        self.result.setText(self.tr("Right.") if is_right else wrong)
        self.result.show()
        self.feedback.show()
        self._show_state()
        self.draw()
        self.next.setFocus()
        self._show_feedback()
        announce(self.result, f"{self.result.text()} {self.feedback.toPlainText()}", urgent=True)

    def _show_feedback(self) -> None:
        """Bring the result into view, with as much of the explanation as there is room for."""
        if (content := self._scroll.widget()) is not None and (layout := content.layout()) is not None:
            layout.activate()
        self._scroll.ensureWidgetVisible(self.feedback, 0, 0)
        self._scroll.ensureWidgetVisible(self.result, 0, 0)

    def _note(self, *, is_right: bool) -> None:
        if self.run is not None and self.asked is not None:
            self.run.answer(is_right=is_right)
            key = self.asked.item.item_id
            noting = self._jobs.change(
                "Keeping a result", lambda study: study.note_result(key, is_right=is_right)
            )
            noting.run(self)

    def _override(self) -> None:
        self._note(is_right=True)
        self.result.setText(self.tr("Counted as right."))
        self._show_state()
        self.next.setFocus()
        announce(self.result, self.result.text())

    def _go_on(self) -> None:
        if self.run is not None and self.is_answered:
            self.run.go_on()
            self._ask()

    def _press(self) -> None:
        """Do what Space and Enter mean: press what has the keyboard, check, or go on."""
        focus = self.focusWidget()
        if isinstance(focus, QPushButton) and focus.hasFocus():
            focus.click()
        elif self._sides.currentIndex() == 1:
            if self.is_answered:
                self._go_on()
            else:
                self.check_typed()

    def _open_source(self) -> None:
        if self.asked is not None and self.is_answered:
            self._controller.show_source(self.asked.item)
