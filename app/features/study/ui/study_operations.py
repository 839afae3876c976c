"""Lists decks and their items, and changes them."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication

from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.study.model.making import nothing_made
from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Collection, Generator, Mapping, Sequence
    from pathlib import Path

    from app.core.answers.model_settings import ModelSettings
    from app.domain.conversations import Exchange
    from app.domain.sources import Source
    from app.features.study.model.items import Item, ItemText, Sheet, StudyExport, TermPlace
    from app.features.study.model.making import MakeEstimate, MakeEvent, MakeRequest
    from app.features.study.model.names import ItemKind
    from app.features.study.service import StudyService
    from app.workers.workers import Workers

    Draw = Callable[[Sheet, Path], object]
    Say = Callable[[Message], str]

translate = QCoreApplication.translate

R = TypeVar("R")


class StudyOperations(Operations):
    """Every change emits ``workers.decks_listed``."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "study")

    @property
    def _study(self) -> StudyService:
        from app.features.study.service import StudyService  # after the first frame

        return self._rag.service(StudyService)

    def list_decks(self) -> Job[None]:
        return self._job(translate("Workers", "Listing the decks"), lambda _: self.send_decks())

    def items(
        self, deck_id: int, kinds: Collection[ItemKind], then: Callable[[tuple[Item, ...]], R]
    ) -> Job[R]:
        """Give what ``then`` makes, in the thread, of the items of a deck, or those of some kinds."""
        what = translate("Workers", "Opening a deck")
        return self._job(what, lambda _: then(self._study.items(deck_id, kinds)))

    def term_places(
        self, course_title: str, terms: Collection[str]
    ) -> Job[Mapping[str, tuple[TermPlace, ...]]]:
        """Give the lessons of a course that use each term, in order."""
        what = translate("Workers", "Looking for terms")
        return self._job(what, lambda _: self._study.term_places(course_title, terms))

    def source_of_place(self, place: TermPlace) -> Job[Source | None]:
        what = translate("Workers", "Looking for terms")
        return self._job(what, lambda _: self._study.source_of_place(place))

    def edit(self, item_id: int, text: ItemText) -> Job[Item | None]:
        """Change what an item says; gives it as it is now, None if it was deleted meanwhile."""

        def edit() -> Item | None:
            self._study.edit(item_id, text)
            return self._study.item(item_id)

        return self._changing(translate("Workers", "Changing study material"), edit)

    def delete(self, item_ids: Sequence[int]) -> Job[None]:
        """Delete items; :meth:`restore` brings them back until the next start."""
        what = translate("Workers", "Deleting study material")
        return self._changing(what, lambda: self._study.delete(item_ids))

    def restore(self, item_ids: Sequence[int]) -> Job[None]:
        what = translate("Workers", "Restoring study material")
        return self._changing(what, lambda: self._study.restore(item_ids))

    def delete_deck(self, deck_id: int) -> Job[None]:
        """Delete a deck if it is empty."""
        what = translate("Workers", "Deleting study material")
        return self._changing(what, lambda: self._study.delete_deck(deck_id))

    def move(self, item_ids: Sequence[int], course_title: str) -> Job[None]:
        """Put items into the deck of another course."""
        what = translate("Workers", "Moving study material")
        return self._changing(what, lambda: self._study.move(item_ids, course_title))

    def resume(self, item_ids: Sequence[int]) -> Job[None]:
        """Ask items again that were suspended."""
        what = translate("Workers", "Taking up cards again")
        return self._changing(what, lambda: self._study.reviews.resume(item_ids))

    def estimate(self, request: MakeRequest) -> Job[MakeEstimate]:
        """Give about what it takes to make something; fails without a model, unless that is not asked for."""

        def estimate(_: Job[MakeEstimate]) -> MakeEstimate:
            if request.automatic:
                return self._study.estimate_automatic(request, self._chat_of(request))
            connection = self._connection()
            if connection is None:
                raise UserError(Message("answers.no_key"))
            return self._study.making.estimate(request, connection)

        return self._job(translate("Workers", "Pricing study material"), estimate)

    def make(self, request: MakeRequest) -> Job[None]:
        """Make study material; the events are MakeEvents. What was made when it is cancelled stays."""
        what = translate("Workers", "Making study material")
        if request.automatic:
            return self._workers.job(
                Lane.READ, what, lambda _, job: self._make_automatic(request, job), key="long"
            )
        return self._workers.job(Lane.NETWORK, what, lambda *_: self._make(request, self._connection()))

    def _connection(self) -> ModelSettings | None:
        rag = self._rag
        return rag.answers.connection(self._workers.keys.read(rag.settings.base_url)[0])

    async def _make(
        self, request: MakeRequest, connection: ModelSettings | None
    ) -> AsyncGenerator[MakeEvent, None]:
        try:
            if connection is None:
                yield nothing_made(Message("answers.no_key"))
                return
            async with aclosing(self._study.making.make(request, connection)) as events:
                async for event in events:
                    yield event
        finally:
            self.send_decks()

    def _make_automatic(self, request: MakeRequest, job: Job[None]) -> Generator[MakeEvent, None, None]:
        try:
            yield from self._study.make_automatic(request, job.token, self._chat_of(request))
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
        what = translate("Workers", "Exporting study material")
        return self._workers.job(
            Lane.READ, what, lambda rag, _: self._study.exports.write(export, path, say, draw), key="long"
        )

    def _changing(self, what: str, work: Callable[[], R]) -> Job[R]:
        def change(_: Job[R]) -> R:
            try:
                return work()
            finally:
                self.send_decks()

        return self._job(what, change, is_kept=True)

    def send_decks(self) -> None:
        """Emit ``workers.decks_listed``; for operations, in their threads."""
        self._workers.send(self._workers.decks_listed.emit, self._study.decks())
