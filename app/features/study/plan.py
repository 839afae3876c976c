"""The plan to an exam: which lessons and how many cards come on which day.

A pure function of dates, settings and what was learnt; nothing of it is stored. What counts is the day of
the exam: a card that will be recalled then with the desired probability is left alone. Before the last days
a card comes when it would fall below that probability before the next day of study, as FSRS has it. In the
last days every card comes that would be below it at the exam, so that one that is forgotten comes again.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from app.features.study.model.exam_plans import (
    MOST_MINUTES,
    MOST_REPEATS,
    Aim,
    Exam,
    Plan,
    PlannedDay,
    PlannedLesson,
)
from app.features.study.model.reviews import CardState, Rating, Schedule
from app.features.study.scheduling import Scheduling, reach, recalled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

_STEP = 5  # minutes, of what would be enough
_RESERVE = 0.9  # of the minutes of a day are planned
_SPARE = 0.95  # of what is said to be enough has to be enough
_FORGOTTEN = 0.24  # of new cards at first sight, as the authors of FSRS found
_UNSURE = 0.5  # cards that may be below at the exam by chance
_DAY = 86_400.0


class Alike(NamedTuple):
    """Cards that are known about equally well."""

    stability: int  # its natural logarithm in parts
    difficulty: int  # half of it
    day: int  # ordinal, of the last review

    @property
    def known(self) -> float:
        """The stability in days."""
        return math.exp(self.stability / _PARTS)


def gathered(cards: Iterable[tuple[float, float, int]], today: date) -> Counter[Alike]:
    """Count the cards that are alike, given by stability, difficulty and the days since the last review.

    If these are less than 0, the clock was wrong.
    """
    found: Counter[Alike] = Counter()
    now = today.toordinal()
    for stability, difficulty, since in cards:
        step = max(int(stability) // _PARTS, 1)
        day = now - (since // step * step if since >= 0 else 1)
        found[Alike(*_alike(stability, difficulty), day)] += 1
    return found


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be done until the exam, and what was done today."""

    lessons: tuple[PlannedLesson, ...] = ()  # not studied yet, in order
    cards: Mapping[Alike, int] = field(default_factory=dict)  # that were reviewed
    new: int = 0
    seconds: float = 10.0  # for which a card is looked at
    spent: float = 0.0  # minutes today
    new_done: int = 0  # today
    last_lesson: tuple[float, date] | None = None  # minutes of the one studied last, and when


def aim_of(exam: Exam, today: date) -> Aim | None:
    """Return which cards need a review today: ``days since the last one + gap > stability * reach``.

    None on a day off and from the day of the exam on.
    """
    days = exam.days(today)
    if not days or days[0] != today:
        return None
    until = exam.day if len(days) <= max(exam.final_days(today), 1) else days[1]
    return Aim((until - today).days, reach(exam.retention), is_last=len(days) == 1)


