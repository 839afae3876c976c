"""Plans the reading of chosen files, and shows the plan if it needs review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.ui.widgets.building import one_shot
from app.ui.widgets.messages import shown
from app.workers.job import Job, Lane
from app.workers.workers import Workers, course_file_endings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.domain.courses import Corrections, IngestPlan
    from app.ui.library.plan_dialog import PlanDialog

_PATIENCE_MS = 300  # before the dialog says that a folder is being scanned


class PlanController(QObject):
    # With the tuple of paths and the Corrections of their plan, or None without any.
    read_requested = Signal(object, object)
    transcription_chosen = Signal(object)  # the TranscriptionChoice of recordings to transcribe after that
    failed = Signal(str)  # the reason why a plan could not be made

    def __init__(self, window: QWidget, workers: Workers) -> None:
        super().__init__(window)
        self._window = window
        self._workers = workers
        self._queue: list[tuple[Path, ...]] = []
        self._paths: tuple[Path, ...] = ()
        self._job: Job[IngestPlan] | None = None
        self.dialog: PlanDialog | None = None
        self._patience = one_shot(self, _PATIENCE_MS, self._open_dialog)

    def close(self) -> None:
        """Forget the chosen paths when the window closes."""
        self._queue.clear()
        self._end()

    def look(self, paths: Sequence[Path]) -> None:
        """Plan the reading of these paths, then read them or show the plan."""
        self._queue.append(tuple(paths))
        self._look_at_next()

    def _look_at_next(self) -> None:
        if self._paths or not self._queue:
            return
        self._paths = self._queue.pop(0)
        self._plan(None)

    def _plan(self, corrections: Corrections | None) -> None:
        self._drop_job()
        self._patience.start()
        paths = self._paths
        planning = self._workers.job(
            Lane.READ,
            "Looking through the folder",
            lambda rag, job: rag.ingest.plan(paths, job.token, corrections),
            key="plans",
        )
        # A job that ends with neither a plan nor a failure has met a bug.
        bug = self.tr("The folder could not be scanned. See the log file for details.")
        self._job = planning.run(
            self,
            success=self._planned,
            failure=lambda message: self._fail(shown(message)),
            finished=lambda: self._fail(bug),
        )

    def _planned(self, plan: IngestPlan) -> None:
        from app.ui.library.plan_edits import needs_review  # late, like the dialog below

        self._drop_job()
        if self.dialog is not None or needs_review(plan, course_file_endings()):
            self._open_dialog().show_plan(plan)
            self._measure(self.dialog)
        else:
            self._read(None)

    def _measure(self, dialog: PlanDialog | None) -> None:
        """Find out how long the recordings are that could be transcribed."""
        if dialog is not None and (paths := dialog.unheard()):
            self._workers.library.recordings(paths).run(dialog, success=dialog.offer_recordings)

    def _fail(self, sentence: str) -> None:
        self._end()
        self.failed.emit(sentence)
        self._look_at_next()

    def _open_dialog(self) -> PlanDialog:
        if self.dialog is None:
            # Imported late so that the window paints sooner.
            from app.ui.library.plan_dialog import PlanDialog

            self.dialog = PlanDialog(self._paths, self._window)
            self.dialog.read_requested.connect(self._read)
            self.dialog.other_way_requested.connect(self._plan)
            self.dialog.rejected.connect(self._give_up)
            self.dialog.open()
        return self.dialog

    def _read(self, corrections: Corrections | None) -> None:
        paths, choice = self._paths, self.dialog.choice if self.dialog is not None else None
        self._end()
        self.read_requested.emit(paths, corrections or None)
        if choice is not None:
            self.transcription_chosen.emit(choice)
        self._look_at_next()

    def _give_up(self) -> None:
        self._end()
        self._look_at_next()

    def _end(self) -> None:
        """Close the dialog and ignore a plan that is still being made."""
        self._drop_job()
        self._paths = ()
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()

    def _drop_job(self) -> None:
        self._patience.stop()
        if self._job is not None:
            self._job.drop()
        self._job = None
