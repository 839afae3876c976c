from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QWidget

from app.ui.widgets.layouts import column, row

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_one_item_takes_the_remaining_room(qtbot: QtBot) -> None:
    page, first, second, third = QWidget(), QLabel("a"), QLabel("b"), QLabel("c")
    qtbot.addWidget(page)
    column(row(first, second, wide=second, spacing=4), third, parent=page, margins=(1, 2, 3, 4))
    page.resize(400, 100)
    page.show()
    assert (first.x(), first.y()) == (1, 2)
    assert second.geometry().right() == 400 - 3 - 1
    assert second.width() > 10 * first.width()
    assert third.geometry().bottom() == 100 - 4 - 1


def test_none_is_room_that_stretches(qtbot: QtBot) -> None:
    page, left, right = QWidget(), QLabel("a"), QLabel("b")
    qtbot.addWidget(page)
    row(left, None, right, parent=page)
    page.resize(400, 40)
    page.show()
    assert left.x() == 0
    assert right.geometry().right() == 399
    assert left.width() + right.width() < 100
