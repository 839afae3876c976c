"""What is asked when, within the limits of a day; what a rating, undoing, burying and suspending do."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.storage.database import Database
from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import CardState, Due, Rating
from app.features.study.scheduling import Scheduling
from app.features.study.service import StudyService
from tests.support.reviewing import DAY, MONDAY, Reviewing, item, reviewing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

AGAIN, HARD, GOOD, EASY = Rating


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Reviewing]:
    with reviewing(tmp_path / "data") as opened:
        yield opened


def learn(at: Reviewing, *keys: int) -> None:
    """Make items due in some days."""
    for key in keys:
        at.reviews.rate(key, EASY)


def queued(at: Reviewing) -> list[int]:
    return [item.item_id for item, _ in at.reviews.queue()]


def test_what_is_shown_before_a_rating_is_what_it_leads_to(at: Reviewing) -> None:
    for rating in Rating:
        (key,) = at.add(item(100 * rating))
        schedule = None
        for days in (0, 9, 30):
            at.clock += days * DAY
            at.reviews.suspend(key)
            at.reviews.undo()  # asked next
            card = at.reviews.next_card()
            assert card is not None
            assert card.item.item_id == key
            rated = at.reviews.rate(key, rating, 2.5)
            assert rated is not None
            assert rated.due - at.clock == card.seconds[rating - 1]
            schedule = Scheduling().after(schedule, rating, at.clock)
            assert at.reviews.repository.schedules([key])[key] == schedule


def test_nothing_of_a_removed_course_is_asked(at: Reviewing) -> None:
    (kept,) = at.add(item(10))
    gone = at.study.deck_of("Removed")
    at.add(item(50, document=2), deck=gone)
    at.database.write("UPDATE decks SET trashed_at = ? WHERE id = ?", [(at.clock, gone)])
    assert at.reviews.due() == Due(new=1)
    assert queued(at) == [kept]


def test_a_session_ends_when_all_is_learnt(at: Reviewing) -> None:
    first, second = at.add(item(10), item(90))
    asked = []
    while (card := at.reviews.next_card()) is not None:
        asked.append((card.item.item_id, card.state))
        at.reviews.rate(card.item.item_id, AGAIN if len(asked) == 1 else GOOD)
        at.clock += 5
    assert asked == [
        (first, CardState.NEW),
        (second, CardState.NEW),
        (first, CardState.LEARNING),
        (second, CardState.LEARNING),
        (first, CardState.LEARNING),
    ]
    assert at.reviews.due() == Due()


def test_a_step_that_is_due_comes_before_anything_else(at: Reviewing) -> None:
    first, second, third = at.add(item(10), item(90), item(200))
    at.reviews.rate(first, AGAIN)
    assert at.asked() == second
    at.reviews.rate(second, EASY)
    at.clock += 61
    assert at.asked() == first
    at.reviews.rate(first, EASY)
    assert at.asked() == third


def test_new_items_come_in_the_order_of_the_course(at: Reviewing) -> None:
    places = at.add(item(500, 2), item(90, 10), item(300, 2), item(40, None), item(0, 1))
    asked = []
    for _ in places:
        asked.append(at.asked())
        at.reviews.rate(asked[-1] or 0, EASY)
    assert asked == [places[index] for index in (3, 4, 2, 0, 1)]


def test_of_items_on_one_sentence_one_is_asked_in_a_day(at: Reviewing) -> None:
    one, same, other = at.add(item(10), item(10, kind=ItemKind.CLOZE), item(90))
    assert at.reviews.due() == Due(new=2)
    assert queued(at) == [one, other]
    learn(at, one, other)
    assert (at.reviews.due(), at.asked()) == (Due(), None)
    assert at.reviews.next_at() == at.clock + 19 * 3600  # at 4 a.m.
    at.clock += DAY
    assert (at.reviews.due(), at.asked()) == (Due(new=1), same)
    learn(at, same)
    at.clock += 30 * DAY
    assert at.reviews.due() == Due(review=2)
    at.reviews.rate(one, AGAIN)
    assert at.reviews.due() == Due(learning=1, review=1), "one that is being learned comes again"
    assert (at.asked(), queued(at)) == (other, [one, other])


def test_quizzes_and_guides_are_not_scheduled(at: Reviewing) -> None:
    at.add(item(1, kind=ItemKind.CHOICE), item(50, kind=ItemKind.POINT))
    (term,) = at.add(item(90, kind=ItemKind.TERM))
    assert at.reviews.due() == Due(new=1)
    assert at.asked() == term


def test_limits_hold_for_each_deck_and_a_day(at: Reviewing) -> None:
    at.settings.value = replace(Settings(), new_cards_a_day=2, reviews_a_day=3)
    other = at.study.deck_of("Other")
    keys = at.add(*(item(place) for place in range(0, 900, 100)))
    at.add(*(item(place) for place in range(0, 900, 100)), deck=other)
    assert at.reviews.due([at.deck]) == Due(new=2, held_back=7)
    assert at.reviews.due() == Due(new=4, held_back=14)
    learn(at, *keys[:2])
    assert at.reviews.due([at.deck]) == Due(new=0, held_back=7)
    assert at.asked(deck_ids=[at.deck]) is None
    assert at.asked(deck_ids=[at.deck], extra=1) == keys[2]
    learn(at, *keys[2:5])
    at.clock += 10 * DAY
    assert at.reviews.due([at.deck]) == Due(new=2, review=3, held_back=4)
    study = StudyService.__new__(StudyService)
    study.repository, study.reviews = at.study, at.reviews
    assert [(deck.due, deck.new) for deck in study.decks()] == [(5, 2), (2, 2)]
    assert len(queued(at)) == 9 - 2, "within the limits"
    at.reviews.rate(keys[0], GOOD)
    assert at.reviews.due([at.deck]) == Due(new=2, review=2, held_back=4)


def test_a_long_queue_is_listed_at_once(at: Reviewing) -> None:
    at.settings.value = replace(Settings(), new_cards_a_day=3000)
    keys = at.add(*(item(100 * place) for place in range(3000)))
    began = time.thread_time()
    assert queued(at) == list(keys)
    assert time.thread_time() - began < 2


def test_new_items_are_spread_among_reviews(at: Reviewing) -> None:
    known = at.add(*(item(place) for place in range(0, 600, 100)))
    learn(at, *known)
    at.clock += 9 * DAY
    at.add(*(item(place) for place in range(1000, 1300, 100)))
    asked = []
    while (card := at.reviews.next_card()) is not None:
        asked.append(card.state is CardState.NEW)
        at.reviews.rate(card.item.item_id, EASY)
    assert asked == [False, False, True] * 3


def test_what_is_due_tonight_is_due_all_day(at: Reviewing) -> None:
    (key,) = at.add(item(1))
    at.clock = MONDAY + 13 * 3600
    at.reviews.rate(key, GOOD)
    at.reviews.rate(key, GOOD)
    (schedule,) = at.reviews.repository.schedules([key]).values()
    at.clock = schedule.due - 13 * 3600
    assert at.asked() == key
    at.clock = schedule.due - 18 * 3600 - 60  # before 4 a.m.
    assert at.asked() is None


def test_several_steps_are_undone(at: Reviewing) -> None:
    one, two, three = at.add(item(10), item(90), item(200))
    at.reviews.rate(one, EASY)
    at.clock += 9 * DAY
    before = at.reviews.repository.schedules([one, two, three])
    at.reviews.rate(one, AGAIN)
    at.reviews.bury(two)
    at.reviews.suspend(three)
    assert at.reviews.due() == Due(learning=1)
    assert [at.reviews.undo(), at.asked()] == [three, three]
    assert [at.reviews.undo(), at.asked()] == [two, two]
    assert [at.reviews.undo(), at.asked()] == [one, one]
    assert at.reviews.repository.schedules([one, two, three]) == before
    assert len(list(at.reviews.repository.log())) == 1
    assert at.reviews.can_undo
    assert at.reviews.undo() == one
    assert not at.reviews.can_undo
    assert at.reviews.undo() is None
    assert at.reviews.due() == Due(new=3)


def test_a_buried_item_is_back_the_next_day(at: Reviewing) -> None:
    (key,) = at.add(item(1))
    at.reviews.bury(key)
    assert at.asked() is None
    at.clock = MONDAY + 19 * 3600
    assert at.asked() == key


def test_a_suspended_item_is_back_when_it_is_wanted(at: Reviewing) -> None:
    (key,) = at.add(item(1))
    at.reviews.suspend(key)
    at.clock += 400 * DAY
    assert at.asked() is None
    at.reviews.resume([key])
    assert at.asked() == key


def test_after_the_clock_went_back_a_year_nothing_is_lost(at: Reviewing) -> None:
    learnt, buried = at.add(item(1), item(90))
    learn(at, learnt)
    at.reviews.bury(buried)
    at.clock -= 365 * DAY
    assert set(queued(at)) == {learnt, buried}
    assert at.reviews.progress().forecast[0] == at.reviews.due().review == 1
    for rating in (AGAIN, GOOD, EASY):
        rated = at.reviews.rate(learnt, rating)
        assert rated is not None
        assert rated.due > at.clock
    assert sum(at.reviews.progress().reviews) == 3
    at.clock += 365 * DAY
    assert len(list(at.reviews.repository.log())) == 4


def test_what_is_often_forgotten_is_named(at: Reviewing) -> None:
    (key,) = at.add(item(1))
    named = []
    for lapse in range(1, 17):
        at.reviews.rate(key, EASY)
        at.clock += 20 * DAY
        rated = at.reviews.rate(key, AGAIN)
        assert rated is not None
        if rated.is_leech:
            named.append(lapse)
    assert named == [8, 12, 16]
    assert at.asked() == key, "it is still asked"
    assert at.reviews.progress().leeches == 1


def test_an_item_that_was_deleted_for_good_cannot_be_rated(at: Reviewing) -> None:
    (key,) = at.add(item(1))
    at.study.delete([key])
    assert at.asked() is None
    at.study.sweep()
    assert at.reviews.rate(key, GOOD) is None
    assert not at.reviews.can_undo


def test_progress_counts_lessons_days_and_what_was_recalled(at: Reviewing) -> None:
    other = at.study.deck_of("Other")
    known, young, new, elsewhere = (*at.add(item(1), item(90), item(5, 2)), *at.add(item(1), deck=other))
    for days in (0, 9, 60):
        at.clock += days * DAY
        at.reviews.rate(known, EASY)
    learn(at, young, elsewhere)
    at.clock += 9 * DAY
    at.reviews.rate(young, AGAIN)
    at.reviews.suspend(new)
    progress = at.reviews.progress(at.deck)
    total = progress.total
    assert (total.items, total.new, total.learning, total.known) == (3, 1, 1, 1)
    assert total.suspended == 1
    first, second = progress.lessons
    assert (first.course_title, first.number, first.title, first.items) == ("Course", 1, "Lesson 1", 2)
    assert (second.number, second.items, second.new, second.retention) == (2, 1, 1, None)
    assert total.retention == first.retention == 0.5
    assert (sum(progress.reviews), progress.reviews[-1], progress.reviews[-10]) == (3, 1, 2)
    assert progress.forecast[0] == 1
    assert sum(at.reviews.progress().forecast) == 2


def test_reviews_survive_the_program(tmp_path: Path) -> None:
    with reviewing(tmp_path / "data") as at:
        (key,) = at.add(item(1))
        at.reviews.rate(key, EASY, 3.5)
        kept = at.reviews.repository.schedules([key])
    database = Database(tmp_path / "data", read_only=True)
    database.open()
    again = Reviewing.__new__(Reviewing)
    again.reviews = type(at.reviews)(database, at.settings, lambda: MONDAY)
    assert again.reviews.repository.schedules([key]) == kept
    assert [(row["rating"], row["at"]) for row in again.reviews.repository.log()] == [(EASY, MONDAY)]
    database.close()


def test_what_was_done_to_an_item_that_left_is_passed_over_by_undo(at: Reviewing) -> None:
    removed, deleted, trashed, kept = at.add(*map(item, (0, 90, 180, 270)))
    other = at.study.deck_of("Removed")
    at.study.move([trashed], other)
    at.reviews.rate(kept, EASY)
    for key in (removed, removed, deleted, trashed):
        at.reviews.rate(key, EASY)
        at.clock += 30 * DAY
    at.database.write("DELETE FROM items WHERE id = ?", [(removed,)])
    at.study.delete([deleted])
    at.database.write("UPDATE decks SET trashed_at = 5.0 WHERE id = ?", [(other,)])
    assert at.reviews.undo() == kept
    assert at.asked() == kept
    assert at.reviews.undo() is None