def plan(exam: Exam, work: Work, today: date) -> Plan:
    """Spread the work over the days left; where it does not fit, find how many minutes would be enough."""
    made = spread(exam, work, today)
    if not (made.lessons_left or made.cards_left):
        return made
    steps = range(exam.minutes // _STEP + 1, MOST_MINUTES // _STEP + 1)
    longer = cache(lambda step: spread(replace(exam, minutes=int(step * _STEP * _SPARE)), work, today))
    best = longer(steps[-1]) if steps else made

    def is_enough(step: int) -> bool:
        return longer(step).lessons_left == 0 and longer(step).cards_left <= best.cards_left

    at = bisect_right(steps, 0, key=lambda step: int(is_enough(step)))
    return replace(
        made,
        cards_left=max(made.cards_left - best.cards_left, 0),
        unsure=best.cards_left,
        enough=steps[at] * _STEP if at < len(steps) else None,
    )


def spread(exam: Exam, work: Work, today: date) -> Plan:
    """Spread the work over the days left; of lessons that do not all fit, those of most weight come first."""
    made = _spread(exam, work, today)
    if made.lessons_left and len({lesson.weight for lesson in work.lessons}) > 1:
        lessons = sorted(work.lessons, key=lambda lesson: -lesson.weight)
        made = _spread(exam, replace(work, lessons=tuple(lessons)), today)
    return made


def _spread(exam: Exam, work: Work, today: date) -> Plan:
    days = exam.days(today)
    paced_days = len(days) - exam.final_days(today)
    reviews = _Reviews(exam, days, max(paced_days, 0), work.cards)
    reading = _Reading(work, days)
    new, done, made = work.new, work.new_done, []
    each = _NEW_LOOKS * work.seconds / 60
    for at, day in enumerate(days):
        left = max(exam.minutes * _RESERVE - (work.spent if day == today else 0.0), 0.0)
        is_late = at >= paced_days
        paced = min(2, len(days) - at) if is_late else paced_days - at
        reading.pace(paced)
        fresh = min(new, max(math.ceil((new + done) / paced) - done, 0))
        reserved = min(reading.wanted + fresh * each, left / 2)
        cards, minutes = reviews.take(at, left - reserved, work.seconds)
        left = max(left - minutes, 0.0)
        if wanted := fresh * each:
            others = 0.0 if is_late else reading.wanted
            fresh = min(fresh, math.ceil(fresh * left / (wanted + others)))
        new, done = new - fresh, 0
        reviews.begin(at, fresh)
        lessons, read = reading.read(max(left - fresh * each, 0.0))
        minutes += fresh * each + read
        made.append(PlannedDay(day, lessons, fresh, round(cards), minutes, round(reviews.waiting)))
    return Plan(tuple(made), reading.left, new + int(reviews.below + reviews.waiting + _UNSURE))


def _alike(stability: float, difficulty: float) -> tuple[int, int]:
    return round(_PARTS * math.log(stability)), round(difficulty / 2)


_PARTS = 8
_NEGLIGIBLE = 0.001  # of a card


_NEW_LOOKS = 2 + _FORGOTTEN


class _Reviews:
    """The cards that come on each day; a part of one is a probability."""

    def __init__(self, exam: Exam, days: list[date], first_final: int, cards: Mapping[Alike, int]) -> None:
        self.below = 0.0  # cards that can no longer come in time
        self._waiting: list[tuple[Alike, float]] = []
        self._days, self._exam = [day.toordinal() for day in days], exam.day.toordinal()
        self._nexts = [*self._days[1:], self._exam]
        self._first_final = first_final
        self._reach = reach(exam.retention)
        self._queues: list[dict[Alike, float]] = [defaultdict(float) for _ in days]
        for card, count in cards.items():
            self._put(card, count, bisect_right(self._days, card.day))

    def take(self, at: int, minutes: float, seconds: float) -> tuple[float, float]:
        """Review what comes on a day, the least known first; return how many cards and minutes that is."""
        taken = used = 0.0
        for card, count in self._queues[at].items():
            heappush(self._waiting, (card, count))
        while self._waiting and used < minutes:
            card, count = heappop(self._waiting)
            elapsed = max(self._days[at] - card.day, 0)
            known = recalled(elapsed / card.known)
            each = (2 - known) * seconds / 60
            now = min(count, (minutes - used) / each)
            taken, used = taken + now, used + now * each
            if now < count:
                heappush(self._waiting, (card, count - now))
            for rating, share in ((Rating.GOOD, known), (Rating.AGAIN, 1 - known)):
                if now * share > _NEGLIGIBLE:
                    after = _after(card.stability, card.difficulty, elapsed, rating)
                    used += self._put_back(at, after, now * share) * seconds / 60
        return taken, used

    @property
    def waiting(self) -> float:
        """Return how many cards there was no time for."""
        return sum(count for _, count in self._waiting)

    def begin(self, at: int, new: int) -> None:
        """Learn new cards on a day."""
        for rating, share in ((Rating.GOOD, 1 - _FORGOTTEN), (Rating.AGAIN, _FORGOTTEN)):
            if new:
                self._put_back(at, _first(rating), new * share)

    def _put_back(self, at: int, known: tuple[int, int], count: float) -> float:
        """Put back cards after their looks on a day; return how many more the last day of study takes."""
        more = 0
        if at == len(self._days) - 1:
            known, more = _repeated(*known, (self._exam - self._days[at]) / self._reach)
        self._put(Alike(*known, self._days[at]), count, at + 1)
        return more * count

    def _put(self, card: Alike, count: float, first: int) -> None:
        """Let cards come when they need it, on the day with the index ``first`` at the earliest."""
        until = card.day + card.known * self._reach
        if until >= self._exam:
            return
        if first >= len(self._days):
            self.below += count
            return
        day = max(first, min(bisect_right(self._nexts, until), max(first, self._first_final)))
        self._queues[day][card] += count


class _Reading:
    """The lessons in order, at an even pace; one that is begun is finished first."""

    def __init__(self, work: Work, days: list[date]) -> None:
        self._lessons = list(work.lessons)
        self._rest = 0.0  # minutes of the first one, once it was begun
        self._credit = 0.0
        self._last = work.last_lesson
        self._days = days

    @property
    def left(self) -> int:
        return len(self._lessons)

    @property
    def _minutes(self) -> float:
        begun = self._lessons[0].minutes - self._rest if self._rest else 0.0
        return sum(lesson.minutes for lesson in self._lessons) - begun

    def pace(self, days: int) -> None:
        """Begin another day, with so many left for new lessons."""
        pace = self._minutes / days
        if self._last is not None:  # what was read before counts until the day it was read for
            minutes, day = self._last
            self._last = None
            since = (self._days[0] - day).days
            self._credit = min(pace * since - minutes, 0.0)
        self._credit += pace
        self._todo, credit = [], self._credit
        for lesson in self._lessons:
            is_begun = lesson is self._lessons[0] and self._rest > 0
            if not is_begun and credit <= _LEAST:
                break
            self._todo.append(lesson)
            credit -= 0.0 if is_begun else lesson.minutes

    @property
    def wanted(self) -> float:
        """Return the minutes of the lessons of this day."""
        minutes = sum(lesson.minutes for lesson in self._todo)
        return minutes - (self._lessons[0].minutes - self._rest if self._rest else 0.0)

    def read(self, minutes: float) -> tuple[tuple[PlannedLesson, ...], float]:
        """Read lessons of this day for so long; return those begun or continued, and the minutes taken."""
        read, before = [], minutes
        for lesson in self._todo:
            if minutes <= _LEAST:
                break
            if not self._rest:
                self._rest = lesson.minutes
                self._credit -= lesson.minutes
            read.append(lesson)
            taken = min(self._rest, minutes)
            self._rest, minutes = self._rest - taken, minutes - taken
            if self._rest <= _LEAST:
                self._rest = 0.0
                self._lessons.pop(0)
        return tuple(read), before - minutes


_LEAST = 0.01  # minutes


@lru_cache(maxsize=20_000)
def _after(stability: int, difficulty: int, elapsed: int, rating: Rating) -> tuple[int, int]:
    """Return how well cards are known after a review on a later day, and relearning on the same day."""
    now = 1e9
    known = Alike(stability, difficulty, 0).known
    before = Schedule(now, CardState.REVIEW, None, known, max(2 * difficulty, 1), now - elapsed * _DAY)
    return _rated(before, now, *((rating,) if rating is Rating.GOOD else (rating, Rating.GOOD)))


@lru_cache(maxsize=1000)
def _repeated(stability: int, difficulty: int, wanted: float) -> tuple[tuple[int, int], int]:
    """Repeat cards on one day until their stability is high enough; return how known they are, and looks."""
    now, known, more = 1e9, Alike(stability, difficulty, 0).known, 0
    card = Schedule(now, CardState.REVIEW, None, known, max(2 * difficulty, 1), now)
    while card.stability < wanted and more < MOST_REPEATS:
        card, more = Scheduling().after(card, Rating.GOOD, now), more + 1
    return (math.ceil(_PARTS * math.log(card.stability)), difficulty) if more else (
        stability,
        difficulty,
    ), more


@cache
def _first(rating: Rating) -> tuple[int, int]:
    """Return how well new cards are known on the evening of the first day."""
    ratings = (Rating.GOOD, Rating.GOOD)
    return _rated(None, 1e9, *(ratings if rating is Rating.GOOD else (rating, *ratings)))


def _rated(schedule: Schedule | None, now: float, *ratings: Rating) -> tuple[int, int]:
    for rating in ratings:
        schedule = Scheduling().after(schedule, rating, now)
    assert schedule is not None
    return _alike(schedule.stability, schedule.difficulty)
