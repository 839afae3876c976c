from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.ui.widgets.search_fields import SearchBox

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_escape_and_the_button_clear_what_was_typed(qtbot: QtBot) -> None:
    box = SearchBox("Search", "Show all")
    qtbot.addWidget(box)
    search, clear = box.actions()
    assert (search.isVisible(), clear.isVisible()) == (True, False)
    QTest.keyClicks(box, "tides")
    assert clear.isVisible()
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert box.text() == ""
    QTest.keyClicks(box, "tides")
    clear.trigger()
    assert (box.text(), clear.isVisible()) == ("", False)


def test_down_leads_to_the_list_below(qtbot: QtBot) -> None:
    box = SearchBox("Search", "Show all")
    qtbot.addWidget(box)
    with qtbot.waitSignal(box.down_pressed):
        QTest.keyClick(box, Qt.Key.Key_Down)
    with qtbot.waitSignal(box.returnPressed):
        QTest.keyClick(box, Qt.Key.Key_Return)
