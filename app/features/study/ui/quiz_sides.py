"""A run through questions of a quiz, the choice of its questions before it, and the score after it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from random import Random

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QListWidget, QListWidgetItem, QPushButton, QWidget

from app.features.study.kinds import QUIZ
from app.features.study.model.items import Deck, Item, course_order
from app.features.study.ui.asking import choices_of
from app.features.study.ui.card_html import plain
from app.features.study.ui.operations import StudyJobs
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, FlowLayout, Stretch, push_button, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.source_labels import course_name, lesson_name
from app.ui.widgets.text_labels import plain_label


@dataclass(slots=True)
class QuizRun:
    """Shuffled by ``seed``, so that one seed gives the same questions and the same order of choices.

    Attributes:
        items: the questions, in the order they are asked.
        at: the one that is asked, from 0; their number once all were.
        results: whether those before it were answered right.
    """

    items: Sequence[Item]
    seed: int
    at: int = 0
    results: list[bool] = field(default_factory=list)

    @classmethod
    def of(cls, items: Sequence[Item], number: int, seed: int) -> "QuizRun":
        return cls(Random(seed).sample(list(items), min(number, len(items))), seed)

    @property
    def item(self) -> Item | None:
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible answers of a choice, in the order they are shown."""
        return () if self.item is None else choices_of(self.item, self.seed)

    @property
    def wrong_items(self) -> list[Item]:
        return [item for item, is_right in zip(self.items, self.results, strict=False) if not is_right]

    def answer(self, *, is_right: bool) -> None:
        """Note the result of the question that is asked, or change it."""
        del self.results[self.at :]
        self.results.append(is_right)

    def go_on(self) -> None:
        self.at += 1

    def end(self) -> None:
        """Leave out what was not answered yet."""
        self.items = self.items[: len(self.results)]
        self.at = len(self.items)


_NUMBERS = (10, 20, 50)
_ITEMS, _NAME = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1


