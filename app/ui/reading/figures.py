"""Finds the figures of the sources that are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.domain.figures import FigurePicture
    from app.domain.sources import Source
    from app.ui.reading.sources_pane import SourcesPane
    from app.workers.job import Job
    from app.workers.workers import Workers


class Figures(QObject):
    """Looks for those of one answer at a time."""

    def __init__(self, pane: SourcesPane, workers: Workers) -> None:
        super().__init__(pane)
        self._pane, self._workers = pane, workers
        self._job: Job[dict[int, FigurePicture]] | None = None
        pane.figures_requested.connect(self._find)

    def _find(self, exchange_id: int, sources: tuple[Source, ...]) -> None:
        if self._job is not None:
            self._job.drop()
        show = partial(self._pane.show_figures, exchange_id)
        # A source without its figure is still complete.
        self._job = self._workers.figures.find(sources).run(self, success=show, failure=lambda _: None)
