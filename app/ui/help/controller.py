"""Opens the user guide, the list of keys and the About dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.config.paths import resource_path
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow

    from app.ui.help.guide_window import GuideWindow


class HelpController(QObject):
    """Opens the guide and the dialog, which are imported late so that the window paints sooner."""

    def __init__(self, window: QMainWindow, data_dir: Path) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        self.guide: GuideWindow | None = None

    def set_theme(self, theme: Theme) -> None:
        if self.guide is not None:
            self.guide.set_theme(theme)

    def show_guide(self) -> None:
        """Open the user guide, or bring it to the front."""
        from app.ui.help.guide_window import GuideWindow

        if self.guide is None:
            self.guide = GuideWindow(resource_path("docs/user-guide.md"), Theme.current(), self._window)
            self.guide.destroyed.connect(self._forget_guide)
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()

    def show_shortcuts(self) -> None:
        from app.ui.help.shortcuts_dialog import ShortcutsDialog

        ShortcutsDialog(self._window.menuBar(), self._window).open()

    def show_about(self) -> None:
        from app.ui.help.about_dialog import AboutDialog

        AboutDialog(self._data_dir, self._window).open()

    def _forget_guide(self) -> None:
        self.guide = None
