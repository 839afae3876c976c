from __future__ import annotations

import re
from dataclasses import fields
from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QFile, QObject, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPalette
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.config.paths import resource_path
from app.ui.widgets.theme import Theme, apply_theme, theme_for

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

THEMES = (Theme.light(), Theme.dark())
ICONS = [path.stem for path in resource_path("resources/icons").glob("*.svg")]
NEEDED = {
    "app",
    "send",
    "stop",
    "search",
    "copy",
    "settings",
    "sources",
    "sidebar",
    "new-chat",
    "key",
}


def luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    ink = QColor(colour)
    return 0.2126 * linear(ink.redF()) + 0.7152 * linear(ink.greenF()) + 0.0722 * linear(ink.blueF())


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_can_be_read_on_every_ground(theme: Theme) -> None:
    inks = (theme.text, theme.text_muted, theme.accent, theme.danger, theme.warning, theme.success)
    for ink, ground in product(inks, (theme.window, theme.surface)):
        assert contrast(ink, ground) >= 4.5, (ink, ground)
    for ground in (theme.user_bubble, theme.code_bg, theme.highlight, theme.selection, theme.accent_soft):
        assert contrast(theme.text, ground) >= 4.5, ground
    assert contrast(theme.accent_text, theme.accent) >= 4.5
    assert contrast(theme.tooltip_text, theme.tooltip) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_are_written_in_one_form(theme: Theme) -> None:
    colours = [getattr(theme, f.name) for f in fields(theme) if f.type == "str" and f.name != "name"]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_style_sheet_is_complete(qapp: QApplication, theme: Theme) -> None:
    sheet = theme.stylesheet()
    assert "$" not in sheet
    assert "$" not in theme.document_css()
    pictures = re.findall(r"url\(([^)]+)\)", sheet)
    assert pictures
    for picture in pictures:
        assert QFile.exists(picture), picture
        assert not QImage(picture).isNull(), picture


def test_pictures_of_the_style_sheet_have_the_themes_colours() -> None:
    for theme in THEMES:
        for picture in resource_path("resources/styles").joinpath(theme.name).glob("*.svg"):
            colours = set(re.findall("#[0-9a-f]{6}", picture.read_text(encoding="utf-8")))
            assert colours <= {theme.text_muted, theme.accent_text}, picture


@pytest.mark.parametrize("name", ICONS)
def test_icon_is_drawn_in_the_colour_asked_for(qapp: QApplication, name: str) -> None:
    image = Theme.dark().icon(name).pixmap(QSize(20, 20), 2.0).toImage()
    assert image.size() == QSize(40, 40)
    pixels = [image.pixelColor(x, y) for x in range(40) for y in range(40)]
    inked = [pixel for pixel in pixels if pixel.alpha() == 255]
    assert inked
    if name != "app":
        wanted = QColor(Theme.dark().text)
        for pixel in inked:  # drawing rounds
            assert abs(pixel.red() - wanted.red()) <= 2
            assert abs(pixel.green() - wanted.green()) <= 2
            assert abs(pixel.blue() - wanted.blue()) <= 2


def test_icon_has_a_paler_disabled_state(qapp: QApplication) -> None:
    icon = Theme.light().icon("book")
    image = icon.pixmap(QSize(24, 24), QIcon.Mode.Disabled).toImage()
    assert image.pixelColor(12, 12).name() == Theme.light().text_disabled


def test_icons_are_there() -> None:
    assert set(ICONS) >= NEEDED


def test_unknown_icon_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        Theme.light().icon("no-such-icon")


def test_theme_follows_the_setting(qapp: QApplication) -> None:
    assert theme_for("dark") is Theme.dark()
    assert theme_for("light") is Theme.light()
    assert theme_for("system") is Theme.light()  # unknown on the off-screen platform


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_theme_reaches_widgets(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    apply_theme(qapp, theme)
    button = QPushButton("x")
    button.setProperty("kind", "primary")
    qtbot.addWidget(button)
    button.resize(80, 32)
    button.show()
    qtbot.waitExposed(button)
    assert button.grab().toImage().pixelColor(10, 16).name() == theme.accent
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == theme.window
    assert qapp.font().pixelSize() == theme.body


class _Restyled(QObject):
    """Counts how often a widget is told of another style."""

    times = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.StyleChange
        return False


def test_changing_the_theme_restyles_nested_widgets_no_more_often_than_others(
    qtbot: QtBot, qapp: QApplication
) -> None:
    apply_theme(qapp, Theme.light())
    outer = inner = QWidget()
    qtbot.addWidget(outer)
    for _ in range(8):
        layout = QVBoxLayout(inner)
        inner = QWidget()
        layout.addWidget(inner)
    label = QLabel("x", inner)
    outer.show()
    qtbot.waitExposed(outer)
    shallow, deep = _Restyled(), _Restyled()
    outer.installEventFilter(shallow)
    label.installEventFilter(deep)
    apply_theme(qapp, Theme.dark())
    assert deep.times == shallow.times > 0
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == Theme.dark().text
