"""StudyService: what can be done with decks and their items."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from app.features.study.duplicates import duplicates_of
from app.features.study.model.reviews import Due
from app.features.study.passages import PassageReader
from app.features.study.reviews import ReviewService
from app.features.study.stale import StaleService
from app.features.study.store import decks
from app.features.study.store.items import StudyRepository
from app.features.study.transfer import copy_decks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.core.storage.database import LibraryHooks
    from app.domain.cancel import CancelToken
    from app.features.study.duplicates import Duplicates
    from app.features.study.exports.exporter import StudyExporter
    from app.features.study.model.items import Deck, Item
    from app.features.study.model.names import ItemText


class StudyService:
    """Thread-safe.

    Attributes:
        repository: the rows of decks and items.
        passages: what can be asked about in the courses.
        reviews: asks items, and keeps how well they are known.
        stale: follows the sentences that items and saved answers rest on.
        exports: writes decks to files.
    """

    def __init__(self, rag: RAGSystem) -> None:
        database, catalog = rag.database, rag.catalog
        self.repository = StudyRepository(database)
        self.items, self.item = self.repository.items, self.repository.item
        self.note_result = self.repository.note_result
        self.delete, self.restore = self.repository.delete, self.repository.restore
        self.passages = PassageReader(catalog, rag.search)
        self.reviews = ReviewService(database, rag.current_settings, rag.now)
        self.stale = StaleService(database, catalog.passages)
        self._now = rag.now
        self._embedder = rag.embedder

    @cached_property
    def exports(self) -> StudyExporter:
        from app.features.study.exports.exporter import (
            StudyExporter,  # late, so that the program starts sooner
        )

        return StudyExporter(self.repository, self.reviews.repository, self._now)

    def join(self, hooks: LibraryHooks) -> None:
        """Let decks and quotes follow the library."""
        hooks.course_renamed.append(decks.rename_deck)
        hooks.documents_trashed.append(decks.trash_decks)
        hooks.documents_added.append(decks.return_decks)
        hooks.trash_emptied.append(decks.delete_decks)
        hooks.copied.append(copy_decks)
        hooks.opened.append(self.repository.sweep)
        hooks.sources_checked.append(self.stale.correct_states)

    def decks(self) -> tuple[Deck, ...]:
        """Return the decks, by title, with what is due today."""
        found = self.repository.decks()
        due = self.reviews.due_by_deck() if found else {}
        todo = {deck.deck_id: due.get(deck.deck_id, Due()) for deck in found}
        return tuple(
            replace(deck, due=todo[deck.deck_id].total, new=todo[deck.deck_id].new) for deck in found
        )

    def edit(self, item_id: int, text: ItemText) -> Item | None:
        """Change what an item says; return it as it is now, None if it was deleted meanwhile."""
        self.repository.edit(item_id, text)
        return self.item(item_id)

    def move(self, item_ids: Sequence[int], course_title: str) -> None:
        """Put items into the deck of another course; how well they are known stays."""
        self.repository.move(item_ids, self.repository.deck_of(course_title))

    def duplicates(self, deck_id: int, token: CancelToken, without: int | None = None) -> Duplicates:
        """Return what a deck asks already, leaving out one item; the embedding model must be prepared."""
        return duplicates_of(self.repository, self._embedder, deck_id, token, without)
