"""Parameters are learnt from the user's own reviews, and kept only if they predict better."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import fsrs
import numpy as np
import pytest

from app.domain.cancel import Cancelled, CancelToken
from app.features.study.model.reviews import Rating
from app.features.study.scheduling import (
    DEFAULT_PARAMETERS,
    LEAST_REVIEWS,
    Scheduling,
    better_parameters,
    decode_parameters,
    history_of,
    log_losses,
)
from tests.support.reviewing import DAY, MONDAY, item, reviewing

if TYPE_CHECKING:
    from pathlib import Path

FORGETFUL = (
    *(0.1, 0.4, 0.9, 2.5, 6.8, 0.9, 2.5, 0.01, 1.1, 0.25, 0.6),
    *(1.2, 0.08, 0.2, 1.9, 0.4, 1.5, 0.3, 0.2, 0.1, 0.4),
)
Log = list[tuple[int, float, int]]


def simulated(parameters: tuple[float, ...], cards: int, reviews: int, seed: int) -> Log:
    """Return the log of someone who forgets as FSRS says with these parameters."""
    choose, log = random.Random(seed), Log()
    scheduler = fsrs.Scheduler(parameters, enable_fuzzing=False)
    for key in range(cards):
        card, moment = fsrs.Card(key), datetime.fromtimestamp(MONDAY, UTC)
        for _ in range(reviews):
            known = card.last_review is None or choose.random() < scheduler.get_card_retrievability(
                card, moment
            )
            rating = choose.choice((2, 3, 3, 3, 4)) if known else 1
            log.append((key, moment.timestamp(), rating))
            card, _ = scheduler.review_card(card, fsrs.Rating(rating), moment)
            wait = max(round((card.due - moment) / timedelta(days=1) * choose.uniform(0.5, 2.5)), 0)
            moment += timedelta(days=wait) if wait else card.due - moment
    return sorted(log, key=lambda one: one[1])


def test_what_is_predicted_is_what_fsrs_predicts() -> None:
    for parameters in (DEFAULT_PARAMETERS, FORGETFUL):
        log = simulated(FORGETFUL, 30, 15, seed=2)
        scheduler = fsrs.Scheduler(parameters, enable_fuzzing=False)
        cards, losses = dict[int, fsrs.Card](), list[float]()
        for key, at, rating in log:
            moment = datetime.fromtimestamp(at, UTC)
            card = cards.get(key, fsrs.Card(key))
            if card.last_review is not None and (moment - card.last_review).days:
                recalled = scheduler.get_card_retrievability(card, moment)
                losses.append(-math.log(recalled if rating > 1 else 1 - recalled))
            cards[key], _ = scheduler.review_card(card, fsrs.Rating(rating), moment)
        history = history_of(log)
        assert history.reviews == len(losses)
        (found,) = log_losses(np.asarray([parameters]), history)
        assert found == pytest.approx(sum(losses) / len(losses), rel=1e-9)


def test_someone_who_forgets_sooner_gets_parameters_that_predict_it() -> None:
    found = better_parameters(
        history_of(simulated(FORGETFUL, 250, 10, seed=1)), [DEFAULT_PARAMETERS], CancelToken()
    )
    assert found is not None
    Scheduling(found)
    others = history_of(simulated(FORGETFUL, 250, 10, seed=9))
    of_found, of_defaults, of_truth = log_losses(np.asarray([found, DEFAULT_PARAMETERS, FORGETFUL]), others)
    assert of_found < of_defaults - 0.8 * (of_defaults - of_truth)


def test_few_reviews_teach_nothing() -> None:
    history = history_of(simulated(FORGETFUL, 60, 9, seed=1))
    assert history.reviews < LEAST_REVIEWS
    assert better_parameters(history, [DEFAULT_PARAMETERS], CancelToken()) is None
    assert better_parameters(history_of([]), [DEFAULT_PARAMETERS], CancelToken()) is None


def test_what_predicts_no_better_is_not_kept() -> None:
    history = history_of(simulated(FORGETFUL, 100, 9, seed=1))
    assert better_parameters(history, [DEFAULT_PARAMETERS, FORGETFUL], CancelToken()) is None


def test_a_library_learns_once_in_a_while(tmp_path: Path) -> None:
    log = simulated(FORGETFUL, 90, 10, seed=1)
    with reviewing(tmp_path / "data") as at:
        keys = at.add(*(item(100 * place) for place in range(90)))
        rows = [(keys[key], moment, rating, 0, 2) for key, moment, rating in log]
        insert = "INSERT INTO reviews (item_id, at, rating, seconds, state) VALUES (?, ?, ?, ?, ?)"
        at.database.write(insert, rows)
        at.clock = MONDAY + 1000 * DAY
        cancelled = CancelToken()
        cancelled.cancel()
        with pytest.raises(Cancelled):
            at.reviews.optimise(cancelled)
        assert at.reviews.optimise(CancelToken())
        stored = at.database.meta("fsrs_parameters")
        assert decode_parameters(stored) != DEFAULT_PARAMETERS
        assert not at.reviews.optimise(CancelToken()), "there is nothing new to learn from"
        card = at.reviews.next_card()
        assert card is not None
        assert card.seconds[Rating.EASY - 1] == pytest.approx(
            Scheduling(decode_parameters(stored)).after(None, Rating.EASY, at.clock).due - at.clock
        )
