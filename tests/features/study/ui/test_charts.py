"""Charts of the progress: what is pointed at or stepped to is said, and drawn where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollArea, QToolTip

from app.features.study.ui.charts import BarChart, Share, ShareChart
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

Key = Qt.Key


@pytest.fixture(autouse=True)
def tips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What tool tips say; without a window manager, Qt warns where one takes the place of another."""
    texts: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda _, text, *__: texts.append(text))
    return texts


@pytest.fixture
def bars(qtbot: QtBot) -> BarChart:
    chart = BarChart("Due in the next days")
    chart.show_values((3, 0, 8), ("Today: 3", "Tomorrow: 0", "Wednesday: 8"), {0: "Today", 2: "Wednesday"})
    chart.resize(300, 150)
    qtbot.addWidget(chart)
    chart.show()
    return chart


@pytest.fixture
def right_to_left() -> Iterator[None]:
    QApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def point_at(chart: BarChart, place: QPoint) -> None:
    QApplication.sendEvent(chart, QHelpEvent(QEvent.Type.ToolTip, place, chart.mapToGlobal(place)))


def test_the_keys_go_from_day_to_day_and_stop_at_the_ends(bars: BarChart) -> None:
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    visited = []
    for key in (Key.Key_Right, Key.Key_End, Key.Key_Right, Key.Key_Left, Key.Key_Home, Key.Key_Left):
        QTest.keyClick(bars, key)
        visited.append(bars.current)
    assert visited[1:] == [2, 2, 1, 0, 0]
    QTest.keyClick(bars, Key.Key_A)
    assert bars.current == 0


def test_a_day_is_named_where_it_is_pointed_at(bars: BarChart, tips: list[str]) -> None:
    tips.clear()
    point_at(bars, bars.area(2).center())
    point_at(bars, QPoint(0, 0))  # the scale
    assert tips == ["<qt>Wednesday: 8</qt>", ""]


def test_bars_are_as_high_as_their_values(bars: BarChart) -> None:
    picture = bars.grab().toImage()
    accent = Theme.current().accent

    def filled(part: int) -> int:
        area = bars.area(part)
        column = (picture.pixelColor(area.center().x(), y).name() for y in range(picture.height()))
        return sum(colour == accent.casefold() for colour in column)

    assert filled(1) == 0
    assert 0.3 < filled(0) / filled(2) < 0.45


@pytest.mark.usefixtures("right_to_left")
def test_the_first_day_is_at_the_right_where_one_reads_from_there(bars: BarChart) -> None:
    assert bars.area(0).left() > bars.area(2).left()


def test_the_lesson_that_has_the_keyboard_is_scrolled_to(qtbot: QtBot) -> None:
    chart, area = ShareChart("Lessons"), QScrollArea()
    rows = [Share(f"Lesson {n}", (n, 1, 2), f"{n} known, 1 learning, 2 new") for n in range(30)]
    chart.show_rows(rows)
    area.setWidgetResizable(True)
    area.setWidget(chart)
    area.resize(320, 200)
    qtbot.addWidget(area)
    area.show()
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chart, Key.Key_End)
    assert chart.names[chart.current] == "Lesson 29: 29 known, 1 learning, 2 new"
    bar = area.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    assert not chart.grab(chart.area(29)).isNull()
