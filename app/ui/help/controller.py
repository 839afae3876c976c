"""Opens the user guide, the About dialog and the licences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from app.config.paths import licences_file, resource_path

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.ui.help.guide_window import GuideWindow
    from app.ui.widgets.theme import Theme


class HelpController(QObject):
    """Opens the guide and the dialogs, which are imported late so that the window paints sooner.

    Args:
        window: parent of the dialogs.
        data_dir: of the library, for the About dialog.
        theme: to start with.
    """

    def __init__(self, window: QWidget, data_dir: Path, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._data_dir = data_dir
        self._theme = theme
        self.guide: GuideWindow | None = None

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.guide is not None:
            self.guide.set_theme(theme)

    def show_guide(self) -> None:
        """Open the user guide, or bring it to the front."""
        from app.ui.help.guide_window import GuideWindow

        if self.guide is None:
            self.guide = GuideWindow(resource_path("docs/user-guide.md"), self._theme, self._window)
            self.guide.destroyed.connect(self._forget_guide)
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()

    def show_about(self) -> None:
        from app.ui.help.about_dialog import AboutDialog

        licences = licences_file()
        dialog = AboutDialog(self._data_dir, self._theme, self._window, has_licences=licences is not None)
        dialog.open_data_folder_requested.connect(self._open_data_folder)
        if licences is not None:
            dialog.licences_requested.connect(lambda: self._show_licences(licences, dialog))
        dialog.open()

    def _show_licences(self, path: Path, about: QWidget) -> None:
        from app.ui.help.licences_dialog import LicencesDialog

        LicencesDialog(path, self._theme, about).open()

    def _open_data_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._data_dir)))

    def _forget_guide(self) -> None:
        self.guide = None
