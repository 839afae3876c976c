"""A review in the window: cards asked one after the other, with the keyboard, each review stored once."""

from __future__ import annotations

import sqlite3
import sys
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import Rating
from app.features.study.ui.card_html import as_read
from app.features.study.ui.items_list import EditDialog
from app.features.study.ui.items_page import ItemsPage
from app.features.study.ui.overview import ProgressPage
from app.features.study.ui.review_page import ReviewPage
from app.ui.library.course_model import Role
from app.ui.widgets.dialog import MessageDialog
from app.ui.widgets.theme import Theme
from app.workers.job import Lane
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, item_on, study_of
from tests.support.study_window import study_controller, study_jobs, study_pane

if TYPE_CHECKING:
    from app.workers.job import Job
    from tests.support.running_window import Opener, RunningWindow


@pytest.fixture
def running(open_window: Opener) -> RunningWindow:
    """A window with three cards of one course, each on a sentence of its own, and one of another."""
    running = open_window()
    rag, repository = running.rag, study_of(running.rag).repository
    baking = [
        item_on(rag, BREAD_TITLE, STARTER, front="What lives in a **starter**?", back="Yeast and bacteria"),
        item_on(rag, BREAD_TITLE, SCALE, ItemKind.CLOZE, "A {{c1::scale}} matters more than an oven.", ""),
    ]
    repository.add(repository.deck_of(BREAD_TITLE), baking)
    repository.add(repository.deck_of(TIDES_TITLE), [item_on(rag, TIDES_TITLE, MOON, front="What pulls?")])
    study_jobs(running.window).list_decks().run(running.window)
    running.wait_for(lambda: len(study_pane(running.window).decks) == 2, "the decks")
    running.activate()
    return running


def review(running: RunningWindow) -> ReviewPage:
    """Open a review of all decks as the menu does."""
    running.window.actions_["study_review"].trigger()
    page = study_pane(running.window).page("review")
    assert isinstance(page, ReviewPage)
    running.wait_for(lambda: page.session.card is not None, "a card")
    return page


def press(keys: str | Qt.Key) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    if isinstance(keys, str):
        QTest.keyClicks(focus, keys)
    else:
        QTest.keyClick(focus, keys)


def stored(running: RunningWindow) -> list[tuple[int, int]]:
    """Return item and rating of each review in the library, in order."""
    rows = running.rag.database.connection.execute("SELECT item_id, rating FROM reviews ORDER BY id")
    return [(row["item_id"], row["rating"]) for row in rows]


def settled(running: RunningWindow, page: ReviewPage) -> None:
    running.wait_for(lambda: not page.session.is_waiting, "what is next")


def test_cards_are_asked_answered_and_rated_by_keyboard(running: RunningWindow) -> None:
    page = review(running)
    first = page.session.card
    assert first is not None
    assert "A […] matters more than an oven." in page.view.toPlainText()
    assert page.counts.text() == "3 new · 0 learning · 0 due"
    press("3")  # nothing has been seen that could be rated
    press(Qt.Key.Key_Space)
    assert "A scale matters more than an oven." in page.view.toPlainText()
    texts = [button.text() for button in page.ratings.buttons.values()]
    assert texts[0].startswith("Again\n") and texts[3].startswith("Easy\n") and texts[3].endswith(" d")
    press("4")
    settled(running, page)
    assert "What lives in a starter?" in page.view.toPlainText()
    assert "Yeast" not in page.view.toPlainText()
    press(Qt.Key.Key_Return)
    assert "Yeast and bacteria" in page.view.toPlainText()
    assert STARTER in page.view.toPlainText()
    settled(running, page)
    assert stored(running) == [(first.item.item_id, 4)]
    assert page.bar.value() == 1
    assert page.counts.text() == "2 new · 0 learning · 0 due"


def test_fast_keys_rate_each_card_once_and_none_unseen(running: RunningWindow) -> None:
    page = review(running)
    shown = []
    page.session.changed.connect(lambda: shown.append(page.session.card))
    first = page.session.card
    assert first is not None
    press(" 111 111 4 44")
    settled(running, page)
    running.wait_for(lambda: page.session.card is not None or page.session.is_over, "what is next")
    rated = stored(running)
    assert rated[0] == (first.item.item_id, 1)
    asked = [first.item.item_id, *(card.item.item_id for card in shown if card is not None)]
    assert [item for item, _ in rated] == asked[: len(rated)]
    assert page.session.reviewed == len(rated)


