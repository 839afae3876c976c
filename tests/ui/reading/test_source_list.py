from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.domain.conversations import ExchangeState
from app.domain.documents import Anchor
from app.domain.messages import LITERAL, Message
from app.domain.sources import Claim, Support
from app.ui.reading.source_card import SourceCard
from app.ui.reading.source_list import SourceList
from app.ui.widgets.text_labels import ClampedLabel, WrappingButton
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.side_data import PASSAGE, citation, exchange, source
from tests.support.source_cards import card, cards, marked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

QUOTE = "A cached part lives for five minutes and every use renews it."
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> Iterator[SourceList]:
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    widget = SourceList()
    window.setCentralWidget(widget)
    window.resize(340, 600)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    yield widget
    window.close()


def numbers(pane: SourceList) -> list[int]:
    return [card.source.n for card in cards(pane)]


def button(of: QWidget, text: str) -> QPushButton:
    found = [b for b in of.findChildren(QPushButton) if b.isVisibleTo(of) and b.text() == text]
    assert len(found) == 1
    return found[0]


def texts(of: QWidget) -> list[str]:
    labels = [one for one in of.findChildren(QLabel) if one.isVisibleTo(of) and one.text()]
    labels = [one for one in labels if one.objectName() != "source-number"]
    return [one.text() for one in sorted(labels, key=lambda one: one.mapTo(of, QPoint()).y())]


def scroll_area(pane: SourceList) -> QScrollArea:
    area = pane.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    return area


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def settle(qtbot: QtBot, pane: SourceList, number: int) -> None:
    qtbot.waitUntil(lambda: len(cards(pane)) == number)
    QTest.qWait(0)


def highlight_in_sight(pane: SourceList) -> bool:
    """Return whether pixels of the highlight's colour are in what the user sees of the list."""
    image = scroll_area(pane).viewport().grab().toImage()
    wanted = QColor(Theme.light().highlight).rgb()
    return any(image.pixel(x, y) == wanted for y in range(image.height()) for x in range(0, image.width(), 2))


def test_it_says_why_it_is_empty(pane: SourceList) -> None:
    assert "The sources of an answer appear here." in texts(pane)
    pane.begin(1)
    assert "Looking for sources…" in texts(pane)
    pane.show_exchange(exchange((), ()))
    assert "This answer doesn't use your courses." in texts(pane)
    pane.clear()
    assert "The sources of an answer appear here." in texts(pane)


def test_a_card_says_where_the_passage_stands(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources(
        (
            source(1, anchor=Anchor("page", 3)),
            source(2, lesson_number=0, lesson_title="Start", anchor=Anchor("seconds", 3725.4)),
            source(3, lesson_number=7, lesson_title="", anchor=Anchor("heading", "Part › Chapter")),
            source(4, lesson_number=None, lesson_title="", anchor=None),
            source(5, lesson_number=None, lesson_title="Preface", anchor=Anchor("slide", 2)),
            source(6, anchor=Anchor("page", 4), pages=(3, 5)),
        )
    )
    settle(qtbot, pane, 6)
    places = [texts(one)[1:] for one in cards(pane)]
    assert places == [
        ["Lesson 5: Prompt Caching · page 3"],
        ["Lesson 0: Start · at 1:02:05"],
        ["Lesson 7 · Part › Chapter"],
        [],
        ["Preface · slide 2"],
        ["Lesson 5: Prompt Caching · pages 3–5"],
    ]
    assert [texts(one)[0] for one in cards(pane)] == ["Building Towards Computer Use"] * 6
    assert texts(pane)[:2] == ["Sources", "6"] or texts(pane)[:2] == ["6", "Sources"]


def test_it_fills_while_the_answer_is_written_and_moves_nothing(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n) for n in range(1, 6))
    pane.begin(1)
    pane.add_sources(found[:3])
    settle(qtbot, pane, 3)
    tops = [one.y() for one in cards(pane)]
    pane.add_sources(found[:5])  # what is there already is not added again
    pane.add_citation(citation(found[2], QUOTE))
    settle(qtbot, pane, 5)
    assert numbers(pane) == [1, 2, 3, 4, 5]
    assert [one.y() for one in cards(pane)][:3] == tops
    assert [one.cited for one in cards(pane)] == [False, False, True, False, False]
    assert marked(card(pane, 3).passage.edit) == (QUOTE,)


