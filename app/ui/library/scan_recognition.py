"""Has scanned pages recognised while nothing else is being read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.events import RecognizingPages
from app.ui.widgets.building import one_shot

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.library.ingest_controller import IngestController
    from app.workers.job import Job
    from app.workers.workers import Workers

_GATHER_MS = 3_000  # longer than watched folders take, whose changes go first


class ScanRecognition(QObject):
    """Starts after each reading, and gives way to the user's jobs.

    After the user has cancelled it, it waits for the next job of the user. ``is_wanted`` says whether to
    recognise at all.
    """

    def __init__(
        self, ingest: IngestController, workers: Workers, is_wanted: Callable[[], bool], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._ingest = ingest
        self._workers = workers
        self._is_wanted = is_wanted
        self._running: Job[None] | None = None
        self._resting = False
        self._has_more = False
        self._last: object = None  # the last page that was begun
        self._gather = one_shot(self, _GATHER_MS, self._look)
        ingest.begun.connect(self._give_way)
        ingest.given_up.connect(self._rest)
        ingest.finished.connect(self._finished)
        workers.ready.connect(self._gather.start)

    def apply(self) -> None:
        """Begin or stop, as the setting says now."""
        if self._is_wanted():
            self._gather.start()
        elif self._running is not None:
            self._running.cancel()

    def _look(self) -> None:
        if self._is_wanted() and not self._resting and not self._ingest.is_reading:
            self._workers.ingest.look_for_scans().run(self, success=self._begin)

    def _begin(self, has_scans: bool) -> None:
        if has_scans and not self._resting and not self._ingest.is_reading:
            self._has_more = False
            self._running = self._workers.ingest.recognize()
            self._ingest.start_quietly(self._running, self._note)

    def _note(self, event: object) -> None:
        if isinstance(event, RecognizingPages):
            # A run that begins and ends with the page at which the last one ended gets no further.
            self._has_more = self._has_more or event != self._last
            self._last = event

    def _give_way(self, is_reading: bool) -> None:
        self._last = None
        self._resting = self._resting and not is_reading
        if self._running is not None:
            self._running.cancel()

    def _rest(self) -> None:
        self._last = None
        self._resting = True

    def _finished(self, job: Job[None]) -> None:
        if job is not self._running:
            self._gather.start()
            return
        self._running = None
        if self._has_more:
            self._gather.start()
