"""Copying code from an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from tests.support.chat_builders import exchange

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from pytestqt.qtbot import QtBot

    from app.ui.chat.transcript import Transcript

CODE = "def tide(moon):\n    return moon * 2"


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("before", ["", "- An item:\n\n"], ids=["alone", "in a list"])
def test_code_under_the_mouse_is_copied_from_its_menu(
    qtbot: QtBot, transcript: Transcript, before: str
) -> None:
    margin = "  " if before else ""
    fenced = "\n".join(margin + line for line in f"```python\n{CODE}\n```".split("\n"))
    transcript.show_exchanges([exchange(answer=f"Words before.\n\n{before}{fenced}\n\nWords after.")])
    qtbot.waitUntil(lambda: not transcript.is_building)

    def place(words: str) -> QPoint:
        return transcript.cursorRect(transcript.document().find(words)).center()

    assert transcript.code_at(place("Words before")) == transcript.code_at(place("Words after")) == ""
    at = place("return")
    QApplication.sendEvent(
        transcript.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, transcript.viewport().mapToGlobal(at)),
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text() == "Copy code").trigger()
    menu.close()
    assert QApplication.clipboard().text() == CODE
