"""Keeps the window within reach when screens come, go or change, or it is moved to a smaller one."""

from PySide6.QtCore import QEvent, QMargins, QObject, QRect
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QStyle, QWidget

from app.ui.widgets.building import one_shot

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
