"""The size and place of the main window, its panes, and the question that was being written."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QMargins, QRect, QSettings, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QSplitter, QStyle

from app.config.files import keep_private
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


class WindowState:
    """Restores geometry, panes and the question that was being written; keeps them for the next run.

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
        geometry, widths = file.value("geometry"), file.value("panes")
        if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
            window.setGeometry(first_place(room_of(window)))
        if isinstance(widths, QByteArray):
            splitter.restoreState(widths)
        for name, action in panes.items():
            action.setChecked(file.value(name, "true") == "true")
        composer.set_text(str(file.value(_DRAFT, "")))

    def save(self) -> None:
        self._file.setValue("geometry", self._window.saveGeometry())
        self._file.setValue("panes", self._splitter.saveState())
        for name, action in self._panes.items():
            self._file.setValue(name, "true" if action.isChecked() else "false")
        self._file.setValue(_DRAFT, self._composer.edit.toPlainText())
        self._file.sync()
        keep_private(Path(self._file.fileName()))


def room_of(window: QMainWindow) -> QRect:
    """Return where a window may lie without its frame, which is not known before it is shown."""
    style = window.style()
    edge = style.pixelMetric(QStyle.PixelMetric.PM_MdiSubWindowFrameWidth)
    title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    return window.screen().availableGeometry() - QMargins(edge, title + edge, edge, edge)
