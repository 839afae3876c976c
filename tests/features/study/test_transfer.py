"""Decks that are copied from one library file into another: what arrives, is united, or is refused."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.storage.codec import Inconsistent
from app.domain.cancel import CancelToken
from app.features.keeping.merging import Merge
from app.features.study.exams import ExamLesson, ExamRepository, ExamTask, PracticeExam
from app.features.study.model.reviews import Due, Rating
from app.features.study.store.items import rename_deck
from app.features.study.transfer import copy_decks
from tests.support.reviewing import DAY, Reviewing, item, reviewing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

AGAIN, HARD, GOOD, EASY = Rating


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Reviewing]:
    with reviewing(tmp_path / "source") as opened:
        yield opened


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Reviewing]:
    with reviewing(tmp_path / "target") as opened:
        yield opened


def copy(source: Reviewing, target: Reviewing, known: dict[int, int] | None = None) -> None:
    with target.database.transaction() as connection:
        copy_decks(Merge(source.database.connection, connection, CancelToken(), known=known or {}))


def rows(at: Reviewing, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in at.database.connection.execute(query)]


def log(at: Reviewing) -> list[tuple[object, ...]]:
    return rows(
        at,
        "SELECT i.uid, r.at, r.rating, r.state FROM reviews r JOIN items i ON i.id = r.item_id ORDER BY r.at",
    )


def test_exams_that_were_finished_arrive_once(source: Reviewing, target: Reviewing) -> None:
    deck = source.study.deck_of("Tides")
    source.add(item(1), deck=deck)
    exams, arrived = (ExamRepository(at.database, at.study) for at in (source, target))
    task = ExamTask("0" * 32, ExamLesson(3, "Springs"), 4.0, "the moon", 0.5)
    done = exams.begin(PracticeExam(deck, "paper.pdf", (task,), 60, 1200.0, started_at=5.0))
    exams.save(replace(done, finished_at=9.0))
    exams.begin(PracticeExam(deck, "paper.pdf", (task,), started_at=20.0))
    for _ in range(2):
        copy(source, target)
    (found,) = arrived.of_deck(target.study.decks()[0].deck_id)
    assert (found.tasks, found.finished_at) == ((task,), 9.0)
    assert found.by_lesson() == {ExamLesson(3, "Springs"): (2.0, 4.0)}
    with target.database.transaction() as connection:
        connection.execute("DELETE FROM decks")
    arrived.save(found)  # its deck was deleted meanwhile
    assert not arrived.of_deck(found.deck_id)


def test_decks_arrive_with_all_that_is_known_of_their_items(source: Reviewing, target: Reviewing) -> None:
    target.add(item(700), deck=target.study.deck_of("Before"))  # so that keys differ
    keys = source.add(item(1), item(90), item(200), deck=source.study.deck_of("Tides"))
    source.reviews.rate(keys[0], GOOD, 2.5)
    source.reviews.suspend(keys[1])
    source.study.delete(keys[2:])
    copy(source, target, known={1: 5})
    (deck,) = (deck for deck in target.study.decks() if deck.course_title == "Tides")
    assert deck.uid in [deck.uid for deck in source.study.decks()]
    arrived, sent = target.study.items(deck.deck_id), source.study.items()
    for old, new in zip(sent, arrived, strict=True):
        hit = replace(old.source.hit, document_id=5)
        kept = replace(old, item_id=new.item_id, deck_id=deck.deck_id, source=replace(old.source, hit=hit))
        assert new == kept
    columns = "due, state, step, stability, difficulty, last_review, lapses"
    assert rows(source, f"SELECT {columns} FROM schedules") == rows(
        target, f"SELECT {columns} FROM schedules"
    )
    assert log(source) == log(target)
    assert target.reviews.due([deck.deck_id]) == Due(learning=1)


def test_what_was_reviewed_on_two_computers_is_united(source: Reviewing, target: Reviewing) -> None:
    first, second, third = source.add(item(1), item(90), item(200))
    source.reviews.rate(first, EASY)
    copy(source, target)
    here = [one.item_id for one in target.study.items()]
    source.clock += 9 * DAY
    target.clock += 10 * DAY
    source.reviews.rate(first, AGAIN)
    source.reviews.rate(second, EASY)
    target.reviews.rate(here[0], EASY)
    target.reviews.rate(here[2], EASY)
    schedules = target.reviews.repository.schedules(here)
    copy(source, target)
    copy(source, target)
    assert len(log(target)) == 5
    assert {one[:2] for one in log(source)} < {one[:2] for one in log(target)}
    assert target.reviews.repository.schedules(here) == {
        **schedules,
        here[1]: source.reviews.repository.schedules([second])[second],
    }
    copy(target, source)
    assert log(source) == log(target)
    (later,) = source.reviews.repository.schedules([first]).values()
    assert later == schedules[here[0]]


def test_what_was_changed_last_holds(source: Reviewing, target: Reviewing) -> None:
    (key,) = source.add(item(1))
    copy(source, target)
    (one,) = target.study.items()
    target.study.edit(one.item_id, replace(one.text, front="Changed there"))
    copy(source, target)
    assert target.study.items()[0].text.front == "Changed there"
    source.study.edit(key, replace(one.text, front="Changed here"))
    source.database.write("UPDATE items SET quiz_right = 1, quiz_at = 5.0")
    copy(source, target)
    (one,) = target.study.items()
    assert (one.text.front, one.edited, one.quiz_right) == ("Changed here", True, True)
    target.database.write("UPDATE items SET quiz_right = 0, quiz_at = 6.0")
    copy(source, target)
    assert target.study.items()[0].quiz_right is False


def test_what_was_suspended_buried_or_taken_up_again_last_holds(source: Reviewing, target: Reviewing) -> None:
    first, second, _ = source.add(item(1), item(90), item(200))
    copy(source, target)
    here = [one.item_id for one in target.study.items()]

    def after(act: Callable[[], object], at: Reviewing) -> list[bool]:
        """Do something on one of two computers, an hour later; return what is suspended on both then."""
        source.clock = target.clock = source.clock + 3600
        act()
        copy(*((source, target) if at is source else (target, source)))
        found = [[one.suspended for one in side.study.items()] for side in (source, target)]
        assert found[0] == found[1]
        return found[0]

    assert after(lambda: source.reviews.suspend(first), source) == [True, False, False]
    copy(target, source)
    assert after(lambda: target.reviews.suspend(here[1]), target) == [True, True, False]
    assert after(lambda: target.reviews.resume(here[:1]), target) == [False, True, False]
    copy(source, target)  # which was suspended there before
    assert after(lambda: source.reviews.bury(first), source) == [False, True, False]
    assert target.asked() == here[2]
    assert after(source.reviews.undo, source) == [False, True, False]
    assert target.asked() == here[0]
    # What is edited, reviewed or only moves elsewhere is not taken up again by that, nor the other way round.
    target.study.edit(here[1], replace(target.study.items()[1].text, front="Edited?"))
    assert after(lambda: source.reviews.suspend(second), source) == [False, True, False]
    assert target.study.items()[1].text.front == "Edited?"


def test_of_copies_of_which_nobody_knows_what_is_newer_the_suspended_one_holds(
    source: Reviewing, target: Reviewing
) -> None:
    (key,) = source.add(item(1))
    copy(source, target)
    source.reviews.suspend(key)
    source.database.write("UPDATE items SET withheld_at = 0")  # as by a version that did not note it
    for _ in range(2):
        copy(source, target)
        copy(target, source)
        assert [one.suspended for one in (*source.study.items(), *target.study.items())] == [True, True]


def test_what_was_edited_outlasts_what_only_moved_elsewhere(source: Reviewing, target: Reviewing) -> None:
    (key,) = source.add(item(1))
    copy(source, target)
    (one,) = target.study.items()
    target.study.edit(one.item_id, replace(one.text, front="Edited there"))
    with source.database.transaction() as connection:
        rename_deck(connection, "Course", "Course")  # later
    copy(source, target)
    assert target.study.items()[0].text.front == "Edited there"
    copy(target, source)
    arrived = source.study.item(key)
    assert arrived is not None
    assert arrived.text.front == "Edited there"


def test_what_is_in_the_trash_stays_there_and_comes_back_from_elsewhere(
    source: Reviewing, target: Reviewing
) -> None:
    source.add(item(1))
    copy(source, target)
    target.database.write("UPDATE decks SET trashed_at = 5.0")
    copy(source, target)
    (deck,) = target.study.decks()
    assert deck.items == 1
    copy(target, source)
    assert len(source.study.items()) == 1
    source.database.write("UPDATE decks SET trashed_at = 5.0")
    copy(source, target)
    assert len(target.study.decks()) == 1


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("items", "uid = '../../x'"),
        ("items", "kind = x'00'"),
        ("items", "front = x'00'"),
        ("items", "others = '[1]'"),
        ("items", "others = '{'"),
        ("items", "difficulty = 'none'"),
        ("items", 'start = 9, "end" = 3'),
        ("items", "hit = '{}'"),
        ("items", "sentences = '[[1, \"a\"]]'"),
        ("items", "created_at = 9e999"),
        ("items", "created_at = -1"),
        ("items", "withheld_at = 9e999"),
        ("decks", "uid = ''"),
        ("decks", "course_title = x'00'"),
        ("reviews", "at = -5"),
        ("reviews", "at = 'then'"),
        ("reviews", "rating = 7"),
        ("schedules", "stability = 0"),
        ("schedules", "stability = 9e999"),
        ("schedules", "difficulty = 11"),
        ("schedules", "step = NULL"),
        ("schedules", "due = 1e15"),
        ("schedules", "lapses = -1"),
        ("practice_exams", """tasks = '[{"uid": "", "lesson": [[], ""], "points": 1}]'"""),
    ],
)
def test_rows_that_cannot_be_are_refused(
    source: Reviewing, target: Reviewing, table: str, change: str
) -> None:
    (key,) = source.add(item(1))
    source.reviews.rate(key, GOOD)
    exam = PracticeExam(source.study.items()[0].deck_id, "paper.pdf", (), finished_at=9.0)
    ExamRepository(source.database, source.study).begin(exam)
    connection = source.database.connection
    connection.execute("PRAGMA ignore_check_constraints = ON")
    connection.execute(f"UPDATE {table} SET {change}")
    with pytest.raises((Inconsistent, ValueError, TypeError, KeyError, sqlite3.Error)):
        copy(source, target)
    assert target.study.items() == ()
