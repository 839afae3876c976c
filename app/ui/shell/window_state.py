"""The size and place of the main window: what fits the screen, and what was kept for these screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QMargins, QObject, QRect, QSettings, QSize
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QStyle, QWidget

from app.config.files import keep_private
from app.ui.widgets.building import one_shot

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
        StayOnScreen(window)
        geometry, widths = self._kept("geometry"), self._kept("panes")
        if not (isinstance(geometry, QByteArray) and window.restoreGeometry(geometry)):
            window.setGeometry(first_place(room_of(window)))
        elif not window.isMaximized() and not window.isFullScreen():
            window.setGeometry(moved_into(room_of(window), window.geometry()))
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


def _screens() -> str:
    """Return the sizes of all screens, such as ``1366x768_2560x1440``, as a name in the file."""
    sizes = [screen.geometry().size() for screen in QGuiApplication.screens()]
    return "_".join(sorted(f"{size.width()}x{size.height()}" for size in sizes))


_SETTLED_MS = 200  # the desktop moves windows itself first


def room_of(window: QWidget) -> QRect:
    """Return where a window may lie without its frame, which is not known before it is shown."""
    style = window.style()
    edge = style.pixelMetric(QStyle.PixelMetric.PM_MdiSubWindowFrameWidth)
    title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    return window.screen().availableGeometry() - QMargins(edge, title + edge, edge, edge)


def moved_into(room: QRect, place: QRect) -> QRect:
    """Return ``place`` made small enough for ``room`` and moved inside."""
    size = place.size().boundedTo(room.size())
    left = max(room.left(), min(place.left(), room.left() + room.width() - size.width()))
    top = max(room.top(), min(place.top(), room.top() + room.height() - size.height()))
    return QRect(left, top, size.width(), size.height())


class StayOnScreen(QObject):
    """Makes a window small enough for its screen, and moves it back when screens have come or gone."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._fit_soon = one_shot(self, _SETTLED_MS, self._fit)
        self._return_soon = one_shot(self, _SETTLED_MS, self._return)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.screenAdded.connect(self._watch)
            application.screenRemoved.connect(self._screens_changed)
        for screen in QGuiApplication.screens():
            screen.availableGeometryChanged.connect(self._screens_changed)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again on another screen, where somebody may still be dragging the window."""
        if event.type() == QEvent.Type.ScreenChangeInternal:
            self._fit_soon.start()
        return False

    def _watch(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._screens_changed)

    def _screens_changed(self) -> None:
        self._return_soon.start()

    def _fit(self) -> None:
        room, place = room_of(self._window), self._window.geometry()
        if place.size() != place.size().boundedTo(room.size()):
            self._move_into(room)

    def _return(self) -> None:
        desk = QRect()
        for screen in QGuiApplication.screens():
            desk = desk.united(screen.availableGeometry())
        room, place = room_of(self._window), self._window.geometry()
        if not desk.contains(place) or place.size() != place.size().boundedTo(room.size()):
            self._move_into(room)

    def _move_into(self, room: QRect) -> None:
        window = self._window
        if window.isVisible() and not (window.isMaximized() or window.isFullScreen()):
            window.setGeometry(moved_into(room, window.geometry()))
