"""When an item is asked again: FSRS, with days of study as its days."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import fsrs
from fsrs import scheduler as fsrs_scheduler

from app.features.study.model.days import days_between
from app.features.study.model.reviews import CardState, Rating, Schedule

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT_PARAMETERS: tuple[float, ...] = fsrs.Scheduler().parameters
BOUNDS = fsrs_scheduler.LOWER_BOUNDS_PARAMETERS, fsrs_scheduler.UPPER_BOUNDS_PARAMETERS
"""Least and largest values of the parameters."""


class Scheduling:
    """Schedules items with a library's parameters.

    Intervals are not varied at random, so that what is shown before a rating is what it leads to.

    Args:
        parameters: the 21 of FSRS-6.
        retention: probability with which an item is to be recalled when it is due.

    Raises:
        ValueError: the parameters are none of FSRS-6.
    """

    def __init__(self, parameters: Sequence[float] = DEFAULT_PARAMETERS, retention: float = 0.9) -> None:
        self._fsrs = fsrs.Scheduler(parameters, retention, enable_fuzzing=False)

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

    FSRS counts 24 hours as a day. What was learnt last night would otherwise not be a day older this
    morning, and hardly become better known.
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


def decode_parameters(text: str | None) -> tuple[float, ...]:
    """Return stored parameters, or the defaults if there are none that FSRS can use."""
    try:
        parameters = tuple(map(float, json.loads(text or "null")))
        fsrs.Scheduler(parameters)
    except (ValueError, TypeError):
        return DEFAULT_PARAMETERS
    return parameters
