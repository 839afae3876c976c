"""The card of a citation: it comes with mouse or keyboard, can be entered and copied from, and goes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMainWindow, QPushButton, QWidget

from app.domain.events import AnswerCitation, AnswerText, SourcesFound
from app.ui.chat.transcript import Transcript
from app.ui.reading.citation_card import CitationCard
from app.ui.reading.source_card import SourceCard
from app.ui.reading.sources_pane import SourcesPane
from app.ui.shell.layout import light_up, show_cards
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import started
from tests.support.side_data import citation, exchange, source
from tests.support.source_cards import marked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange

QUOTE = "A cached part lives for five minutes and every use renews it."
ANSWER = "It lives for five minutes.\n\n> A quotation of the lesson.\n\nThe end."


class Shown:
    """A transcript beside its sources, with the card over both."""

    def __init__(self) -> None:
        self.window = QMainWindow()
        self.transcript, self.sources = Transcript(), SourcesPane()
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.addWidget(self.transcript)
        row.addWidget(self.sources)
        self.window.setCentralWidget(inside)
        self.card = CitationCard(Theme.light(), self.window)
        show_cards(self.card, self.transcript, self.sources)
        light_up(self.transcript, self.sources)
        self.window.resize(900, 600)

    def place(self, text: str, *, last: bool = False) -> QPoint:
        document = self.transcript.document()
        found = document.find(text)
        if last:
            found = document.find(text, document.characterCount() - 1, document.FindFlag.FindBackward)
        assert not found.isNull()
        start = QTextCursor(found)
        start.setPosition(found.selectionStart())
        left, right = self.transcript.cursorRect(start), self.transcript.cursorRect(found)
        return QPoint((left.left() + right.left()) // 2, left.center().y())

    def hover(self, at: QPoint) -> None:
        QTest.mouseMove(self.transcript.viewport(), at - QPoint(60, 0))
        QTest.mouseMove(self.transcript.viewport(), at)

    def words(self) -> list[str]:
        return [one.text() for one in self.card.findChildren(QLabel) if one.isVisible()]


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Iterator[Shown]:
    apply_theme(qapp, Theme.light())
    one = Shown()
    qtbot.addWidget(one.window)
    one.window.show()
    one.window.activateWindow()
    qtbot.waitActive(one.window)
    yield one
    one.window.close()


def answered() -> Exchange:
    found = source(1)
    first = replace(citation(found, QUOTE), answer_end=ANSWER.index("."))
    second = replace(first, answer_start=30, answer_end=ANSWER.index("lesson.") + 6)
    return replace(exchange((found,), (first, second)), answer=ANSWER)


def show(qtbot: QtBot, shown: Shown, what: Exchange) -> None:
    shown.transcript.show_exchanges((what,))
    qtbot.waitUntil(lambda: not shown.transcript.is_building)


@pytest.mark.parametrize("last", [False, True], ids=["in the answer", "in a quotation"])
def test_a_mark_under_the_mouse_shows_its_sentence_in_its_passage(
    qtbot: QtBot, shown: Shown, last: bool
) -> None:
    show(qtbot, shown, answered())
    shown.hover(shown.place("[1]", last=last))
    assert not shown.card.isVisible()  # a mouse on its way shows nothing
    qtbot.waitUntil(shown.card.isVisible)
    assert "Building Towards Computer Use" in shown.words()
    assert any("Lesson 5: Prompt Caching" in one for one in shown.words())
    edit = shown.card.passage.edit
    assert marked(edit) == (QUOTE,)
    assert "Prompt caching stores the part" in edit.toPlainText()
    assert shown.window.rect().contains(shown.card.geometry())
    QTest.mouseMove(shown.transcript.viewport(), QPoint(3, 3))
    qtbot.waitUntil(lambda: not shown.card.isVisible())


def test_the_card_of_a_short_passage_is_low(qtbot: QtBot, shown: Shown) -> None:
    found = source(1, "One sentence.", start=0)
    cited = replace(citation(found, "One sentence."), answer_end=ANSWER.index("."))
    show(qtbot, shown, replace(exchange((found,), (cited,)), answer=ANSWER))
    shown.hover(shown.place("[1]"))
    qtbot.waitUntil(shown.card.isVisible)
    edit = shown.card.passage.edit
    assert shown.card.height() < edit.height() + 100


def test_no_card_comes_over_the_source_that_a_click_has_opened(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, answered())
    at = shown.place("[1]")
    shown.hover(at)
    QTest.mouseClick(shown.transcript.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.qWait(600)
    assert not shown.card.isVisible()


def test_the_mouse_can_enter_the_card_and_copy(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, answered())
    shown.hover(shown.place("[1]"))
    qtbot.waitUntil(shown.card.isVisible)
    (copy,) = (one for one in shown.card.findChildren(QPushButton) if one.text() == "Copy")
    QTest.mouseMove(copy)
    QTest.qWait(400)
    assert shown.card.isVisible()
    QTest.mouseClick(copy, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert copied == f"{QUOTE}\n(Building Towards Computer Use, Lesson 5: Prompt Caching)"
    QTest.mouseMove(shown.transcript.viewport(), QPoint(3, 3))
    qtbot.waitUntil(lambda: not shown.card.isVisible())


def test_the_keyboard_reaches_the_card_and_escape_leads_back(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, answered())
    shown.transcript.setFocus()
    for _ in range(2):  # past the link below the question
        QTest.keyClick(shown.transcript, Qt.Key.Key_Right)
    qtbot.waitUntil(shown.card.isVisible)
    QTest.keyClick(shown.transcript, Qt.Key.Key_Space)
    edit = shown.card.passage.edit
    qtbot.waitUntil(edit.hasFocus)
    QTest.keyClick(edit, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(edit, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QUOTE in QGuiApplication.clipboard().text()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert not shown.card.isVisible()
    assert shown.transcript.hasFocus()


def test_enter_opens_the_source_and_closes_the_card(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, answered())
    shown.transcript.setFocus()
    for _ in range(2):  # past the link below the question
        QTest.keyClick(shown.transcript, Qt.Key.Key_Right)
    qtbot.waitUntil(shown.card.isVisible)
    with qtbot.waitSignal(shown.transcript.citation_activated):
        QTest.keyClick(shown.transcript, Qt.Key.Key_Return)
    assert not shown.card.isVisible()


def test_a_click_opens_the_source_and_closes_the_card(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, answered())
    at = shown.place("[1]")
    shown.hover(at)
    qtbot.waitUntil(shown.card.isVisible)
    with qtbot.waitSignal(shown.transcript.citation_activated):
        QTest.mouseClick(shown.transcript.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert not shown.card.isVisible()


def test_an_answer_being_written_has_cards_too(qtbot: QtBot, shown: Shown) -> None:
    found = source(1)
    begun = started()
    shown.transcript.handle(begun)
    shown.sources.begin(begun.exchange.id)
    for event in (SourcesFound((found,)), AnswerText("It lives for five minutes. More follows.")):
        shown.transcript.handle(event)
    cited = replace(citation(found, QUOTE), answer_end=26)
    shown.transcript.handle(AnswerCitation(cited))
    shown.sources.add_sources((found,))
    shown.sources.add_citation(cited)
    shown.transcript.flush()
    shown.hover(shown.place("[1]"))
    qtbot.waitUntil(shown.card.isVisible)
    assert marked(shown.card.passage.edit) == (QUOTE,)


def lit(shown: Shown) -> list[str]:
    return [place.cursor.selectedText() for place in shown.transcript.extraSelections()]


def lit_cards(shown: Shown) -> list[int]:
    """Return the sources whose cards have the colour of what is pointed at."""
    accent = QColor(Theme.light().accent_soft).name()
    return [
        one.source.n
        for one in shown.sources.findChildren(SourceCard)
        if one.grab().toImage().pixelColor(6, 6).name() == accent
    ]


def two_sources() -> Exchange:
    first, second = source(1), source(2)
    answer = "It is **not** lost. It lives for five minutes. And so on."
    claims = [(first, "lost."), (second, "five minutes."), (first, "so on.")]
    start, cited = 0, []
    for of, words in claims:
        end = answer.index(words) + len(words)
        cited.append(replace(citation(of, QUOTE), answer_start=start, answer_end=end))
        start = end + 1
    return replace(exchange((first, second), tuple(cited)), answer=answer)


def test_a_mark_lights_up_its_claim_and_its_source(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, two_sources())
    shown.sources.show_exchange(two_sources())
    assert lit(shown) == []
    shown.hover(shown.place("[2]"))
    assert lit(shown) == ["It lives for five minutes."]
    assert lit_cards(shown) == [2]
    QTest.mouseMove(shown.transcript.viewport(), QPoint(3, 3))
    assert lit(shown) == []
    assert lit_cards(shown) == []


def test_a_source_lights_up_what_cites_it(qtbot: QtBot, shown: Shown) -> None:
    show(qtbot, shown, two_sources())
    shown.sources.show_exchange(two_sources())
    qtbot.waitUntil(lambda: len(shown.sources.findChildren(SourceCard)) == 2)
    first, second = sorted(shown.sources.findChildren(SourceCard), key=lambda one: one.source.n)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: lit(shown) == ["It is not lost.", "And so on."])
    second.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: lit(shown) == ["It lives for five minutes."])
    shown.transcript.setFocus()
    qtbot.waitUntil(lambda: lit(shown) == [])
