from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, QFile, QObject, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPalette
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

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


GROUNDS = ("window", "surface", "surface_alt", "field", "hover", "pressed", "accent_soft", "user_bubble")
TEXT_GROUNDS = (*GROUNDS, "code_bg", "highlight", "mark", "warning_bg", "danger_bg")
LEAST_CONTRAST = [
    *((ink, ground, 4.5) for ink, ground in product(("text", "text_muted", "accent"), TEXT_GROUNDS)),
    *((ink, ground, 4.5) for ink, ground in product(("danger", "warning", "success"), GROUNDS)),
    *((ink, f"{ink}_bg", 4.5) for ink in ("danger", "warning")),
    *(("accent_text", ground, 4.5) for ground in ("accent", "accent_hover", "accent_pressed")),
    ("text", "selection", 4.5),
    ("tooltip_text", "tooltip", 4.5),
    *(("edge", ground, 3) for ground in ("window", "surface", "surface_alt", "field", "hover")),
    *(
        (ink, ground, 3)
        for ink, ground in product(("scroll", "scroll_hover"), ("window", "surface", "field"))
    ),
    *(("accent", ground, 3) for ground in GROUNDS),  # focus, and what is ticked
    *(("highlight_line", ground, 3) for ground in ("surface", "highlight")),
    *(("mark_line", ground, 3) for ground in ("surface", "highlight", "mark")),
]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_text_edges_and_focus_can_be_seen_on_every_ground(theme: Theme) -> None:
    found = {
        (ink, ground): round(contrast(getattr(theme, ink), getattr(theme, ground)), 2)
        for ink, ground, least in LEAST_CONTRAST
        if contrast(getattr(theme, ink), getattr(theme, ground)) < least
    }
    assert found == {}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_rules_of_the_style_sheet_set_text_that_can_be_read(theme: Theme) -> None:
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", theme.stylesheet(), flags=re.DOTALL))
    checked = 0
    for chosen, declared in rules:
        colours = dict(re.findall(r"(?:^|[ ;\n])(color|background): (#[0-9a-f]{6})", declared))
        if len(colours) == 2 and ":disabled" not in chosen and "frameShape" not in chosen:
            checked += 1
            assert contrast(colours["color"], colours["background"]) >= 4.5, chosen
    assert checked > 10


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("make", [QLineEdit, QPlainTextEdit, QTextEdit])
def test_placeholder_can_be_read(
    qtbot: QtBot, qapp: QApplication, theme: Theme, make: type[QLineEdit | QPlainTextEdit | QTextEdit]
) -> None:
    apply_theme(qapp, theme)
    field = make()
    qtbot.addWidget(field)
    field.show()
    qtbot.waitExposed(field)
    ink = field.palette().color(QPalette.ColorRole.PlaceholderText)
    assert ink.alpha() == 255
    assert contrast(ink.name(), theme.field) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_are_written_in_one_form(theme: Theme) -> None:
    colours = [value for name, value in theme._asdict().items() if isinstance(value, str) and name != "name"]
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


def test_the_style_sheet_has_one_scale_of_text_and_one_radius() -> None:
    sheet = resource_path("resources/styles/app.qss").read_text(encoding="utf-8")
    assert set(re.findall(r"font-size: ([^;]+);", sheet)) <= {"${caption}px", "${lead}px", "${title}px"}
    radii = re.findall(r"border-radius: ([^;]+);", sheet)
    large = {radius for radius in radii if not re.fullmatch(r"0|[0-4]px", radius)}
    round_ends = {"6px", "8px", "8gpx", "10px", "12px", "14px", "15px"}  # of what is round, and the composer
    assert large <= {"${radius}px"} | round_ends
    assert radii.count("${radius}px") > 10 > sum(radius in round_ends for radius in radii)


def test_pictures_of_the_style_sheet_have_the_themes_colours() -> None:
    for theme in THEMES:
        for picture in resource_path("resources/styles").joinpath(theme.name).glob("*.svg"):
            colours = set(re.findall("#[0-9a-f]{6}", picture.read_text(encoding="utf-8")))
            assert colours <= {theme.text_muted, theme.accent_text}, picture


@pytest.mark.parametrize("name", ICONS)
def test_icon_is_drawn_in_the_colour_of_the_theme(qapp: QApplication, name: str) -> None:
    icon = Theme.icon(name)
    apply_theme(qapp, Theme.dark())
    image = icon.pixmap(QSize(20, 20), 2.0).toImage()
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
    icon = Theme.icon("book")
    apply_theme(qapp, Theme.light())
    image = icon.pixmap(QSize(24, 24), QIcon.Mode.Disabled).toImage()
    assert image.pixelColor(12, 12).name() == Theme.light().text_disabled


def test_icons_are_there() -> None:
    assert set(ICONS) >= NEEDED


def test_unknown_icon_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        Theme.icon("no-such-icon")


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


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_list_of_suggestions_has_a_ground_of_its_own(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    apply_theme(qapp, theme)
    suggestions, below = QListView(), QWidget()
    within = QListView(below)
    below.setProperty("panel", "alt")
    below.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    for window in (suggestions, below):
        qtbot.addWidget(window)
        window.resize(80, 80)
        window.show()
        qtbot.waitExposed(window)
    assert suggestions.grab().toImage().pixelColor(40, 40).name() == theme.surface
    within.resize(80, 80)
    assert below.grab().toImage().pixelColor(40, 40).name() == theme.surface_alt


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


def test_the_mark_of_a_choice_is_round_in_large_text() -> None:
    sheet = theme_for("light", 200).stylesheet()
    width = re.search(r"QRadioButton::indicator, [^{]*\{ width: (\d+)px", sheet)
    radius = re.search(r"QRadioButton::indicator \{ border-radius: (\d+)px", sheet)
    assert width is not None
    assert radius is not None
    assert int(width[1]) // 2 <= int(radius[1]) <= (int(width[1]) + 2) // 2, "Qt draws no radius larger"


def test_the_style_of_rich_text_is_read_once_for_each_theme() -> None:
    assert Theme.dark().document_css() is Theme.dark().document_css()
    assert Theme.dark().document_css() != Theme.light().document_css()
