"""Watches the folders that the library stays in sync with."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.events import FolderLost

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.core.ingest.watcher import FolderWatcher, Pace
    from app.domain.events import WatchedPath

_AT_THE_END = 0.5  # seconds that closing waits for a scan; on a network share, one can take minutes
_REST = 30.0  # seconds before watching again after a fault

_log = logging.getLogger(__name__)


class Folders(QObject):
    """Scans folders in a daemon thread of Python's, not in a QThread.

    A thread that waits for an unresponsive share cannot be stopped, and must not keep the program running.

    Attributes:
        pace: timing of the scans; None for the default.
    """

    happened = Signal(object)  # A FolderSettled, FolderLost or FolderFound
    listed = Signal(object)  # The watched folders: tuple of Path

    def __init__(self, send: Callable[..., object]) -> None:
        super().__init__()
        self.pace: Pace | None = None
        self._send = send
        self._watcher: FolderWatcher | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def watch(self, paths: Sequence[WatchedPath], *, wanted: bool) -> None:
        """Replace the watched folders; none unless ``wanted``. Always call it in the same thread."""
        self._send(self.listed.emit, tuple(item.path for item in paths))
        if self._watcher is None:
            if not (wanted and paths) or self._ended.is_set():
                return
            # Here: this imports the readers of all formats, which would delay opening the library.
            from app.core.ingest.watcher import FolderWatcher

            self._watcher = FolderWatcher(self.pace)
            self._thread = threading.Thread(
                target=self._run, args=(self._watcher,), name="folders", daemon=True
            )
            self._thread.start()
        self._watcher.watch(paths if wanted else ())

    def close(self) -> None:
        """Stop watching. :meth:`watch` must not be called afterwards."""
        self._ended.set()
        if self._watcher is not None and self._thread is not None:
            self._watcher.close()
            self._thread.join(_AT_THE_END)

    def _run(self, watcher: FolderWatcher) -> None:
        while not self._ended.is_set():
            try:
                for event in watcher.events():
                    if self._ended.is_set():
                        return
                    if isinstance(event, FolderLost):
                        _log.info("%s cannot be reached; its courses stay as they are.", event.path)
                    self._send(self.happened.emit, event)
            except Exception:
                _log.exception("Watching folders failed; restarting.")
                self._ended.wait(_REST)