def test_undo_brings_back_the_last_card_also_from_the_end(running: RunningWindow) -> None:
    page = review(running)
    order = []
    while not page.session.is_over:
        assert page.session.card is not None
        order.append(page.session.card.item.item_id)
        press(Qt.Key.Key_Return)
        press("4")
        settled(running, page)
        running.wait_for(lambda: page.session.card is not None or page.session.is_over, "what is next")
    assert page.end.title.text() == "Done for today"
    assert page.end.text.text().startswith("3 cards reviewed. The next card is due ")
    press(" ")  # once too often
    press(Qt.Key.Key_Return)
    assert page.end.isVisible() and page.end.hasFocus()
    page.end.undo.click()
    running.wait_for(lambda: page.session.card is not None, "the last card")
    assert page.session.card is not None
    assert page.session.card.item.item_id == order[-1]
    press("z")
    running.wait_for(lambda: len(stored(running)) == 1, "the one before it")
    running.wait_for(lambda: page.session.card is not None, "its card")
    assert page.session.card.item.item_id == order[1]
    assert not page.is_answered


def test_bury_and_suspend_take_a_card_out_and_undo_puts_it_back(running: RunningWindow) -> None:
    page = review(running)
    seen = []
    for key in ("-", "s"):
        assert page.session.card is not None
        seen.append(page.session.card.item.item_id)
        press(key)
        settled(running, page)
    assert page.counts.text() == "1 new · 0 learning · 0 due"
    assert page.session.card is not None and page.session.card.item.item_id not in seen
    press("z")
    running.wait_for(lambda: page.session.card is not None, "the suspended card")
    assert page.session.card.item.item_id == seen[1]
    assert stored(running) == []


def test_typed_answers_are_compared(running: RunningWindow) -> None:
    page = review(running)
    page.types.click()
    assert page.field.hasFocus()
    press("scales 1")  # digits are typed, not rated
    press(Qt.Key.Key_Return)
    shown = page.view.toPlainText()
    assert "You typed: scales 1" in shown
    assert "The answer: scale" in shown
    assert "line-through" in page.view.toHtml()
    press("3")
    settled(running, page)
    press("YEAST, and bacteria!")
    page.show_answer.click()
    assert "Your answer is right." in page.view.toPlainText()
    press("3")
    settled(running, page)
    press(Qt.Key.Key_Return)
    assert page.is_answered and "You typed" not in page.view.toPlainText()  # nothing was


def test_an_answer_in_own_words_is_graded_by_points_and_can_be_overruled(running: RunningWindow) -> None:
    study = study_of(running.rag)
    back = "Wild yeast lives in it with bacteria; bakers feed it with fresh flour every day."
    for item in study.items(kinds=(ItemKind.CARD,)):
        study.edit(item.item_id, replace(item.text, front="What is a starter?", back=back))
    page = review(running)
    page.types.click()
    while page.session.card is not None and page.session.card.item.kind is not ItemKind.CARD:
        page.answer()
        page.rate(Rating.EASY)
        settled(running, page)
    page.field.setFocus()
    press("Bacteria and wild yeast live in it")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: page.points.isVisible(), "the points")
    assert page.points.summary.text() == "Contains 1 of 2 points"
    assert page.ratings.buttons[Rating.HARD].hasFocus()
    tick = page.points.list.visualItemRect(page.points.list.item(1))
    at = QPoint(tick.left() + 16, tick.center().y())
    QTest.mouseClick(page.points.list.viewport(), Qt.MouseButton.LeftButton, pos=at)  # who knows better
    assert page.points.summary.text() == "Contains 2 of 2 points"
    assert page.ratings.buttons[Rating.GOOD].property("kind") == "primary"
    assert page.ratings.buttons[Rating.GOOD].hasFocus()
    page.points.list.setFocus()
    press("3")
    settled(running, page)
    assert stored(running)[-1][1] == Rating.GOOD
    assert not page.points.isVisible()


def test_a_quotation_is_read_without_its_signs(running: RunningWindow) -> None:
    source = item_on(running.rag, BREAD_TITLE, STARTER).source
    source = replace(source, hit=replace(source.hit, path="notes.md"))
    assert as_read(source, ">Definition:\n > > a **cell**, 2 > 1") == "Definition:\n a cell, 2 > 1"


