"""When the exams of courses are, which follow these by title, and the plans to them."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from app.core.storage.codec import fits, require
from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.study.model.exam_plans import (
    LEAST_RETENTION,
    MOST_MINUTES,
    MOST_RETENTION,
    Aim,
    Exam,
    LessonName,
    Plan,
    PlannedLesson,
)
from app.features.study.model.reviews import day_of
from app.features.study.store.reviews import Day, ReviewRepository

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from app.core.storage.database import Database, LibraryCopy
    from app.domain.exam_map import QuestionMap
    from app.features.study.model.items import Deck
    from app.features.study.plan import Work
    from app.features.study.store.items import StudyRepository

_A_MINUTE = 1000.0  # characters read in order to learn them
_SECONDS = 10.0  # a look at a card, before any was timed
_NO_LIMIT = 1_000_000
_OF = "SELECT c.title FROM courses AS c JOIN documents AS d ON d.course_id = c.id"


class ExamPlanService:
    """Keeps when exams are, and plans the days to them. Thread-safe."""

    def __init__(self, database: Database, study: StudyRepository, now: Callable[[], float]) -> None:
        self._db = database
        self._reviews = ReviewRepository(database)
        self._study = study
        self._now = now
        self._aims: dict[int, tuple[object, Aim]] = {}

    @property
    def today(self) -> date:
        return day_of(self._now())

    def exams(self) -> dict[str, Exam]:
        """Return the exams still to come of courses in the library by title, the next one first."""
        rows = self._db.connection.execute(
            f"""SELECT * FROM exams WHERE course_title IN ({_OF} WHERE d.trashed_at IS NULL)
                ORDER BY day, course_title"""
        )
        exams = {row["course_title"]: _exam_of(row) for row in rows}
        return {title: exam for title, exam in exams.items() if exam.day > self.today}

    def put(self, course_title: str, exam: Exam | None) -> None:
        """Store when the exam of a course is; None for none. Raises UserError if nothing can be planned."""
        if exam is None:
            self._db.write("DELETE FROM exams WHERE course_title = ?", [(course_title,)])
            return
        exam.check(self.today)
        off = [day if isinstance(day, int) else str(day) for day in exam.days_off]
        lists = map(json.dumps, (off, exam.weights, exam.studied))
        row = (course_title, str(exam.day), exam.minutes, exam.retention, *lists, time.time())
        self._db.write("INSERT OR REPLACE INTO exams VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [row])

    def lessons(self, course_title: str) -> list[tuple[LessonName, int]]:
        """Return the lessons of a course's teaching texts with their characters, in order."""
        rows = self._db.connection.execute(
            """SELECT l.number, l.title, sum(l."end" - l.start) AS characters
               FROM courses AS c JOIN documents AS d ON d.course_id = c.id
               JOIN lessons AS l ON l.document_id = d.id
               WHERE c.title = ? AND d.trashed_at IS NULL AND d.use = 'teaching'
               GROUP BY l.number, l.title ORDER BY l.number, min(d.id), min(l.position)""",
            (course_title,),
        )
        return [((row["number"], row["title"]), row["characters"]) for row in rows]

    def mark(self, course_title: str, lesson: LessonName, *, is_studied: bool) -> None:
        """Note whether a lesson was studied, if there is an exam."""
        if (exam := self.exams().get(course_title)) is not None:
            studied = dict(exam.studied) | {lesson: self._now()}
            if not is_studied:
                studied.pop(lesson, None)
            self.put(course_title, replace(exam, studied=tuple(studied.items())))

    def mark_number(self, course_title: str, number: int) -> Exam:
        """Note that all lessons with a number were studied; raises UserError if there is none."""
        names = [name for name, _ in self.lessons(course_title) if name[0] == number]
        if not names:
            raise UserError(Message("exam_plan.no_lesson", number=number))
        for name in names:
            self.mark(course_title, name, is_studied=True)
        return self.exams()[course_title]

    def plan(self, course_title: str, exam: Exam) -> Plan:
        """Plan the days to an exam from what has been learned so far."""
        from app.features.study.plan import plan, spread  # late, so that the program starts sooner

        today = self.today
        work = self._work(course_title, exam, self._decks().get(course_title), Day.at(self._now()))
        planned = plan(exam, work, today)
        sentences = (
            _fitting(planned) if work.lessons or work.new or work.cards else [Message("exam_plan.nothing")]
        )
        if planned.part is not None and planned.part.minutes >= 1:
            without = spread(replace(exam, days_off=exam.days_off | {today}), work, today)
            sentences += _without_today(planned, without)
        return replace(planned, course_title=course_title, sentences=tuple(sentences))

    def overview(self, course_title: str) -> tuple[tuple[str, ...], Plan | None]:
        """Return the courses with an exam, and the plan of one of them; of the next exam by default."""
        exams = self.exams()
        title = course_title if course_title in exams else next(iter(exams), None)
        return tuple(exams), None if title is None else self.plan(title, exams[title])

    def minutes_today(self) -> float | None:
        """Return how long the rest of today takes, for all exams; None without any."""
        exams, decks, day = self.exams(), self._decks(), Day.at(self._now())
        plans = [self._spread(title, exam, decks.get(title), day) for title, exam in exams.items()]
        return sum(plan.part.minutes for plan in plans if plan.part is not None) if plans else None

    def aims(self, day: Day) -> dict[int, Aim]:
        """Return what to review today in the decks whose courses have an exam.

        The limits are computed once a day, and again when the number of cards changes.
        """
        exams, today = self.exams(), day_of(day.now)
        decks = [deck for deck in self._study.decks() if deck.course_title in exams] if exams else []
        for deck in decks:
            exam = exams[deck.course_title]
            state = today, exam, deck.items
            if self._aims.get(deck.deck_id, (None,))[0] != state:
                self._aims[deck.deck_id] = state, self._aim(exam, deck, day)
        return {deck.deck_id: self._aims[deck.deck_id][1] for deck in decks}

    def _aim(self, exam: Exam, deck: Deck, day: Day) -> Aim:
        from app.features.study.plan import aim_of  # late, so that the program starts sooner

        part = self._spread(deck.course_title, exam, deck, day).part
        if part is None:
            return Aim()
        done = self._reviews.pace(deck.deck_id, day)
        reviews = done["reviews"] + part.reviews if part.postponed else _NO_LIMIT
        return aim_of(exam, day_of(day.now))._replace(new=done["new"] + part.new, reviews=reviews)

    def _spread(self, course_title: str, exam: Exam, deck: Deck | None, day: Day) -> Plan:
        from app.features.study.plan import spread  # late, so that the program starts sooner

        return spread(exam, self._work(course_title, exam, deck, day), day_of(day.now))

    def _work(self, course_title: str, exam: Exam, deck: Deck | None, day: Day) -> Work:
        """Return what is left to be done."""
        from app.features.study.plan import Work, gathered  # late, so that the program starts sooner

        weights, studied = dict(exam.weights), dict(exam.studied)
        minutes = {name: size / _A_MINUTE for name, size in self.lessons(course_title)}
        lessons = tuple(
            PlannedLesson(*name, length, weights.get(name, 0.0))
            for name, length in minutes.items()
            if name not in studied
        )
        read = sum(minutes.get(name, 0.0) for name, at in exam.studied if day.start <= at < day.end)
        work = Work(lessons, spent=read, read=read)
        if deck is None:
            return work
        pace = self._reviews.pace(deck.deck_id, day)
        cards = self._reviews.known(deck.deck_id, day)
        known = [(stability, hard, since) for stability, hard, since in cards if stability is not None]
        return work._replace(
            cards=gathered(known, day_of(day.now)),
            new=len(cards) - len(known),
            seconds=pace["seconds"] or _SECONDS,
            spent=read + pace["spent"] / 60,
            new_done=pace["new"],
        )

    def _decks(self) -> dict[str, Deck]:
        return {deck.course_title: deck for deck in self._study.decks()}


