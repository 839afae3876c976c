"""When an item is asked again: FSRS, with days of study as its days."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import fsrs
import numpy as np
from fsrs import scheduler as fsrs_scheduler

from app.features.study.model.reviews import CardState, Rating, Schedule, day_of, days_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from app.domain.cancel import CancelToken

    Floats = NDArray[np.float64]


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


LEAST_REVIEWS = 512
"""Reviews, each on a later day than the one before, that FSRS's own optimizer asks for."""

_MOST_CARDS = 4000  # of the latest, to learn from
_MOST_REVIEWS = 64  # of a card, its first ones
_HELD_OUT = 5  # each fifth card judges what was learnt from the others
_BATCH = 256  # cards
_STEPS = 160
_RATE, _DECAYS, _TINY = 0.04, (0.9, 0.999), 1e-8  # of Adam
_STEP = 1e-6  # of a parameter, to see what its change does
_SURE = 1e-6  # no recall is more certain, or more uncertain


@dataclass(frozen=True, slots=True)
class CardHistory:
    """Reviews of cards: days since the one before, and ratings, (cards, reviews); a rating of 0 is none."""

    days: NDArray[np.int64]
    ratings: NDArray[np.int64]

    @property
    def reviews(self) -> int:
        """How many can be predicted: those on a later day than the one before."""
        return int(np.count_nonzero(self.days))

    def of(self, cards: NDArray[np.int64]) -> CardHistory:
        return CardHistory(self.days[cards], self.ratings[cards])


def history_of(log: Iterable[tuple[int, float, int]]) -> CardHistory:
    """Return the history of a log, oldest first: item, moment, rating."""
    cards = defaultdict[int, list[tuple[int, int]]](list)
    for item, moment, rating in log:
        cards[item].append((day_of(moment).toordinal(), rating))
    kept = [card[:_MOST_REVIEWS] for card in list(cards.values())[-_MOST_CARDS:]]
    shape = len(kept), max(map(len, kept), default=0)
    days, ratings = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for place, card in enumerate(kept):
        on, ratings[place, : len(card)] = zip(*card, strict=True)
        days[place, 1 : len(card)] = np.maximum(np.diff(on), 0)
    return CardHistory(days, ratings)


def better_parameters(
    history: CardHistory, known: Sequence[Sequence[float]], token: CancelToken
) -> tuple[float, ...] | None:
    """Return parameters that predict reviews better than all known ones, or None.

    They are learnt from four fifths of the cards, and judged by the others.

    Args:
        history: all reviews.
        known: parameters that may be kept; learning starts from the first.
        token: cancels.
    """
    if history.reviews < LEAST_REVIEWS:
        return None
    cards = np.arange(len(history.days))
    judges = history.of(cards[cards % _HELD_OUT == 0])
    found = _learnt(history.of(cards[cards % _HELD_OUT != 0]), np.asarray(known[0], np.float64), token)
    losses = log_losses(np.asarray([found, *known], np.float64), judges)
    return tuple(found.tolist()) if losses[0] < losses[1:].min() else None


def _learnt(history: CardHistory, parameters: Floats, token: CancelToken) -> Floats:
    """Go down the slope of the loss in steps that become smaller (Adam), within the bounds of FSRS."""
    low, high = np.asarray(BOUNDS, np.float64)
    chance = np.random.default_rng(7)
    mean, square = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, _STEPS + 1):
        token.check()
        batch = history.of(chance.choice(len(history.days), min(_BATCH, len(history.days)), replace=False))
        changed = parameters + np.vstack([np.zeros_like(parameters), np.eye(len(parameters)) * _STEP])
        losses = log_losses(changed, batch)
        slope = (losses[1:] - losses[0]) / _STEP
        mean = _DECAYS[0] * mean + (1 - _DECAYS[0]) * slope
        square = _DECAYS[1] * square + (1 - _DECAYS[1]) * slope**2
        first, second = mean / (1 - _DECAYS[0] ** step), square / (1 - _DECAYS[1] ** step)
        rate = _RATE * 0.5 * (1 + np.cos(np.pi * step / _STEPS))
        parameters = np.clip(parameters - rate * first / (np.sqrt(second) + _TINY), low, high)
    return parameters


def log_losses(parameters: Floats, history: CardHistory) -> Floats:
    """Return how badly each of several parameters, (n, 21), predicts reviews: mean of -log(probability)."""
    w = parameters.T[:, :, None]
    decay = -w[20]
    factor = 0.9 ** (1 / decay) - 1
    total, count = np.zeros(len(parameters)), max(history.reviews, 1)
    rating = history.ratings[:, 0]
    stability, difficulty = w[rating - 1, :, 0].T, np.clip(_first_difficulty(w, rating), 1, 10)
    for place in range(1, history.ratings.shape[1]):
        here = np.flatnonzero(history.ratings[:, place])
        rating, days = history.ratings[here, place], history.days[here, place]
        s, d = stability[:, here], difficulty[:, here]
        recalled = (1 + factor * days / s) ** decay
        likely = np.clip(np.where(rating > 1, recalled, 1 - recalled), _SURE, 1)
        total -= np.log(likely)[:, days > 0].sum(1)
        within = _within_a_day(w, s, rating)
        after = np.where(rating == 1, _forgotten(w, s, d, recalled), _recalled(w, s, d, recalled, rating))
        stability[:, here] = np.maximum(np.where(days > 0, after, within), 0.001)
        difficulty[:, here] = _next_difficulty(w, d, rating)
    return total / count


def _first_difficulty(w: Floats, rating: NDArray[np.int64] | int) -> Floats:
    return np.asarray(w[4] - np.exp(w[5] * (np.asarray(rating) - 1)) + 1)


def _next_difficulty(w: Floats, d: Floats, rating: NDArray[np.int64]) -> Floats:
    damped = d - w[6] * (rating - 3) * (10 - d) / 9
    return np.asarray(np.clip(w[7] * _first_difficulty(w, 4) + (1 - w[7]) * damped, 1, 10))


def _within_a_day(w: Floats, s: Floats, rating: NDArray[np.int64]) -> Floats:
    growth = np.exp(w[17] * (rating - 3 + w[18])) * s ** -w[19]
    return np.asarray(s * np.where(rating > 1, np.maximum(growth, 1), growth))


def _forgotten(w: Floats, s: Floats, d: Floats, recalled: Floats) -> Floats:
    long = w[11] * d ** -w[12] * ((s + 1) ** w[13] - 1) * np.exp((1 - recalled) * w[14])
    return np.asarray(np.minimum(long, s / np.exp(w[17] * w[18])))


def _recalled(w: Floats, s: Floats, d: Floats, recalled: Floats, rating: NDArray[np.int64]) -> Floats:
    bonus = np.where(rating == 2, w[15], np.where(rating == 4, w[16], 1))
    return np.asarray(
        s * (1 + np.exp(w[8]) * (11 - d) * s ** -w[9] * (np.exp((1 - recalled) * w[10]) - 1) * bonus)
    )
