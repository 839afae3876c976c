"""A session of reviews, the ratings below a card, the end of a session, and the settings of reviews."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.core.rag_system import RAGSystem
from app.domain.messages import Message
from app.features.study.model.items import Deck, Item
from app.features.study.model.reviews import Due, Rated, Rating, ReviewCard, day_of, days_between
from app.features.study.reviews import ReviewService
from app.features.study.service import StudyService
from app.ui.settings.page import Page
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, link_button, push_button, set_look, vbox
from app.ui.widgets.messages import shown
from app.ui.widgets.pane_keys import PaneKey, with_keys
from app.ui.widgets.text_labels import ElidedCombo, plain_label
from app.workers.job import Job, Lane
from app.workers.workers import Workers


class ReviewTurn(NamedTuple):
    """What comes next in a session."""

    card: ReviewCard | None
    left: Due
    next_at: float | None  # seconds since the epoch, when something is due again; None while something is
    reviewed: int  # since the start, without what was undone
    can_undo: bool
    rated: Rated | None


class ReviewSession(QObject):
    """Asks one card after the other; the next one comes once the rating of the last one is stored.

    Attributes:
        card: on show; None before the first, at the end, and while the next one is awaited.
        turn: what the library said last; None before the first card.
        reviewed: how many reviews of this session are stored.
    """

    changed = Signal()  # another card is on show, or none is left
    leech_found = Signal(object)  # the Item that has been forgotten so often
    failed = Signal(str)  # why something was not stored

    def __init__(self, workers: Workers, parent: QObject) -> None:
        super().__init__(parent)
        self.card: ReviewCard | None = None
        self.turn: ReviewTurn | None = None
        self.reviewed = 0
        self._workers = workers
        self._deck_ids: tuple[int, ...] = ()
        self._extra = 0  # cards beyond the limits of a day
        self._before: int | None = None  # reviews since the start, before this session
        self._awaited: Job[ReviewTurn] | None = None
        self._shown_at = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether something is being stored, or the next card is awaited."""
        return self._awaited is not None

    @property
    def is_over(self) -> bool:
        return self.card is None and self.turn is not None and not self.is_waiting

    def begin(self, deck_ids: tuple[int, ...] = (), extra: int = 0) -> None:
        """Ask what is due in these decks, in all if there are none given.

        ``extra`` goes on with this many cards beyond the limits of a day.
        """
        if not extra:
            self._before = None
        self._deck_ids, self._extra = deck_ids, self._extra + extra if extra else 0
        self.refresh()

    def refresh(self) -> None:
        """Ask what is due now, at the end or after a change of the decks."""
        self._ask("Opening a review")

    def rate(self, rating: Rating) -> None:
        if self.card is not None:
            item, seconds = self.card.item, time.monotonic() - self._shown_at
            self._ask("Keeping a review", lambda reviews: reviews.rate(item.item_id, rating, seconds), item)

    def bury(self) -> None:
        if self.card is not None:
            key = self.card.item.item_id
            self._ask("Burying a card", lambda reviews: reviews.bury(key))

    def suspend(self, item_id: int | None = None) -> None:
        """Ask an item no more, by default the one on show."""
        if item_id is None and self.card is not None:
            item_id = self.card.item.item_id
        if (key := item_id) is not None:
            self._ask("Suspending a card", lambda reviews: reviews.suspend(key))

    @property
    def can_undo(self) -> bool:
        return not self.is_waiting and self.turn is not None and self.turn.can_undo

    def undo(self) -> None:
        """Take back the last rating, burial or suspension, and ask its card again."""
        if self.can_undo:
            self._ask("Undoing a review", lambda reviews: reviews.undo())

    def replace(self, item: Item) -> None:
        if self.card is not None and self.card.item.item_id == item.item_id:
            self.card = replace(self.card, item=item)

    # ---- internals ----

    def _ask(
        self, what: str, act: Callable[[ReviewService], object] = lambda _: None, rated: Item | None = None
    ) -> None:
        """Do something, such as keeping a review, and ask what comes then."""
        deck_ids, extra = self._deck_ids, self._extra

        def work(rag: RAGSystem, _: Job[ReviewTurn]) -> ReviewTurn:
            reviews = rag.service(StudyService).reviews
            done = act(reviews)
            card = reviews.next_card(deck_ids, extra)
            left = card.left if card else reviews.due(deck_ids, extra)
            next_at = None if card else reviews.next_at(deck_ids)
            led_to = done if isinstance(done, Rated) else None
            return ReviewTurn(card, left, next_at, reviews.reviewed, reviews.can_undo, led_to)

        # A key of its own, so that no review waits for what is being made.
        job = self._workers.job(Lane.READ, what, work, key="reviews", is_kept=True)
        self.card, self._awaited = None, job
        job.run(
            self,
            success=lambda turn: self._take(job, turn, rated),
            failure=lambda message: self._fail(job, message),
        )

    def _take(self, job: Job[ReviewTurn], turn: ReviewTurn, rated: Item | None) -> None:
        if self._awaited is job:  # else the library has been asked again meanwhile
            self._awaited = None
            self.card, self.turn = turn.card, turn
            self._before = turn.reviewed if self._before is None else min(self._before, turn.reviewed)
            self.reviewed = turn.reviewed - self._before
            self._shown_at = time.monotonic()
            self.changed.emit()
        if rated is not None and turn.rated is not None and turn.rated.is_leech:
            self.leech_found.emit(rated)

    def _fail(self, job: Job[ReviewTurn], message: Message) -> None:
        if self._awaited is job:
            self._awaited = None
            self.failed.emit(shown(message))


