"""The exam of a course, and the plan to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from app.domain.errors import UserError
from app.domain.messages import Message

MOST_MINUTES, LEAST_RETENTION, MOST_RETENTION = 600, 70, 97
_MOST_DAYS = 730

LessonName = tuple[int | None, str]


@dataclass(frozen=True, slots=True)
class Exam:
    """The user's entries for an exam, and what was studied for it."""

    day: date
    minutes: int = 30  # a day
    retention: int = 90  # percent of the cards that are to be recalled on that day
    days_off: frozenset[int | date] = frozenset()  # days of the week, 0 is Monday, and dates
    weights: tuple[tuple[LessonName, float], ...] = ()  # points that a past paper gives for lessons
    studied: tuple[tuple[LessonName, float], ...] = ()  # when lessons were, in seconds since the epoch

    def days(self, today: date) -> list[date]:
        """Return the days of study before the exam."""
        left = (today + timedelta(days=after) for after in range((self.day - today).days))
        return [day for day in left if not self.days_off & {day, day.weekday()}]

    def check(self, today: date) -> None:
        """Raise UserError if nothing can be planned."""
        if self.day <= today:
            raise UserError(Message("exam_plan.past"))
        if (self.day - today).days > _MOST_DAYS:
            raise UserError(Message("exam_plan.far"))
        if not 1 <= self.minutes <= MOST_MINUTES:
            raise UserError(Message("exam_plan.minutes", most=MOST_MINUTES))
        if not LEAST_RETENTION <= self.retention <= MOST_RETENTION:
            raise UserError(Message("exam_plan.retention", least=LEAST_RETENTION, most=MOST_RETENTION))
        if not self.days(today):
            raise UserError(Message("exam_plan.all_off"))


class PlannedLesson(NamedTuple):
    number: int | None
    title: str
    minutes: float  # to read it
    weight: float = 0.0  # in the exam


class PlannedDay(NamedTuple):
    day: date
    lessons: tuple[PlannedLesson, ...]  # begun or continued
    new: int
    reviews: int
    minutes: float
    postponed: int  # cards that should come on this day, but wait for a later one


@dataclass(frozen=True, slots=True)
class Plan:
    """The days of study that are left, as planned ``today``."""

    exam: Exam
    today: date
    days: tuple[PlannedDay, ...]
    lessons_left: int  # that do not fit
    cards_left: int  # likewise: they would not be known well enough
    unsure: int = 0  # cards that may not be known well enough, however many minutes a day there are
    enough: int | None = None  # minutes a day; None if no number is
    course_title: str = ""
    sentences: tuple[Message, ...] = ()  # whether all fits, and what happens if today is left out

    @property
    def fits(self) -> bool:
        return not self.lessons_left and not self.cards_left

    @property
    def part(self) -> PlannedDay | None:
        """What is to be done today; None on a day off."""
        return self.days[0] if self.days and self.days[0].day == self.today else None


class Aim(NamedTuple):
    """What is to be reviewed today of a deck whose course has an exam."""

    gap: int = 0  # days until the next day of study, or until the exam
    reach: float = 1e9  # after how many times its stability a card falls below; never on a day off
    looks: int = 1  # at a card; on the last day it comes again until it will be known well enough
    new: int = 0  # cards, the limit of today
    reviews: int = 0  # likewise
