"""The size and place of the main window: what fits the screen, and what was kept for these screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QMargins, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStyle

from app.config.private_files import keep_private

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow, QSplitter

    from app.ui.chat.composer import Composer

_FIRST_SIZE = QSize(1280, 820)  # on screens that have the room
_DRAFT = "draft"
_SHARE = 0.75  # of a large screen


def first_place(room: QRect) -> QRect:
    """Return where a window opens that has never been moved: in the middle, and no larger than ``room``."""
    size = (room.size() * _SHARE).expandedTo(_FIRST_SIZE).boundedTo(room.size())
    place = QRect(room.topLeft(), size)
    place.moveCenter(room.center())
    return place


def moved_into(room: QRect, place: QRect) -> QRect:
    """Return ``place`` made small enough for ``room`` and moved inside."""
    size = place.size().boundedTo(room.size())
    left = max(room.left(), min(place.left(), room.left() + room.width() - size.width()))
    top = max(room.top(), min(place.top(), room.top() + room.height() - size.height()))
    return QRect(left, top, size.width(), size.height())


class WindowState:
    """Restores geometry, panes and the question that was being written; keeps them for the next run.

    Geometry and widths are kept for each arrangement of screens, so that a laptop finds its own again when
    it leaves the large screen on the desk.

    ``panes``: checkable actions that show a pane, by the name in the file.
    """

    def __init__(
        self,
        file: QSettings,
        window: QMainWindow,
        splitter: QSplitter,
        panes: dict[str, QAction],
        composer: Composer,
    ) -> None:
        self._file, self._window, self._splitter, self._panes = file, window, splitter, panes
        self._composer = composer
        geometry, widths = self._kept("geometry"), self._kept("panes")
        if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
            window.setGeometry(first_place(self._room()))
        elif not window.isMaximized() and not window.isFullScreen():
            window.setGeometry(moved_into(self._room(), window.geometry()))
        if isinstance(widths, QByteArray):
            splitter.restoreState(widths)
        for name, action in panes.items():
            action.setChecked(file.value(name, "true") == "true")
        composer.set_text(str(file.value(_DRAFT, "")))

    def save(self) -> None:
        self._file.setValue(f"{_screens()}/geometry", self._window.saveGeometry())
        self._file.setValue(f"{_screens()}/panes", self._splitter.saveState())
        for name, action in self._panes.items():
            self._file.setValue(name, "true" if action.isChecked() else "false")
        self._file.setValue(_DRAFT, self._composer.edit.toPlainText())
        self._file.sync()
        keep_private(Path(self._file.fileName()))

    def _kept(self, name: str) -> object:
        # Earlier versions kept one value for all screens.
        return self._file.value(f"{_screens()}/{name}", self._file.value(name))

    def _room(self) -> QRect:
        """Return where the window may lie without its frame, which is not known before it is shown."""
        style = self._window.style()
        edge = style.pixelMetric(QStyle.PixelMetric.PM_MdiSubWindowFrameWidth)
        title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        return self._window.screen().availableGeometry() - QMargins(edge, title + edge, edge, edge)


def _screens() -> str:
    """Return the sizes of all screens, such as ``1366x768_2560x1440``, as a name in the file."""
    sizes = [screen.geometry().size() for screen in QGuiApplication.screens()]
    return "_".join(sorted(f"{size.width()}x{size.height()}" for size in sizes))