def test_a_card_is_edited_and_its_source_is_opened_in_between(running: RunningWindow) -> None:
    page = review(running)
    press(" 4")
    settled(running, page)
    press("e")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EditDialog)
    dialog.fields["front"].setPlainText("What is alive in a starter?")
    QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: "What is alive" in page.view.toPlainText(), "the new text")
    running.window.activateWindow()
    running.wait_for(page.view.hasFocus, "the card to have the keyboard again")
    press("o")
    running.wait_for(lambda: STARTER in running.window.sources.reading.text.toPlainText(), "the lesson")
    press(Qt.Key.Key_Space)  # the session has kept the keyboard
    assert running.window.sources.isVisible()
    press("3")
    settled(running, page)
    assert not running.window.sources.isVisible(), "it could give away what comes next"
    assert [rating for _, rating in stored(running)] == [4, 3]


def test_the_limit_of_a_day_ends_a_session_and_can_be_lifted(running: RunningWindow) -> None:
    repository = study_of(running.rag).repository
    item = item_on(running.rag, TIDES_TITLE, MOON, front="Another?")
    places = range(10_000, 12_000, 100)  # each on a sentence of its own
    others = [replace(item, start=place, end=place + 50) for place in places]
    repository.add(repository.deck_of(TIDES_TITLE), others)
    page = review(running)
    page.begin(next(deck for deck in study_pane(running.window).decks if deck.course_title == TIDES_TITLE))
    running.wait_for(lambda: page.counts.text().startswith("20 new"), "the limit of a day")
    for _ in range(20):
        press(" ")
        press("4")
        running.wait_for(lambda: page.session.card is not None or page.session.is_over, "the next card")
    running.wait_for(lambda: page.session.is_over, "the end")
    assert "Your daily limit holds back 1 more." in page.end.text.text()
    page.end.more.click()
    running.wait_for(lambda: page.session.card is not None, "one more")
    assert page.session.reviewed == 20


def test_what_is_due_stands_beside_its_course_and_leads_to_its_review(running: RunningWindow) -> None:
    window = running.window
    tree = window.sidebar.tree
    rows = {window.sidebar.tree.model().index(row, 0).data(Role.COURSE_TITLE): row for row in range(3)}
    bread = tree.model().index(rows[BREAD_TITLE], 0)
    running.wait_for(lambda: bread.data(Role.DUE) == 2, "the count")
    assert ", 2 cards due" in bread.data(Qt.ItemDataRole.AccessibleTextRole)
    assert window.actions_["study_overview"].iconText() == "Study (3)"
    study_controller(window).review(TIDES_TITLE)
    page = study_pane(window).page("review")
    assert isinstance(page, ReviewPage)
    running.wait_for(lambda: page.session.card is not None, "a card")
    assert page.counts.text() == "1 new · 0 learning · 0 due"
    press(" 4")
    running.wait_for(lambda: window.actions_["study_overview"].iconText() == "Study (2)", "the new count")


def test_a_course_that_is_done_leaves_the_others_to_be_reviewed(running: RunningWindow) -> None:
    window, rag = running.window, running.rag
    study_controller(window).review(TIDES_TITLE)
    page = study_pane(window).page("review")
    assert isinstance(page, ReviewPage)
    running.wait_for(lambda: page.session.card is not None, "a card")
    press("b")
    running.wait_for(lambda: page.session.is_over, "the end")
    running.wait_for(lambda: window.actions_["study_overview"].iconText() == "Study (2)", "the new count")
    new = item_on(rag, TIDES_TITLE, MOON, front="What came later?")
    study_of(rag).repository.add(study_of(rag).repository.deck_of(TIDES_TITLE), [new])
    study_jobs(running.window).list_decks().run(window)  # as at four in the morning
    running.wait_for(lambda: page.session.card is not None, "what is due since")
    press("b")
    running.wait_for(lambda: page.session.is_over, "the end")
    press(Qt.Key.Key_Escape)
    window.actions_["study_review"].trigger()
    running.wait_for(lambda: page.session.card is not None, "a card of the other deck")
    assert page.counts.text() == "2 new · 0 learning · 0 due"


def test_a_card_that_is_forgotten_again_and_again_is_named_and_suspended(running: RunningWindow) -> None:
    reviews = study_of(running.rag).reviews
    first, other, last = (item.item_id for item in study_of(running.rag).items())
    reviews.suspend(last)
    for _ in range(7):
        reviews.rate(first, Rating.EASY)
        reviews.rate(first, Rating.AGAIN)
    reviews.rate(first, Rating.EASY)
    reviews.bury(first)
    reviews.undo()  # asked next
    page = review(running)
    press(" 1")
    settled(running, page)
    assert page.notice.text.text().startswith("You keep forgetting “What lives in a starter?”")
    page.notice.action.click()
    settled(running, page)
    press(" 4")
    running.wait_for(lambda: page.session.is_over, "the end")
    assert stored(running)[-1] == (other, 4)
    study_controller(running.window).show_page("progress")
    progress = study_pane(running.window).page("progress")
    assert isinstance(progress, ProgressPage)
    running.wait_for(lambda: "suspended" in progress.retention.text(), "the progress")
    assert "forgotten again and again" in progress.retention.text()