def weights_of(mapped: QuestionMap, course_title: str) -> tuple[tuple[LessonName, float], ...]:
    """Return the points that a past paper gives for the lessons of a course; one where it names none."""
    points: dict[LessonName, float] = {}
    for one in mapped.questions:
        if one.is_taught and one.lessons and one.lessons[0].course_title == course_title:
            name = one.lessons[0].number, one.lessons[0].title
            points[name] = points.get(name, 0.0) + (one.question.points or 1.0)
    return tuple(points.items())


def _fitting(plan: Plan) -> list[Message]:
    if plan.fits:
        busiest = max((day.minutes for day in plan.days), default=0.0)
        found = [Message("exam_plan.fits", n=max(round(busiest), 1))]
    else:
        enough = Message("exam_plan.enough", minutes=plan.enough) if plan.enough else None
        found = [Message("exam_plan.not_fit", n=plan.exam.minutes, what=_left(plan))]
        found.append(enough or Message("exam_plan.not_enough"))
    if plan.unsure:
        found.append(Message("exam_plan.unsure", n=plan.unsure, retention=plan.exam.retention))
    return found


def _left(plan: Plan) -> Message:
    lessons = Message("exam_plan.lessons", n=plan.lessons_left)
    cards = Message("exam_plan.cards", n=plan.cards_left)
    if plan.lessons_left and plan.cards_left:
        return Message("exam_plan.and", lessons=lessons, cards=cards)
    return lessons if plan.lessons_left else cards


