"""Copy, Regenerate and Edit are icons of the exchange that mouse or keyboard are at, and of the newest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.transcript import Transcript
from app.ui.widgets.theme import apply_theme, theme_for
from tests.support.chat_builders import exchange, started

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QRect
    from PySide6.QtGui import QTextCursor
    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange

WORDS = ("Copy", "Regenerate", "Edit")


@pytest.fixture(params=[("light", 100), ("dark", 200)], ids=str)
def transcript(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[Transcript]:
    theme = theme_for(*request.param)
    apply_theme(qapp, theme)
    widget = Transcript(theme)
    qtbot.addWidget(widget)
    widget.resize(640, 1500)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    apply_theme(qapp, theme_for("light"))


def show(qtbot: QtBot, transcript: Transcript, *exchanges: Exchange) -> None:
    transcript.show_exchanges(exchanges)
    qtbot.waitUntil(lambda: not transcript.is_building)


def links(transcript: Transcript, words: str) -> list[QTextCursor]:
    """Return where the words of a link stand, one for each exchange on show."""
    found = []
    cursor = transcript.document().find(words)
    while not cursor.isNull():
        if cursor.charFormat().isAnchor():
            found.append(cursor)
        cursor = transcript.document().find(words, cursor)
    return found


def place(transcript: Transcript, link: QTextCursor) -> QRect:
    rect = transcript.cursorRect(link)
    size = 16 * transcript.theme.text_size // 100
    return rect.adjusted(-size // 2, 0, size // 2, 0)


def is_drawn(transcript: Transcript, link: QTextCursor) -> bool:
    """Return whether something stands at a link."""
    image = transcript.viewport().grab(place(transcript, link)).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    ratio = transcript.viewport().devicePixelRatioF()
    assert image.width() > 8 * ratio
    return any(
        QColor(colour).lightness() != QColor(transcript.theme.surface).lightness() for colour in colours
    )


def drawn(transcript: Transcript) -> list[list[bool]]:
    return [[is_drawn(transcript, link) for link in links(transcript, words)] for words in WORDS]


def test_they_are_shown_for_the_newest_and_the_one_under_the_mouse(
    qtbot: QtBot, transcript: Transcript
) -> None:
    show(qtbot, transcript, exchange(1), exchange(2, "And then?"), exchange(3, "At last?"))
    assert drawn(transcript) == [[False, False, True]] * 3
    answer = transcript.document().find("Because.")
    QTest.mouseMove(transcript.viewport(), transcript.cursorRect(answer).center())
    qtbot.waitUntil(lambda: drawn(transcript) == [[True, False, True]] * 3)
    QApplication.sendEvent(transcript.viewport(), QEvent(QEvent.Type.Leave))
    QApplication.sendEvent(transcript, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: drawn(transcript) == [[False, False, True]] * 3)


def test_the_keyboard_shows_them_and_its_place_among_them(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(1), exchange(2, "And then?"))
    transcript.activateWindow()
    transcript.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(transcript.hasFocus)
    (again, _) = links(transcript, "Regenerate")
    before = transcript.viewport().grab(place(transcript, again)).toImage()
    transcript.setTextCursor(again)
    assert drawn(transcript) == [[True, True]] * 3
    focused = transcript.viewport().grab(place(transcript, again)).toImage()
    assert focused != before
    with qtbot.waitSignal(transcript.retry_requested):
        QTest.keyClick(transcript, Qt.Key.Key_Return)


def test_what_is_clicked_is_as_large_as_it_looks(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(1))
    reach = 11 * transcript.theme.text_size // 100
    for words, address in (("Copy", "copy:1"), ("Regenerate", "retry:1"), ("Edit", "edit:1")):
        (link,) = links(transcript, words)
        middle = transcript.cursorRect(link).center()
        for side in (-reach, reach):
            assert transcript.anchorAt(middle + QPoint(side, 0)) == address


def test_an_answer_gets_them_when_it_is_complete(qtbot: QtBot, transcript: Transcript) -> None:
    show(qtbot, transcript, exchange(1))
    transcript.clearFocus()
    transcript.handle(started(2, "And then?"))
    transcript.handle(AnswerText("Words."))
    qtbot.waitUntil(lambda: "Words." in transcript.toPlainText())
    assert [is_drawn(transcript, link) for link in links(transcript, "Edit")] == [False, False]
    transcript.handle(AnswerDone(exchange(2, "And then?", "Words.")))
    assert drawn(transcript) == [[False, True]] * 3
