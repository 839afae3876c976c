"""Whether the plan to an exam keeps its word, for made-up students whose memory is that of FSRS.

    python -m tests.tools.benchmarks.exam_plan [--students 1000] [--seed 1]

Each follows the plan day by day, which is computed anew each day; some miss days. Prints one JSON line. Of
those whom the plan told that everything fits (after the last day they missed): how many saw every lesson, and
how many cards were at the retention on the day of the exam. Of those whom it told that so many minutes would
be enough: the same with these minutes. Of all whom it told that something does not fit: what was left.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from app.features.study.model.exam_plans import Exam, Plan, PlannedLesson
from app.features.study.model.reviews import CardState, Rating, Schedule, start_of
from app.features.study.plan import (
    Work,
    aim_of,
    gathered,
    plan,
    spread,
)
from app.features.study.scheduling import Scheduling, recalled
from tests.tools.benchmarks.measuring import parser_of, print_result

_TODAY = date(2026, 3, 2)
_NOON = 8 * 3600.0  # after a day of study begins


@dataclass(slots=True)
class Outcome:
    """What became of a student; ``promised`` is the plan that counts."""

    promised: Plan
    lessons_left: int
    cards: int
    below: int
    milliseconds: float  # of the slowest plan

    @property
    def is_whole(self) -> bool:
        return not self.lessons_left and not self.below


class Student:
    """Somebody who learns for an exam; ``seed`` decides on everything that happens."""

    def __init__(self, seed: int) -> None:
        self.choose = choose = random.Random(seed)
        days = choose.choice((2, 3, 5, 7, 10, 14, 20, 30, 45))
        off: set[int | date] = set(choose.sample(range(7), choose.choice((0, 0, 1, 2))))
        off |= {_TODAY + timedelta(days=choose.randrange(1, days)) for _ in range(days // 15)}
        retention = choose.choice((80, 85, 90, 90, 90, 95))
        minutes = choose.choice((10, 20, 30, 45, 60, 90))
        self.exam = Exam(_TODAY + timedelta(days=days), minutes, retention, frozenset(off))
        sizes = [choose.uniform(5, 45) for _ in range(choose.randrange(0, 15))]
        self.lessons = [PlannedLesson(at, f"Lesson {at}", size) for at, size in enumerate(sizes)]
        self.cards: list[Schedule | None] = [None] * choose.choice((0, 20, 60, 150, 300))
        self.cards += [self._known() for _ in range(choose.choice((0, 0, 30, 150)))]
        self.seconds = choose.uniform(6, 14)
        self.forgets = choose.uniform(0.1, 0.35)  # new cards
        self.misses = choose.uniform(0.05, 0.3) if choose.random() < 0.3 else 0.0  # days, of the first half
        if not self.exam.days(_TODAY):
            self.exam = replace(self.exam, days_off=frozenset())

    def _known(self) -> Schedule:
        now = start_of(_TODAY - timedelta(days=self.choose.randrange(1, 20))) + _NOON
        stability, difficulty = self.choose.lognormvariate(1.8, 1.0), self.choose.uniform(1, 9)
        return Schedule(now, CardState.REVIEW, None, max(stability, 0.3), difficulty, now)

    def study(self) -> Outcome:
        """Live through all days until the exam."""
        promised, read, looks, slowest = None, 0.0, [self.seconds], 0.0
        lessons, day, half = list(self.lessons), _TODAY, (self.exam.day - _TODAY).days / 2
        while day < self.exam.day:
            is_missed = self.choose.random() < self.misses and (day - _TODAY).days < half
            if day not in self.exam.days(day) or is_missed:
                promised = None if is_missed else promised
                day += timedelta(days=1)
                continue
            learnt = [
                (one.stability, one.difficulty, (day - date.fromtimestamp(one.last_review)).days)
                for one in self.cards
                if one is not None
            ]
            known = gathered(learnt, day)
            new = self.cards.count(None)
            work = Work(tuple(lessons), known, new, statistics.mean(looks))
            began = time.perf_counter()
            made = spread(self.exam, work, day) if promised else plan(self.exam, work, day)
            slowest = max(slowest, time.perf_counter() - began)
            promised = promised or made
            today = made.days[0]
            left = self._review(day, looks)
            fresh = today.new
            for at, card in enumerate(self.cards):
                if fresh and card is None:
                    left -= self._rate(at, day, self.forgets, looks)
                    fresh -= 1
            read += max(left / 60, 0.0) if today.lessons else 0.0  # and on, if one was begun before
            while lessons and read >= lessons[0].minutes - 0.1:
                read -= lessons.pop(0).minutes
            if not lessons:
                self._repeat(day, 60 * read if today.lessons else left, looks)
            read = max(read, 0.0) if lessons else 0.0
            day += timedelta(days=1)
        assert promised is not None
        below = sum(not self._is_safe(one) for one in self.cards)
        return Outcome(promised, len(lessons), len(self.cards), below, 1000 * slowest)

    def _review(self, day: date, looks: list[float]) -> float:
        """Review what needs it; return the seconds that are left."""
        aim, left = aim_of(self.exam, day), self.exam.minutes * 60.0
        needed = []
        for at, one in enumerate(self.cards):
            if one is not None:
                elapsed = (day - date.fromtimestamp(one.last_review)).days
                if elapsed > 0 and elapsed + aim.gap > one.stability * aim.reach:
                    needed.append((one.stability, elapsed, at))
        for stability, elapsed, at in sorted(needed):
            if left > 0:
                left -= self._rate(at, day, 1 - recalled(elapsed / stability), looks)
        return left

    def _repeat(self, day: date, left: float, looks: list[float]) -> None:
        """Look again at what is not known well enough, if there is no other day."""
        for at, one in enumerate(self.cards):
            if one is not None and one.last_review >= start_of(day):
                for _ in range(1, aim_of(self.exam, day).looks):
                    if left > 0 and not self._is_safe(self.cards[at]):
                        left -= self._look(at, Rating.GOOD, day, looks)

    def _rate(self, at: int, day: date, forgotten: float, looks: list[float]) -> float:
        """Look at a card until it is learnt for this day; return the seconds that takes."""
        if self.choose.random() < forgotten:
            taken = self._look(at, Rating.AGAIN, day, looks)
        else:
            rating = self.choose.choices((Rating.HARD, Rating.GOOD, Rating.EASY), (12, 75, 13))[0]
            taken = self._look(at, rating, day, looks)
        while (card := self.cards[at]) is not None and card.state is not CardState.REVIEW:
            taken += self._look(at, Rating.GOOD, day, looks)
        return taken

    def _look(self, at: int, rating: Rating, day: date, looks: list[float]) -> float:
        self.cards[at] = Scheduling().after(self.cards[at], rating, start_of(day) + _NOON)
        looks.append(self.seconds * self.choose.uniform(0.5, 1.5))
        return looks[-1]

    def _is_safe(self, card: Schedule | None) -> bool:
        if card is None:
            return False
        elapsed = (self.exam.day - date.fromtimestamp(card.last_review)).days
        return recalled(elapsed / card.stability) >= self.exam.retention / 100 - 1e-9


def measure(students: int, seed: int) -> dict[str, Any]:
    fitting, enough, others, slowest = [], [], [], 0.0
    for number in range(students):
        outcome = Student(seed * 100_000 + number).study()
        slowest = max(slowest, outcome.milliseconds)
        if outcome.promised.fits:
            fitting.append(outcome)
            continue
        others.append(outcome)
        if outcome.promised.enough is not None:
            again = Student(seed * 100_000 + number)
            again.misses, again.exam = 0.0, replace(again.exam, minutes=outcome.promised.enough)
            enough.append(again.study())
    return {
        "students": students,
        "fits": _summary(fitting),
        "enough": _summary(enough),
        "does_not_fit": _summary(others),
        "slowest_plan_ms": round(slowest),
    }


def _summary(outcomes: list[Outcome]) -> dict[str, Any]:
    """Sum up; the ``sure`` ones were told of no card that may be below whatever they do."""
    sure = [one for one in outcomes if not one.promised.unsure]
    return {
        "students": len(outcomes),
        "lessons_left": sum(one.lessons_left for one in outcomes),
        "cards_percent": _percent(outcomes),
        "unsure": sum(one.promised.unsure for one in outcomes),
        "below": sum(one.below for one in outcomes),
        "sure": len(sure),
        "sure_percent": _percent(sure),
        "sure_below": sum(one.below for one in sure),
        "whole": sum(one.is_whole for one in sure),
    }


def _percent(outcomes: list[Outcome]) -> float:
    """Return how many cards were at the retention on the day of the exam."""
    cards = sum(one.cards for one in outcomes)
    return round(100 * (1 - sum(one.below for one in outcomes) / cards), 3) if cards else 100.0


def main(arguments: list[str] | None = None) -> int:
    parser = parser_of(__doc__)
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    print_result(measure(options.students, options.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