def _without_today(plan: Plan, without: Plan) -> list[Message]:
    """Say what follows if nothing is done today."""
    if without.lessons_left > plan.lessons_left or without.cards_left > plan.cards_left + plan.unsure:
        return [Message("exam_plan.skip_not_fit", what=_left(without))]
    more = sum(day.minutes for day in without.days) - sum(day.minutes for day in plan.days[1:])
    others = len(without.days)
    return [Message("exam_plan.skip", n=max(round(more / others), 1))] if others else []


def _exam_of(row: sqlite3.Row) -> Exam:
    """Return a stored exam.

    Raises:
        Inconsistent, ValueError, TypeError: it is not as :meth:`ExamPlanService.put` writes it.
    """
    minutes, retention = row["minutes"], row["retention"]
    off = frozenset(
        day if day in range(7) else date.fromisoformat(day) for day in json.loads(row["days_off"])
    )
    weights, studied = _by_lesson(row["weights"]), _by_lesson(row["studied"])
    require(1 <= minutes <= MOST_MINUTES and LEAST_RETENTION <= retention <= MOST_RETENTION)
    return Exam(date.fromisoformat(row["day"]), minutes, retention, off, weights, studied)


def _by_lesson(stored: str) -> tuple[tuple[LessonName, float], ...]:
    found = tuple(((number, title), value) for (number, title), value in json.loads(stored))
    for (number, title), value in found:
        require(fits(number, int | None) and fits(title, str) and fits(value, int | float))
    return found


def rename_exam(connection: sqlite3.Connection, old: str, new: str) -> None:
    connection.execute("UPDATE OR REPLACE exams SET course_title = ? WHERE course_title = ?", (new, old))


def forget_exams(connection: sqlite3.Connection) -> None:
    """Delete the exams of courses that were deleted for good."""
    connection.execute(f"DELETE FROM exams WHERE course_title NOT IN ({_OF})")


def copy_exams(merge: LibraryCopy) -> None:
    """Copy exams; of two for the same course, the one changed last counts.

    Raises:
        Inconsistent: the source contradicts itself.
        ValueError, TypeError: a stored value cannot be decoded.
    """
    for row in merge.read("SELECT * FROM exams"):
        _exam_of(row)
        merge.target.execute(
            """INSERT OR REPLACE INTO exams SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (
               SELECT 1 FROM exams WHERE course_title = ?1 AND changed_at >= ?8)""",
            tuple(row),
        )
