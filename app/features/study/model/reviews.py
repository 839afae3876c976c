"""Reviews: cards, ratings, schedules and progress."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from app.features.study.model.items import Item

FORECAST_DAYS = 30
KNOWN_DAYS = 21  # what comes again no sooner is known
LEECH_LAPSES = 8


class Rating(IntEnum):
    """How well an item was known. The numbers are those of FSRS, and of the keys."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class CardState(IntEnum):
    """What FSRS takes an item for; except for ``NEW``, the numbers are those of FSRS."""

    NEW = 0
    LEARNING = 1  # in steps of minutes
    REVIEW = 2  # in steps of days
    RELEARNING = 3  # in steps of minutes, because it was forgotten


@dataclass(frozen=True, slots=True)
class Schedule:
    """What FSRS knows of an item that was reviewed; times are seconds since the epoch."""

    due: float
    state: CardState
    step: int | None  # of learning; None in state REVIEW
    stability: float  # days after which it is recalled with a probability of 90 %
    difficulty: float  # 1 to 10
    last_review: float
    lapses: int = 0  # how often it was forgotten


class LoggedReview(NamedTuple):
    """A review that was made."""

    at: float  # seconds since the epoch
    rating: Rating
    seconds: float  # until it was rated
    state: CardState  # before it


class History(NamedTuple):
    """How an item was learnt."""

    schedule: Schedule
    reviews: tuple[LoggedReview, ...]  # oldest first


@dataclass(frozen=True, slots=True)
class Due:
    """How much there is to do today, within the limits of a day."""

    new: int = 0
    learning: int = 0
    review: int = 0
    held_back: int = 0  # what only the limits of a day keep for later

    @property
    def total(self) -> int:
        return self.new + self.learning + self.review


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """An item to ask now.

    Attributes:
        seconds: until it would be asked again, for each rating from ``AGAIN`` to ``EASY``.
        left: what there is to do, this one included.
    """

    item: Item
    state: CardState
    seconds: tuple[float, float, float, float]
    left: Due


class Rated(NamedTuple):
    due: float
    is_leech: bool = False  # it was forgotten for the 8th time, or another four times since


@dataclass(slots=True)
class Tally:
    """How well the items of a lesson are known; course, number and title are empty in the total."""

    course_title: str = ""
    number: int | None = None
    title: str = ""
    items: int = 0
    new: int = 0
    learning: int = 0
    known: int = 0  # comes again after 21 days at the earliest
    suspended: int = 0
    asked: int = 0  # reviews of the last 30 days, in state REVIEW
    recalled: int = 0

    @property
    def retention(self) -> float | None:
        """The share of the reviews that were recalled; None without any."""
        return self.recalled / self.asked if self.asked else None


class Progress(NamedTuple):
    """How well the items of a deck, or of all, are known.

    Attributes:
        total: of all items.
        lessons: each that has items.
        forecast: how many reviews fall due on each of the next 30 days; the first is today, with what is
            overdue.
        reviews: how many were made on each of the last 30 days; the last is today.
        leeches: how many items were forgotten 8 times or more.
    """

    total: Tally
    lessons: tuple[Tally, ...]
    forecast: tuple[int, ...]
    reviews: tuple[int, ...]
    leeches: int


_END = timedelta(hours=4)


def day_of(moment: float) -> date:
    """Return the day of study of a moment (seconds since the epoch), where the computer is now."""
    _find_zone()
    return (datetime.fromtimestamp(moment) - _END).date()


def start_of(day: date) -> float:
    """Return the moment at which a day of study begins; whatever the clocks do, the one before ends then."""
    _find_zone()
    return datetime.combine(day, clock_time(4)).timestamp()


def end_of(moment: float) -> float:
    return start_of(day_of(moment) + timedelta(days=1))


def days_between(earlier: float, later: float) -> int:
    """Return how many days of study lie between two moments; 0 if the clock has gone back."""
    return max(0, (day_of(later) - day_of(earlier)).days)


def _find_zone() -> None:
    """Let Python notice that the computer has travelled."""
    if hasattr(time, "tzset"):
        time.tzset()
