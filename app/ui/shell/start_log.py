"""Logs the steps of the start, for ``--debug`` and for the report on the packaged program."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

PAINTED = "The window is painted"
READY = "Ready for questions"

_INTERVAL = 5  # milliseconds between two checks whether questions can be asked

_log = logging.getLogger(__name__)


class StartLog(QObject):
    """Watches a new window until questions can be asked."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self, interval=_INTERVAL)
        self._timer.timeout.connect(self._look)
        self._timer.start()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, lambda: _say(PAINTED))  # the event comes before the painting
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if self._window.is_ready or self._window.has_failed:
            self._timer.stop()
            _say(READY if self._window.is_ready else "The library could not be opened")


def _say(step: str) -> None:
    _log.info("%s; %.2f s of processor time.", step, time.process_time())
