"""What is shown when nothing is left to review."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.features.study.model.days import day_of, days_between
from app.ui.widgets.announcements import announce
from app.ui.widgets.building import Stretch, link_button, vbox
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from app.features.study.ui.review_operations import Turn

tr = partial(QCoreApplication.translate, "ReviewEnd")


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

    def show_turn(self, turn: Turn, reviewed: int, *, has_cards: bool) -> None:
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
