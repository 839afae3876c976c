"""The exam of a course, and the plan to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from app.domain.errors import UserError
from app.domain.messages import Message

MOST_MINUTES = 600
MOST_REPEATS = 15  # looks at a card on the last day of study, after it was reviewed
_MOST_DAYS = 730
_FINAL = 10  # days of study in which every card that needs it comes; half of fewer days

LessonName = tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class Exam:
    """What the user says of an exam."""

    day: date
    minutes: int = 30  # a day
    retention: int = 90  # percent of the cards that are to be recalled on that day
    weekdays_off: frozenset[int] = frozenset()  # 0 is Monday
    days_off: frozenset[date] = frozenset()
    weights: tuple[tuple[LessonName, float], ...] = ()  # points that a past paper gives for lessons
    since: date | None = None  # when it was said; None for today

    def days(self, today: date) -> list[date]:
        """Return the days of study before the exam."""
        left = (today + timedelta(days=after) for after in range((self.day - today).days))
        return [day for day in left if day.weekday() not in self.weekdays_off and day not in self.days_off]

    def final_days(self, today: date) -> int:
        """Return how many days of study at the end are for cards that are not known well enough yet."""
        return min(_FINAL, len(self.days(min(self.since or today, today))) // 2)

    def check(self, today: date) -> None:
        """Raise UserError if nothing can be planned."""
        if self.day <= today:
            raise UserError(Message("exam_plan.past"))
        if (self.day - today).days > _MOST_DAYS:
            raise UserError(Message("exam_plan.far"))
        if not 1 <= self.minutes <= MOST_MINUTES:
            raise UserError(Message("exam_plan.minutes", most=MOST_MINUTES))
        if not 70 <= self.retention <= 97:
            raise UserError(Message("exam_plan.retention"))
        if not self.days(today):
            raise UserError(Message("exam_plan.all_off"))


class PlannedLesson(NamedTuple):
    number: int | None
    title: str
    minutes: float  # to read it
    weight: float = 0.0  # in the exam


@dataclass(frozen=True, slots=True)
class PlannedDay:
    day: date
    lessons: tuple[PlannedLesson, ...] = ()  # begun or continued
    new: int = 0
    reviews: int = 0
    minutes: float = 0.0
    postponed: int = 0  # cards that should come on this day, but wait for a later one


@dataclass(frozen=True, slots=True)
class Plan:
    """The days of study that are left; ``days[0]`` is today unless that is off."""

    days: tuple[PlannedDay, ...]
    lessons_left: int = 0  # that do not fit
    cards_left: int = 0  # likewise: they would not be known well enough
    unsure: int = 0  # cards that may not be known well enough, however many minutes a day there are
    enough: int | None = None  # minutes a day; None if no number is

    @property
    def fits(self) -> bool:
        return not self.lessons_left and not self.cards_left


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to be reviewed today of a deck whose course has an exam."""

    gap: int = 0  # days until the next day of study, or until the exam
    reach: float = 0.0  # after how many times its stability a card falls below; 0 if none is reviewed
    is_last: bool = False  # no other day of study is left
    new: int = 0  # cards, the limit of today
    reviews: int | None = 0  # likewise; None for no limit
