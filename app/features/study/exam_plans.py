"""ExamPlanService: the plan to the exam of a course as it is now, in numbers and in sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.study.model.exam_plans import Aim, Exam, LessonName, Plan, PlannedDay, PlannedLesson
from app.features.study.model.reviews import day_of, end_of, start_of
from app.features.study.store.exam_dates import ExamDates
from app.features.study.store.reviews import Day, ReviewRepository

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from app.core.storage.database import Database
    from app.domain.exam_map import QuestionMap
    from app.features.study.model.items import Deck
    from app.features.study.plan import Work
    from app.features.study.store.items import StudyRepository

_A_MINUTE = 1000.0  # characters, read to be learnt
_SECONDS = 10.0  # for which a card is looked at, as long as nobody knows


@dataclass(frozen=True, slots=True)
class ExamPlan:
    """The plan of a course."""

    course_title: str
    exam: Exam
    plan: Plan
    asked_on: date
    today: PlannedDay | None  # None on a day off
    sentences: tuple[Message, ...]  # whether all fits, and what happens if a day is missed


class ExamPlanService:
    """Keeps when exams are, and plans the days to them. Thread-safe."""

    def __init__(self, database: Database, study: StudyRepository, now: Callable[[], float]) -> None:
        self._exams = ExamDates(database)
        self._reviews = ReviewRepository(database)
        self._study = study
        self._now = now
        self._limits: dict[str, tuple[object, Aim]] = {}

    @property
    def today(self) -> date:
        return day_of(self._now())

    def exams(self) -> dict[str, Exam]:
        """Return the exams that are still to come by the titles of their courses, the next one first."""
        today = self.today
        return {title: exam for title, exam in self._exams.exams().items() if exam.day > today}

    def put(self, course_title: str, exam: Exam | None) -> None:
        """Store when the exam of a course is; None for none. Raises UserError if nothing can be planned."""
        if exam is not None:
            exam.check(self.today)
            before = self.exams().get(course_title)
            is_same = before is not None and before.day == exam.day
            exam = replace(exam, since=before.since if before and is_same else self.today)
        self._exams.put(course_title, exam)

    def mark(self, course_title: str, lesson: LessonName, *, is_studied: bool) -> None:
        """Note whether a lesson was studied."""
        self._exams.mark(course_title, lesson, self._now() if is_studied else None)

    def mark_number(self, course_title: str, number: int) -> None:
        """Note that all lessons with a number were studied; raises UserError if there is none."""
        names = [name for name, _ in self._exams.lessons(course_title) if name[0] == number]
        if not names:
            raise UserError(Message("exam_plan.no_lesson", number=number))
        for name in names:
            self.mark(course_title, name, is_studied=True)

    def plan(self, course_title: str, exam: Exam) -> ExamPlan:
        """Plan the days to an exam from what was learnt until now."""
        from app.features.study.plan import plan, spread  # late, so that the program starts sooner

        today, day = self.today, self._day()
        deck = self._decks().get(course_title)
        work, last = self._work(course_title, exam, deck, day)
        planned = plan(exam, work, today)
        without = spread(replace(exam, days_off=exam.days_off | {today}), work, today)
        is_today = bool(planned.days) and planned.days[0].day == today
        cards = work.new + sum(work.cards.values())
        sentences = [*_fitting(exam, planned, bool(work.lessons or cards))]
        if last is not None and (missed := _missed(exam, last, today)):
            sentences.append(Message("exam_plan.missed", n=missed))
        if is_today and planned.days[0].minutes >= 1:
            sentences.append(_without_today(planned, without))
        return ExamPlan(
            course_title,
            exam,
            planned,
            today,
            planned.days[0] if is_today else None,
            tuple(sentences),
        )

    def overview(self, course_title: str) -> tuple[tuple[str, ...], ExamPlan | None]:
        """Return the courses with an exam, and the plan of one of them; of the next exam by default."""
        exams = self.exams()
        title = course_title if course_title in exams else next(iter(exams), None)
        return tuple(exams), None if title is None else self.plan(title, exams[title])

    def minutes_today(self) -> tuple[tuple[str, float], ...]:
        """Return how long what is left of today's parts takes, by course, the next exam first."""
        exams = self.exams()
        if not exams:
            return ()
        from app.features.study.plan import spread  # late, so that the program starts sooner

        today, day, decks = self.today, self._day(), self._decks()
        found = []
        for title, exam in exams.items():
            work, _ = self._work(title, exam, decks.get(title), day)
            days = spread(exam, work, today).days
            found.append((title, days[0].minutes if days and days[0].day == today else 0.0))
        return tuple(found)

    def aims(self, day: Day) -> dict[int, Aim]:
        """Return what is to be reviewed today of the decks whose courses have an exam."""
        exams = self.exams()
        decks = self._decks() if exams else {}
        return {
            decks[title].deck_id: self._aim(exam, decks[title], day)
            for title, exam in exams.items()
            if title in decks
        }

    def _aim(self, exam: Exam, deck: Deck, day: Day) -> Aim:
        """Return the aim of a deck; its limits are found once a day, and again when cards come or go."""
        from app.features.study.plan import aim_of, spread  # late, so that the program starts sooner

        today = day_of(day.now)
        state = today, exam, deck.items
        if self._limits.get(deck.course_title, (None,))[0] == state:
            return self._limits[deck.course_title][1]
        if (aim := aim_of(exam, today)) is None:
            return Aim()
        work, _ = self._work(deck.course_title, exam, deck, day)
        first = spread(exam, work, today).days[0]
        done = self._reviews.pace(deck.deck_id, day)
        reviews = done["reviews"] + first.reviews if first.postponed else None
        aim = replace(aim, new=work.new_done + first.new, reviews=reviews)
        self._limits[deck.course_title] = state, aim
        return aim

    def _work(self, course_title: str, exam: Exam, deck: Deck | None, day: Day) -> tuple[Work, float | None]:
        """Return what is left to be done, and when something was done last before today."""
        from app.features.study.plan import Work, gathered  # late, so that the program starts sooner

        today, weights = day_of(day.now), dict(exam.weights)
        studied = self._exams.studied(course_title)
        minutes = {name: size / _A_MINUTE for name, size in self._exams.lessons(course_title)}
        lessons = tuple(
            PlannedLesson(*name, length, weights.get(name, 0.0))
            for name, length in minutes.items()
            if name not in studied
        )
        read = [(minutes[name], at) for name, at in studied.items() if name in minutes and at < day.end]
        work = Work(
            lessons,
            spent=sum(length for length, at in read if at >= day.start),
            last_lesson=(read[-1][0], day_of(read[-1][1])) if read else None,
        )
        before = [at for _, at in read if at < day.start]
        if deck is not None:
            pace = self._reviews.pace(deck.deck_id, day)
            cards = self._reviews.known(deck.deck_id, day)
            known = [(known, hard, since) for known, hard, since in cards if known is not None]
            work = replace(
                work,
                cards=gathered(known, today),
                new=len(cards) - len(known),
                seconds=pace["seconds"] or _SECONDS,
                spent=work.spent + pace["spent"] / 60,
                new_done=pace["new"],
            )
            before += [pace["last"]] if pace["last"] is not None else []
        return work, max(before, default=None)

    def _day(self) -> Day:
        now = self._now()
        return Day(now, start_of(day_of(now)), end_of(now))

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


