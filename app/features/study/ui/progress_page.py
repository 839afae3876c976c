"""How well a deck is known: what falls due, what was reviewed, and each lesson."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtWidgets import QWidget

from app.features.study.model.reviews import day_of
from app.features.study.ui.bars import Bar, BarList, Fill
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.building import Cell, Stretch, hbox, stack, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.items import Deck
    from app.features.study.model.reviews import LessonProgress, Progress
    from app.features.study.ui.operations import StudyJobs

tr = partial(QCoreApplication.translate, "ProgressPage")

_WIDTH = 720


class ProgressPage(StudyPage):
    chooses_deck = True

    def __init__(self, jobs: StudyJobs) -> None:
        super().__init__()
        self.title = self.tr("Progress")
        self._study = jobs.study
        self._deck_id: int | None = None
        self.summary = plain_label("", "lead")
        self.retention = plain_label("", "muted")
        self.list = BarList(self.title)
        legend = self.tr(
            "Filled: known, due again in three weeks or later. Hatched: being learned. Empty: new."
        )
        self._empty = plain_label("", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column, content = QWidget(maximumWidth=scaled(_WIDTH)), QWidget()
        vbox(
            self.summary,
            self.retention,
            8,
            Cell(self.list, 1),
            plain_label(legend, "caption"),
            spacing=4,
            parent=column,
        )
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=content, margins=(24, 16, 24, 16))
        self._sides = stack(self._empty, content)
        vbox(Cell(self._sides, 1), parent=self)

    def show_deck(self, deck: Deck | None) -> None:
        if deck is None:
            self._show_empty()
            return
        self._deck_id = deck.deck_id
        key = deck.deck_id
        reading = self._study.read("Reading the progress", lambda study: study.reviews.progress(key))
        reading.run(self, success=partial(self._show, key))

    def focus_first(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- internals ----

    def _show_empty(self) -> None:
        self._empty.setText(self.tr("Nothing to show yet: this deck has no cards."))
        self._sides.setCurrentIndex(0)

    def _show(self, deck_id: int, progress: Progress) -> None:
        if deck_id != self._deck_id:
            return
        if not progress.items:
            self._show_empty()
            return
        self._sides.setCurrentIndex(1)
        self._show_words(progress)
        rows = [Bar(self.tr("Lessons"), ""), *map(_lesson_bar, progress.lessons)]
        rows.append(Bar(self.tr("Due in the next 30 days"), self._due_text(progress)))
        rows += _day_bars(progress.forecast, 0)
        rows.append(Bar(self.tr("Reviews in the last 30 days"), self._done_text(progress)))
        rows += reversed(_day_bars(progress.reviews, 1 - len(progress.reviews)))
        self.list.show_rows(rows)

    def _show_words(self, progress: Progress) -> None:
        parts = {
            "known": number_text(progress.known),
            "learning": number_text(progress.items - progress.known - progress.new),
            "new": number_text(progress.new),
        }
        cards = self.tr(
            "%Ln card(s): {known} known, {learning} being learned, {new} new", None, progress.items
        )
        self.summary.setText(cards.format(**parts))
        sentences = [self.tr("You reviewed no card that you had learned before in the last 30 days.")]
        if progress.retention is not None:
            recalled = self.tr("You recalled {0} of the cards you had learned, in the last 30 days.")
            sentences = [recalled.format(_percent(progress.retention))]
        if progress.suspended:
            sentences.append(self.tr("%Ln card(s) suspended.", None, progress.suspended))
        if progress.leeches:
            sentences.append(self.tr("%Ln card(s) forgotten again and again.", None, progress.leeches))
        self.retention.setText(" ".join(sentences))

    def _due_text(self, progress: Progress) -> str:
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.forecast))
        none = self.tr("Nothing is due.")
        due = totals.format(today=number_text(progress.forecast[0])) if any(progress.forecast) else none
        new = self.tr("%Ln new card(s) not counted.", None, progress.new) if progress.new else ""
        return f"{due} {new}".strip()

    def _done_text(self, progress: Progress) -> str:
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.reviews))
        none = self.tr("No reviews yet.")
        return totals.format(today=number_text(progress.reviews[-1])) if any(progress.reviews) else none


def _day_bars(counts: Sequence[int], first: int) -> list[Bar]:
    """Return a bar for each day of study that has something; the first is counted from today."""
    now, form = day_of(time.time()), QLocale.FormatType.ShortFormat
    today = QDate(now.year, now.month, now.day)
    return [
        Bar(
            QLocale().toString(today.addDays(day), form),
            number_text(count),
            ((0.0, count / max(counts), Fill.FULL),),
        )
        for day, count in enumerate(counts, first)
        if count
    ]


def _lesson_bar(lesson: LessonProgress) -> Bar:
    learning = lesson.items - lesson.known - lesson.new
    words = tr("{known} known, {learning} learning, {new} new").format(
        known=number_text(lesson.known), learning=number_text(learning), new=number_text(lesson.new)
    )
    if lesson.retention is not None:
        words += ", " + tr("{0} recalled").format(_percent(lesson.retention))
    known, begun = lesson.known / lesson.items, (lesson.known + learning) / lesson.items
    name = numbered_lesson(lesson.number, lesson.title) or lesson.course_title
    return Bar(name, words, ((0.0, known, Fill.FULL), (known, begun, Fill.HATCHED)))


def _percent(share: float) -> str:
    return tr("{0}%").format(number_text(round(share * 100)))