def test_a_citation_may_come_before_its_card_is_made_and_for_a_source_that_never_comes(
    pane: SourceList, qtbot: QtBot
) -> None:
    found = tuple(source(n) for n in range(1, 12))
    pane.begin(1)
    pane.add_sources(found)
    pane.add_citation(citation(found[10], QUOTE))
    pane.add_citation(citation(source(99), QUOTE))
    settle(qtbot, pane, 11)
    assert marked(card(pane, 11).passage.edit) == (QUOTE,)


def test_finished_answers_list_cited_sources_first(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n) for n in range(1, 8))
    pane.begin(1)
    pane.add_sources(found)
    settle(qtbot, pane, 7)
    pane.show_exchange(exchange(found, (citation(found[5], QUOTE), citation(found[1], QUOTE))))
    qtbot.waitUntil(lambda: numbers(pane) == [2, 6, 1, 3, 4, 5, 7])
    captions = [text for text in texts(pane) if text in ("Cited", "Also found")]
    assert captions == ["Cited", "Also found"]
    pane.show_exchange(exchange(found[:2], (), exchange_id=2))
    settle(qtbot, pane, 2)
    assert numbers(pane) == [1, 2]
    assert not {"Cited", "Also found"} & set(texts(pane))


def test_an_exchange_shown_from_scratch_is_in_the_same_order(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n) for n in range(1, 20))
    pane.show_exchange(exchange(found, tuple(citation(found[n], QUOTE) for n in (17, 3, 9))))
    settle(qtbot, pane, 19)
    assert numbers(pane)[:5] == [4, 10, 18, 1, 2]
    pane.show_exchange(exchange(found[:4], (), exchange_id=2))  # while others may still be on their way
    settle(qtbot, pane, 4)
    assert numbers(pane) == [1, 2, 3, 4]


def test_the_end_of_an_answer_keeps_what_was_expanded(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n) for n in range(1, 4))
    pane.begin(1)
    pane.add_sources(found)
    settle(qtbot, pane, 3)
    QTest.mouseClick(button(card(pane, 2), "Show all"), LEFT)
    pane.show_exchange(exchange(found, (citation(found[0], QUOTE),)))
    assert card(pane, 2).expanded
    pane.show_exchange(exchange(tuple(source(n, "Other text.") for n in range(1, 4)), ()))
    settle(qtbot, pane, 3)
    assert {one.source.hit.text for one in cards(pane)} == {"Other text."}


def test_show_all_shows_the_whole_card(pane: SourceList, qtbot: QtBot) -> None:
    long = "A course with a very long title, " * 8
    pane.begin(1)
    pane.add_sources((source(1, course_title=long),))
    settle(qtbot, pane, 1)
    one = card(pane, 1)
    low = one.height()
    QTest.mouseClick(button(one, "Show all"), LEFT)
    qtbot.waitUntil(lambda: one.height() > low)
    title = next(label for label in one.findChildren(QLabel) if label.text() == long)
    assert one.passage.height() >= one.passage.edit.document().size().height()
    QTest.mouseClick(button(one, "Show less"), LEFT)
    qtbot.waitUntil(lambda: one.height() == low)
    assert long in title.toolTip()


