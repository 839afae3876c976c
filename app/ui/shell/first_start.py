"""A library that has never held a course: what it may begin with."""

from PySide6.QtCore import QObject, QSettings, Signal

from app.ui.chat.welcome import Welcome
from app.ui.library.ingest_controller import IngestController
from app.workers.job import Job
from app.workers.workers import Workers

_SKIPPED = "connection_skipped"


class FirstStart(QObject):
    """Adds the sample courses, or lets a folder be chosen, as the welcome is asked to."""

    changed = Signal()  # samples are being added, or no longer

    def __init__(
        self, welcome: Welcome, ingest: IngestController, workers: Workers, memory: QSettings
    ) -> None:
        """``memory`` keeps that somebody wants no model."""
        super().__init__(welcome)
        self._ingest, self._workers = ingest, workers
        self._job: Job[None] | None = None
        self._is_ready = False
        self.is_adding = False
        welcome.samples_requested.connect(self._add_samples)
        welcome.offers_ways = memory.value(_SKIPPED, "false") != "true"
        welcome.ways_skipped.connect(lambda: memory.setValue(_SKIPPED, "true"))
        welcome.folder_requested.connect(ingest.choose_folder)
        workers.ready.connect(self._become_ready)
        ingest.finished.connect(self._finish)

    def _add_samples(self) -> None:
        if not self.is_adding:
            self.is_adding = True
            self.changed.emit()
            if self._is_ready:
                self._begin()

    def _become_ready(self) -> None:
        self._is_ready = True
        if self.is_adding:  # they were asked for before the model was loaded
            self._begin()

    def _begin(self) -> None:
        self._job = self._workers.ingest.run(lambda rag, job: rag.ingest.add_samples(job.token))
        self._ingest.start(self._job)

    def _finish(self, job: Job[None]) -> None:
        if job is self._job:
            self._job, self.is_adding = None, False
            self.changed.emit()
