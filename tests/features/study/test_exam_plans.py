"""The plan to an exam: what comes on which day, what is said of it, and that it follows its course."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.features.keeping.transfer import TransferService
from app.features.study.exports.calendar import calendar
from app.features.study.model.exam_plans import Exam, PlannedLesson
from app.features.study.model.reviews import Rating
from app.features.study.plan import Work, gathered, plan
from tests.support.courses import BREAD, ingest, library, write_courses
from tests.support.reviewing import DAY, MONDAY
from tests.support.study import BREAD_TITLE, SCALE, STARTER, add_item, study_of
from tests.tools.benchmarks.exam_plan import measure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

TODAY = date(2026, 3, 2)
LESSONS = tuple(PlannedLesson(number, f"Lesson {number}", 25.0) for number in range(10))


def exam_in(days: int, **options: object) -> Exam:
    return replace(Exam(TODAY + timedelta(days=days)), **options)  # type: ignore[arg-type]


class Clock:
    def __init__(self) -> None:
        self.now = MONDAY

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder, clock: Clock) -> Iterator[RAGSystem]:
    with library(tmp_path / "data", embedder, index=False, now=clock) as opened:
        ingest(opened, write_courses(tmp_path / "courses"))
        yield opened


def test_lessons_and_cards_are_spread_over_the_days_of_study() -> None:
    off = frozenset((5, 6))
    made = plan(exam_in(30, days_off=off), Work(LESSONS, new=200), TODAY)
    assert made.fits
    assert not {day.day.weekday() for day in made.days} & off
    assert list(dict.fromkeys(lesson for day in made.days for lesson in day.lessons)) == list(LESSONS)
    assert sum(day.new for day in made.days) == 200
    assert max(day.minutes for day in made.days) <= 30
    assert max(day.new for day in made.days) <= 40


def test_where_the_time_does_not_suffice_it_tells_how_much_would() -> None:
    exam = exam_in(14, minutes=10)
    weighed = tuple(lesson._replace(weight=lesson.number or 0) for lesson in LESSONS)
    made = plan(exam, Work(weighed, new=100), TODAY)
    assert made.lessons_left > 0
    assert made.days[0].lessons == (weighed[9],), "what the exam asks most comes first"
    assert made.enough is not None
    assert plan(replace(exam, minutes=made.enough), Work(weighed, new=100), TODAY).lessons_left == 0
    last = plan(exam_in(1, minutes=600), Work(tuple(one._replace(minutes=200) for one in LESSONS)), TODAY)
    assert (last.lessons_left > 0, last.enough) == (True, None)


def test_what_cannot_be_planned_is_refused_and_changes_nothing(rag: RAGSystem) -> None:
    plans = study_of(rag).exam_plans
    plans.put(BREAD_TITLE, exam_in(20))
    days = exam_in(0), exam_in(-9), exam_in(800), exam_in(1, days_off=frozenset([TODAY]))
    others = {"minutes": 0}, {"retention": 20}, {"days_off": frozenset(range(7))}
    for exam in (*days, *(exam_in(9, **options) for options in others)):
        with pytest.raises(UserError):
            plans.put(BREAD_TITLE, exam)
    assert plans.exams() == {BREAD_TITLE: exam_in(20)}


def test_twenty_thousand_cards_and_a_week_have_a_plan() -> None:
    cards = gathered([(1 + at % 50, 1 + at % 10, at % 30) for at in range(20_000)], TODAY)
    made = plan(exam_in(7, minutes=60), Work(LESSONS[:2], cards, new=50), TODAY)
    assert (made.lessons_left, made.cards_left > 1000, made.days[0].postponed > 1000) == (0, True, True)


def test_the_plan_keeps_its_word_to_made_up_students() -> None:
    found = measure(students=10, seed=1)
    fits, enough, short = found["fits"], found["enough"], found["does_not_fit"]
    assert min(fits["students"], enough["students"]) > 2
    assert (fits["lessons_left"], enough["lessons_left"], short["lessons_left"] > 0) == (0, 0, True)
    assert fits["sure"] > 0
    assert min(fits["sure_percent"], fits["cards_percent"], enough["sure_percent"]) > 99


def test_reviews_follow_the_plan(rag: RAGSystem, clock: Clock) -> None:
    study, plans = study_of(rag), study_of(rag).exam_plans
    first = add_item(rag, BREAD_TITLE, STARTER)
    second = add_item(rag, BREAD_TITLE, SCALE)
    plans.put(BREAD_TITLE, exam_in(8, days_off=frozenset([TODAY + timedelta(days=1)])))
    assert study.reviews.due().new == 1, "one today, one on the next day of study"
    for rating in (Rating.AGAIN, Rating.GOOD, Rating.GOOD):
        study.reviews.rate(first, rating, 9.0)
    assert study.reviews.due().total == 0
    clock.now += DAY
    assert study.reviews.due().total == 0, "a day off"
    clock.now += 2 * DAY
    assert (study.reviews.due().review, study.reviews.due().new) == (1, 1)
    study.reviews.rate(first, Rating.AGAIN, 9.0)
    study.reviews.rate(first, Rating.GOOD, 9.0)
    assert study.reviews.due().review == 0, "once a day"
    clock.now += 4 * DAY  # the last day
    study.reviews.rate(first, Rating.GOOD, 9.0)
    for rating in (Rating.AGAIN, Rating.GOOD, Rating.GOOD):
        study.reviews.rate(second, rating, 9.0)
    looks = 3
    while study.reviews.due().review:
        study.reviews.rate(second, Rating.GOOD, 9.0)
        looks += 1
    assert 3 < looks <= 20, "it comes again until it will be recalled tomorrow"
    clock.now += DAY
    assert plans.exams() == {}, "from the day of the exam on, FSRS alone says what is due"


def test_a_clock_that_was_set_back_asks_again(rag: RAGSystem, clock: Clock) -> None:
    study = study_of(rag)
    key = add_item(rag, BREAD_TITLE, STARTER)
    study.exam_plans.put(BREAD_TITLE, exam_in(20))
    clock.now += 40 * DAY
    study.reviews.rate(key, Rating.EASY, 9.0)
    clock.now -= 40 * DAY
    assert study.reviews.due().review == 1


def test_what_was_missed_moves_and_is_told(rag: RAGSystem, clock: Clock) -> None:
    plans = study_of(rag).exam_plans
    exam = exam_in(20)
    add_item(rag, BREAD_TITLE, STARTER)
    plans.put(BREAD_TITLE, exam)
    found = plans.plan(BREAD_TITLE, exam)
    assert found.part is not None
    assert [lesson.number for lesson in found.part.lessons] == [0]
    plans.mark(BREAD_TITLE, (0, "Before you start"), is_studied=True)
    clock.now += 4 * DAY
    later = plans.plan(BREAD_TITLE, plans.exams()[BREAD_TITLE])
    assert [lesson.number for day in later.days for lesson in day.lessons] == [1, 2]


def test_exams_follow_their_courses(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder, clock: Clock
) -> None:
    plans = study_of(rag).exam_plans
    exam = exam_in(20, days_off=frozenset([TODAY]), weights=(((1, "Sourdough starters"), 2.0),))
    plans.put(BREAD_TITLE, exam)
    plans.mark(BREAD_TITLE, (0, "Before you start"), is_studied=True)
    documents = [
        key for entry in rag.courses.remove_courses([BREAD_TITLE], CancelToken()) for key in entry.documents
    ]
    assert plans.exams() == {}
    list(rag.trash.restore(documents, CancelToken()))
    list(rag.ingest.rename_course(BREAD_TITLE, "Loaves", CancelToken()))
    exam = replace(exam, studied=(((0, "Before you start"), clock.now),))
    assert plans.exams() == {"Loaves": exam}
    list(rag.service(TransferService).export_library(tmp_path / "a.zip", CancelToken()))
    with library(tmp_path / "other", embedder, index=False, now=clock) as other:
        there = study_of(other).exam_plans
        for days in (20, 9):
            list(other.service(TransferService).import_library(tmp_path / "a.zip", CancelToken()))
            assert there.exams()["Loaves"].day == exam_in(days).day
            planned = there.plan("Loaves", exam_in(days, studied=exam.studied)).days
            assert [lesson.number for day in planned for lesson in day.lessons] == [1, 2]
            there.put("Loaves", exam_in(9))  # later than in the file
    (tmp_path / "courses" / "bread.txt").write_text(BREAD.replace(BREAD_TITLE, "Buns"), encoding="utf-8")
    rag.courses.remove_courses(["Loaves"], CancelToken())
    list(rag.trash.empty(CancelToken()))
    assert not rag.database.connection.execute("SELECT 1 FROM exams").fetchall()


def test_a_calendar_has_the_days_and_reads_as_it_was_written(rag: RAGSystem) -> None:
    title = "Größe, Maß; “Länge” \\ " + "ü" * 60
    list(rag.ingest.rename_course(BREAD_TITLE, title, CancelToken()))
    found = study_of(rag).exam_plans.plan(title, exam_in(20))
    text = calendar(found, datetime.fromtimestamp(time.time(), UTC))
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert text.count("\n") == text.count("\r\n")
    lines = text.replace("\r\n ", "").split("\r\n")
    assert f"SUMMARY:Exam: {title}".replace("\\ ", "\\\\ ").replace(",", "\\,").replace(";", "\\;") in lines
    assert sum(line.startswith("DTSTART;VALUE=DATE:202603") for line in lines) == 4
    assert "DESCRIPTION:Lesson 0: Before you start" in lines
