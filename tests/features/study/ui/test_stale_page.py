"""After a file has changed: a bar tells of what rests on its sentences, and leads to the list of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.study.model.items import QuoteState
from app.features.study.ui.stale_page import StalePage, marked_versions
from app.ui.widgets.theme import Theme
from tests.support.making import BIRDS, FACTS, Teacher
from tests.support.quoting import Quoting, edit, write_lessons
from tests.support.source_cards import marked
from tests.support.study import study_of
from tests.support.study_window import shows_study, study_pane

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener

LEFT = Qt.MouseButton.LeftButton
RANGE = "The range is the largest value minus the smallest."
NOW = "The range is the largest value less the smallest."
VARIANCE = "The variance is the mean of the squared deviations."


def choose(page: StalePage, quote: str, *, item: bool) -> None:
    """Select an entry of the list."""
    for row in range(page.list.count()):
        page.list.setCurrentRow(row)
        assert page.entry is not None
        if page.entry.quote == quote and (page.entry.item_id is not None) == item:
            return
    message = f"{quote} is not listed"
    raise AssertionError(message)


def test_what_changed_is_told_listed_and_done_with(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, place = running.window, write_lessons(tmp_path)
    running.read(place)
    quoting = Quoting(running.rag)
    quoting.quote_all((RANGE, VARIANCE))
    assert not window.notice_bar.isVisible()
    edit(place / "Lesson 3.md", "minus the", "*less* the")
    edit(place / "Lesson 3.md", VARIANCE, "")
    running.read(place)
    running.wait_for(window.notice_bar.isVisible, "the bar")
    said = window.notice_bar.text.text()
    assert said == "4 answers or items rest on sentences that have changed or are gone"

    QTest.mouseClick(window.notice_bar.action, LEFT)
    page = study_pane(window).page("stale")
    assert isinstance(page, StalePage) and shows_study(window)
    running.wait_for(lambda: page.list.count() == 4, "the list")
    assert len({page.list.item(row).text() for row in range(4)}) == 4, "rows can be told apart"
    choose(page, RANGE, item=True)
    assert (page.ask_again.isVisible(), page.delete.isVisible()) == (False, True)
    assert not page.make_again.isVisible(), "there is no model"
    assert ">minus</span>" in page.old.text() and ">less</span>" in page.now.text()
    QTest.mouseClick(page.open_source, LEFT)
    running.wait_for(lambda: marked(window.sources.reading.text) == (NOW,), "the sentence of now")
    QTest.mouseClick(page.keep, LEFT)
    running.wait_for(lambda: page.list.count() == 3, "the card to rest on that")
    choose(page, VARIANCE, item=True)
    assert page.now.text() == ""
    QTest.mouseClick(page.delete, LEFT)
    running.wait_for(lambda: page.list.count() == 2, "the card to go")
    QTest.mouseClick(page.undo_bar.undo, LEFT)
    running.wait_for(lambda: page.list.count() == 3, "the card to be back")

    choose(page, RANGE, item=False)
    assert (page.ask_again.isVisible(), page.delete.isVisible()) == (True, False)
    before = len(running.rag.conversations.exchanges(quoting.conversation))
    done = "SELECT count(*) FROM exchanges WHERE state = 'done'"
    answered = running.rag.database.connection.execute(done).fetchone()[0]
    window.notice_bar.show()  # as if the page had been opened from the menu
    QTest.mouseClick(page.ask_again, LEFT)
    assert not shows_study(window)
    running.wait_for(
        lambda: running.rag.database.connection.execute(done).fetchone()[0] > answered, "the new answer"
    )
    running.wait_for(lambda: not window.chat_controller.is_answering, "its end")
    assert window.chat_controller.conversation_id == quoting.conversation
    assert len(running.rag.conversations.exchanges(quoting.conversation)) <= before, "on a branch of its own"
    window.actions_["study_stale"].trigger()
    running.wait_for(lambda: page.list.count() == 2, "the old answer to be done with")
    told = "2 answers or items rest on sentences that have changed or are gone"
    running.wait_for(lambda: window.notice_bar.text.text() == told, "the bar to agree with the list", 10)


def test_versions_are_shown_as_text_with_their_differences_marked() -> None:
    old, now = marked_versions("a <b>mean</b> is 5", "a <b>median</b> is 5", Theme.light())
    assert "<b>" not in old + now
    assert "line-through" in old and "&lt;b&gt;<span" in old and "mean</span>&lt;/b&gt;" in old
    assert "underline" in now and "median</span>&lt;/b&gt;" in now
    assert marked_versions("all the same", "all the same", Theme.light()) == ("all the same", "all the same")
    old, now = marked_versions("f(x) del ano", "f[x] del año", Theme.light())
    assert old.count("line-through") == now.count("underline") == 3


def test_an_item_is_made_again_from_the_lesson_as_it_is_now(
    open_window: Opener, server: AnthropicServer, tmp_path: Path
) -> None:
    running = open_window(server)
    facts = list(FACTS)[:4]
    place = tmp_path / "birds"
    place.mkdir()
    file = place / "birds.txt"
    file.write_text(f"Course Title: {BIRDS}\n\nLesson 1: Part 1\n{' '.join(facts)}\n", encoding="utf-8")
    running.read(place)
    Quoting(running.rag).quote(facts[0], BIRDS)
    edit(file, facts[0], facts[0].replace("which both", "which none"))
    running.read(place)
    running.wait_for(running.window.notice_bar.isVisible, "the bar")
    running.window.notice_bar.action.click()
    page = study_pane(running.window).page("stale")
    assert isinstance(page, StalePage)
    running.wait_for(lambda: page.list.count() == 2, "the list")
    choose(page, facts[0], item=True)
    server.answer_with(Teacher())
    QTest.mouseClick(page.make_again, LEFT)
    running.wait_for(lambda: page.list.count() == 1, "the new item")
    (item,) = study_of(running.rag).items()
    assert item.quote in facts[1:] and item.state is QuoteState.CURRENT
