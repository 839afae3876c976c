"""How well what is studied is known: the figures of the page of progress."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from app.features.study.model.reviews import (
    FORECAST_DAYS,
    KNOWN_DAYS,
    LEECH_LAPSES,
    CardState,
    LessonProgress,
    Progress,
    day_of,
    start_of,
)
from app.features.study.store.reviews import DAY

if TYPE_CHECKING:
    import sqlite3

    from app.features.study.store.reviews import ReviewRepository

_KNOWN = KNOWN_DAYS * DAY
_Lesson = tuple[str, int | None, str]  # course, number, title


@dataclass(slots=True)
class _Tally:
    items: int = 0
    new: int = 0
    learning: int = 0
    known: int = 0
    suspended: int = 0
    asked: int = 0  # reviews of the last days, in state REVIEW
    recalled: int = 0

    def add(self, row: sqlite3.Row) -> None:
        state = row["state"]
        self.items += 1
        self.suspended += row["suspended"]
        self.new += state is None
        self.learning += state in (CardState.LEARNING, CardState.RELEARNING)
        self.known += state == CardState.REVIEW and row["due"] - row["last_review"] >= _KNOWN

    @property
    def retention(self) -> float | None:
        return self.recalled / self.asked if self.asked else None


@dataclass(slots=True)
class _Figures:
    """Counts, in one pass through the items and one through the log."""

    days: list[float]  # at which the next 30 days of study begin, and at which the last of them ends
    past: list[float]  # likewise of the last 30
    total: _Tally = field(default_factory=_Tally)
    lessons: dict[_Lesson, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    lesson_of: dict[int, _Lesson] = field(default_factory=dict)
    forecast: Counter[int] = field(default_factory=Counter)
    reviews: Counter[int] = field(default_factory=Counter)
    leeches: int = 0

    def add_item(self, row: sqlite3.Row) -> None:
        lesson = self.lesson_of[row["id"]] = row["course"], row["number"], row["lesson"]
        self.total.add(row)
        self.lessons[lesson].add(row)
        if row["state"] is not None and not row["suspended"]:
            was_ahead = row["last_review"] > self.days[1] + DAY  # the clock: it is asked today
            self.forecast[0 if was_ahead else max(bisect_right(self.days, row["due"]) - 1, 0)] += 1
        self.leeches += (row["lapses"] or 0) >= LEECH_LAPSES

    def add_review(self, row: sqlite3.Row) -> None:
        lesson = self.lesson_of.get(row["item_id"])
        if lesson is None or row["at"] >= self.past[-1]:  # of another deck; by a clock that was ahead
            return
        self.reviews[bisect_right(self.past, row["at"]) - 1] += 1
        if row["state"] == CardState.REVIEW:
            for tally in (self.total, self.lessons[lesson]):
                tally.asked += 1
                tally.recalled += row["rating"] > 1


def progress_of(repository: ReviewRepository, deck_id: int | None, now: float) -> Progress:
    """Return how well the items of a deck, or of all, are known at a moment."""
    today, days = day_of(now), range(FORECAST_DAYS + 1)
    figures = _Figures(
        [start_of(today + timedelta(days=ahead)) for ahead in days],
        [start_of(today + timedelta(days=ahead + 1 - FORECAST_DAYS)) for ahead in days],
    )
    for row in repository.standing(deck_id):
        figures.add_item(row)
    for row in repository.log(figures.past[0]):
        figures.add_review(row)
    total = figures.total
    lessons = sorted(figures.lessons.items(), key=lambda entry: _order(entry[0]))
    return Progress(
        total.items,
        total.new,
        total.learning,
        total.known,
        total.suspended,
        tuple(figures.forecast[day] for day in range(FORECAST_DAYS)),
        tuple(figures.reviews[day] for day in range(FORECAST_DAYS)),
        total.retention,
        tuple(
            LessonProgress(*lesson, one.items, one.new, one.learning, one.known, one.retention)
            for lesson, one in lessons
        ),
        figures.leeches,
    )


def _order(lesson: _Lesson) -> tuple[str, bool, int, str]:
    course, number, title = lesson
    return course.casefold(), number is not None, number or 0, title.casefold()
