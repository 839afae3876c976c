"""A session of reviews: which card is on show, and what has been stored."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.features.study.model.reviews import Due, Rated, ReviewCard
from app.features.study.service import StudyService
from app.ui.widgets.messages import shown
from app.workers.job import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.rag_system import RAGSystem
    from app.domain.messages import Message
    from app.features.study.model.items import Item
    from app.features.study.model.reviews import Rating
    from app.features.study.reviews import ReviewService
    from app.workers.job import Job
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
        """Whether nothing is left to ask now."""
        return self.card is None and self.turn is not None and not self.is_waiting

    def begin(self, deck_ids: tuple[int, ...] = (), extra: int = 0) -> None:
        """Ask what is due in these decks, in all if there are none given.

        ``extra`` goes on with so many cards beyond the limits of a day.
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
        """Show an item as it was edited."""
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