def test_the_page_can_be_read_behind_any_name_of_a_lesson(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources(
        (source(1, lesson_title="A lesson with a very long title, " * 5, anchor=Anchor("page", 3)),)
    )
    settle(qtbot, pane, 1)
    place = next(one for one in card(pane, 1).findChildren(ClampedLabel) if "· page 3" in one.text())
    qtbot.waitUntil(lambda: place.height() >= place.heightForWidth(place.width()))
    lines, is_cut = place.lines()
    assert "page 3" in " ".join(lines[-2:])
    assert not is_cut


def test_a_short_passage_has_nothing_to_expand(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources((source(1, "Short."),))
    settle(qtbot, pane, 1)
    assert [b.text() for b in card(pane, 1).findChildren(QPushButton) if b.isVisible()] == [
        "Read in lesson",
        "Open lesson",
    ]


@pytest.mark.parametrize("hidden_before", [False, True])
@pytest.mark.parametrize("n", [1, 17, 30])
def test_activating_shows_the_cited_sentence(
    pane: SourceList, qtbot: QtBot, n: int, hidden_before: bool
) -> None:
    long = PASSAGE * 6 + QUOTE.replace("five", "5") + PASSAGE
    found = tuple(source(k, long) for k in range(1, 31))
    pane.show_exchange(exchange(found, (citation(found[n - 1], QUOTE.replace("five", "5")),)))
    if hidden_before:
        pane.hide()
    pane.activate(n)
    if hidden_before:
        pane.show()
    one = next(c for c in pane.findChildren(SourceCard) if c.source.n == n and not c.isHidden())
    assert one.expanded
    qtbot.waitUntil(one.hasFocus)
    qtbot.waitUntil(lambda: highlight_in_sight(pane))
    QTest.qWait(50)
    assert highlight_in_sight(pane)


def test_activating_an_unknown_source_does_nothing(pane: SourceList, qtbot: QtBot) -> None:
    pane.activate(3)
    pane.begin(1)
    pane.add_sources((source(1),))
    pane.activate(3)
    settle(qtbot, pane, 1)
    assert not card(pane, 1).expanded


def test_a_number_that_quotes_nothing_is_not_blamed_for_a_quotation(pane: SourceList, qtbot: QtBot) -> None:
    found = source(1)
    mark = replace(citation(found, QUOTE, verified=False), cited_text="", support=Support.NOT_FOUND)
    pane.show_exchange(exchange((found,), (mark,)))
    settle(qtbot, pane, 1)
    shown = texts(card(pane, 1))
    assert "A statement that cites this passage was not found in it" in shown
    assert "A quotation could not be verified" not in shown


def test_a_failed_citation_is_flagged_and_never_marked_as_good(pane: SourceList, qtbot: QtBot) -> None:
    found = (source(1), source(2))
    bad = citation(found[0], QUOTE, verified=False)
    pane.begin(1)
    pane.add_sources(found)
    settle(qtbot, pane, 2)
    pane.add_citation(bad)
    qtbot.waitUntil(lambda: "A quotation could not be verified" in texts(card(pane, 1)))
    assert not card(pane, 1).cited
    assert marked(card(pane, 1).passage.edit) == ()
    assert "could not be verified" in card(pane, 1).accessibleName()
    assert "A quotation could not be verified" not in texts(card(pane, 2))
    pane.show_exchange(exchange(found, (citation(found[0], QUOTE),)))
    assert "A quotation could not be verified" not in texts(card(pane, 1))
    assert card(pane, 1).cited


def test_the_lesson_is_opened_only_by_a_web_link(
    pane: SourceList, qtbot: QtBot, opened_links: list[str]
) -> None:
    pane.begin(1)
    pane.add_sources((source(1, link="https://example.org/5"), source(2, link="file:///etc/passwd")))
    settle(qtbot, pane, 2)
    QTest.mouseClick(button(card(pane, 1), "Open lesson"), LEFT)
    assert opened_links == ["https://example.org/5"]
    assert "Open lesson" not in [b.text() for b in card(pane, 2).findChildren(QPushButton)]


def test_long_names_of_buttons_widen_no_card(pane: SourceList, qtbot: QtBot) -> None:
    pane.show_exchange(exchange((source(1),), ()))
    settle(qtbot, pane, 1)
    for text in ("Read in lesson", "Open lesson"):
        button(card(pane, 1), text).setText("A rather long name of a button")
    qtbot.waitUntil(lambda: card(pane, 1).minimumSizeHint().width() < scroll_area(pane).viewport().width())


def test_keys_go_from_card_to_card(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources(tuple(source(n) for n in range(1, 9)))
    settle(qtbot, pane, 8)
    card(pane, 1).setFocus()
    for key, n in (
        (Qt.Key.Key_Down, 2),
        (Qt.Key.Key_Down, 3),
        (Qt.Key.Key_Up, 2),
        (Qt.Key.Key_End, 8),
        (Qt.Key.Key_Down, 8),
        (Qt.Key.Key_Home, 1),
        (Qt.Key.Key_Up, 1),
        (Qt.Key.Key_End, 8),
    ):
        QTest.keyClick(focused(), key)
        assert card(pane, n).hasFocus()
    view = scroll_area(pane).viewport()
    qtbot.waitUntil(lambda: view.rect().contains(card(pane, 8).mapTo(view, card(pane, 8).rect().center())))
    QTest.keyClick(card(pane, 8), Qt.Key.Key_Space)
    assert card(pane, 8).expanded
    QTest.keyClick(card(pane, 8), Qt.Key.Key_Space)
    assert not card(pane, 8).expanded
    with qtbot.waitSignal(pane.reading_requested) as asked:
        QTest.keyClick(card(pane, 8), Qt.Key.Key_Return)
    assert asked.args == [8]
    assert not card(pane, 8).expanded


def test_tab_follows_the_order_shown(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n) for n in range(1, 4))
    pane.show_exchange(exchange(found, (citation(found[2], QUOTE),)))
    settle(qtbot, pane, 3)
    cards(pane)[0].setFocus()
    seen = []
    for _ in range(9):
        widget = focused()
        if isinstance(widget, SourceCard):
            seen.append(widget.source.n)
        QTest.keyClick(widget, Qt.Key.Key_Tab)
    assert seen == [3, 1, 2]


def test_tabbing_backwards_into_the_list_shows_its_end(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources(tuple(source(n) for n in range(1, 9)))
    settle(qtbot, pane, 8)
    pane.findChildren(QToolButton)[0].setFocus()
    QTest.keyClick(focused(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    last, view = card(pane, 8), scroll_area(pane).viewport()
    assert last.isAncestorOf(focused())
    qtbot.waitUntil(lambda: view.rect().contains(last.mapTo(view, last.rect().center())))


def test_ctrl_c_on_a_card_copies_its_passage(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources((source(1),))
    settle(qtbot, pane, 1)
    card(pane, 1).setFocus()
    QTest.keyClick(card(pane, 1), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == PASSAGE


def test_a_passage_that_is_cited_whole_shows_its_best_sentence(pane: SourceList, qtbot: QtBot) -> None:
    best, other = source(1), source(2)
    whole = [citation(one, PASSAGE.strip()) for one in (best, other)]
    pane.show_exchange(exchange((best, other), (citation(best, QUOTE), *whole)))
    settle(qtbot, pane, 2)
    assert marked(card(pane, 1).passage.edit) == (QUOTE,)
    assert marked(card(pane, 2).passage.edit) == ()
    assert card(pane, 2).cited


def test_closing_and_names_for_screen_readers(pane: SourceList, qtbot: QtBot) -> None:
    close = pane.findChild(QToolButton)
    assert isinstance(close, QToolButton)
    with qtbot.waitSignal(pane.close_requested):
        QTest.mouseClick(close, LEFT)
    pane.show_exchange(exchange((source(1),), (citation(source(1), QUOTE),)))
    settle(qtbot, pane, 1)
    name = "Source 1: Building Towards Computer Use, Lesson 5: Prompt Caching, cited"
    assert card(pane, 1).accessibleName() == name
    assert card(pane, 1).accessibleDescription() == PASSAGE
    assert close.accessibleName()


@pytest.mark.slow
def test_sixty_sources_do_not_hold_up_the_window(pane: SourceList, qtbot: QtBot) -> None:
    found = tuple(source(n, PASSAGE * 2, start=1000 * n) for n in range(1, 61))
    pane.begin(1)
    longest = 0.0
    started = time.perf_counter()
    pane.add_sources(found)
    while len(cards(pane)) < 60:
        turn = time.thread_time()
        QApplication.processEvents()
        longest = max(longest, time.thread_time() - turn)
        assert time.perf_counter() - started < 120
    assert longest < 0.5
    assert numbers(pane) == list(range(1, 61))


def test_cards_on_their_way_are_dropped_with_the_answer(pane: SourceList, qtbot: QtBot) -> None:
    pane.begin(1)
    pane.add_sources(tuple(source(n) for n in range(1, 31)))
    pane.begin(2)
    pane.add_sources((source(1, "The other answer."),))
    QTest.qWait(100)
    assert [one.source.hit.text for one in cards(pane)] == ["The other answer."]


def test_a_theme_change_reaches_the_cards(pane: SourceList, qtbot: QtBot) -> None:
    pane.show_exchange(exchange((source(1),), (citation(source(1), QUOTE),)))
    settle(qtbot, pane, 1)
    before = card(pane, 1).grab().toImage().pixelColor(30, 5).lightness()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, Theme.dark())
    assert card(pane, 1).grab().toImage().pixelColor(30, 5).lightness() < before


def test_claims_that_are_not_supported_stand_above_the_sources(pane: SourceList, qtbot: QtBot) -> None:
    answer = "It **stores** the part. It costs [40 euros](https://example.org). It began in \u202e1492.[^1]"
    end = answer.index(" It began")
    why = Message(LITERAL, text="The number 40 is not there.")
    claims = [
        Claim(0, 23, Support.IN_LINE),
        Claim(24, end, Support.NOT_FOUND, why),
        Claim(end + 1, len(answer), Support.NOT_FROM_COURSES),
    ]
    answered = replace(exchange((source(1),), ()), answer=answer, claims=tuple(claims))
    pane.show_exchange(answered)
    settle(qtbot, pane, 1)
    shown = texts(pane)
    assert shown.index("Not found in the sources") < shown.index("Building Towards Computer Use")
    assert "Not found in the sources. The number 40 is not there." in shown
    assert "This does not come from your courses." in shown
    rows = {row.accessibleName(): row for row in pane.findChildren(WrappingButton) if row.isVisible()}
    assert list(rows) == ["It costs 40 euros.", "It began in \ufffd1492."]
    row = rows["It began in \ufffd1492."]
    row.setFocus()
    with qtbot.waitSignal(pane.claim_requested) as asked:
        QTest.keyClick(row, Qt.Key.Key_Space)
    assert asked.args == [1, len(answer)]
    pane.show_exchange(replace(answered, id=2, claims=()))
    settle(qtbot, pane, 1)
    assert "Not found in the sources" not in texts(pane)


def test_many_doubtful_claims_leave_room_for_the_sources(pane: SourceList, qtbot: QtBot) -> None:
    claims = tuple(Claim(n, n + 1, Support.NOT_FOUND) for n in range(30))
    pane.show_exchange(replace(exchange((source(1),), ()), claims=claims))
    settle(qtbot, pane, 1)
    assert "and 18 more" in texts(pane)


def test_a_card_says_that_its_quotation_does_not_show_the_claim(pane: SourceList, qtbot: QtBot) -> None:
    found = (source(1), source(2))
    quoted = replace(citation(found[0], QUOTE), support=Support.QUOTE_FOUND)
    wrong = replace(citation(found[1], QUOTE), support=Support.NOT_FOUND)
    pane.show_exchange(exchange(found, (quoted, wrong)))
    settle(qtbot, pane, 2)
    assert "A quotation from this passage does not show what the answer says" in texts(card(pane, 1))
    assert "A statement that cites this passage was not found in it" in texts(card(pane, 2))
    assert "does not show what the answer says" in card(pane, 1).accessibleName()


def test_a_part_of_an_answer_is_not_called_none(pane: SourceList) -> None:
    pane.show_exchange(replace(exchange((), ()), answer="Half an", state=ExchangeState.FAILED))
    assert "This answer doesn't use your courses." in texts(pane)


def test_a_question_without_an_answer_has_no_answer_without_passages(pane: SourceList) -> None:
    for state in (ExchangeState.FAILED, ExchangeState.STOPPED, ExchangeState.WRITING):
        pane.show_exchange(replace(exchange((), ()), answer="", state=state))
        assert not any("This answer was given" in text for text in texts(pane))
        assert "There is no answer, and no passages were found." in texts(pane)
