"""When an item is asked again: FSRS, with days of study as its days."""

from datetime import UTC, datetime, timedelta
from functools import cache

import fsrs

from app.features.study.model.reviews import CardState, Rating, Schedule, days_between


class Scheduling:
    """Schedules items; ``retention`` is the probability with which one is to be recalled when it is due.

    Intervals are not varied at random, so that what is shown before a rating is what it leads to.
    """

    def __init__(self, retention: float = 0.9) -> None:
        self._fsrs = fsrs.Scheduler(desired_retention=retention, enable_fuzzing=False)

    def after(self, schedule: Schedule | None, rating: Rating, now: float) -> Schedule:
        """Return the schedule of an item after a rating; ``schedule`` is None before the first."""
        moment = datetime.fromtimestamp(now, UTC)
        card = fsrs.Card(0) if schedule is None else _card(schedule, now, moment)
        card, _ = self._fsrs.review_card(card, fsrs.Rating(rating), moment)
        assert card.stability is not None
        assert card.difficulty is not None
        lapses = 0 if schedule is None else schedule.lapses
        if schedule is not None and schedule.state is CardState.REVIEW and rating is Rating.AGAIN:
            lapses += 1
        due, state = card.due.timestamp(), CardState(card.state)
        return Schedule(due, state, card.step, card.stability, card.difficulty, now, lapses)


def _card(schedule: Schedule, now: float, moment: datetime) -> fsrs.Card:
    """Return the card of a schedule, as if every review were made at the same time of its day.

    FSRS counts 24 hours as a day. Otherwise, what was learnt last night would not be a day older this
    morning, and a review would hardly strengthen it.
    """
    elapsed = timedelta(days=days_between(schedule.last_review, now))
    return fsrs.Card(
        0,
        fsrs.State(schedule.state),
        schedule.step,
        schedule.stability,
        schedule.difficulty,
        moment,
        moment - elapsed,
    )


@cache
def _curve() -> tuple[float, float]:
    """Return the decay and the factor of the forgetting curve of FSRS."""
    decay = -fsrs.Scheduler().parameters[20]
    return decay, 0.9 ** (1 / decay) - 1


def recalled(stabilities: float) -> float:
    """Return the probability that a card is recalled after a multiple of its stability."""
    decay, factor = _curve()
    return float((1 + factor * stabilities) ** decay)


def reach(retention: int) -> float:
    """Return after how many times its stability a card is recalled with a probability in percent."""
    decay, factor = _curve()
    return float(((retention / 100) ** (1 / decay) - 1) / factor)
