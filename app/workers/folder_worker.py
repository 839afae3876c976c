"""Watches the folders that the library keeps up with."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.errors import LecternError
from app.domain.watching import FolderFound, FolderLost, FolderSettled

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.ingest.watch.watcher import FolderWatcher, Pace
    from app.core.rag_system import RAGSystem

_AT_THE_END = 0.5  # seconds that closing waits for a look at a folder; a share can take minutes
_REST = 30.0  # seconds after a fault in watching

_log = logging.getLogger(__name__)


class FolderWorker(QObject):
    """Its slots are called through signals; folders are looked at in a thread of its own.

    That is one of Python's and not of Qt's: whoever waits for a share that does not answer can not be
    ended, and must not keep the program from ending.

    Attributes:
        pace: how patient watching is; None as usual.
    """

    settled = Signal(object)
    """A folder has changed and can be read: a FolderSettled."""
    lost = Signal(object)
    """A Path can not be reached; its courses stay as they are."""
    found = Signal(object)
    """A Path that was lost can be reached again."""
    listed = Signal(object)
    """What is kept up with: tuple of Path."""
    failed = Signal(str)
    """Something could not be done: one sentence."""

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self.pace: Pace | None = None
        self._rag = rag
        self._watcher: FolderWatcher | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    @Slot(bool)
    def watch(self, sync_folders: bool) -> None:
        """Watch what the library says now, or nothing."""
        try:
            paths = self._rag.ingest.watched()
        except LecternError as error:
            _log.warning("The folders to be watched are not known: %s", error)
            return
        self.listed.emit(tuple(item.path for item in paths))
        if self._watcher is None:
            if not (sync_folders and paths) or self._ended.is_set():
                return
            # Here: it brings the readers of all formats along, and the library that opens would wait.
            from app.core.ingest.watch.watcher import FolderWatcher

            self._watcher = FolderWatcher(self.pace)
            self._thread = threading.Thread(
                target=self._run, args=(self._watcher,), name="folders", daemon=True
            )
            self._thread.start()
        self._watcher.watch(paths if sync_folders else ())

    @Slot(object, bool)
    def stop_watching(self, path: Path, sync_folders: bool) -> None:
        """Forget a folder; what was read of it stays."""
        try:
            self._rag.ingest.stop_watching(path)
        except LecternError as error:
            self.failed.emit(str(error))
        self.watch(sync_folders)

    def close(self) -> None:
        """Stop watching. Called once no slot runs any more, or will."""
        self._ended.set()
        if self._watcher is not None and self._thread is not None:
            self._watcher.close()
            self._thread.join(_AT_THE_END)

    def _run(self, watcher: FolderWatcher) -> None:
        while not self._ended.is_set():
            try:
                for event in watcher.events():
                    self._tell(event)
            except Exception:
                _log.exception("Watching folders failed; it begins anew.")
                self._ended.wait(_REST)

    def _tell(self, event: FolderSettled | FolderLost | FolderFound) -> None:
        if self._ended.is_set():
            return
        match event:
            case FolderSettled():
                self.settled.emit(event)
            case FolderLost(path):
                _log.info("%s can not be reached; its courses stay as they are.", path)
                self.lost.emit(path)
            case FolderFound(path):
                self.found.emit(path)
