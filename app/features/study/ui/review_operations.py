"""Reviews cards, and says how well everything is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import QCoreApplication

from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from app.features.study.model.reviews import Due, Progress, Rated, Rating, ReviewCard
    from app.features.study.service import StudyService
    from app.workers.workers import Workers

translate = QCoreApplication.translate

R = TypeVar("R")
_AHEAD = 2  # cards that the window has: the one on show and the next


class Session(NamedTuple):
    """What a session asks: keys of decks, none for all, and how many cards beyond the limits of a day."""

    deck_ids: tuple[int, ...] = ()
    extra: int = 0


class Turn(NamedTuple):
    """What comes next in a session."""

    cards: tuple[ReviewCard, ...]  # beside those that the window has
    left: Due
    next_at: float | None  # seconds since the epoch, when something is due again; None while something is
    can_undo: bool
    rated: Rated | None = None


class ReviewOperations(Operations):
    """In a thread of its own, so that no review waits for what is being made.

    Each operation is done before it looks for the cards that come next.
    """

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "reviews")

    @property
    def _study(self) -> StudyService:
        from app.features.study.service import StudyService  # after the first frame

        return self._rag.service(StudyService)

    def begin(self, session: Session) -> Job[Turn]:
        return self._turn(translate("Workers", "Opening a review"), session, (), lambda: None)

    def rate(
        self, session: Session, held: Collection[int], item_id: int, rating: Rating, seconds: float
    ) -> Job[Turn]:
        """Keep a review; gives what comes after the items ``held`` once it is stored."""
        what = translate("Workers", "Keeping a review")
        return self._turn(what, session, held, lambda: self._study.reviews.rate(item_id, rating, seconds))

    def bury(self, session: Session, held: Collection[int], item_id: int) -> Job[Turn]:
        """Ask an item no more today."""
        what = translate("Workers", "Burying a card")
        return self._turn(what, session, held, lambda: self._study.reviews.bury(item_id))

    def suspend(self, session: Session, held: Collection[int], item_id: int) -> Job[Turn]:
        """Ask an item no more."""
        what = translate("Workers", "Suspending a card")
        return self._turn(what, session, held, lambda: self._study.reviews.suspend(item_id))

    def undo(self, session: Session) -> Job[Turn]:
        """Take back the last review, burial or suspension; its card comes first."""

        def undo() -> None:
            self._study.reviews.undo()

        return self._turn(translate("Workers", "Undoing a review"), session, (), undo)

    def note_result(self, item_id: int, *, is_right: bool) -> Job[None]:
        """Remember how a question of a quiz was answered."""
        what = translate("Workers", "Keeping a result")
        return self._job(what, lambda _: self._study.note_result(item_id, is_right=is_right), is_kept=True)

    def progress(self, deck_id: int | None) -> Job[Progress]:
        what = translate("Workers", "Reading the progress")
        return self._job(what, lambda _: self._study.reviews.progress(deck_id))

    def _turn(
        self, what: str, session: Session, held: Collection[int], act: Callable[[], Rated | None]
    ) -> Job[Turn]:
        def work(_: Job[Turn]) -> Turn:
            rated, reviews = act(), self._study.reviews
            cards: list[ReviewCard] = []
            while len(held) + len(cards) < _AHEAD:
                without = {*held, *(card.item.item_id for card in cards)}
                card = reviews.next_card(session.deck_ids, without, session.extra)
                if card is None:
                    break
                cards.append(card)
            left = reviews.due(session.deck_ids, session.extra)
            next_at = None if cards or held else reviews.next_at(session.deck_ids)
            return Turn(tuple(cards), left, next_at, reviews.can_undo, rated)

        return self._job(what, work, is_kept=True)
