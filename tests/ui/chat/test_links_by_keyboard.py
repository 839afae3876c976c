"""Going through a long conversation with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.chat.chat_pane import ChatPane
from tests.support.chat_builders import cite, exchange

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from app.ui.chat.transcript import Transcript

pytestmark = pytest.mark.qt_log_ignore(r"This plugin does not support raise\(\)")  # of tool tips

SHIFT = Qt.KeyboardModifier.ShiftModifier
ANSWER = "A claim. Another claim. " + "Words and words. " * 40


@pytest.fixture
def pane(qtbot: QtBot) -> ChatPane:
    """A chat of 100 exchanges, each with five links, at its end."""
    pane = ChatPane()
    qtbot.addWidget(pane)
    pane.resize(700, 600)
    pane.show()
    pane.activateWindow()
    made = cite(ANSWER, (1, "A claim."), (2, "Another claim."))
    pane.show_exchanges([exchange(number, answer=ANSWER, citations=made) for number in range(1, 101)])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    pane.focus_composer()
    qtbot.waitUntil(pane.composer.edit.hasFocus)
    return pane


def address(transcript: Transcript) -> str:
    cursor = transcript.textCursor()
    return cursor.charFormat().anchorHref() if cursor.hasSelection() else ""


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    widget = QApplication.focusWidget()
    assert widget is not None, "the keyboard is lost"
    QTest.keyClick(widget, key, modifiers)


def test_tab_goes_round_a_long_chat_in_a_few_steps(pane: ChatPane) -> None:
    seen = []
    while pane.composer.edit not in seen:
        press(Qt.Key.Key_Tab)
        seen.append(QApplication.focusWidget())
        assert len(seen) < 12
    assert seen.count(pane.transcript) == 1


def test_the_keyboard_comes_to_the_last_link_in_view_and_goes_back_from_there(pane: ChatPane) -> None:
    transcript = pane.transcript
    while QApplication.focusWidget() is not transcript:
        press(Qt.Key.Key_Tab, SHIFT)
    assert address(transcript) == "retry:100"
    passed = []
    for _ in range(6):
        press(Qt.Key.Key_Left)
        passed.append(address(transcript))
    assert [one.partition(":")[0] for one in passed] == ["copy", "cite", "cite", "edit", "retry", "copy"]
    assert passed[-1] == "copy:99"
    place = transcript.cursorRect(transcript.textCursor())
    assert transcript.viewport().rect().contains(place.center()), "it is scrolled into view"
    press(Qt.Key.Key_Right)
    assert address(transcript) == "retry:99"


def test_after_scrolling_the_first_link_in_view_is_next(qtbot: QtBot, pane: ChatPane) -> None:
    transcript = pane.transcript
    transcript.setFocus()
    press(Qt.Key.Key_Right)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    press(Qt.Key.Key_Right)
    assert abs(bar.value() - bar.maximum() // 2) < 40, "no more than shows a line that is cut"
    place = transcript.cursorRect(transcript.textCursor())
    assert 0 <= place.top() < transcript.viewport().height() // 2
    bar.setValue(0)
    for _ in range(3):  # earlier ones are not on show: it ends at the first
        press(Qt.Key.Key_Left)
    with qtbot.waitSignal(transcript.edit_requested, raising=False, timeout=100):
        press(Qt.Key.Key_Return)


def test_the_link_with_the_keyboard_is_seen(pane: ChatPane) -> None:
    transcript = pane.transcript

    def look() -> QImage:
        place = transcript.cursorRect(transcript.textCursor())
        return transcript.viewport().grab(place.adjusted(-40, 0, 0, 0)).toImage()

    while QApplication.focusWidget() is not transcript:
        press(Qt.Key.Key_Tab, SHIFT)
    focused = look()
    pane.focus_composer()
    assert focused != look()
