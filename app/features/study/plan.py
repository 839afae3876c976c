"""The plan to an exam: which lessons and how many cards come on which day.

A pure function of dates, settings and what was learnt; none of it is stored. A card comes when it would fall
below the desired retention before the next day of study, and in the last days if it would be below it at the
exam, so that a forgotten one comes again; on the last day, until it is safe. Lessons and new cards come
faster at first, so that few are left for the end.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from app.features.study.model.exam_plans import MOST_MINUTES, Aim, Exam, Plan, PlannedDay, PlannedLesson
from app.features.study.model.reviews import CardState, Rating, Schedule
from app.features.study.scheduling import Scheduling, reach, recalled

_FINAL = 10  # days of study in which every card comes that would be below at the exam
_LAST_LOOKS = 20  # at most at a card on the last day of study
_AHEAD = 2  # times the even pace
_STEP = 5  # minutes, of what would be enough
_RESERVE = 0.9  # of the minutes of a day are planned
_SPARE = 0.9  # of what is said to be enough has to be enough
_FORGOTTEN = 0.24  # of new cards at first sight, as the authors of FSRS found
_LEAST = 0.001  # of a card, and minutes
_PARTS = 8
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


class Work(NamedTuple):
    """The work until the exam, and what was done today."""

    lessons: tuple[PlannedLesson, ...] = ()  # not studied yet, in order
    cards: Mapping[Alike, int] = Counter()  # that were reviewed
    new: int = 0
    seconds: float = 10.0  # for which a card is looked at
    spent: float = 0.0  # minutes today
    read: float = 0.0  # of these, on lessons
    new_done: int = 0


def gathered(cards: Iterable[tuple[float, float, int]], today: date) -> Counter[Alike]:
    """Count the cards that are alike, given by stability, difficulty and the days since the last review."""
    now = today.toordinal()
    return Counter(Alike(*_alike(known, hard), now - since) for known, hard, since in cards)


def aim_of(exam: Exam, today: date) -> Aim:
    """Return which cards need a review today: ``days since the last one + gap > stability * reach``."""
    days = exam.days(today)
    if not days or days[0] != today:
        return Aim()
    until = exam.day if len(days) <= _FINAL else days[1]
    return Aim((until - today).days, reach(exam.retention), looks=1 if len(days) > 1 else _LAST_LOOKS)


def plan(exam: Exam, work: Work, today: date) -> Plan:
    """Spread the work over the days left; where it does not fit, find how many minutes would be enough."""
    made = spread(exam, work, today)
    if made.fits:
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
    if made.lessons_left and any(lesson.weight for lesson in work.lessons):
        lessons = sorted(work.lessons, key=lambda lesson: -lesson.weight)
        made = _spread(exam, work._replace(lessons=tuple(lessons)), today)
    return made


def _spread(exam: Exam, work: Work, today: date) -> Plan:
    days = exam.days(today)
    reviews = _Reviews(exam, days, work)
    ends = list(accumulate(lesson.minutes for lesson in work.lessons))
    at_minute, new, made = 0.0, work.new, []
    spent, read, done = (work.spent, work.read, work.new_done) if today in days else (0.0, 0.0, 0)
    for at, day in enumerate(days):
        pace = min(_AHEAD / (len(days) - at), 1.0)
        left = max(exam.minutes * _RESERVE - spent, 0.0)
        reading = max((ends[-1] - at_minute + read) * pace - read, 0.0) if ends else 0.0
        if reading > _LEAST:  # whole lessons
            reading = ends[bisect_left(ends, at_minute + reading - _LEAST)] - at_minute
        fresh = max(math.ceil((new + done) * pace) - done, 0)
        each = reviews.minutes_of_new(at)
        wanted = reading + fresh * each
        cards, used, waiting = reviews.take(at, left - min(wanted, left / 2))
        share = min((left - used) / wanted, 1.0) if wanted else 0.0
        fresh, reading = math.ceil(fresh * share), reading * share
        reviews.begin(at, fresh)
        new, end = new - fresh, at_minute + reading
        lessons = tuple(
            lesson
            for lesson, last in zip(work.lessons, ends, strict=True)
            if last > at_minute + _LEAST and last - lesson.minutes < end - _LEAST
        )
        minutes = used + fresh * each + reading
        made.append(PlannedDay(day, lessons, fresh, round(cards), minutes, round(waiting)))
        at_minute, spent, read, done = end, 0.0, 0.0, 0
    unread = sum(end > at_minute + _LEAST for end in ends)
    return Plan(exam, today, tuple(made), unread, new + round(reviews.too_late))


class _Reviews:
    """The cards of each day, and after the last those that are too late; parts are chances."""

    def __init__(self, exam: Exam, days: list[date], work: Work) -> None:
        self._days, self._exam = [day.toordinal() for day in days], exam.day.toordinal()
        self._nexts = [*self._days[1:], self._exam]
        self._reach = reach(exam.retention)
        self._minutes = work.seconds / 60
        self._queues: list[dict[Alike, float]] = [defaultdict(float) for _ in (*days, exam.day)]
        for card, count in work.cards.items():
            self._put(card, count, len(days) - 1)

    def take(self, at: int, minutes: float) -> tuple[float, float, float]:
        """Review what comes on a day, the least known first.

        Returns:
            How many cards and minutes that is, and how many cards wait for the next day of study.
        """
        cards = used = waiting = 0.0
        wanted = self._wanted(at)
        for card, count in sorted(self._queues[at].items()):
            elapsed = self._days[at] - card.day
            known = recalled(elapsed / card.known)
            parts = [
                (share, *_after(card.stability, card.difficulty, elapsed, rating, wanted))
                for rating, share in ((Rating.GOOD, known), (Rating.AGAIN, 1 - known))
            ]
            each = sum(share * looks for share, _, looks in parts) * self._minutes
            now = min(count, (minutes - used) / each)
            cards, used, waiting = cards + now, used + now * each, waiting + count - now
            if now < count:
                self._queues[at + 1][card] += count - now
            for share, after, _ in parts:
                self._put(Alike(*after, self._days[at]), now * share, len(self._days))
        return cards, used, waiting

    def begin(self, at: int, new: int) -> None:
        """Learn new cards on a day."""
        for share, known, _ in self._first(at):
            self._put(Alike(*known, self._days[at]), new * share, len(self._days))

    def minutes_of_new(self, at: int) -> float:
        """Return how long it takes to learn a new card on a day."""
        return sum(share * looks for share, _, looks in self._first(at)) * self._minutes

    @property
    def too_late(self) -> float:
        return sum(self._queues[-1].values())

    def _wanted(self, at: int) -> float:
        """Return until which stability a card is repeated on a day: on the last one, until it is safe."""
        return (self._exam - self._days[at]) / self._reach if at == len(self._days) - 1 else 0.0

    def _first(self, at: int) -> list[tuple[float, tuple[int, int], int]]:
        shares = (Rating.GOOD, 1 - _FORGOTTEN), (Rating.AGAIN, _FORGOTTEN)
        return [(share, *_first(rating, self._wanted(at))) for rating, share in shares]

    def _put(self, card: Alike, count: float, last: int) -> None:
        """Let cards come when they need it, after the day of their last review if that is not the last."""
        until = card.day + card.known * self._reach
        if until < self._exam and count > _LEAST:
            final = max(len(self._days) - _FINAL, 0)
            needed = min(bisect_right(self._nexts, until), final)
            self._queues[min(max(bisect_right(self._days, card.day), needed), last)][card] += count


@lru_cache(maxsize=20_000)
def _after(
    stability: int, difficulty: int, elapsed: int, rating: Rating, wanted: float
) -> tuple[tuple[int, int], int]:
    """Return how well cards are known after a review and relearning on the same day, and how many looks."""
    now = 1e9
    known = Alike(stability, difficulty, 0).known
    before = Schedule(now, CardState.REVIEW, None, known, max(2 * difficulty, 1), now - elapsed * _DAY)
    return _rated(before, now, wanted, *((rating,) if rating is Rating.GOOD else (rating, Rating.GOOD)))


@cache
def _first(rating: Rating, wanted: float) -> tuple[tuple[int, int], int]:
    """Return how well new cards are known on the evening of the first day, and how many looks."""
    ratings = (Rating.GOOD, Rating.GOOD)
    return _rated(None, 1e9, wanted, *(ratings if rating is Rating.GOOD else (rating, *ratings)))


def _rated(
    schedule: Schedule | None, now: float, wanted: float, *ratings: Rating
) -> tuple[tuple[int, int], int]:
    for rating in ratings:
        schedule = Scheduling().after(schedule, rating, now)
    assert schedule is not None
    looks = len(ratings)
    while schedule.stability < wanted and looks < _LAST_LOOKS:
        schedule, looks = Scheduling().after(schedule, Rating.GOOD, now), looks + 1
    return _alike(schedule.stability, schedule.difficulty), looks


def _alike(stability: float, difficulty: float) -> tuple[int, int]:
    return round(_PARTS * math.log(stability)), round(difficulty / 2)