def test_the_largest_text_leaves_room_for_the_card_a_notice_and_all_buttons(running: RunningWindow) -> None:
    window = running.window
    window.settings_controller.zoom(99)
    try:
        running.wait_for(lambda: Theme.current().text_size == 200, "the largest text")
        window.resize(800, 600)
        page = review(running)
        card = page.session.card
        assert card is not None

        def fits() -> bool:
            needed = (*page.ratings.buttons.values(), *page.tools.values(), page.types)
            has_room = page.view.height() >= page.view.fontMetrics().height()
            is_read = page.notice.isHidden() or page.notice.height() >= page.notice.heightForWidth(
                page.notice.width()
            )
            return has_room and is_read and all(one.height() >= one.sizeHint().height() for one in needed)

        page.answer()
        running.wait_for(fits, "room for the answer")
        page.session.leech_found.emit(card.item)
        assert page.notice.isVisible()
        running.wait_for(fits, "room for the notice")
        page.notice.close_button.click()
        assert page.counts.isVisible()
        study_controller(window).show_page("items")
        pane = study_pane(window)
        items = pane.page("items")
        assert isinstance(items, ItemsPage)
        running.wait_for(lambda: bool(items.list.selected()), "the items")
        items.open_source.trigger()

        def are_apart() -> bool:
            first, last = pane.deck_choice.geometry(), pane.make.geometry()
            return not first.intersects(last) and pane.rect().contains(last)

        running.wait_for(lambda: pane.width() < 600 and are_apart(), "room beside the source")
    finally:
        window.settings_controller.zoom(0)
        running.wait_for(lambda: Theme.current().text_size == 100, "the usual text")


def test_a_review_that_waits_while_the_window_closes_is_kept(running: RunningWindow) -> None:
    page = review(running)
    card = page.session.card
    assert card is not None
    is_closing = threading.Event()
    before: Job[Any] = running.workers.job(Lane.READ, "Waiting", lambda *_: None, key="reviews", is_kept=True)
    before.work = lambda _: is_closing.wait(30)
    running.window.closing.connect(is_closing.set)
    before.run(page)
    press(" 3")
    running.close()
    with closing(sqlite3.connect(running.rag.database.data_dir / "library.sqlite3")) as connection:
        rows = connection.execute("SELECT item_id, rating FROM reviews").fetchall()
    assert rows == [(card.item.item_id, 3)]


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot vanish there")
def test_a_review_that_cannot_be_stored_is_said_and_asked_again(running: RunningWindow) -> None:
    page = review(running)
    card = page.session.card
    assert card is not None
    path = Path(running.rag.database.connection.execute("PRAGMA database_list").fetchone()["file"])
    path.rename(path.with_suffix(".away"))
    press(" 3")
    running.wait_for(page.notice.isVisible, "the failure")
    assert "was deleted, moved or replaced" in page.notice.text.text()
    path.with_suffix(".away").rename(path)
    settled(running, page)
    for dialog in running.window.findChildren(MessageDialog):  # of what else needed the library meanwhile
        dialog.close()
    running.activate()
    page.notice.action.click()
    running.wait_for(lambda: page.session.card is not None, "the card again")
    assert page.session.card is not None and page.session.card.item == card.item and not page.is_answered
    assert page.session.reviewed == 0 and stored(running) == []
    press(" 3")
    settled(running, page)
    assert stored(running) == [(card.item.item_id, 3)]


@pytest.mark.skipif(sys.platform == "win32", reason="open files cannot vanish there")
def test_a_failure_that_arrives_late_hides_nothing_of_what_was_asked_since(running: RunningWindow) -> None:
    page = review(running)
    path = Path(running.rag.database.connection.execute("PRAGMA database_list").fetchone()["file"])
    path.rename(path.with_suffix(".away"))
    page.session.refresh()
    failed = threading.Event()
    after: Job[Any] = running.workers.job(Lane.READ, "Waiting", lambda *_: None, key="reviews", is_kept=True)
    after.work = lambda _: failed.set()
    after.run(page)
    assert failed.wait(30)  # in its own thread; this one has not heard of it yet
    path.with_suffix(".away").rename(path)
    page.session.refresh()
    running.wait_for(lambda: page.session.card is not None, "a card")
    assert not page.notice.isVisible()
