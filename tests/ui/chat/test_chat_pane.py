from __future__ import annotations

import html
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton

from app.domain.courses import LibraryCounts
from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.chat_pane import ChatPane
from app.ui.settings.ways import Tile, TileList, WayTile
from app.ui.widgets.text_labels import WrappingButton
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from tests.support.chat_builders import exchange, started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

SUGGESTIONS = ("What is caching?", "Who & why?", "A very long question that goes on " * 5, "Four", "Five")


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> ChatPane:
    apply_theme(qapp, Theme.light())
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.welcome.set_library(LibraryCounts(4, 28, 1528))
    widget.welcome.set_suggestions(SUGGESTIONS)
    widget.resize(640, 600)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    widget.focus_composer()
    qtbot.waitUntil(widget.composer.edit.hasFocus)
    return widget


def labels(pane: ChatPane) -> str:
    return "\n".join(label.text() for label in pane.findChildren(QLabel) if label.isVisible())


def suggestions(pane: ChatPane) -> list[WrappingButton]:
    return [button for button in pane.findChildren(WrappingButton) if button.isVisible()]


def button(pane: ChatPane, text: str) -> QPushButton:
    return next(each for each in pane.findChildren(QPushButton) if each.text() == text)


def test_welcome_says_what_the_library_holds(pane: ChatPane) -> None:
    assert pane.welcome.isVisible()
    text = labels(pane)
    assert "4 courses" in text
    assert "passage" not in text
    pane.welcome.set_library(LibraryCounts(1, 2, 30))
    pane.welcome.set_suggestions(SUGGESTIONS)
    assert "1 course " in labels(pane)


def test_welcome_of_an_empty_library_says_what_to_do(pane: ChatPane) -> None:
    pane.welcome.set_library(LibraryCounts(0, 0, 0))
    pane.welcome.set_suggestions(())
    assert "Your library is empty" in labels(pane)
    assert not suggestions(pane)
    assert "Try asking" not in labels(pane)


def test_what_a_new_library_is_offered_fits(qtbot: QtBot, pane: ChatPane) -> None:
    welcome = pane.welcome
    welcome.set_library(LibraryCounts(0, 0, 0), is_new=True)

    def laid_out(beside: bool) -> bool:
        buttons, room = (welcome.samples, welcome.folder), welcome.viewport().rect()
        first, second = (QRect(each.mapTo(welcome.viewport(), QPoint()), each.size()) for each in buttons)
        whole = room.contains(first) and room.contains(second) and not first.intersects(second)
        return whole and (first.top() == second.top()) == beside

    for width, beside in ((700, True), (360, False), (700, True)):
        pane.resize(width, 600)
        qtbot.waitUntil(partial(laid_out, beside))


def test_suggestion_is_asked_with_a_click(qtbot: QtBot, pane: ChatPane) -> None:
    shown = suggestions(pane)
    assert [each.accessibleName() for each in shown] == list(SUGGESTIONS)
    for each in shown:
        with qtbot.waitSignal(pane.welcome.suggestion_clicked) as clicked:
            QTest.mouseClick(each, Qt.MouseButton.LeftButton)
        assert clicked.args == [each.accessibleName()]
    shown[0].setFocus()
    with qtbot.waitSignal(pane.welcome.suggestion_clicked):
        QTest.keyClick(shown[0], Qt.Key.Key_Space)


def test_suggestions_fit_and_say_all_in_their_tooltip(pane: ChatPane) -> None:
    long = suggestions(pane)[2]
    assert long.lines()[0][-1].endswith("…")
    assert SUGGESTIONS[2] in html.unescape(long.toolTip())
    assert all(each.height() >= each.heightForWidth(each.width()) for each in suggestions(pane))


def test_asking_goes_out_and_the_answer_comes_in(qtbot: QtBot, pane: ChatPane) -> None:
    QTest.keyClicks(pane.composer.edit, "Why?")
    with qtbot.waitSignal(pane.composer.question_asked) as asked:
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    assert asked.args == ["Why?"]
    pane.set_busy(True)
    pane.handle(started())
    assert pane.transcript.isVisible()
    assert not pane.welcome.isVisible()
    pane.handle(AnswerText("Because."))
    qtbot.waitUntil(lambda: "Because." in pane.transcript.toPlainText())
    pane.handle(AnswerDone(exchange()))
    pane.set_busy(False)
    assert "Copy" in pane.transcript.toPlainText()
    qtbot.waitUntil(pane.composer.edit.hasFocus)


def test_escape_stops_while_an_answer_runs(qtbot: QtBot, pane: ChatPane) -> None:
    with qtbot.assertNotEmitted(pane.composer.stop_requested):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Escape)
    pane.set_busy(True)
    with qtbot.waitSignal(pane.composer.stop_requested):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Escape)
    pane.handle(started())
    pane.transcript.setFocus()
    with qtbot.waitSignal(pane.composer.stop_requested):
        QTest.keyClick(pane.transcript, Qt.Key.Key_Escape)
    pane.set_busy(False)
    with qtbot.assertNotEmitted(pane.composer.stop_requested):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Escape)


def test_activity_is_shown_while_busy(pane: ChatPane) -> None:
    activity = pane.findChild(QProgressBar)
    assert isinstance(activity, QProgressBar)
    assert activity.maximum() == 1
    pane.set_busy(True)
    assert activity.maximum() == 0
    pane.set_busy(False)
    assert activity.maximum() == 1


