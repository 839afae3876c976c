from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.domain.conversations import Conversation, ConversationHit
from app.ui.chat.chats_list import ChatRole, short_date
from app.ui.chat.chats_pane import ConversationsPane
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


def talks(*names: str) -> list[Conversation]:
    return [Conversation(ord(name[0]), name, 1.0) for name in names]


@pytest.fixture
def pane(qtbot: QtBot, qapp: object) -> Iterator[ConversationsPane]:
    pane = ConversationsPane()
    qtbot.addWidget(pane)
    pane.resize(280, 600)
    pane.show()
    yield pane


def shown(pane: ConversationsPane) -> list[str]:
    model = pane.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def message(pane: ConversationsPane) -> str:
    return next(label.text() for label in pane.findChildren(QLabel) if label.isVisible())


def test_an_empty_list_says_what_will_be_there(pane: ConversationsPane) -> None:
    assert message(pane) == "Opening your library…"
    assert not pane.search_box.isEnabled()
    pane.set_conversations([])
    assert message(pane).startswith("No chats yet.")
    assert pane.search_box.isEnabled()
    pane.set_conversations(talks("a"))
    assert pane.list.isVisible()
    pane.set_unavailable("The library cannot be opened.")
    assert not pane.list.isVisible()
    assert message(pane) == "The library cannot be opened."
    assert not pane.search_box.isEnabled()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("abc", "cab"),
        ("abc", "abcd"),
        ("abc", "dabc"),
        ("abc", "ac"),
        ("abc", "xbz"),
        ("abcdef", "fbdae"),
        ("ab", ""),
        ("", "ab"),
    ],
)
def test_a_new_list_keeps_the_row_the_keyboard_is_on(
    pane: ConversationsPane, before: str, after: str
) -> None:
    pane.set_conversations(talks(*before))
    pane.list.setCurrentIndex(pane.list.model().index(1, 0))
    on = pane.list.currentIndex().data()
    pane.set_conversations(talks(*after))
    assert shown(pane) == list(after)
    if before and on in after:
        assert pane.list.currentIndex().data() == on


def test_a_thousand_chats_are_smooth(pane: ConversationsPane, qtbot: QtBot) -> None:
    many = [Conversation(number, f"Chat number {number}", float(number)) for number in range(1, 1001)]
    longest = 0.0

    def timed(work: object) -> None:
        nonlocal longest
        began = time.thread_time()
        work()  # type: ignore[operator]
        pane.grab()
        longest = max(longest, time.thread_time() - began)

    timed(lambda: pane.set_conversations(many))
    timed(lambda: pane.set_conversations([many[700], *many[:700], *many[701:]]))
    timed(lambda: pane.list.scrollToBottom())
    for _ in range(20):
        timed(lambda: QTest.keyClick(pane.list, Qt.Key.Key_PageUp))
    assert shown(pane)[0] == "Chat number 701"
    assert longest < 1.0  # some 20 ms of processor time on an idle machine


def test_enter_and_a_click_open_a_chat(pane: ConversationsPane, qtbot: QtBot) -> None:
    pane.set_conversations(talks("a", "b"))
    second = pane.list.model().index(1, 0)
    with qtbot.waitSignal(pane.opened) as opened:
        QTest.mouseClick(
            pane.list.viewport(), Qt.MouseButton.LeftButton, pos=pane.list.visualRect(second).center()
        )
    assert opened.args == [ord("b"), 0]
    QTest.keyClick(pane.list, Qt.Key.Key_Up)
    with qtbot.waitSignal(pane.opened) as opened:
        QTest.keyClick(pane.list, Qt.Key.Key_Return)
    assert opened.args == [ord("a"), 0]


def test_a_search_waits_for_the_end_of_typing_and_drops_late_answers(
    pane: ConversationsPane, qtbot: QtBot
) -> None:
    pane.set_conversations(talks("a", "b"))
    asked: list[tuple[int, str]] = []
    pane.search_requested.connect(lambda number, text: asked.append((number, text)))
    QTest.keyClicks(pane.search_box, "tide")
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [(1, "tide")]
    QTest.keyClicks(pane.search_box, "s")
    qtbot.waitUntil(lambda: len(asked) == 2)
    hit = ConversationHit(talks("a")[0], 7, "High tides come.", ((5, 10),))
    pane.set_hits(1, [hit, hit])
    assert pane.hits.model().rowCount() == 0
    pane.set_hits(2, [hit])
    assert pane.hits.isVisible()
    with qtbot.waitSignal(pane.opened) as opened:
        QTest.keyClick(pane.search_box, Qt.Key.Key_Return)
    assert opened.args == [ord("a"), 7]
    QTest.keyClick(pane.search_box, Qt.Key.Key_Escape)
    assert pane.list.isVisible()


def test_what_was_found_is_painted_on_its_ground(pane: ConversationsPane, qtbot: QtBot) -> None:
    pane.set_conversations(talks("a"))
    QTest.keyClicks(pane.search_box, "tides")
    with qtbot.waitSignal(pane.search_requested) as asked:
        pass
    number = asked.args[0]
    pane.set_hits(number, [ConversationHit(talks("a")[0], 7, "High tides come.", ((5, 10),))])
    image = pane.hits.viewport().grab().toImage()
    colours = {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 2)
        for y in range(0, min(image.height(), 72), 2)
    }
    assert Theme.light().highlight in colours


def test_deletions_are_undone_together_and_only_for_a_while(pane: ConversationsPane, qtbot: QtBot) -> None:
    pane.set_conversations(talks("a", "b", "c"))
    deleted: list[int] = []
    pane.delete_requested.connect(deleted.append)
    pane.list.setFocus()
    for row in (0, 1):
        pane.list.setCurrentIndex(pane.list.model().index(row, 0))
        QTest.keyClick(pane.list, Qt.Key.Key_Delete)
    assert deleted == [ord("a"), ord("b")]
    with qtbot.waitSignal(pane.restore_requested) as restored:
        QTest.keyClick(pane.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert restored.args == [(ord("a"), ord("b"))]
    assert not pane.undo_bar.isVisible()
    QTest.keyClick(pane.list, Qt.Key.Key_Delete)
    assert pane.undo_bar.isVisible()
    pane.undo_bar.timer.setInterval(1)
    pane.undo_bar.timer.start()
    qtbot.waitUntil(lambda: not pane.undo_bar.isVisible())
    with qtbot.assertNotEmitted(pane.restore_requested):
        pane.undo_bar.take_back()


def test_the_chat_on_show_is_marked(pane: ConversationsPane) -> None:
    pane.set_conversations(talks("a", "b"))
    pane.set_current(ord("b"))
    model = pane.list.model()
    assert [model.index(row, 0).data(ChatRole.SHOWN) for row in (0, 1)] == [False, True]
    assert pane.list.currentIndex().row() == 1
    pane.set_current(None)
    assert not any(model.index(row, 0).data(ChatRole.SHOWN) for row in (0, 1))


def test_dates_say_as_little_as_is_enough() -> None:
    now = datetime(2026, 6, 15, 12, 0)
    default = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    try:
        said = [
            short_date((now - age).timestamp(), now)
            for age in (
                timedelta(hours=3),
                timedelta(days=1),
                timedelta(days=3),
                timedelta(days=30),
                timedelta(days=700),
            )
        ]
    finally:
        QLocale.setDefault(default)
    assert said == ["09:00", "Yesterday", "Fri", "16 May", "15 Jul 2024"]
