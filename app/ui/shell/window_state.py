"""The size of the window and its panes, kept from one run to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow, QSplitter


class WindowState:
    """Geometry, widths of the panes, and which panes are shown.

    Args:
        path: of the file that keeps the state.
        window: whose geometry it keeps.
        splitter: whose widths it keeps.
        panes: checkable actions that show a pane, by the name in the file.
    """

    def __init__(
        self, path: Path, window: QMainWindow, splitter: QSplitter, panes: dict[str, QAction]
    ) -> None:
        self._file = QSettings(str(path), QSettings.Format.IniFormat)
        self._window = window
        self._splitter = splitter
        self._panes = panes

    def restore(self) -> None:
        """Apply what was saved, if anything."""
        geometry, widths = self._file.value("geometry"), self._file.value("panes")
        if isinstance(geometry, QByteArray):
            self._window.restoreGeometry(geometry)
        if isinstance(widths, QByteArray):
            self._splitter.restoreState(widths)
        for name, action in self._panes.items():
            action.setChecked(self._file.value(name, "true") == "true")

    def save(self) -> None:
        self._file.setValue("geometry", self._window.saveGeometry())
        self._file.setValue("panes", self._splitter.saveState())
        for name, action in self._panes.items():
            self._file.setValue(name, "true" if action.isChecked() else "false")
