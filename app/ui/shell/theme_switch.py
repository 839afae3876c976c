"""Changes the theme of the open window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.ui.widgets.theme import Theme, apply_theme, theme_for

if TYPE_CHECKING:
    from collections.abc import Sequence


class Themed(Protocol):
    """A part that draws what the style sheet does not reach, such as icons."""

    def set_theme(self, theme: Theme) -> None: ...


class ThemeSwitch(QObject):
    """Passes the theme of the setting, or of the desktop, to the application and to ``parts``."""

    def __init__(self, theme: Theme, setting: str, parts: Sequence[Themed], parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme
        self._setting = setting
        self._parts = parts
        self._theme_parts()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_desktop)

    def set_setting(self, setting: str) -> None:
        """Use ``light``, ``dark``, or ``system`` for the desktop's theme."""
        self._setting = setting
        theme, application = theme_for(setting), QApplication.instance()
        if theme is not self.theme and isinstance(application, QApplication):
            self.theme = theme
            apply_theme(application, theme)
            self._theme_parts()

    def _follow_desktop(self) -> None:
        if self._setting == "system":
            self.set_setting("system")

    def _theme_parts(self) -> None:
        for part in self._parts:
            part.set_theme(self.theme)
