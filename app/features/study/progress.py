"""How well what is studied is known: the figures of the page of progress."""

from __future__ import annotations

from bisect import bisect_right
from datetime import timedelta
from typing import TYPE_CHECKING

from app.features.study.model.reviews import (
    FORECAST_DAYS,
    KNOWN_DAYS,
    LEECH_LAPSES,
    CardState,
    Progress,
    Tally,
    day_of,
    start_of,
)
from app.features.study.store.reviews import DAY

if TYPE_CHECKING:
    from app.features.study.store.reviews import ReviewRepository


def progress_of(repository: ReviewRepository, deck_id: int | None, now: float) -> Progress:
    """Return how well the items of a deck, or of all, are known at a moment."""
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
