"""Has a model write the suggested questions of courses, if the settings say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.config.settings import Settings
    from app.workers.job import Job
    from app.workers.workers import Workers


class QuestionWriting(QObject):
    """Looks for courses without such questions at the start, when the settings change and after reading."""

    def __init__(self, workers: Workers, settings: Callable[[], Settings], parent: QObject) -> None:
        super().__init__(parent)
        self._workers = workers
        self._settings = settings
        self._has_model = self._is_ready = False
        self._job: Job[None] | None = None
        workers.key_status.connect(self._note_model)
        workers.ready.connect(self._note_ready)
        workers.settings_saved.connect(self.look)

    def look(self) -> None:
        """Write what is missing, unless that is being done."""
        if self._job is None and self._is_ready and self._has_model and self._settings().write_suggestions:
            self._job = self._workers.answers.write_questions().run(self, finished=self._end)

    def _end(self) -> None:
        self._job = None
        self._workers.answers.tell_spending().run(self)

    def _note_model(self, _status: object, has_model: bool) -> None:
        self._has_model = has_model

    def _note_ready(self) -> None:
        self._is_ready = True
        self.look()
