"""Follows quoted sentences after course files changed, and lists those that are stale."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.sources import QuotePlace
    from app.features.study.model.items import StaleCounts, StaleQuote
    from app.features.study.service import StudyService
    from app.workers.workers import Workers

_log = logging.getLogger(__name__)


class StaleOperations(Operations):
    """Follow quotes in the background, and do what the user asks for beside that."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "stale")

    @property
    def _study(self) -> StudyService:
        from app.features.study.service import StudyService  # after the first frame

        return self._rag.service(StudyService)

    def look(self) -> None:
        """Follow the quotes if the library has changed, then emit ``workers.stale_counted``."""

        def check(rag: RAGSystem, job: Job[None]) -> None:
            stale = self._study.stale
            before = stale.counts()
            for _ in stale.check(job.token):
                job.token.check()
            self._tell(before)

        # What keeps it from looking is reported by what the user asks for.
        job = self._workers.job(Lane.WRITE, _what(), check, key="stale", newest=True, background=True)
        job.run(self._workers, failure=lambda message: _log.warning("%s", message))

    def count(self) -> None:
        """Emit ``workers.stale_counted`` after what rests on the quotes has changed."""
        count = self._job(_what(), lambda _: self._tell(self._study.stale.counts()))
        count.run(self._workers, failure=lambda message: _log.warning("%s", message))

    def entries(self) -> Job[tuple[StaleQuote, ...]]:
        """List what is stale and was not kept, answers first."""
        return self._job(_what(), lambda _: self._study.stale.entries())

    def place_of(self, entry: StaleQuote) -> Job[QuotePlace]:
        """Give where what stands in a sentence's place is; without such, where the sentence was."""
        return self._job(_what(), lambda _: self._study.stale.place_of(entry))

    def keep(self, entry: StaleQuote) -> Job[bool]:
        """Let an item rest on what stands there now, if something does; else it is kept as it is.

        Give whether it rests on a new sentence, but says what it said before.
        """

        def keep(_: Job[bool]) -> bool:
            before = self._study.stale.counts()
            is_as_before = self._study.stale.keep(entry)
            self._tell(before)
            return is_as_before

        return self._job(_what(), keep)

    def _tell(self, before: StaleCounts) -> None:
        """Emit the counts, which are news if there is more than before."""
        counts = self._study.stale.counts()
        is_news = counts.answers > before.answers or counts.items > before.items
        self._workers.send(self._workers.stale_counted.emit, counts, is_news)
        if counts != before:
            self._workers.study.send_decks()


def _what() -> str:
    return QCoreApplication.translate("Workers", "Comparing sources with the library")
