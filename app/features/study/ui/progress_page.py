"""How well a deck is known: what falls due, what was reviewed, and each lesson."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QHeaderView, QScrollArea, QTableView, QWidget

from app.features.study.model.reviews import day_of
from app.features.study.ui.charts import BarChart, Share, ShareChart
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
_WEEK = 7


class ProgressPage(StudyPage):
    """Charts, each with its numbers in words; or the same as tables."""

    def __init__(self, jobs: StudyJobs) -> None:
        super().__init__()
        self.title = self.tr("Progress")
        self._reviews = jobs.reviews
        self._deck_id: int | None = None
        self.summary = plain_label("", "lead")
        self.retention = plain_label("", "muted")
        self.forecast_text, self.reviews_text = plain_label(""), plain_label("")
        self.forecast = BarChart(self.tr("Due in the next 30 days"))
        self.reviews = BarChart(self.tr("Reviews in the last 30 days"))
        self.lessons = ShareChart(self.tr("Lessons"))
        self.as_tables = QCheckBox(self.tr("Show as tables"))
        self.days_table, self.lessons_table = QTableView(), QTableView()
        self._legend = plain_label(
            self.tr("Filled: known, due again in three weeks or later. Hatched: being learned. Empty: new."),
            "caption",
        )
        self._empty = plain_label("", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        self.as_tables.toggled.connect(self._views.setCurrentIndex)

    def show_deck(self, deck: Deck | None) -> None:
        if deck is None:
            self._show_empty()
            return
        self._deck_id = deck.deck_id
        self._reviews.progress(deck.deck_id).run(self, success=partial(self._show, deck.deck_id))

    def focus_first(self) -> None:
        self.as_tables.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- internals ----

    def _lay_out(self) -> None:
        charts = QWidget()
        vbox(
            *(_heading(self.forecast.accessibleName()), self.forecast_text, self.forecast, 12),
            *(_heading(self.reviews.accessibleName()), self.reviews_text, self.reviews, 12),
            *(_heading(self.lessons.accessibleName()), self._legend, self.lessons, Stretch()),
            spacing=6,
            parent=charts,
        )
        tables = QWidget()
        for table, name in ((self.days_table, self.tr("Days")), (self.lessons_table, self.tr("Lessons"))):
            table.setAccessibleName(name)
            table.verticalHeader().hide()
            table.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
            table.setMinimumHeight(scaled(220))
        headings = _heading(self.tr("Days")), _heading(self.tr("Lessons"))
        vbox(
            headings[0], Cell(self.days_table, 1), 8, headings[1], Cell(self.lessons_table, 1), parent=tables
        )
        self._views = stack(charts, tables)
        head = hbox(Cell(self.summary, 1), Cell(self.as_tables, 0, Qt.AlignmentFlag.AlignTop), spacing=12)
        column = QWidget(maximumWidth=scaled(_WIDTH))
        vbox(head, self.retention, 12, Cell(self._views, 1), spacing=4, parent=column)
        content = QWidget()
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=content, margins=(24, 16, 24, 16))
        scroll = QScrollArea(widgetResizable=True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        self._sides = stack(self._empty, scroll)
        vbox(Cell(self._sides, 1), parent=self)

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
        coming, past = _days(0, len(progress.forecast)), _days(1 - len(progress.reviews), 1)
        self.forecast.show_values(progress.forecast, _named(coming, progress.forecast), _marks(coming))
        self.reviews.show_values(progress.reviews, _named(past, progress.reviews), _marks(past))
        shares = [_share(lesson) for lesson in progress.lessons]
        self.lessons.show_rows(shares)
        rows = [(day, "", number_text(count)) for day, count in zip(past, progress.reviews, strict=True)][:-1]
        today = (coming[0], number_text(progress.forecast[0]), number_text(progress.reviews[-1]))
        rest = zip(coming[1:], progress.forecast[1:], strict=True)
        rows += [today, *((day, number_text(count), "") for day, count in rest)]
        _fill(self.days_table, (self.tr("Day"), self.tr("Due"), self.tr("Reviewed")), rows)
        self.days_table.scrollTo(self.days_table.model().index(len(past) - 1, 0))
        heads = self.tr("Lesson"), self.tr("Known"), self.tr("Learning"), self.tr("New"), self.tr("Recalled")
        lessons = zip(shares, progress.lessons, strict=True)
        cells = [
            (share.name, *map(number_text, share.counts), _percent(one.retention)) for share, one in lessons
        ]
        _fill(self.lessons_table, heads, cells)

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
            sentences.append(self.tr("%Ln card(s) forgotten again and again.", None, len(progress.leeches)))
        self.retention.setText(" ".join(sentences))
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.forecast))
        none = self.tr("Nothing is due.")
        due = totals.format(today=number_text(progress.forecast[0])) if any(progress.forecast) else none
        new = self.tr("%Ln new card(s) not counted.", None, progress.new) if progress.new else ""
        self.forecast_text.setText(f"{due} {new}".strip())
        self.forecast.setVisible(any(progress.forecast))
        totals = self.tr("%Ln review(s), {today} of them today.", None, sum(progress.reviews))
        none = self.tr("No reviews yet.")
        done = totals.format(today=number_text(progress.reviews[-1])) if any(progress.reviews) else none
        self.reviews_text.setText(done)
        self.reviews.setVisible(any(progress.reviews))


def _heading(text: str) -> QWidget:
    return plain_label(text, "strong")


def _days(first: int, end: int) -> list[str]:
    """Return the names of days of study, counted from today; ``end`` is not among them."""
    now, form = day_of(time.time()), QLocale.FormatType.ShortFormat
    today = QDate(now.year, now.month, now.day)
    return [QLocale().toString(today.addDays(day), form) for day in range(first, end)]


def _named(days: Sequence[str], values: Sequence[int]) -> list[str]:
    return [f"{day}: {number_text(value)}" for day, value in zip(days, values, strict=True)]


def _marks(days: Sequence[str]) -> dict[int, str]:
    """Return the days that stand below a chart: one a week, counted from today at either end."""
    return {at: day for at, day in enumerate(days) if at % _WEEK == 0}


def _share(lesson: LessonProgress) -> Share:
    counts = lesson.known, lesson.items - lesson.known - lesson.new, lesson.new
    words = tr("{known} known, {learning} learning, {new} new")
    known, learning, new = map(number_text, counts)
    name = numbered_lesson(lesson.number, lesson.title) or lesson.course_title
    return Share(name, counts, words.format(known=known, learning=learning, new=new))


def _percent(share: float | None) -> str:
    if share is None:
        return "–"
    return tr("{0}%").format(number_text(round(share * 100)))


def _fill(table: QTableView, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    model = QStandardItemModel(len(rows), len(heads), table)
    model.setHorizontalHeaderLabels(list(heads))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            cell = QStandardItem(text)
            if column:
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            model.setItem(row, column, cell)
    table.setModel(model)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
