"""A session of reviews: which card is on show, and what has been stored."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.study.ui.operations import ReviewTurn, Session
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.messages import Message
    from app.features.study.model.items import Item
    from app.features.study.model.reviews import Rating, ReviewCard
    from app.features.study.reviews import ReviewService
    from app.features.study.ui.operations import ReviewOperations
    from app.workers.job import Job


class ReviewSession(QObject):
    """Shows the card that was read ahead at once, while the rating of the last one is stored.

    A rating counts for the card on show; while there is none, it is ignored. What could not be stored is
    asked again.

    Attributes:
        card: on show; None before the first, at the end, and while the next one is awaited.
        turn: what the library said last; None before the first card.
        reviewed: how many reviews of this session are stored.
    """

    card_changed = Signal()  # another card is on show, or none
    counted = Signal()  # the turn has changed, or the number of reviews
    leech_found = Signal(object)  # the Item that has been forgotten so often
    failed = Signal(str)  # why something was not stored

    def __init__(self, reviews: ReviewOperations, parent: QObject) -> None:
        super().__init__(parent)
        self.card: ReviewCard | None = None
        self.turn: ReviewTurn | None = None
        self.reviewed = 0
        self._reviews = reviews
        self._session = Session()
        self._ahead: deque[ReviewCard] = deque()
        self._unstored: deque[int] = deque()  # items whose change is on its way, in order
        self._acts: list[bool] = []  # what can be undone in this session, and whether it is a review
        self._awaited: Job[ReviewTurn] | None = None  # after which nothing on show counts any more
        self._shown_at = 0.0

    @property
    def is_storing(self) -> bool:
        return bool(self._unstored)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to ask now."""
        return self.card is None and self.turn is not None and self._awaited is None and not self._unstored

    @property
    def next_card(self) -> ReviewCard | None:
        """The card that was read ahead."""
        return self._ahead[0] if self._ahead else None

    def begin(self, deck_ids: tuple[int, ...] = (), extra: int = 0) -> None:
        """Ask what is due in these decks, in all if there are none given.

        ``extra`` goes on with so many cards beyond the limits of a day.
        """
        if not extra:
            self.reviewed = 0
            self._acts.clear()
        self._session = Session(deck_ids, self._session.extra + extra if extra else 0)
        self.refresh()

    def refresh(self) -> None:
        """Ask what is due now, at the end or after a change of the decks."""
        self._start_over(self._reviews.turn("Opening a review", self._session))

    def rate(self, rating: Rating) -> None:
        if (card := self._take(is_review=True)) is not None:
            key, seconds = card.item.item_id, time.monotonic() - self._shown_at
            job = self._job("Keeping a review", lambda reviews: reviews.rate(key, rating, seconds))
            self._go_on_after(job, lambda turn: self._stored(card.item, turn))

    def bury(self) -> None:
        if (card := self._take()) is not None:
            key = card.item.item_id
            self._go_on_after(self._job("Burying a card", lambda reviews: reviews.bury(key)), self._done)

    def suspend(self, item_id: int | None = None) -> None:
        """Ask an item no more, by default the one on show."""
        if item_id is not None and (self.card is None or self.card.item.item_id != item_id):
            self._ahead = deque(card for card in self._ahead if card.item.item_id != item_id)
            self._note(item_id)
            suspending = self._job("Suspending a card", lambda reviews: reviews.suspend(item_id))
            suspending.run(self, success=self._done, failure=self._fail)
        elif (card := self._take()) is not None:
            key = card.item.item_id
            job = self._job("Suspending a card", lambda reviews: reviews.suspend(key))
            self._go_on_after(job, self._done)

    @property
    def can_undo(self) -> bool:
        return self._awaited is None and bool(
            self._unstored or (self.turn is not None and self.turn.can_undo)
        )

    def undo(self) -> None:
        """Take back the last rating, burial or suspension, and ask its card again."""
        if self.can_undo:
            self.reviewed -= bool(self._acts and self._acts.pop())
            self._start_over(
                self._reviews.turn("Undoing a review", self._session, (), lambda reviews: reviews.undo())
            )

    def replace(self, item: Item) -> None:
        """Show an item as it was edited."""
        if self.card is not None and self.card.item.item_id == item.item_id:
            self.card = replace(self.card, item=item)

    # ---- internals ----

    def _take(self, *, is_review: bool = False) -> ReviewCard | None:
        """Return the card on show, which goes."""
        card, self.card = self.card, None
        if card is not None:
            self._note(card.item.item_id, is_review=is_review)
        return card

    def _note(self, item_id: int, *, is_review: bool = False) -> None:
        """Note that a change is on its way."""
        self._unstored.append(item_id)
        self._acts.append(is_review)

    def _job(self, what: str, act: Callable[[ReviewService], object]) -> Job[ReviewTurn]:
        held = [card.item.item_id for card in (*self._ahead, self.card) if card is not None]
        return self._reviews.turn(what, self._session, held, act)

    def _go_on_after(self, job: Job[ReviewTurn], done: Callable[[ReviewTurn], None]) -> None:
        job.run(self, success=done, failure=self._fail)
        self._show_next()

    def _show_next(self) -> None:
        self.card = self._ahead.popleft() if self._ahead else None
        self._shown_at = time.monotonic()
        if self.card is not None or self.is_over:
            self.card_changed.emit()

    def _stored(self, item: Item, turn: ReviewTurn) -> None:
        self.reviewed += 1
        self._done(turn)
        if turn.rated is not None and turn.rated.is_leech:
            self.leech_found.emit(item)

    def _done(self, turn: ReviewTurn) -> None:
        self._unstored.popleft()
        if self._awaited is None:  # else what the library is asked for comes later
            self._adopt(turn)

    def _start_over(self, job: Job[ReviewTurn]) -> None:
        self.card = None
        self._ahead.clear()
        self._awaited = job
        job.run(
            self,
            success=lambda turn: self._restart(job, turn),
            failure=lambda message: self._give_up(job, message),
        )

    def _restart(self, job: Job[ReviewTurn], turn: ReviewTurn) -> None:
        if self._awaited is job:
            self._awaited = None
            self._adopt(turn)

    def _adopt(self, turn: ReviewTurn) -> None:
        """Take the cards that are new; show the first of them if none is on show.

        The library did not know yet of what has been rated since.
        """
        self.turn = turn
        here = (*self._ahead, self.card) if self.card is not None else self._ahead
        known = {*self._unstored, *(card.item.item_id for card in here)}
        self._ahead += [card for card in turn.cards if card.item.item_id not in known]
        self.counted.emit()
        if self.card is None:
            self._show_next()

    def _fail(self, message: Message) -> None:
        self._unstored.popleft()
        if self._acts:
            self._acts.pop()
        self.failed.emit(shown(message))
        self.refresh()

    def _give_up(self, job: Job[ReviewTurn], message: Message) -> None:
        if self._awaited is job:  # else the library has been asked again meanwhile
            self._awaited = None
            self.failed.emit(shown(message))
