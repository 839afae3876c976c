"""The frame of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QSplitter, QWidget

from app.ui.shell.layout import RoomForPages

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_pages_get_half_of_the_room_and_give_it_back(qtbot: QtBot) -> None:
    splitter = QSplitter(handleWidth=1)
    qtbot.addWidget(splitter)
    for _ in range(3):
        splitter.addWidget(QWidget())
    splitter.resize(1202, 600)
    splitter.show()
    splitter.setSizes([200, 700, 300])
    room = RoomForPages(splitter)
    for wide, sizes in ((True, [200, 500, 500]), (True, [200, 500, 500]), (False, [200, 700, 300])):
        room.set_wide(wide)
        assert splitter.sizes() == sizes
    room.set_wide(True)
    splitter.setSizes([200, 400, 600])  # somebody drags the edge
    room.set_wide(False)
    assert splitter.sizes() == [200, 400, 600]
