"""The work on decks, quotes and reviews beside the window."""

from __future__ import annotations

import logging
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.domain.errors import UserError
from app.domain.exam_map import QuestionMap
from app.domain.messages import Message
from app.ui.markup.rich_text import FormulaPictures
from app.workers.job import Job, Lane, Work

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Generator, Sequence
    from pathlib import Path

    from app.core.answers.providers.base import ModelSettings
    from app.core.rag_system import RAGSystem
    from app.domain.exam_map import QuestionProgress
    from app.features.study.exams import PlannedExam
    from app.features.study.grading import Grade
    from app.features.study.making import MakeEstimate, MakeEvent, MakeRequest
    from app.features.study.model.items import Deck, Item, Sheet, StaleQuote, StudyExport
    from app.features.study.model.names import ItemText
    from app.features.study.service import StudyService
    from app.workers.workers import Workers

R = TypeVar("R")
_log = logging.getLogger(__name__)
_COMPARING = "Comparing sources with the library"


class StudyJobs(QObject):
    """The operations of the feature, and what they tell all of its pages; every change lists the decks."""

    decks_listed = Signal(object)  # all decks, by title: tuple of Deck
    stale_counted = Signal(int, bool)  # answers and items; whether there are more than before

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers)
        self.workers = workers
        self.formulas = FormulaPictures(workers, self)  # for all pages
        workers.ready.connect(self.follow_quotes)
        workers.snapshot.connect(lambda _: self.follow_quotes())

    # ---- decks ----

    def list_decks(self) -> Job[None]:
        return self._job("Listing the decks", lambda _: self._send_decks())

    def read(self, what: str, work: Callable[[StudyService], R]) -> Job[R]:
        return self._job(what, lambda _: work(self._study))

    def change(self, what: str, work: Callable[[StudyService], R]) -> Job[R]:
        def change(_: Job[R]) -> R:
            try:
                return work(self._study)
            finally:
                self._send_decks()

        return self._job(what, change, is_kept=True)

    def edit(self, item_id: int, text: ItemText) -> Job[Item | None]:
        return self.change("Changing study material", lambda study: study.edit(item_id, text))

    def export(
        self,
        export: StudyExport,
        path: Path,
        draw: Callable[[Sheet, Path], object] | None,
        say: Callable[[Message], str],
    ) -> Job[int]:
        """Write decks to a file; gives how many items it holds. ``draw`` writes a sheet, or else Markdown."""
        what = "Exporting study material"
        return self._job(what, lambda _: self._study.exports.write(export, path, say, draw), key="long")

    # ---- making ----

    def estimate(self, request: MakeRequest) -> Job[MakeEstimate]:
        """Give about what it takes to make something; fails without a model, unless that is not asked for."""

        def estimate(_: Job[MakeEstimate]) -> MakeEstimate:
            from app.features.study import automatic, making  # after the first frame

            if request.automatic:
                return automatic.estimate(self.workers.rag, request)
            if (connection := self._connection()) is None:
                raise UserError(Message("answers.no_key"))
            return making.estimate(self.workers.rag, request, connection)

        return self._job("Pricing study material", estimate)

    def make(self, request: MakeRequest) -> Job[None]:
        """Make study material; the events are MakeEvents. What was made when it is cancelled stays."""
        what = "Making study material"
        if request.automatic:
            return self._job(what, lambda job: self._make_automatic(request, job), key="long")
        return self.workers.job(Lane.NETWORK, what, lambda *_: self._make(request, self._connection()))

    async def _make(
        self, request: MakeRequest, connection: ModelSettings | None
    ) -> AsyncGenerator[MakeEvent, None]:
        from app.features.study import making  # after the first frame

        try:
            if connection is None:
                yield making.nothing_made(Message("answers.no_key"))
                return
            async with aclosing(making.make(self.workers.rag, request, connection)) as events:
                async for event in events:
                    yield event
        finally:
            self._send_decks()

    def _make_automatic(self, request: MakeRequest, job: Job[None]) -> Generator[MakeEvent, None, None]:
        from app.features.study import automatic  # after the first frame

        try:
            yield from automatic.make(self.workers.rag, request, job.token)
        finally:
            self._send_decks()

    def grade(self, answers: Sequence[tuple[int, Item, str]]) -> Job[None]:
        """Grade answers in the user's own words one after the other.

        The events are the numbers that the answers come with, and Grades, the last of which holds.
        """

        async def grade(*_: object) -> AsyncGenerator[tuple[int, Grade], None]:
            from app.features.study.grading import Grader  # after the first frame

            grader, connection = Grader(self.workers.rag), self._connection()
            for number, item, answer in answers:
                async with aclosing(grader.grade(item, answer, connection)) as grades:
                    async for one in grades:
                        yield number, one

        return self.workers.job(Lane.NETWORK, "Grading answers", grade)

    def plan_exam(self, path: Path, deck: Deck, seed: int) -> Job[None]:
        """Plan an exam as a past paper asks; the events are QuestionProgress, and then an PlannedExam."""

        def plan(rag: RAGSystem, job: Job[None]) -> Generator[QuestionProgress | PlannedExam, None, None]:
            from app.core.search.exam_map import map_exam  # after the first frame
            from app.features.study.exams import plan_exam

            items = self._study.items(deck.deck_id)
            for event in map_exam(rag.search, path, deck.course_title, job.token):
                if isinstance(event, QuestionMap):
                    yield plan_exam(event, items, deck.deck_id, path.name, seed)
                else:
                    yield event

        return self.workers.job(Lane.READ, "Planning an exam", plan, key="long")

    # ---- quotes ----

    def follow_quotes(self) -> None:
        """Follow the quotes if the library has changed, then emit ``stale_counted``."""

        def check(_: object, job: Job[None]) -> None:
            before = self._study.stale.count()
            for _ in self._study.stale.check(job.token):
                job.token.check()
            self._tell_stale(before)

        job = self.workers.job(Lane.WRITE, _COMPARING, check, key="stale", newest=True, background=True)
        job.run(self.workers, failure=_note)

    def count_stale(self) -> None:
        """Emit ``stale_counted`` after what rests on the quotes has changed."""
        count = self._job(_COMPARING, lambda _: self._tell_stale(self._study.stale.count()), key="stale")
        count.run(self.workers, failure=_note)

    def keep(self, entry: StaleQuote) -> Job[bool]:
        """Base an item on the text that is there now, if any; otherwise keep it as it is.

        Give whether it rests on a new sentence, but says what it said before.
        """

        def keep(_: Job[bool]) -> bool:
            before = self._study.stale.count()
            is_as_before = self._study.stale.keep(entry)
            self._tell_stale(before)
            return is_as_before

        return self._job(_COMPARING, keep, key="stale")

    # ---- internals ----

    def _job(self, what: str, work: Work[R], *, key: str = "study", is_kept: bool = False) -> Job[R]:
        return self.workers.job(Lane.READ, what, lambda _, job: work(job), key=key, is_kept=is_kept)

    @property
    def _study(self) -> StudyService:
        from app.features.study.service import StudyService  # after the first frame

        return self.workers.rag.service(StudyService)

    def _connection(self) -> ModelSettings | None:
        rag = self.workers.rag
        return rag.answers.connection(self.workers.stored_key())

    def _send_decks(self) -> None:
        self.workers.send(self.decks_listed.emit, self._study.decks())

    def _tell_stale(self, before: int) -> None:
        count = self._study.stale.count()
        self.workers.send(self.stale_counted.emit, count, count > before)
        if count != before:
            self._send_decks()


def _note(message: Message) -> None:
    """Log what keeps from looking; it is reported by what the user asks for."""
    _log.warning("%s", message)
