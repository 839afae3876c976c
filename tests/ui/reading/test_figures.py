"""Figures on the cards of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QScrollArea

from app.domain.figures import Figure, FigureLabel, FigurePicture
from app.domain.pages import Box
from app.ui.reading.sources_pane import SourcesPane
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.side_data import exchange, source
from tests.support.source_cards import card, cards

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

FIGURE = Figure(FigureLabel("figure", "3"), "Figure 3: <b>Tides</b>", 7, Box(72, 100, 372, 250))
RED = FigurePicture(FIGURE, 600, 300, bytes((0, 0, 255, 255)) * 600 * 300)


@pytest.fixture
def pane(qtbot: QtBot, qapp: QApplication) -> Iterator[SourcesPane]:
    apply_theme(qapp, Theme.light())
    window = QMainWindow()
    qtbot.addWidget(window)
    widget = SourcesPane()
    window.setCentralWidget(widget)
    window.resize(340, 500)
    window.show()
    window.activateWindow()
    qtbot.waitActive(window)
    yield widget
    window.close()


def test_a_figure_stands_on_its_card_as_it_looks(pane: SourcesPane, qtbot: QtBot) -> None:
    asked: list[int] = []
    pane.figures_requested.connect(lambda exchange_id, _: asked.append(exchange_id))
    shown = exchange((source(1), source(2)), ())
    pane.show_exchange(shown)
    pane.show_exchange(shown)
    assert asked == [shown.id]
    pane.show_figures(shown.id + 1, {1: RED})
    assert card(pane.list, 1).figure is None
    pane.show_figures(shown.id, {1: RED})
    view = card(pane.list, 1).figure
    assert view is not None
    assert card(pane.list, 2).figure is None
    qtbot.waitUntil(lambda: view.width() > 200)
    assert abs(view.height() - view.width() / 2) <= 1
    image = view.grab().toImage()
    assert image.pixelColor(image.width() // 2, image.height() // 2) == QColor(255, 0, 0)
    assert view.accessibleName() == "Figure 3: <b>Tides</b>"
    assert "page 7" in view.accessibleDescription()
    assert "<b>" not in view.toolTip()


def test_a_click_or_a_key_opens_the_page_of_the_figure(pane: SourcesPane, qtbot: QtBot) -> None:
    opened: list[tuple[int, Figure]] = []
    pane.list.figure_requested.connect(lambda n, figure: opened.append((n, figure)))
    shown = exchange((source(1),), ())
    pane.show_exchange(shown)
    pane.show_figures(shown.id, {1: RED})
    view = card(pane.list, 1).figure
    assert view is not None
    QTest.mouseClick(view, Qt.MouseButton.LeftButton)
    assert opened == [(1, FIGURE)]
    assert pane.is_reading
    pane.show_list()
    view.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert len(opened) == 2
    assert view in card(pane.list, 1).tab_stops()


def test_what_is_being_read_stays_where_it_is_when_figures_come(pane: SourcesPane, qtbot: QtBot) -> None:
    shown = exchange(tuple(source(n) for n in range(1, 9)), ())
    pane.show_exchange(shown)
    qtbot.waitUntil(lambda: len(pane.list.findChildren(type(card(pane.list, 1)))) == 8)
    area = pane.list.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    bar, inside = area.verticalScrollBar(), area.widget()
    qtbot.waitUntil(lambda: bar.maximum() > 500)
    fifth = card(pane.list, 5)
    bar.setValue(fifth.y() + 10)
    before = fifth.mapTo(area, fifth.rect().topLeft()).y()
    assert inside is not None
    height = inside.height()
    pane.show_figures(shown.id, {1: RED, 2: RED, 8: RED})
    qtbot.waitUntil(lambda: inside.height() > height)
    assert fifth.mapTo(area, fifth.rect().topLeft()).y() == before


def test_cards_that_are_made_later_have_their_figures_too(pane: SourcesPane, qtbot: QtBot) -> None:
    shown = exchange(tuple(source(n) for n in range(1, 9)), ())
    pane.show_exchange(shown)
    pane.show_figures(shown.id, {8: RED})
    pane.activate(8)
    qtbot.waitUntil(lambda: len(cards(pane.list)) == 8)
    assert card(pane.list, 8).figure is not None
    pane.set_theme(Theme.dark())
