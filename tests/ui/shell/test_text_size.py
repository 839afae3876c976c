"""Text from 80 to 200 percent: it changes while the window is open, and nothing cuts it off."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPushButton,
    QSpinBox,
    QToolButton,
)

from app.config.secrets import KeychainState, KeyOrigin, KeyStatus
from app.config.settings import Settings, load_settings, save_settings
from app.domain.scope import Scope
from app.ui.chat.transcript import Transcript
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from tests.support.cut_off import cut_off
from tests.support.side_data import exchange

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtGui import QTextBlock, QTextDocument
    from pytestqt.qtbot import QtBot

    from app.ui.shell.main_window import MainWindow
    from tests.support.running_window import Opener

STORED = KeyStatus(KeyOrigin.KEYCHAIN, "sk-…abcd", KeychainState.READY)


@pytest.fixture(autouse=True)
def usual_size(qapp: QApplication) -> Iterator[None]:
    yield
    apply_theme(qapp, Theme.light())


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
    usual = tabs.height()

    def lines(size: int) -> bool:
        """Return whether the answer is drawn with lines of a size."""
        heights = {block.blockFormat().lineHeight() for block in blocks(transcript.document())}
        return 23 * size // 100 in heights and not transcript.is_building

    for steps, size in ((99, 200), (-99, 80), (0, 100)):
        zoom(steps)
        running.wait_for(partial(is_size, window, size), "the size")
        running.wait_for(lambda: not cut_off(window), "text that is whole", 5)
        assert qapp.font().pixelSize() == Theme.current().body == round(14 * size / 100)
        running.wait_for(partial(lines, size), "an answer drawn anew", 5)
    assert tabs.height() == usual


def test_keys_that_are_pressed_quickly_all_count(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    running.activate()
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    window.actions_["theme_dark"].trigger()
    running.wait_for(lambda: window.settings.theme == "dark", "the theme")
    assert window.settings.text_size == 150


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


@pytest.mark.parametrize("size", [100, 200])
def test_the_numbers_of_a_list_have_room_beside_it(qtbot: QtBot, qapp: QApplication, size: int) -> None:
    theme = theme_for("light", size)
    apply_theme(qapp, theme)
    view = Transcript()
    qtbot.addWidget(view)
    view.resize(800, 600)
    answer = "\n".join(f"{n}. item" for n in range(1, 13))
    view.show_exchanges([replace(exchange((), ()), answer=answer)])
    view.show()
    qtbot.waitUntil(lambda: "item" in view.toPlainText() and not view.is_building)
    item = view.document().find("item")
    font = QFontMetrics(item.charFormat().font())
    assert view.cursorRect(item).left() - font.horizontalAdvance("item") >= font.horizontalAdvance("12. ")


def test_what_is_clicked_is_large_enough(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    running.ask("What is a primary key?")
    window.sources.activate(1)
    title = running.rag.courses.all()[0].title
    window.set_scope(Scope(courses=(title,)))
    window.sources.read(1)
    running.wait_for(lambda: window.sources.reading.isVisible(), "the lesson")
    for steps, size in ((-99, 80), (0, 100)):
        window.settings_controller.zoom(steps)
        running.wait_for(partial(is_size, window, size), "the size")
        buttons = [one for one in window.findChildren(QAbstractButton) if one.isVisible()]
        assert len(buttons) > 10
        running.wait_for(partial(are_large, buttons), "large buttons", 5)


def is_size(window: MainWindow, size: int) -> bool:
    is_set = window.settings.text_size == size and Theme.current().text_size == size
    return is_set and window.updatesEnabled()


def are_large(buttons: list[QAbstractButton]) -> bool:
    return not any(map(is_small, buttons))


def is_small(button: QAbstractButton) -> bool:
    within = isinstance(button.parent(), QLineEdit)  # Qt sizes these; Escape clears the field, too
    return min(button.width(), button.height()) < 24 and not within


@pytest.mark.parametrize("size", [80, 100, 150, 175, 200])
def test_the_settings_can_be_read_at_every_size(qtbot: QtBot, qapp: QApplication, size: int) -> None:
    apply_theme(qapp, theme_for("light", size))
    dialog = SettingsDialog(Settings(text_size=size, base_url="http://localhost:1234"), STORED)
    qtbot.addWidget(dialog)
    dialog.resize(768, 552)  # on a screen of 800 x 600
    dialog.show()
    qtbot.waitExposed(dialog)
    assert (dialog.width(), dialog.height()) == (768, 552)
    for name in ("answers", "library", "appearance", "languages", "advanced"):
        dialog.show_page(name)
        page = dialog.page(name)
        qtbot.waitUntil(lambda page=page: page.widget().width() == page.viewport().width())  # type: ignore[misc]
        assert cut_off(dialog) == []
        for kind in (QLabel, QLineEdit, QComboBox, QPushButton, QToolButton, QCheckBox, QSpinBox):
            for widget in page.findChildren(kind):
                if widget.isVisible():
                    right = widget.mapTo(page.viewport(), widget.rect().bottomRight()).x()
                    assert right <= page.viewport().width(), (name, widget.accessibleName())
                    if not isinstance(widget, QLabel | QLineEdit | QComboBox):
                        assert widget.width() >= widget.minimumSizeHint().width(), (
                            name,
                            widget.accessibleName(),
                        )


def test_icons_grow_with_the_text(open_window: Opener) -> None:
    running = open_window()
    window = running.window
    running.ask("What is a primary key?")
    title = running.rag.courses.all()[0].title
    window.set_scope(Scope(courses=(title,)))

    def icons() -> dict[str, int]:
        buttons = [one for one in window.findChildren(QAbstractButton) if not one.icon().isNull()]
        buttons = [one for one in buttons if not isinstance(one.parent(), QLineEdit | QMenuBar)]  # Qt's own
        sizes = {one.accessibleName() or one.text(): one.iconSize().width() for one in buttons}
        coarse = [one for one in buttons if one.icon().actualSize(one.iconSize()) != one.iconSize()]
        assert [one.accessibleName() for one in coarse] == []
        return sizes

    usual = icons()
    assert {"Send", "Settings", "New chat", "Hide the sources"} <= usual.keys()
    window.settings_controller.zoom(99)
    running.wait_for(partial(is_size, window, 200), "the size")
    assert icons() == {name: 2 * size for name, size in usual.items()}
    send = window.chat.composer.button
    assert send.height() >= send.iconSize().height() + 2
