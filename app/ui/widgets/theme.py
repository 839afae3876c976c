"""Themes: colours by role, the type scale, the style sheet, and tinted icons."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QDir, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.config.paths import resource_path

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

# Icons are drawn in these sizes for the current screens, and once large to scale down from. Each further
# size delays the first paint.
_ICON_SIZES = (14, 16, 18, 20, 24)
_LARGE_ICON = 64
_APP_ICON_SIZES = (16, 32, 48, 128)  # for task bars and title bars
_SEARCH_PREFIX = "lecternstyles"


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Heights of text in device-independent pixels."""

    caption: int = 12
    body: int = 14
    lead: int = 16
    title: int = 20


@dataclass(frozen=True)
class Theme:
    """Every colour by its role, as ``#rrggbb``; resources/styles/themes.json holds the values.

    Text colours have a contrast of 4.5 : 1 on ``window`` and ``surface``.

    Attributes:
        name: ``"light"`` or ``"dark"``, also the folder of the style sheet's pictures.
        window: side panes, bars, dialogs.
        surface: the conversation, cards, menus.
        surface_alt: wells and badges.
        border: hairlines between areas.
        border_strong: edges of controls.
        text: body text.
        text_muted: captions and hints.
        text_disabled: controls that cannot be used now.
        accent: links, focus, the main action.
        accent_text: text on ``accent``.
        accent_soft: behind what is selected.
        danger: errors and destructive actions.
        warning: what needs care.
        success: what went well.
        highlight: behind a cited sentence.
        code_bg: behind code.
        user_bubble: behind the user's questions.
        selection: behind selected text.
        unit: the spacing unit in pixels; distances are its multiples or its half.
        type: the type scale.
    """

    name: str
    window: str
    surface: str
    surface_alt: str
    border: str
    border_strong: str
    text: str
    text_muted: str
    text_disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_text: str
    accent_soft: str
    focus_on_accent: str
    danger: str
    danger_bg: str
    danger_border: str
    warning: str
    warning_bg: str
    warning_border: str
    success: str
    highlight: str
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
    unit: int = 8
    type: TypeScale = TypeScale()

    @classmethod
    def light(cls) -> Theme:
        return _themes()["light"]

    @classmethod
    def dark(cls) -> Theme:
        return _themes()["dark"]

    @classmethod
    def for_scheme(cls, scheme: Qt.ColorScheme) -> Theme:
        """Return the theme for the desktop's colour scheme, light if that is unknown."""
        return cls.dark() if scheme == Qt.ColorScheme.Dark else cls.light()

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"

    def palette(self) -> QPalette:
        """Return the palette, for what the style sheet does not reach."""
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
        folder = resource_path("resources/styles")
        QDir.setSearchPaths(_SEARCH_PREFIX, [str(folder)])
        return self._filled("app.qss")

    def document_css(self) -> str:
        """Return the style sheet for rich text (``QTextDocument.setDefaultStyleSheet``)."""
        return self._filled("document.css")

    def icon(self, name: str) -> QIcon:
        """Return the icon ``resources/icons/<name>.svg`` in the text colour, paler when disabled.

        The program's own icon, ``app``, keeps its colours.

        Raises:
            FileNotFoundError: there is no such icon.
        """
        return _icon(name, self.text, self.text_disabled)

    def tinted_icon(self, name: str, colour: str) -> QIcon:
        """Return an icon in another colour, such as ``theme.accent_text`` on a primary button."""
        return _icon(name, colour, self.text_disabled)

    def pixmap(self, name: str, size: int, colour: str | None = None, ratio: float = 1.0) -> QPixmap:
        """Return an icon ``size`` device-independent pixels wide and high."""
        pixmap = _draw(_renderer(_svg(name), colour or self.text), round(size * ratio))
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _filled(self, file_name: str) -> str:
        """Return a file of resources/styles with its ``$names`` filled in."""
        template = resource_path(f"resources/styles/{file_name}").read_text(encoding="utf-8")
        values = {key: value for key, value in vars(self).items() if isinstance(value, str)}
        sizes = {
            "caption": self.type.caption,
            "body": self.type.body,
            "code": self.type.body - 1,
            "lead": self.type.lead,
            "title": self.type.title,
        }
        mono = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        return Template(template).substitute(
            values, mono=f"'{mono}'", **{k: str(v) for k, v in sizes.items()}
        )


def apply_theme(app: QApplication, theme: Theme) -> None:
    apply_ground(app, theme)
    app.setStyleSheet(theme.stylesheet())


def apply_ground(app: QApplication, theme: Theme) -> None:
    """Set what the style sheet builds on: Fusion, palette, body font.

    A large window is built faster before the sheet is set: with one, Qt matches a widget and its
    children to the rules again whenever it gets a parent.
    """
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")
    # A sheet that replaces another is applied to each widget once for every ancestor; after none, once.
    app.setStyleSheet("")
    app.setPalette(theme.palette())
    app.setFont(ui_font(theme))


def theme_for(setting: str) -> Theme:
    """Return the theme of a setting: ``light``, ``dark``, or ``system`` for the desktop's.

    Native dialogs and title bars follow. Needs the application object.
    """
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    hints = QGuiApplication.styleHints()
    hints.setColorScheme(schemes.get(setting, Qt.ColorScheme.Unknown))
    return Theme.for_scheme(schemes.get(setting, hints.colorScheme()))


def ui_font(theme: Theme, size: int | None = None) -> QFont:
    """Return the platform's interface font at body size, or ``size`` pixels high."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(size or theme.type.body)
    return font


@lru_cache(maxsize=1)
def _themes() -> dict[str, Theme]:
    colours = json.loads(resource_path("resources/styles/themes.json").read_text(encoding="utf-8"))
    return {name: Theme(name, **values) for name, values in colours.items()}


@lru_cache(maxsize=128)
def _svg(name: str) -> str:
    return resource_path(f"resources/icons/{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    """Return an icon with pixmaps for every size in use on the current screens."""
    renderer = _renderer(_svg(name), colour)
    ratios = {screen.devicePixelRatio() for screen in QGuiApplication.screens()} or {1.0}
    sizes = {round(size * ratio) for size in _ICON_SIZES for ratio in ratios} | {_LARGE_ICON}
    icon = QIcon()
    for size in sorted(_APP_ICON_SIZES if name == "app" else sizes):
        normal = _draw(renderer, size)
        icon.addPixmap(normal, QIcon.Mode.Normal)
        icon.addPixmap(normal, QIcon.Mode.Selected)  # else Qt tints it
        if name != "app":
            icon.addPixmap(_tinted(normal, disabled), QIcon.Mode.Disabled)
    return icon


def _renderer(source: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode("utf-8")))


def _draw(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _tinted(pixmap: QPixmap, colour: str) -> QPixmap:
    """Return the same shape in one colour, which is faster than drawing it again."""
    tinted = QPixmap(pixmap)
    painter = QPainter(tinted)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(tinted.rect(), QColor(colour))
    painter.end()
    return tinted