def _fitting(exam: Exam, plan: Plan, has_work: bool) -> list[Message]:
    if not has_work:
        return [Message("exam_plan.nothing")]
    if plan.fits:
        busiest = max((day.minutes for day in plan.days), default=0.0)
        found = [Message("exam_plan.fits", n=max(round(busiest), 1))]
    else:
        found = [Message("exam_plan.not_fit", n=exam.minutes, what=_left(plan))]
        enough = Message("exam_plan.enough", minutes=plan.enough) if plan.enough else None
        found.append(enough or Message("exam_plan.not_enough"))
    if plan.unsure:
        found.append(Message("exam_plan.unsure", n=plan.unsure, retention=exam.retention))
    return found


def _left(plan: Plan) -> Message:
    lessons = Message("exam_plan.lessons", n=plan.lessons_left)
    cards = Message("exam_plan.cards", n=plan.cards_left)
    if plan.lessons_left and plan.cards_left:
        return Message("exam_plan.and", lessons=lessons, cards=cards)
    return lessons if plan.lessons_left else cards


def _missed(exam: Exam, last: float, today: date) -> int:
    """Return how many days of study have passed since something was done."""
    after = day_of(last) + timedelta(days=1)
    return len(replace(exam, day=today).days(after)) if after < today else 0


def _without_today(plan: Plan, without: Plan) -> Message:
    """Say what moves if nothing is done today."""
    if without.lessons_left > plan.lessons_left or without.cards_left > plan.cards_left + plan.unsure:
        return Message("exam_plan.skip_not_fit", what=_left(without))
    others = len(without.days)
    more = (sum(day.minutes for day in without.days) - sum(day.minutes for day in plan.days[1:])) / others
    return Message("exam_plan.skip", n=max(round(more), 1)) if others else Message("exam_plan.skip_last")