tr = partial(QCoreApplication.translate, "Review")

_MINUTE, _HOUR, _DAY, _MONTH, _YEAR = 60.0, 3600.0, 86_400.0, 30.4 * 86_400, 365.25 * 86_400


_LEAST = 4  # characters in sight, so that large text leaves room for what else is in the row


class DeckChoice(ElidedCombo):
    """Keeps what was chosen while decks come and go; the first entry stands for all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumContentsLength(_LEAST)
        self.setAccessibleName(self.tr("Deck"))

    @property
    def deck_id(self) -> int | None:
        """The deck that is chosen; None for all."""
        chosen: int | None = self.currentData()
        return chosen

    def set_decks(self, decks: Sequence[Deck]) -> None:
        chosen = self.deck_id
        self.clear()
        self.addItem(self.tr("All decks"), None)
        for deck in decks:
            self.addItem(deck.course_title, deck.deck_id)
        self.choose(chosen)
        self.setVisible(len(decks) > 1)

    def choose(self, deck_id: int | None) -> None:
        """Choose a deck, or all if it is gone."""
        self.setCurrentIndex(max(self.findData(deck_id), 0))


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
            # As high as with a time.
            button = self.buttons[rating] = push_button(f"{name}\n", partial(self.rated.emit, rating))
            button.setMinimumWidth(40)
            self._add_key(page, rating, button)
        hbox(*(Cell(button, 1) for button in self.buttons.values()), spacing=8, parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # of two lines
        self.setAccessibleName(self.tr("How well did you know it?"))

    def show_times(self, seconds: Sequence[float]) -> None:
        """Show when the card would come again, for each rating."""
        for (rating, button), span in zip(self.buttons.items(), seconds, strict=True):
            name, when = self._names[rating], interval_text(span)
            button.setText(f"{name}\n{when}")
            button.setAccessibleName(self.tr("{0}, again in {1}").format(name, when))

    def suggest(self, rating: Rating | None, *, takes_keys: bool = False) -> None:
        """Let a button stand out, and perhaps have the keyboard; another may be pressed all the same."""
        for one, button in self.buttons.items():
            set_look(button, "kind", "primary" if one is rating else "")
        if rating is not None and takes_keys:
            self.buttons[rating].setFocus(Qt.FocusReason.OtherFocusReason)

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

    def __init__(self) -> None:
        super().__init__()
        self.title = plain_label("", "title")
        self.text = plain_label("", "muted")
        self.more = push_button(self.tr("Review more"), self.more_requested.emit)
        self.progress = QPushButton(self.tr("Show progress"))
        self.undo = link_button(self.tr("Undo the last review"), self.undo_requested.emit)
        buttons = FlowLayout(8, self.more, self.progress, self.undo)
        vbox(Stretch(2), self.title, self.text, 8, buttons, Stretch(3), spacing=8, parent=self)

    def show_turn(self, turn: ReviewTurn, reviewed: int, *, has_cards: bool) -> None:
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
    if days_between(now, at) <= 1:
        return tr("The next card is due tomorrow.")
    due = day_of(at)
    day = QLocale().toString(QDate(due.year, due.month, due.day), QLocale.FormatType.LongFormat)
    return tr("The next card is due on {0}.").format(day)


class ReviewsPage(Page):
    def build(self) -> None:
        tr = self.tr
        about = tr("New cards per deck per day.")
        self.number("new_cards_a_day", tr("New cards"), about, none=tr("None"))
        about = tr("Maximum reviews per deck per day. New cards don't count.")
        self.number("reviews_a_day", tr("Reviews"), about, step=10, none=tr("None"))
        about = tr("Share of cards you aim to recall. Higher means more reviews.")
        self.number("retention", tr("Retention"), about, unit=tr(" percent"))
        about = tr("Lectern starts with hints that lead you to the answer.")
        self.check("hints_first", tr("Questions"), tr("Hints first"), about)