def test_a_question_that_is_not_sent_at_once_says_so(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_busy(True)
    assert "Sending your question…" not in labels(pane)
    qtbot.waitUntil(lambda: "Sending your question…" in labels(pane))
    pane.handle(started())
    assert "Sending your question…" not in labels(pane)
    pane.set_busy(False)


def test_nothing_moves_when_an_answer_begins_and_ends(pane: ChatPane) -> None:
    place = pane.composer.geometry()
    pane.set_busy(True)
    assert pane.composer.geometry() == place
    pane.set_busy(False)
    assert pane.composer.geometry() == place


def test_preparing_says_why_nothing_can_be_asked_yet(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_search_only(True)
    pane.set_preparing("Loading the model…")
    assert "Loading the model…" in labels(pane)
    QTest.keyClicks(pane.composer.edit, "Early")
    with qtbot.assertNotEmitted(pane.composer.question_asked):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)
    pane.set_preparing(None)
    assert "Loading the model…" not in labels(pane)
    assert pane.composer.edit.toPlainText() == "Early"
    assert pane.composer.button.isEnabled()


def test_new_chat_shows_the_welcome_again(qtbot: QtBot, pane: ChatPane) -> None:
    pane.show_exchanges([exchange()])
    qtbot.waitUntil(lambda: "Because." in pane.transcript.toPlainText())
    assert not pane.welcome.isVisible()
    pane.show_exchanges(())
    assert pane.welcome.isVisible()
    assert pane.transcript.toPlainText() == ""


def test_notice_takes_the_place_of_the_welcome(pane: ChatPane) -> None:
    pane.show_notice("The library is in use by another Lectern.", "danger")
    assert pane.transcript.isVisible()
    assert "in use by another Lectern" in pane.transcript.toPlainText()


def test_question_that_could_not_be_asked_comes_back(qtbot: QtBot, pane: ChatPane) -> None:
    pane.composer.set_text("Once more?")
    assert pane.composer.edit.toPlainText() == "Once more?"
    with qtbot.waitSignal(pane.composer.question_asked):
        QTest.keyClick(pane.composer.edit, Qt.Key.Key_Return)


def test_wheel_beside_the_text_scrolls_it(qtbot: QtBot, pane: ChatPane) -> None:
    pane.resize(1200, 500)
    pane.show_exchanges([exchange(answer="line\n\n" * 60)])
    bar = pane.transcript.verticalScrollBar()
    qtbot.waitUntil(lambda: not pane.transcript.is_building and bar.value() == bar.maximum() > 0)
    turn = QWheelEvent(
        QPointF(20, 100),
        QPointF(pane.mapToGlobal(QPoint(20, 100))),
        QPoint(0, 0),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    # The transcript leaves it to the pane; Qt hands only the events of a real wheel on.
    QApplication.sendEvent(pane, turn)
    assert bar.value() < bar.maximum()


@pytest.mark.parametrize("theme", [Theme.light(), Theme.dark()], ids=lambda theme: theme.name)
def test_theme_reaches_every_part(qtbot: QtBot, pane: ChatPane, qapp: QApplication, theme: Theme) -> None:
    apply_theme(qapp, theme)
    pane.set_theme(theme)
    assert pane.grab().toImage().pixelColor(3, 3).name() == theme.surface
    pane.show_exchanges([exchange()])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    assert pane.grab().toImage().pixelColor(3, 200).name() == theme.surface


@pytest.mark.parametrize(("width", "height"), [(360, 420), (740, 640), (980, 940)])
def test_nothing_is_clipped(qtbot: QtBot, pane: ChatPane, width: int, height: int) -> None:
    pane.set_search_only(True)
    pane.resize(width, height)
    qtbot.waitUntil(lambda: pane.width() == width)
    QApplication.processEvents()
    for label in pane.findChildren(QLabel):
        if label.isVisible() and label.text():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
    assert pane.composer.geometry().bottom() < height
    assert pane.welcome.horizontalScrollBar().maximum() == 0


@pytest.fixture
def narrow_pane(qtbot: QtBot, qapp: QApplication) -> Iterator[ChatPane]:
    """Half of a small screen, in the largest text."""
    apply_theme(qapp, theme_for("light", 200))
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.welcome.offers_ways = True
    ways = TileList()
    ways.show_tiles([Tile("Claude", "Claude", "The best answers. Needs an API key.", "Set up…")])
    widget.welcome.place_ways(ways)
    widget.welcome.set_library(LibraryCounts(4, 28, 1528))
    widget.welcome.set_suggestions(SUGGESTIONS)
    widget.set_search_only(True)
    widget.resize(390, 440)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    apply_theme(qapp, Theme.light())


def test_the_welcome_fits_a_narrow_pane_in_large_text(narrow_pane: ChatPane) -> None:
    welcome, view = narrow_pane.welcome, narrow_pane.welcome.viewport()
    button = welcome.findChildren(WayTile)[0].button
    QApplication.processEvents()
    assert welcome.horizontalScrollBar().maximum() == 0
    for one in (button, welcome.skip):
        assert one.mapTo(view, QPoint(one.width(), 0)).x() <= view.width() - 24
        assert one.width() >= one.minimumSizeHint().width()
