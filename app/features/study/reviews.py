"""ReviewService: the next card, the effect of a rating, and the progress of decks."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import astuple, replace
from datetime import timedelta
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from app.features.study.model.reviews import (
    FORECAST_DAYS,
    KNOWN_DAYS,
    LEECH_LAPSES,
    CardState,
    Due,
    Progress,
    Rated,
    Rating,
    ReviewCard,
    Schedule,
    Tally,
    day_of,
    end_of,
    start_of,
)
from app.features.study.store.items import StudyRepository
from app.features.study.store.reviews import DAY, Day, DeckCounts, ReviewRepository, Withheld

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from app.config.settings import CurrentSettings
    from app.core.storage.database import Database
    from app.features.study.model.exam_plans import Aim
    from app.features.study.model.items import Item
    from app.features.study.scheduling import Scheduling


def progress_of(repository: ReviewRepository, deck_id: int | None, now: float) -> Progress:
    today, days = day_of(now), range(FORECAST_DAYS + 1)
    ahead = [start_of(today + timedelta(days=day)) for day in days]
    past = [start_of(today + timedelta(days=day + 1 - FORECAST_DAYS)) for day in days]
    forecast, reviews, leeches = [0] * FORECAST_DAYS, [0] * FORECAST_DAYS, 0
    total, lessons, lesson_of = Tally(), dict[tuple[object, ...], Tally](), dict[int, Tally]()
    for row in repository.standing(deck_id):
        name = row["course"], row["number"], row["lesson"]
        lesson = lesson_of[row["id"]] = lessons.setdefault(name, Tally(*name))
        state = row["state"]
        is_known = state == CardState.REVIEW and row["due"] - row["last_review"] >= KNOWN_DAYS * DAY
        for one in (total, lesson):
            one.items += 1
            one.suspended += row["suspended"]
            one.new += state is None
            one.learning += state in (CardState.LEARNING, CardState.RELEARNING)
            one.known += is_known
        leeches += (row["lapses"] or 0) >= LEECH_LAPSES
        if state is not None and not row["suspended"]:
            was_ahead = row["last_review"] > ahead[1] + DAY  # the clock: it is asked today
            day = 0 if was_ahead else max(bisect_right(ahead, row["due"]) - 1, 0)
            if day < FORECAST_DAYS:
                forecast[day] += 1
    for row in repository.log(past[0]):
        if row["item_id"] not in lesson_of or row["at"] >= past[-1]:  # another deck; a clock that was ahead
            continue
        reviews[bisect_right(past, row["at"]) - 1] += 1
        if row["state"] == CardState.REVIEW:
            for one in (total, lesson_of[row["item_id"]]):
                one.asked += 1
                one.recalled += row["rating"] > 1
    ordered = sorted(lessons.values(), key=_order)
    return Progress(total, tuple(ordered), tuple(forecast), tuple(reviews), leeches)


def _order(lesson: Tally) -> tuple[str, bool, int, str]:
    number = lesson.number
    return lesson.course_title.casefold(), number is not None, number or 0, lesson.title.casefold()


_LEECH_EVERY = 4  # lapses, after the first 8


class _Step(NamedTuple):
    """What is needed to undo a rating, a burial or a suspension."""

    item_id: int
    withheld: Sequence[Withheld]
    review_id: int | None = None
    before: Schedule | None = None


class ReviewService:
    """Asks the items of decks, and keeps what was answered. Thread-safe.

    Which item is next is read from the library each time, so that nothing is asked that was changed,
    moved or deleted meanwhile. No decks means all. ``now`` returns seconds since the epoch, and ``aims`` what
    is to be reviewed on a day of decks with an exam, instead of what is due within the limits of a day.
    """

    def __init__(
        self,
        database: Database,
        settings: CurrentSettings,
        now: Callable[[], float],
        aims: Callable[[Day], Mapping[int, Aim]] = lambda _: {},
    ) -> None:
        self.repository = ReviewRepository(database)
        self._study = StudyRepository(database)
        self._settings = settings
        self._now = now
        self._aims = aims
        self._done: list[_Step] = []
        self._last = 0  # rated last: another one comes before it
        self._first: int | None = None  # undone: it is asked next

    def due(self, deck_ids: Collection[int] = (), extra: int = 0) -> Due:
        """Return how much is left to do today; ``extra`` raises both limits."""
        return _total(self._today(deck_ids, extra)[2].values())

    def due_by_deck(self) -> dict[int, Due]:
        return self._today((), 0)[2]

    def queue(self, deck_ids: Collection[int] = ()) -> list[tuple[Item, CardState]]:
        """Return today's remaining cards: those being learned, those due, and new ones."""
        day, _, due = self._today(deck_ids, 0)
        log = self.repository
        keys = [*log.learning(day, due, 0, ahead=False), *log.learning(day, due, 0, ahead=True)]
        for deck, one in due.items():
            keys += islice(log.reviews(day, [deck]), one.review)
        for deck, one in due.items():
            keys += islice(log.new(day, [deck]), one.new)
        states = {key: schedule.state for key, schedule in log.schedules(keys).items()}
        items = filter(None, map(self._study.item, keys))
        return [(item, states.get(item.item_id, CardState.NEW)) for item in items]

    def next_at(self, deck_ids: Collection[int] = ()) -> float | None:
        """Return when something is asked again once everything of today is done; None if nothing ever is."""
        decks = list(deck_ids) or [deck.deck_id for deck in self._study.decks()]
        at = self.repository.next_at(decks)
        return None if at is None else max(at, end_of(self._now()))

    def next_card(self, deck_ids: Collection[int] = (), extra: int = 0) -> ReviewCard | None:
        """Return what to ask now; None when everything of today is done.

        Items in their steps of minutes come when they are due, or early if nothing else is left. New items
        are spread among the others. Of those that rest on the same sentence, one is asked in a day. ``extra``
        raises the limits of a day.
        """
        day, counts, due = self._today(deck_ids, extra)
        item = None if self._first is None else self._study.item(self._first)
        if item is None and (chosen := self._choose(day, counts, due)) is not None:
            item = self._study.item(chosen)
        if item is None:
            return None
        schedule = self.repository.schedules([item.item_id]).get(item.item_id)
        scheduling = self._scheduling()
        after = (scheduling.after(schedule, one, day.now).due for one in Rating)
        again, hard, good, easy = (round(due - day.now, 3) for due in after)  # 330, not 329.9999
        return ReviewCard(
            item,
            CardState.NEW if schedule is None else schedule.state,
            (again, hard, good, easy),
            _total(due.values()),
        )

    def rate(self, item_id: int, rating: Rating, seconds: float = 0.0) -> Rated | None:
        """Keep how well an item was known, and when it is asked again; None if it has left the library.

        Once this returns, the review survives whatever happens to the program.
        """
        scheduling, now = self._scheduling(), self._now()
        kept = self.repository.rate(
            item_id, lambda schedule: scheduling.after(schedule, rating, now), rating, seconds
        )
        self._last, self._first = item_id, None
        if kept is None:
            return None
        review, before, after = kept
        self._done.append(_Step(item_id, (), review, before))
        has_lapsed = after.lapses > (before.lapses if before else 0)
        beyond = after.lapses - LEECH_LAPSES
        return Rated(after.due, is_leech=has_lapsed and beyond >= 0 and beyond % _LEECH_EVERY == 0)

    def bury(self, item_id: int) -> None:
        """Ask an item no more today."""
        self._withhold(item_id, lambda one: replace(one, buried_until=end_of(self._now())))

    def suspend(self, item_id: int) -> None:
        """Ask an item no more until :meth:`resume`."""
        self._withhold(item_id, lambda one: replace(one, suspended=True))

    def resume(self, item_ids: Sequence[int]) -> None:
        """Ask items again that were buried or suspended."""
        found = (Withheld(key, suspended=False, buried_until=None) for key in item_ids)
        self.repository.withhold(found, self._now())

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def reviewed(self) -> int:
        return sum(step.review_id is not None for step in self._done)

    def undo(self) -> int | None:
        """Take back the last rating, burial or suspension since the start; return its item, which is next.

        What was done to items that have left the library since is passed over.
        """
        while self._done:
            step = self._done.pop()
            if self._study.item(step.item_id) is None:
                continue
            if step.review_id is not None:
                self.repository.take_back(step.review_id, step.item_id, step.before)
            self.repository.withhold(step.withheld, self._now())
            self._first, self._last = step.item_id, 0
            return step.item_id
        return None

    def progress(self, deck_id: int | None = None) -> Progress:
        return progress_of(self.repository, deck_id, self._now())

    def _withhold(self, item_id: int, change: Callable[[Withheld], Withheld]) -> None:
        before = self.repository.withheld([item_id])
        self.repository.withhold(map(change, before), self._now())
        self._done.append(_Step(item_id, before))
        self._last, self._first = item_id, None

    def _scheduling(self) -> Scheduling:
        from app.features.study.scheduling import Scheduling  # late, so that the program starts sooner

        return Scheduling(self._settings.value.retention / 100)

    def _today(
        self, deck_ids: Collection[int], extra: int
    ) -> tuple[Day, dict[int, DeckCounts], dict[int, Due]]:
        """Return this moment, and by deck what could be asked today and what is left within the limits."""
        day = Day.at(self._now())
        day = replace(day, aims=self._aims(day))
        found = self.repository.counts(day).items()
        counts = {deck: one for deck, one in found if not deck_ids or deck in deck_ids}
        due = {deck: self._within_limits(one, extra, day.aims.get(deck)) for deck, one in counts.items()}
        return day, counts, due

    def _within_limits(self, counts: DeckCounts, extra: int, aim: Aim | None) -> Due:
        settings = self._settings.value
        most_new = settings.new_cards_a_day if aim is None else aim.new
        most = settings.reviews_a_day if aim is None else aim.reviews
        new = min(counts.new, max(most_new + extra - counts.new_done, 0))
        review = min(counts.review, max(most + extra - counts.review_done, 0))
        held_back = counts.new - new + counts.review - review
        return Due(new, counts.learning, review, held_back)

    def _choose(self, day: Day, counts: dict[int, DeckCounts], due: dict[int, Due]) -> int | None:
        log = self.repository
        old = [deck for deck, one in due.items() if one.review]
        new = [deck for deck, one in due.items() if one.new]
        rest = [partial(log.reviews, day, old), partial(log.new, day, new)]
        if _is_turn_of_new(counts.values(), _total(due.values())):
            rest.reverse()
        learning = partial(log.learning, day, due, self._last)
        finds = (partial(learning, ahead=False), *rest, partial(learning, ahead=True))
        return next(chain.from_iterable(find() for find in finds), None)


def _is_turn_of_new(counts: Collection[DeckCounts], left: Due) -> bool:
    """Whether a new item is next if those of today are spread evenly among all."""
    new_done, review_done = sum(one.new_done for one in counts), sum(one.review_done for one in counts)
    new = new_done + left.new
    return (new_done + 1) * (new + review_done + left.review) <= (new_done + review_done + 1) * new


def _total(parts: Iterable[Due]) -> Due:
    return Due(*map(sum, zip(*map(astuple, parts), strict=True)))
