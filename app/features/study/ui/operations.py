"""The work on decks, quotes and reviews beside the window."""

from __future__ import annotations

import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.domain.errors import UserError
from app.domain.messages import Message
from app.ui.markup.rich_text import FormulaPictures
from app.workers.job import Job, Lane
from app.workers.workers import Operations

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Sequence
    from pathlib import Path

    from app.core.answers.providers.base import ModelSettings
    from app.domain.conversations import Exchange
    from app.features.study.making import Maker
    from app.features.study.model.items import Item, Sheet, StudyExport
    from app.features.study.model.making import MakeEstimate, MakeEvent, MakeRequest
    from app.features.study.model.names import ItemText
    from app.features.study.service import StudyService
    from app.workers.workers import Workers

    Draw = Callable[[Sheet, Path], object]
    Say = Callable[[Message], str]
    from app.core.rag_system import RAGSystem
    from app.features.study.model.items import StaleQuote


class _Operations(Operations):
    @property
    def _study(self) -> StudyService:
        from app.features.study.service import StudyService  # after the first frame

        return self._rag.service(StudyService)


class StudyJobs(QObject):
    """The operations of the feature by subject, and what they tell all of its pages."""

    decks_listed = Signal(object)  # all decks, by title: tuple of Deck
    stale_counted = Signal(int, bool)  # answers and items; whether there are more than before

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers)
        self.workers = workers
        self.formulas = FormulaPictures(workers, self)  # for all pages
        self.study = StudyOperations(workers, self)
        self.stale = StaleOperations(workers, self)
        workers.ready.connect(self.stale.look)
        workers.snapshot.connect(lambda _: self.stale.look())


R = TypeVar("R")


class StudyOperations(_Operations):
    """Every change emits ``jobs.decks_listed``."""

    def __init__(self, workers: Workers, jobs: StudyJobs) -> None:
        super().__init__(workers, "study")
        self._jobs = jobs

    def list_decks(self) -> Job[None]:
        return self._job("Listing the decks", lambda _: self.send_decks())

    def read(self, what: str, work: Callable[[StudyService], R]) -> Job[R]:
        return self._job(what, lambda _: work(self._study))

    def change(self, what: str, work: Callable[[StudyService], R]) -> Job[R]:
        def change(_: Job[R]) -> R:
            try:
                return work(self._study)
            finally:
                self.send_decks()

        return self._job(what, change, is_kept=True)

    def edit(self, item_id: int, text: ItemText) -> Job[Item | None]:
        return self.change("Changing study material", lambda study: study.edit(item_id, text))

    def estimate(self, request: MakeRequest) -> Job[MakeEstimate]:
        """Give about what it takes to make something; fails without a model, unless that is not asked for."""

        def estimate(_: Job[MakeEstimate]) -> MakeEstimate:
            from app.features.study import automatic  # after the first frame

            if request.automatic:
                return automatic.estimate(self._study, request, self._chat_of(request))
            connection = self._connection()
            if connection is None:
                raise UserError(Message("answers.no_key"))
            return self._maker.estimate(request, connection)

        return self._job("Pricing study material", estimate)

    def make(self, request: MakeRequest) -> Job[None]:
        """Make study material; the events are MakeEvents. What was made when it is cancelled stays."""
        what = "Making study material"
        if request.automatic:
            return self._workers.job(
                Lane.READ, what, lambda _, job: self._make_automatic(request, job), key="long"
            )
        return self._workers.job(Lane.NETWORK, what, lambda *_: self._make(request, self._connection()))

    @property
    def _maker(self) -> Maker:
        from app.features.study.making import Maker  # after the first frame

        return self._rag.service(Maker)

    def _connection(self) -> ModelSettings | None:
        rag = self._rag
        return rag.answers.connection(self._workers.keys.read(rag.settings.base_url)[0])

    async def _make(
        self, request: MakeRequest, connection: ModelSettings | None
    ) -> AsyncGenerator[MakeEvent, None]:
        try:
            if connection is None:
                from app.features.study.model.making import nothing_made  # after the first frame

                yield nothing_made(Message("answers.no_key"))
                return
            async with aclosing(self._maker.make(request, connection)) as events:
                async for event in events:
                    yield event
        finally:
            self.send_decks()

    def _make_automatic(self, request: MakeRequest, job: Job[None]) -> Generator[MakeEvent, None, None]:
        from app.features.study import automatic  # after the first frame

        try:
            yield from automatic.make(self._study, request, self._chat_of(request), job.token)
        finally:
            self.send_decks()

    def _chat_of(self, request: MakeRequest) -> Sequence[Exchange] | None:
        chat = request.conversation_id
        return None if chat is None else self._rag.conversations.exchanges(chat)

    def export(self, export: StudyExport, path: Path, draw: Draw | None, say: Say) -> Job[int]:
        """Write decks to a file; gives how many items it holds.

        Args:
            export: what to write.
            path: of the file; an existing one is replaced once the new one is complete.
            draw: writes a sheet to the path it receives; None writes Markdown.
            say: translates the words of what is printed.
        """
        return self._workers.job(
            Lane.READ,
            "Exporting study material",
            lambda rag, _: self._study.exports.write(export, path, say, draw),
            key="long",
        )

    def send_decks(self) -> None:
        """Emit ``jobs.decks_listed``; for operations, in their threads."""
        self._workers.send(self._jobs.decks_listed.emit, self._study.decks())


_log = logging.getLogger(__name__)
_COMPARING = "Comparing sources with the library"


class StaleOperations(_Operations):
    """Follow quotes in the background, and do what the user asks for beside that."""

    def __init__(self, workers: Workers, jobs: StudyJobs) -> None:
        super().__init__(workers, "stale")
        self._jobs = jobs

    def look(self) -> None:
        """Follow the quotes if the library has changed, then emit ``jobs.stale_counted``."""

        def check(rag: RAGSystem, job: Job[None]) -> None:
            stale = self._study.stale
            before = stale.count()
            for _ in stale.check(job.token):
                job.token.check()
            self._tell(before)

        # What keeps it from looking is reported by what the user asks for.
        job = self._workers.job(Lane.WRITE, _COMPARING, check, key="stale", newest=True, background=True)
        job.run(self._workers, failure=lambda message: _log.warning("%s", message))

    def count(self) -> None:
        """Emit ``jobs.stale_counted`` after what rests on the quotes has changed."""
        count = self._job(_COMPARING, lambda _: self._tell(self._study.stale.count()))
        count.run(self._workers, failure=lambda message: _log.warning("%s", message))

    def keep(self, entry: StaleQuote) -> Job[bool]:
        """Let an item rest on what stands there now, if something does; else it is kept as it is.

        Give whether it rests on a new sentence, but says what it said before.
        """

        def keep(_: Job[bool]) -> bool:
            before = self._study.stale.count()
            is_as_before = self._study.stale.keep(entry)
            self._tell(before)
            return is_as_before

        return self._job(_COMPARING, keep)

    def _tell(self, before: int) -> None:
        """Emit the count."""
        count = self._study.stale.count()
        self._workers.send(self._jobs.stale_counted.emit, count, count > before)
        if count != before:
            self._jobs.study.send_decks()
