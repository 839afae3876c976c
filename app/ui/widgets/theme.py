"""Themes: colours by role, sizes of text, the style sheet, and tinted icons."""

import json
import re
from functools import cache, lru_cache
from string import Template
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QDir, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QIconEngine,
    QPainter,
    QPalette,
    QPixmap,
    QTextCharFormat,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from app.config.paths import resource_path

_LARGEST_ICON = 32  # pixels; what is larger is a picture
TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)  # percent
_SIZES = {"caption": 12, "code": 13, "body": 14, "lead": 16, "title": 20}
# Names of Qt properties.
_TEXT_SIZE, _FIXED = "textSize", "fixed-"
_LENGTHS = ("width", "height", "square", "icon")
_LENGTH = re.compile(r"(?<![\w.}])(\d+)px")
_LEAST_HEIGHT = re.compile(r"(min-height: )([1-9][0-9])px")
_GROWING = re.compile(r"\b(\d+)gpx")
_LINE = 17  # pixels of a line of text
_LARGE = 150  # percent
_APP_ICON_SIZES = (16, 32, 48, 128)  # for task bars and title bars


class Theme(NamedTuple):
    """Every colour by its role, as ``#rrggbb``; resources/styles/themes.json holds the values.

    Text has a contrast of 4.5 : 1 on every ground it stands on; edges of controls, focus and
    ``highlight_line`` and ``mark_line`` have one of 3 : 1.
    """

    name: str  # "light" or "dark", also the folder of the style sheet's pictures
    window: str  # side panes, bars, dialogs
    surface: str  # the conversation, cards, menus
    surface_alt: str  # wells and badges
    border: str  # hairlines between areas
    border_strong: str  # lines that must be seen: of tables, menus, cards
    edge: str  # of a control
    text: str
    text_muted: str  # captions and hints
    text_disabled: str
    accent: str  # links, focus, the main action
    accent_hover: str
    accent_pressed: str
    accent_text: str  # on ``accent``
    accent_soft: str  # behind what is selected
    danger: str
    danger_bg: str
    danger_border: str
    warning: str
    warning_bg: str
    warning_border: str
    success: str
    highlight: str  # behind a cited sentence
    highlight_line: str  # below it: the ground alone would be too pale
    mark: str  # behind what the reader marked
    mark_line: str
    code_bg: str
    user_bubble: str
    selection: str
    field: str
    hover: str
    pressed: str
    scroll: str
    scroll_hover: str
    tooltip: str
    tooltip_text: str
    text_size: int = 100  # percent
    # Heights of text in device-independent pixels.
    caption: int = _SIZES["caption"]
    code: int = _SIZES["code"]
    body: int = _SIZES["body"]
    lead: int = _SIZES["lead"]
    title: int = _SIZES["title"]
    radius: int = 8  # of corners: of controls, cards, boxes

    @classmethod
    def light(cls) -> "Theme":
        return _theme("light", 100)

    @classmethod
    def dark(cls) -> "Theme":
        return _theme("dark", 100)

    @classmethod
    def current(cls) -> "Theme":
        """Return the theme in use, from the palette: an error may come before any window."""
        ground = QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness()
        return _theme("dark" if ground < 128 else "light", _text_size())

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"

    def palette(self) -> QPalette:
        role = QPalette.ColorRole
        colours = {
            role.Window: self.window,
            role.WindowText: self.text,
            role.Base: self.surface,
            role.AlternateBase: self.surface_alt,
            role.Text: self.text,
            role.PlaceholderText: self.text_muted,
            role.Button: self.surface,
            role.ButtonText: self.text,
            role.BrightText: self.danger,
            role.ToolTipBase: self.tooltip,
            role.ToolTipText: self.tooltip_text,
            role.Highlight: self.selection,
            role.HighlightedText: self.text,
            role.Accent: self.accent,
            role.Link: self.accent,
            role.LinkVisited: self.accent,
            role.Light: self.surface,
            role.Midlight: self.surface_alt,
            role.Mid: self.border,
            role.Dark: self.border_strong,
            role.Shadow: self.border_strong,
        }
        palette = QPalette()
        for key, value in colours.items():
            palette.setColor(key, QColor(value))
        for key in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
            palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(self.text_disabled))
        return palette

    def stylesheet(self) -> str:
        """Return the style sheet of the application.

        Sets the search path of its pictures: the sheet cannot hold a path with quotes or brackets.
        """
        QDir.setSearchPaths("lecternstyles", [str(resource_path("resources/styles"))])
        return self._filled("app.qss")

    def document_css(self) -> str:
        return self._filled("document.css")

    def highlighted(self) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setBackground(QColor(self.highlight))
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        look.setUnderlineColor(QColor(self.highlight_line))
        return look

    def own_ground(self) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setBackground(QColor(self.mark))
        return look

    def own_line(self) -> QTextCharFormat:
        look = QTextCharFormat()
        look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DashUnderline)
        look.setUnderlineColor(QColor(self.mark_line))
        return look

    @staticmethod
    @cache
    def icon(name: str, role: str = "text") -> QIcon:
        """Return the icon ``resources/icons/<name>.svg``, which follows the theme; paler when disabled.

        ``role`` is that of its colour. The program's own icon, ``app``, keeps its colours. An unknown name
        raises ``FileNotFoundError``.
        """
        resource_path(f"resources/icons/{name}.svg")  # now, not in a paint event
        return QIcon(_IconEngine(name, role))

    def pixmap(self, name: str, size: int, colour: str | None = None, ratio: float = 1.0) -> QPixmap:
        """Return an icon ``size`` device-independent pixels wide and high; small ones grow with the text."""
        if size <= _LARGEST_ICON:
            size = self._grown(size)
        pixmap = QPixmap(_drawn(name, colour or self.text, round(size * ratio)))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def enlarged(self, percent: int) -> "Theme":
        """Return the theme with larger text, for what is read from further away."""
        sizes = {name: round(getattr(self, name) * percent / 100) for name in _SIZES}
        return self._replace(text_size=self.text_size * percent // 100, **sizes)

    def _grown(self, pixels: int) -> int:
        return pixels * max(self.text_size, 100) // 100

    @cache  # noqa: B019 - a program has few themes
    def _filled(self, file_name: str) -> str:
        """Return a file of resources/styles with its ``$names`` filled in."""
        template = resource_path(f"resources/styles/{file_name}").read_text(encoding="utf-8")
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        if file_name == "document.css":  # its lines have fixed heights
            template = _LENGTH.sub(lambda length: f"{int(length[1]) * self.text_size // 100}px", template)
        more = _LINE * max(self.text_size - 100, 0) // 100  # Qt lets controls be as low as this, not as text
        template = _GROWING.sub(lambda length: f"{self._grown(int(length[1]))}px", template)
        template = _LEAST_HEIGHT.sub(lambda height: f"{height[1]}{int(height[2]) + more}px", template)
        return Template(template).substitute(self._asdict(), mono=f"'{mono}'")


def apply_theme(app: QApplication, theme: Theme) -> None:
    apply_ground(app, theme)
    apply_sheet(app, theme)


def apply_sheet(app: QApplication, theme: Theme) -> None:
    """Set the style sheet, upon its ground."""
    app.setStyleSheet(theme.stylesheet())
    for widget in app.allWidgets():
        _fit(widget)


def scaled(pixels: int) -> int:
    """Return a length that grows with the text. It does not shrink: what is clicked stays large enough."""
    return pixels * max(_text_size(), 100) // 100


def is_large_text() -> bool:
    """Return whether widgets that are usually side by side have to be stacked."""
    return _text_size() >= _LARGE


def row_height(pixels: int) -> int:
    """Return the height of a row with one line of text, which alone grows."""
    return pixels + _LINE * max(_text_size() - 100, 0) // 100


def fix(widget: QWidget, **pixels: int) -> None:
    """Give a widget lengths that grow with the text, even after its size is changed.

    Args:
        widget: has them from now on.
        pixels: ``width``; ``height``, which is a row's; ``square``, which is both; ``icon``, of a button.
    """
    for name, length in pixels.items():
        widget.setProperty(f"{_FIXED}{name}", length)
    _fit(widget)


def _fit(widget: QWidget) -> None:
    width, height, square, icon = (widget.property(f"{_FIXED}{name}") for name in _LENGTHS)
    if height is not None:
        widget.setFixedHeight(row_height(height))
    if width is not None:
        widget.setFixedWidth(scaled(width))
    if square is not None:
        widget.setFixedSize(row_height(square), row_height(square))
    if icon is not None and isinstance(widget, QAbstractButton):
        widget.setIconSize(QSize(scaled(icon), scaled(icon)))


def _text_size() -> int:
    application = QGuiApplication.instance()
    return (application and application.property(_TEXT_SIZE)) or 100


def apply_ground(app: QApplication, theme: Theme) -> None:
    """Set what the style sheet builds on: Fusion, palette, body font.

    A large window is built faster before the sheet is set: with one, Qt matches a widget and its
    children to the rules again whenever it gets a parent.
    """
    app.setProperty(_TEXT_SIZE, theme.text_size)
    # A sheet that replaces another is applied to each widget once for every ancestor; after none, once.
    app.setStyleSheet("")
    if app.style().objectName().lower() != "fusion":  # which has no name while there is a sheet
        app.setStyle("Fusion")
    app.setPalette(theme.palette())
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(theme.body)
    app.setFont(font)


def theme_for(setting: str, text_size: int = 100) -> Theme:
    """Return the theme of a setting: ``light``, ``dark``, or ``system`` for the desktop's.

    Native dialogs and title bars follow. Needs the application object.
    """
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(schemes.get(setting, Qt.ColorScheme.Unknown))
    dark = schemes.get(setting, hints.colorScheme()) == Qt.ColorScheme.Dark
    return _theme("dark" if dark else "light", text_size)


@lru_cache(maxsize=2 * len(TEXT_SIZES))
def _theme(name: str, text_size: int) -> Theme:
    colours = json.loads(resource_path("resources/styles/themes.json").read_text(encoding="utf-8"))[name]
    sizes = {size: round(pixels * text_size / 100) for size, pixels in _SIZES.items()}
    return Theme(name, **{**colours, **sizes, "text_size": text_size})


class _IconEngine(QIconEngine):
    """Draws an icon when it is painted, in the size in which it is: most icons of a start never are."""

    def __init__(self, name: str, role: str) -> None:
        super().__init__()
        self._name, self._role = name, role

    def clone(self) -> QIconEngine:
        return _IconEngine(self._name, self._role)

    def availableSizes(self, *_: object) -> list[QSize]:
        """Return the sizes that task bars and title bars ask for."""
        return [QSize(size, size) for size in _APP_ICON_SIZES]

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        painter.drawPixmap(rect, self.scaledPixmap(rect.size(), mode, state, ratio))

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        role = "text_disabled" if mode == QIcon.Mode.Disabled else self._role
        colour = getattr(Theme.current(), role)
        return _drawn(self._name, colour, round(min(size.width(), size.height()) * scale))


@lru_cache(maxsize=256)
def _drawn(name: str, colour: str, pixels: int) -> QPixmap:
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    source = resource_path(f"resources/icons/{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode("utf-8")))
    renderer.render(painter, QRectF(pixmap.rect()))
    painter.end()
    return pixmap