class QuizStart(QWidget):
    """Offers the lessons of a deck, and how many of their questions are asked."""

    started = Signal(object, int)  # the items to choose from, and how many

    def __init__(self, study: StudyJobs, make: Callable[[], object]) -> None:
        super().__init__()
        self._study = study
        self._deck: Deck | None = None
        self._offered: int | None = None  # the deck whose lessons are listed
        self.lessons = QListWidget()
        self.lessons.setAccessibleName(self.tr("Lessons"))
        self.lessons.itemChanged.connect(lambda _: self._count())
        self.number = QComboBox()
        self.number.setAccessibleName(self.tr("How many questions"))
        self.number.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.unknown = QCheckBox(self.tr("Only questions not answered right yet"))
        self.unknown.toggled.connect(lambda _: self._count())
        self.start = push_button(self.tr("Start the quiz"), self._start, "primary")
        self.make = push_button(self.tr("Make study material…"), make, "primary")
        self.make.hide()
        self._hint = plain_label("", "muted")
        choices = FlowLayout(12, self.number, self.unknown, self.start, self.make)
        vbox(self._hint, Cell(self.lessons, 1), choices, Stretch(0), spacing=8, parent=self)

    def show_deck(self, deck: Deck | None) -> None:
        self._deck = deck
        self.refresh()

    @property
    def first(self) -> QPushButton:
        return self.make if self.start.isHidden() else self.start

    def refresh(self) -> None:
        if self._deck is None:
            self._offer(None, ())
        else:
            key = self._deck.deck_id
            listing = self._study.read("Opening a deck", lambda study: _by_lesson(study.items(key, QUIZ)))
            listing.run(self, success=partial(self._offer, key))

    def _offer(self, deck_id: int | None, lessons: Sequence[tuple[str, list[Item]]]) -> None:
        """Show the lessons of the deck that is chosen; those without a tick stay so."""
        if deck_id != (self._deck.deck_id if self._deck else None):
            return
        unticked = self._rows(Qt.CheckState.Unchecked) if deck_id == self._offered else []
        left_out = {row.data(_NAME) for row in unticked}
        self._offered = deck_id
        self.lessons.blockSignals(True)
        self.lessons.clear()
        for name, questions in lessons:
            row = QListWidgetItem(f"{name} ({number_text(len(questions))})", self.lessons)
            row.setData(_ITEMS, questions)
            row.setData(_NAME, name)
            row.setCheckState(Qt.CheckState.Unchecked if name in left_out else Qt.CheckState.Checked)
        self.lessons.blockSignals(False)
        self._count()

    def _start(self) -> None:
        if chosen := self._chosen():  # else they are not listed yet
            self.started.emit(chosen, self.number.currentData())

    def _rows(self, state: Qt.CheckState) -> list[QListWidgetItem]:
        rows = (self.lessons.item(row) for row in range(self.lessons.count()))
        return [row for row in rows if row.checkState() == state]

    def _chosen(self) -> list[Item]:
        found = [item for row in self._rows(Qt.CheckState.Checked) for item in row.data(_ITEMS)]
        return [item for item in found if not (self.unknown.isChecked() and item.quiz_right)]

    def _count(self) -> None:
        had_focus = self.start.hasFocus()
        number, chosen = self.number.currentIndex(), len(self._chosen())
        self.number.clear()
        self.number.addItem(self.tr("All %Ln question(s)", None, chosen), chosen)
        for count in _NUMBERS:
            if count < chosen:
                self.number.addItem(self.tr("%Ln question(s), chosen at random", None, count), count)
        self.number.setCurrentIndex(number if 0 <= number < self.number.count() else 0)
        self.start.setEnabled(chosen > 0)
        has_any = self.lessons.count() > 0
        self.make.setVisible(not has_any)
        for part in (self.lessons, self.number, self.unknown, self.start):
            part.setVisible(has_any)
        if had_focus:
            self.first.setFocus()
        none = self.tr("This deck has no quiz questions yet. A model makes them from its course.")
        self._hint.setText(self.tr("Choose the lessons to be asked about.") if has_any else none)


class QuizEnd(QWidget):
    """The score, and what was answered wrong."""

    again_requested = Signal()  # the wrong ones
    other_requested = Signal()  # another quiz

    def __init__(self) -> None:
        super().__init__()
        self.score, self.verdict = plain_label("", "title"), plain_label("", "muted")
        self.wrong = QListWidget()
        self.wrong.setAccessibleName(self.tr("Wrong answers"))
        self.wrong.setWordWrap(True)
        self.again = push_button(self.tr("Retry wrong answers"), self.again_requested.emit, "primary")
        self.other = push_button(self.tr("Another quiz"), self.other_requested.emit)
        buttons = FlowLayout(8, self.again, self.other)
        vbox(self.score, self.verdict, Cell(self.wrong, 1), buttons, Stretch(0), spacing=8, parent=self)

    @property
    def first(self) -> QPushButton:
        return self.other if self.again.isHidden() else self.again

    def show_run(self, run: QuizRun) -> None:
        score = self.tr("{right} of {all} right")
        self.score.setText(score.format(right=number_text(sum(run.results)), all=number_text(len(run.items))))
        wrong = run.wrong_items
        verdict = self.tr("These were not right:") if wrong else self.tr("All of them were right.")
        self.verdict.setText(verdict)
        self.wrong.clear()
        self.wrong.addItems([plain(item, is_answered=False) for item in wrong])
        self.wrong.setVisible(bool(wrong))
        self.again.setVisible(bool(wrong))
        announce(self.score, f"{self.score.text()}. {verdict}")


def _by_lesson(items: Sequence[Item]) -> list[tuple[str, list[Item]]]:
    return [(name, list(group)) for name, group in groupby(sorted(items, key=course_order), key=_lesson_of)]


def _lesson_of(item: Item) -> str:
    return lesson_name(item.source.hit) or course_name(item.source.hit)
