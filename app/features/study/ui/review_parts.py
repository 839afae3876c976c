"""The ratings below a card, the end of a session, and the settings of reviews."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.features.study.model.reviews import Rating, day_of, days_between
from app.ui.settings.page import Page
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, link_button, vbox
from app.ui.widgets.pane_keys import PaneKey, with_keys
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.ui.review_session import ReviewTurn


tr = partial(QCoreApplication.translate, "Review")

_MINUTE, _HOUR, _DAY, _MONTH, _YEAR = 60.0, 3600.0, 86_400.0, 30.4 * 86_400, 365.25 * 86_400


class RatingBar(QWidget):
    """Four buttons; ``keys`` are the commands of the pane that press them."""

    rated = Signal(object)  # a Rating

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._names = {
            Rating.AGAIN: self.tr("Again"),
            Rating.HARD: self.tr("Hard"),
            Rating.GOOD: self.tr("Good"),
            Rating.EASY: self.tr("Easy"),
        }
        self.buttons: dict[Rating, QPushButton] = {}
        for rating, name in self._names.items():
            button = self.buttons[rating] = QPushButton(f"{name}\n")  # as high as with a time
            button.setMinimumWidth(40)
            button.clicked.connect(partial(self.rated.emit, rating))
            self._add_key(page, rating, button)
        hbox(*(Cell(button, 1) for button in self.buttons.values()), spacing=8, parent=self)
        self.setAccessibleName(self.tr("How well did you know it?"))

    def show_times(self, seconds: Sequence[float]) -> None:
        """Show when the card would come again, for each rating."""
        for (rating, button), span in zip(self.buttons.items(), seconds, strict=True):
            name, when = self._names[rating], interval_text(span)
            button.setText(f"{name}\n{when}")
            button.setAccessibleName(self.tr("{0}, again in {1}").format(name, when))

    def _add_key(self, page: QWidget, rating: Rating, button: QPushButton) -> None:
        name = self._names[rating]
        key = PaneKey(
            page,
            str(int(rating)),
            lambda: self.rated.emit(rating),
            text=self.tr("Rate a card: {0}").format(name),
            is_plain=True,
        )
        button.setToolTip(with_keys(name, key.keys()))


def interval_text(seconds: float) -> str:
    """Return a time until something comes again, such as ``< 1 min``, ``6 min`` or ``4 d``."""
    if seconds < _MINUTE:
        return tr("< 1 min")
    for text, unit, most in (
        (tr("{0} min"), _MINUTE, _HOUR),
        (tr("{0} h"), _HOUR, _DAY),
        (tr("{0} d"), _DAY, _MONTH),
    ):
        if round(seconds / unit) * unit < most:
            return text.format(round(seconds / unit))
    text, unit = (tr("{0} mo"), _MONTH) if seconds < _YEAR else (tr("{0} y"), _YEAR)
    return text.format(QLocale().toString(round(seconds / unit, 1), "f", -128))


class ReviewEnd(QWidget):
    """Sums up a session, says when the next card is due, and offers to go on.

    It has the keyboard itself, so that a key pressed once too often for the last card presses no button.
    """

    more_requested = Signal()
    undo_requested = Signal()
    page_requested = Signal(str)  # the name of a page of the Study pane

    def __init__(self) -> None:
        super().__init__()
        self.title = plain_label("", "title")
        self.text = plain_label("", "muted")
        self.more = QPushButton(self.tr("Review more"))
        self.more.clicked.connect(self.more_requested)
        self.progress = QPushButton(self.tr("Show progress"))
        self.progress.clicked.connect(lambda: self.page_requested.emit("progress"))
        self.undo = link_button(self.tr("Undo the last review"), self.undo_requested.emit)
        buttons = FlowLayout(8)
        for button in (self.more, self.progress, self.undo):
            buttons.addWidget(button)
        vbox(Stretch(2), self.title, self.text, 8, buttons, Stretch(3), spacing=8, parent=self)

    def show_turn(self, turn: ReviewTurn, reviewed: int, *, has_cards: bool) -> None:
        """Say what was reviewed, and what comes next."""
        held_back = turn.left.held_back
        if reviewed:
            self.title.setText(self.tr("Done for today"))
        else:
            self.title.setText(self.tr("Nothing is due") if has_cards else self.tr("No cards yet"))
        sentences = [self.tr("%Ln card(s) reviewed.", None, reviewed)] if reviewed else []
        if held_back:
            sentences.append(self.tr("Your daily limit holds back %Ln more.", None, held_back))
        if turn.next_at is not None:
            sentences.append(next_text(turn.next_at, time.time()))
        if not has_cards:
            sentences = [self.tr("Cards that you make from your courses are reviewed here.")]
        self.text.setText(" ".join(sentences))
        self.more.setVisible(held_back > 0)
        self.progress.setVisible(has_cards)
        self.undo.setVisible(reviewed > 0 and turn.can_undo)
        self.setAccessibleName(f"{self.title.text()}. {self.text.text()}")
        announce(self, self.accessibleName())


def next_text(at: float, now: float) -> str:
    """Return on which day of study the next card is due."""
    if days_between(now, at) <= 1:
        return tr("The next card is due tomorrow.")
    due = day_of(at)
    day = QLocale().toString(QDate(due.year, due.month, due.day), QLocale.FormatType.LongFormat)
    return tr("The next card is due on {0}.").format(day)


class ReviewsPage(Page):
    """How items are reviewed."""

    def build(self) -> None:
        tr = self.tr
        about = tr("New cards per deck per day.")
        self.number("new_cards_a_day", tr("New cards"), about, none=tr("None"))
        about = tr("Maximum reviews per deck per day. New cards don't count.")
        self.number("reviews_a_day", tr("Reviews"), about, step=10, none=tr("None"))
        about = tr("Share of cards you aim to recall. Higher means more reviews.")
        self.number("retention", tr("Retention"), about, unit=tr(" percent"))
