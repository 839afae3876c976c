"""Copying code from an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.chat.chat_pane import ChatPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import exchange

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CODE = "def tide(moon):\n    return moon * 2"


@pytest.mark.parametrize("before", ["", "- An item:\n\n"], ids=["alone", "in a list"])
def test_code_under_the_mouse_is_copied_with_one_click(qtbot: QtBot, qapp: QApplication, before: str) -> None:
    apply_theme(qapp, Theme.light())
    pane = ChatPane(Theme.light())
    qtbot.addWidget(pane)
    pane.resize(700, 500)
    pane.show()
    qtbot.waitExposed(pane)
    margin = "  " if before else ""
    fenced = "\n".join(margin + line for line in f"```python\n{CODE}\n```".split("\n"))
    pane.show_exchanges([exchange(answer=f"Words before.\n\n{before}{fenced}\n\nWords after.")])
    qtbot.waitUntil(lambda: not pane.transcript.is_building)
    view, button = pane.transcript, pane.code_copy.button

    def point_at(words: str) -> None:
        QTest.mouseMove(view.viewport(), view.cursorRect(view.document().find(words)).center())

    QTest.mouseMove(view.viewport(), QPoint(1, 1))
    assert button.isHidden()
    point_at("return")
    qtbot.waitUntil(button.isVisible)
    line = view.cursorRect(view.document().find("def"))
    assert button.geometry().top() < line.bottom()
    assert view.viewport().rect().contains(button.geometry())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == CODE
    for words in ("Words before", "Words after"):
        point_at("return")
        qtbot.waitUntil(button.isVisible)
        point_at(words)
        qtbot.waitUntil(button.isHidden)
    point_at("return")
    qtbot.waitUntil(button.isVisible)
    QApplication.sendEvent(view.viewport(), QEvent(QEvent.Type.Leave))
    assert button.isHidden()
    assert view.code_at(QPoint(1, 1)) is None
