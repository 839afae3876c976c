"""The panes of the window share its width."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QSplitter

from app.config.settings import Settings
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.workers import Workers
from tests.support import side_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    Opening = Callable[[int], MainWindow]


@pytest.fixture
def window_of(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Opening]:
    """Open the window in a given width, before any library."""
    apply_theme(qapp, Theme.light())
    opened: list[MainWindow] = []

    def open_one(width: int) -> MainWindow:
        window = MainWindow(Workers(), Settings(), Theme.light(), tmp_path, tmp_path / "window.ini")
        opened.append(window)
        window.resize(width, 700)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield open_one
    for window in opened:
        window.close()
        window.deleteLater()


def resize(window: MainWindow, width: int) -> None:
    window.resize(width, 700)
    QApplication.processEvents()


def found_sources(window: MainWindow, there_are: bool = True) -> None:
    window.chat_controller.sources_changed.emit(there_are)
    QApplication.processEvents()


def widths(window: MainWindow) -> list[int]:
    return [pane.width() for pane in (window.side, window.chat, window.sources)]


def drag_to(window: MainWindow, sizes: list[int]) -> None:
    splitter = window.centralWidget()
    assert isinstance(splitter, QSplitter)
    splitter.setSizes(sizes)


def test_pages_get_half_of_the_room_and_give_it_back(window_of: Opening) -> None:
    window = window_of(1202)
    found_sources(window)
    before = widths(window)
    window.sources.pages_shown.emit(True)
    side, chat, sources = widths(window)
    assert side == before[0]
    assert abs(chat - sources) <= 1
    window.sources.pages_shown.emit(False)
    assert widths(window) == before


def test_an_edge_that_was_dragged_meanwhile_stays(window_of: Opening) -> None:
    window = window_of(1402)
    found_sources(window)
    window.sources.pages_shown.emit(True)
    dragged = [280, 460, 660]
    drag_to(window, dragged)
    window.sources.pages_shown.emit(False)
    assert widths(window) == dragged


@pytest.mark.parametrize("width", [780, 900, 1000])
def test_no_button_is_cut_off_in_a_narrow_window(window_of: Opening, width: int) -> None:
    window = window_of(width)
    window.sidebar.set_snapshot(side_data.samples(), ())
    window.actions_["sidebar"].setChecked(True)
    found_sources(window)
    window.actions_["sources"].setChecked(True)
    window.sources.setCurrentWidget(window.sources.reading)
    for pane in (window.side, window.sources):
        drag_to(window, [1, 9999, 1])
        QApplication.processEvents()
        buttons = [one for one in pane.findChildren(QAbstractButton) if one.isVisible()]
        assert len(buttons) > 2
        for button in buttons:
            area = button.rect().translated(button.mapTo(window, QPoint()))
            assert window.rect().contains(area), button.text()
            if isinstance(button, QPushButton):
                assert button.width() >= button.sizeHint().width(), button.text()
            assert button.visibleRegion().boundingRect() == button.rect(), button.text()


def test_the_sidebar_folds_in_a_very_narrow_window_and_comes_back(window_of: Opening) -> None:
    window = window_of(1100)
    assert window.side.isVisible()
    resize(window, 800)
    assert not window.side.isVisible()
    window.actions_["sidebar"].trigger()
    assert window.side.isVisible(), "if it is wanted"
    window.actions_["sidebar"].trigger()
    resize(window, 1100)
    assert window.side.isVisible()
    window.actions_["sidebar"].trigger()
    for width in (800, 1100):
        resize(window, width)
        assert not window.side.isVisible(), "it had been closed"


def test_a_pane_that_was_folded_for_want_of_room_is_not_kept_so(window_of: Opening) -> None:
    window = window_of(800)
    assert not window.actions_["sidebar"].isChecked()
    window.close()
    again = window_of(1300)
    assert again.side.isVisible()


def test_without_sources_their_pane_is_closed(window_of: Opening) -> None:
    window = window_of(1300)
    assert not window.actions_["sources"].isEnabled()
    found_sources(window)
    assert window.sources.isVisible()
    found_sources(window, there_are=False)
    assert not window.sources.isVisible()
    assert not window.actions_["sources"].isEnabled()


@pytest.mark.parametrize("width", [1300, 1000])
def test_a_lesson_takes_the_room_of_the_chat_and_gives_it_back(window_of: Opening, width: int) -> None:
    window = window_of(width)
    found_sources(window)
    window.actions_["sources"].setChecked(True)
    before = widths(window)
    window.sources.setCurrentWidget(window.sources.reading)
    QTest.mouseClick(window.sources.reading.expand, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert window.sources.width() > width - 300
    QTest.mouseClick(window.sources.reading.expand, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert (window.chat.isVisible(), widths(window)) == (True, before)
    window.sources.reading.expand.click()
    window.sources.setCurrentWidget(window.sources.list)
    QApplication.processEvents()
    assert (window.chat.isVisible(), widths(window)) == (True, before), "a list needs no more room"
    window.sources.setCurrentWidget(window.sources.reading)
    window.sources.reading.expand.click()
    window.sources.close_requested.emit()
    QApplication.processEvents()
    assert window.chat.isVisible()
