"""Text from 80 to 200 percent: it changes while the window is open, and nothing cuts it off."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QTabBar, QToolButton

from app.config.secrets import KeyStatus
from app.config.settings import Settings, load_settings, save_settings
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.text_labels import ElidedLabel, WrappingButton
from app.ui.widgets.theme import Theme, apply_theme, theme_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from tests.support.running_window import Opener

LINES = (QLabel, QPushButton, QToolButton, QLineEdit, QComboBox, QTabBar)


@pytest.fixture(autouse=True)
def usual_size(qapp: QApplication) -> Iterator[None]:
    yield
    apply_theme(qapp, Theme.light())


def cut_off(parent: QWidget) -> list[str]:
    """Return what is shown lower than a line of its text, or narrower than its words."""
    found = []
    for kind in LINES:
        for widget in parent.findChildren(kind):
            text = widget.text() if hasattr(widget, "text") else widget.accessibleName()
            if not widget.isVisible() or not text or (isinstance(widget, QLabel) and widget.pixmap()):
                continue
            if isinstance(widget, QToolButton) and widget.toolButtonStyle().name == "ToolButtonIconOnly":
                continue
            if widget.height() < widget.fontMetrics().height():
                found.append(f"{text}: {widget.height()} high")
            short = widget.width() < widget.minimumSizeHint().width()
            if kind is QPushButton and short and not isinstance(widget, WrappingButton | ElidedLabel):
                found.append(f"{text}: {widget.width()} wide")
    return found


def test_the_size_is_kept_within_its_limits(tmp_path: Path) -> None:
    save_settings(Settings(text_size=175), tmp_path / "settings.json")
    assert load_settings(tmp_path / "settings.json").text_size == 175
    assert Settings(text_size=1000).validated().text_size == 200
    assert Settings(text_size=5).validated().text_size == 80


def test_text_grows_and_shrinks_while_the_window_is_open(open_window: Opener, qapp: QApplication) -> None:
    running = open_window()
    window = running.window
    zoom = window.settings_controller.zoom
    running.ask("What is a primary key?")
    transcript, tabs = window.chat.transcript, window.side.tabs
    usual = transcript.document().size().height(), tabs.height()

    def is_set(size: int) -> bool:
        return window.settings.text_size == size

    for steps, size in ((99, 200), (-99, 80), (0, 100)):
        zoom(window.settings, steps)
        running.wait_for(partial(is_set, size), "the size")
        running.wait_for(lambda: not cut_off(window), "text that is whole", 5)
        assert qapp.font().pixelSize() == Theme.current().body == round(14 * size / 100)
        height = transcript.document().size().height()
        assert (height > usual[0]) if size > 100 else (height <= usual[0])
    assert (transcript.document().size().height(), tabs.height()) == usual


@pytest.mark.parametrize("size", [80, 100, 150, 175, 200])
def test_the_settings_can_be_read_at_every_size(qtbot: QtBot, qapp: QApplication, size: int) -> None:
    apply_theme(qapp, theme_for("light", size))
    dialog = SettingsDialog(Settings(text_size=size), KeyStatus())
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    assert cut_off(dialog) == []
    for widget in dialog.findChildren(QLabel):
        if widget.isVisible():
            assert widget.mapTo(dialog, widget.rect().bottomRight()).x() <= dialog.width(), widget.text()
    dialog.text_size.setCurrentIndex(dialog.text_size.findData(125))
    assert dialog.settings().text_size == 125
