"""Intervals are those of FSRS, whose days are days of study; days end at 4 a.m. wherever the computer is."""

from __future__ import annotations

import random
import time
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import fsrs
import pytest

from app.features.study.model.reviews import (
    CardState,
    Rating,
    Schedule,
    day_of,
    days_between,
    end_of,
    start_of,
)
from app.features.study.scheduling import Scheduling
from tests.support.reviewing import DAY, MONDAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Take the computer to another time zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process cannot be set")

    def travel(name: str) -> None:
        monkeypatch.setenv("TZ", name)

    yield travel
    monkeypatch.undo()
    time.tzset()


def local(*parts: int, fold: int = 0) -> float:
    time.tzset()
    return datetime(*parts, fold=fold).timestamp()  # type: ignore[arg-type]


def test_intervals_are_those_of_fsrs_in_5000_random_reviews() -> None:
    choose = random.Random(7)
    for _ in range(250):
        retention = choose.choice((0.8, 0.9, 0.95))
        own = Scheduling(retention)
        theirs = fsrs.Scheduler(desired_retention=retention, enable_fuzzing=False)
        schedule, card = None, fsrs.Card(1)
        now = MONDAY
        for _ in range(20):
            rating = choose.choice(list(Rating))
            moment = datetime.fromtimestamp(now, UTC)
            schedule = own.after(schedule, rating, now)
            card, _ = theirs.review_card(card, fsrs.Rating(rating), moment)
            assert schedule.due - now == (card.due - moment).total_seconds()
            assert (schedule.state.value, schedule.step) == (card.state.value, card.step)
            assert (schedule.stability, schedule.difficulty) == (card.stability, card.difficulty)
            # Never at an earlier time of the day than before: FSRS would count one day less.
            now += choose.choice((0, 1, 1, 3, 10, 40, 200)) * DAY + choose.choice((0, 60, 600))


def test_a_short_night_is_a_day(zone: Callable[[str], None]) -> None:
    zone("Europe/Berlin")
    evening, morning = local(2026, 3, 2, 22), local(2026, 3, 3, 8)
    known = Schedule(morning, CardState.REVIEW, None, 1.0, 5.0, evening)
    after = Scheduling().after(known, Rating.GOOD, morning)
    a_day_later = Scheduling().after(known, Rating.GOOD, evening + DAY)
    assert after.due - morning == a_day_later.due - evening - DAY > DAY
    assert after.stability > 2


def test_a_clock_that_goes_back_a_year_shortens_no_interval(zone: Callable[[str], None]) -> None:
    zone("Europe/Berlin")
    known = Schedule(MONDAY + 30 * DAY, CardState.REVIEW, None, 30.0, 5.0, MONDAY)
    for rating in Rating:
        after = Scheduling().after(known, rating, MONDAY - 365 * DAY)
        assert after.due > MONDAY - 365 * DAY
        assert after.last_review == MONDAY - 365 * DAY
    assert after.due - after.last_review >= 30 * DAY


def test_only_what_is_forgotten_after_days_counts_as_a_lapse() -> None:
    scheduling, now = Scheduling(), MONDAY
    schedule = scheduling.after(None, Rating.AGAIN, now)
    schedule = scheduling.after(schedule, Rating.EASY, now + 60)
    assert schedule.lapses == 0
    schedule = scheduling.after(schedule, Rating.AGAIN, now + 5 * DAY)
    schedule = scheduling.after(schedule, Rating.AGAIN, now + 5 * DAY + 60)
    assert (schedule.lapses, schedule.state) == (1, CardState.RELEARNING)


@pytest.mark.parametrize(
    ("parts", "day"),
    [
        ((2026, 3, 3, 3, 59), date(2026, 3, 2)),
        ((2026, 3, 3, 4, 0), date(2026, 3, 3)),
        ((2026, 3, 29, 3, 30), date(2026, 3, 28)),  # an hour after the clocks were put forward
        ((2026, 10, 25, 3, 59), date(2026, 10, 24)),  # put back in the same night
    ],
)
def test_a_day_ends_at_four(zone: Callable[[str], None], parts: tuple[int, ...], day: date) -> None:
    zone("Europe/Berlin")
    assert day_of(local(*parts)) == day


def test_days_follow_each_other_when_clocks_change(zone: Callable[[str], None]) -> None:
    zone("Europe/Berlin")
    assert start_of(date(2026, 3, 29)) - start_of(date(2026, 3, 28)) == 23 * 3600
    assert start_of(date(2026, 10, 25)) - start_of(date(2026, 10, 24)) == 25 * 3600
    assert end_of(local(2026, 10, 25, 2, 30, fold=1)) == start_of(date(2026, 10, 25))


def test_a_day_is_that_of_the_place_where_the_computer_is_now(zone: Callable[[str], None]) -> None:
    zone("Europe/Berlin")
    learnt = local(2026, 3, 2, 20)
    zone("Asia/Tokyo")
    assert day_of(learnt) == date(2026, 3, 3)  # where it is four in the morning
    zone("America/Los_Angeles")
    assert days_between(learnt, local(2026, 3, 3, 9)) == 1
