from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app.ui.widgets.building import Cell, Stretch, hbox, link_button, one_shot, vbox
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def fixed(width: int = 20, height: int = 10) -> QWidget:
    widget = QWidget()
    widget.setFixedSize(width, height)
    return widget


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    parent = QWidget()
    qtbot.addWidget(parent)
    return parent


def test_a_row_places_items_gaps_and_stretches(parent: QWidget) -> None:
    first, second, third = fixed(), fixed(), fixed()
    box = hbox(first, 7, second, Stretch(), third, margins=(3, 0, 4, 0), spacing=0, parent=parent)
    parent.resize(200, 30)
    box.activate()
    assert [one.x() for one in (first, second, third)] == [3, 3 + 20 + 7, 200 - 4 - 20]


def test_a_column_holds_layouts_and_shares_out_the_rest(parent: QWidget) -> None:
    top, wide, low = fixed(), QWidget(), fixed()
    box = vbox(
        hbox(top, Stretch()),
        Cell(wide, 1),
        Cell(low, 0, Qt.AlignmentFlag.AlignRight),
        spacing=5,
        parent=parent,
    )
    parent.resize(100, 100)
    box.activate()
    assert (top.x(), top.y()) == (0, 0)
    assert wide.geometry().getRect() == (0, 15, 100, 70)
    assert (low.x(), low.y()) == (80, 90)


def test_a_nested_row_shares_out_the_width(parent: QWidget) -> None:
    first, second, third = QLabel("a"), QLabel("b"), QLabel("c")
    vbox(hbox(first, Cell(second, 1), spacing=4), third, parent=parent, margins=(1, 2, 3, 4))
    parent.resize(400, 100)
    parent.show()
    assert (first.x(), first.y()) == (1, 2)
    assert second.geometry().right() == 400 - 3 - 1
    assert second.width() > 10 * first.width()
    assert third.geometry().bottom() == 100 - 4 - 1


def test_labels_and_links_carry_what_the_style_sheet_asks_for(parent: QWidget) -> None:
    caption = plain_label("Text", "caption", parent)
    assert (caption.text(), caption.property("role"), caption.wordWrap()) == ("Text", "caption", True)
    clicks: list[int] = []
    plain = link_button("Open", lambda: clicks.append(1), parent)
    small = link_button("Open", lambda: clicks.append(2), parent, small=True, leads_out=True)
    plain.click()
    small.click()
    assert clicks == [1, 2]
    assert [one.property("kind") for one in (plain, small)] == ["link", "link"]
    assert (plain.property("scale"), small.property("scale")) == (None, "caption")
    assert small.layoutDirection() == Qt.LayoutDirection.RightToLeft


def test_a_timer_fires_once_for_each_start(qtbot: QtBot, parent: QWidget) -> None:
    fired: list[int] = []
    timer = one_shot(parent, 0, lambda: fired.append(1))
    timer.start()
    qtbot.waitUntil(lambda: len(fired) == 1)
    assert not timer.isActive()
    timer.start()
    qtbot.waitUntil(lambda: len(fired) == 2)
