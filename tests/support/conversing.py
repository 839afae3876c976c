"""What tests of chats in the running window share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from app.ui.chat.chats_list import ChatRole
from app.ui.markup.rich_text import between, looks
from app.ui.shell.layout import CHATS

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from app.ui.chat.chats_pane import RowList
    from tests.support.running_window import RunningWindow


def chat_text(running: RunningWindow) -> str:
    """Return the conversation on show, its invisible signs left out."""
    text = running.window.chat.transcript.toPlainText()
    return re.sub("[\u200b\u2060]", "", text).replace("\xa0", " ")


def ask(running: RunningWindow, question: str, *, wait: bool = True) -> None:
    """Type a question and wait for the end of its answer."""
    edit = running.window.chat.composer.edit
    QTest.keyClicks(edit, question)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    running.wait_for(lambda: running.window.chat_controller.is_answering, "the answer to begin")
    if wait:
        running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer to end")


def click_link(running: RunningWindow, text: str, nth: int = 0) -> None:
    """Click the nth link of the conversation that reads ``text``."""
    running.wait_for(lambda: not running.window.chat.transcript.is_building, "the conversation to be drawn")
    _click(running, _links(running, text)[nth])


def follow_link(running: RunningWindow, kind: str) -> None:
    """Click the last link of the conversation whose address begins so, whatever its language says."""
    view = running.window.chat.transcript
    running.wait_for(lambda: not view.is_building, "the conversation to be drawn")
    pieces = looks(view.document(), 0, view.document().characterCount())
    ends = [end for _, end, look in pieces if look.anchorHref().startswith(kind)]
    _click(running, between(view.document(), ends[-1], ends[-1]))


def _click(running: RunningWindow, cursor: QTextCursor) -> None:
    view = running.window.chat.transcript
    view.setTextCursor(cursor)
    view.ensureCursorVisible()
    rect = view.cursorRect(cursor)
    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.left() - 2, rect.center().y())
    )


def _links(running: RunningWindow, text: str) -> list[QTextCursor]:
    document = running.window.chat.transcript.document()
    found: list[QTextCursor] = []
    cursor = document.find(text)
    while not cursor.isNull():
        if cursor.charFormat().isAnchor():
            end = QTextCursor(document)
            end.setPosition(cursor.selectionEnd())
            found.append(end)
        cursor = document.find(text, cursor)
    return found


def show_chats(running: RunningWindow) -> RowList:
    """Click the tab with the chats; return the list."""
    tabs = running.window.side.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(CHATS).center())
    return running.window.chats.list


def titles(rows: RowList) -> list[str]:
    """Return the titles in the order shown."""
    return [rows.model().index(row, 0).data() for row in range(rows.model().rowCount())]


def row(rows: RowList, title: str) -> QModelIndex:
    """Return the row of a title."""
    return rows.model().index(titles(rows).index(title), 0)


def click_row(running: RunningWindow, rows: RowList, title: str) -> None:
    """Click a chat and wait until it is on show."""
    index = row(rows, title)
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(index).center())
    wanted = index.data(ChatRole.ID)
    running.wait_for(lambda: running.window.chat_controller.conversation_id == wanted, f"chat “{title}”")
    running.wait_for(lambda: not running.window.chat.transcript.is_building, "the chat to be drawn")
