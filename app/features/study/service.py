"""StudyService: everything that can be done with decks and items, and the search for duplicates."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.languages import stem_of
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.words import words_in
from app.features.study.exam_plans import ExamPlanService, copy_exams, forget_exams, rename_exam
from app.features.study.exams import ExamRepository
from app.features.study.kinds import KINDS, Kind, problem_with
from app.features.study.marks import MarkService
from app.features.study.model.reviews import Due
from app.features.study.passages import PassageReader
from app.features.study.reviews import ReviewService
from app.features.study.stale import StaleService
from app.features.study.store.items import (
    StudyRepository,
    delete_decks,
    rename_deck,
    return_decks,
    trash_decks,
)
from app.features.study.transfer import copy_decks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from app.core.embedding.graph import EmbeddingGraph
    from app.core.rag_system import RAGSystem
    from app.core.storage.database import LibraryHooks
    from app.features.study.exports.exporter import StudyExporter
    from app.features.study.model.items import Deck, Item
    from app.features.study.model.names import ItemKind, ItemText

_ALIKE = 0.86  # cosine of two questions with their answers; ``python -m tests.tools.benchmarks.duplicates``

_Group = tuple[str, str]


class Duplicates:
    """What the items of one deck ask.

    Items that are learnt in the same way are compared: cards, cloze texts with the same gap, points, and the
    questions of a quiz, of either kind. Terms are compared by their words alone, since the names of different
    things may mean much the same. For one thread.
    """

    def __init__(
        self, model: EmbeddingGraph, items: Iterable[Item] = (), token: CancelToken | None = None
    ) -> None:
        self._model = model
        self._token = token or CancelToken()
        self._wordings: set[tuple[_Group, str]] = set()
        self._meanings: dict[_Group, list[str]] = defaultdict(list)
        self._vectors: dict[_Group, list[NDArray[np.float32]]] = defaultdict(list)  # of the first ones
        for item in items:
            self.add(item.kind, item.text, item.language)

    def is_new(self, kind: ItemKind, text: ItemText, language: str = "") -> bool:
        """Return whether nothing that is known asks the same; raises Cancelled."""
        group = KINDS[kind].group(text)
        if (group, _wording(KINDS[kind], text, language)) in self._wordings:
            return False
        known, vectors = self._meanings[group], self._vectors[group]
        if KINDS[kind].has_wording_alone or not known:
            return True
        unknown = [*known[len(vectors) :], KINDS[kind].meaning(text)]
        *others, vector = self._model.embed_passages(unknown, self._token)
        vectors += others
        return float(self._model.scale.of(np.stack(vectors) @ vector).max()) < _ALIKE

    def add(self, kind: ItemKind, text: ItemText, language: str = "") -> None:
        group = KINDS[kind].group(text)
        self._wordings.add((group, _wording(KINDS[kind], text, language)))
        self._meanings[group].append(KINDS[kind].meaning(text))


def _wording(kind: Kind, text: ItemText, language: str) -> str:
    """Return the words that no other item of a group has, whatever its answer."""
    words = words_in(kind.wording(text).casefold())
    return " ".join(stem_of(word, language) for word in words) if kind.has_wording_alone else " ".join(words)


class StudyService:
    """Thread-safe.

    Attributes:
        repository: the rows of decks and items.
        passages: what can be asked about in the courses.
        reviews: asks items, and keeps how well they are known.
        exam_plans: plans the days to the exams of courses.
        marks: keeps what a reader marks in the lessons.
        stale: follows the sentences that items and saved answers rest on.
        exams: keeps practice exams.
        exports: writes decks to files.
    """

    def __init__(self, rag: RAGSystem) -> None:
        database, catalog = rag.database, rag.catalog
        self.repository = StudyRepository(database)
        self.items, self.item = self.repository.items, self.repository.item
        self.note_result = self.repository.note_result
        self.delete, self.restore = self.repository.delete, self.repository.restore
        self.passages = PassageReader(catalog, rag.search)
        self.exam_plans = ExamPlanService(database, self.repository, rag.now)
        self.reviews = ReviewService(database, rag.current_settings, rag.now, self.exam_plans.aims)
        self.marks = MarkService(rag, self.repository)
        self.exams = ExamRepository(database, self.repository)
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
        """Let decks, exams and quotes follow the library."""
        hooks.course_renamed.append(rename_deck)
        hooks.documents_trashed.append(trash_decks)
        hooks.documents_added.append(return_decks)
        hooks.trash_emptied.append(delete_decks)
        hooks.course_renamed.append(rename_exam)
        hooks.trash_emptied.append(forget_exams)
        hooks.copied += [copy_decks, copy_exams]
        hooks.opened.append(self.repository.sweep)
        hooks.sources_checked.append(self.stale.correct_states)

    def decks(self) -> tuple[Deck, ...]:
        """Return the decks, by title, with what is due today."""
        found = [deck for deck in self.repository.decks() if deck.items]  # others hold marks only
        due = self.reviews.due_by_deck() if found else {}
        todo = {deck.deck_id: due.get(deck.deck_id, Due()) for deck in found}
        return tuple(
            replace(deck, due=todo[deck.deck_id].total, new=todo[deck.deck_id].new) for deck in found
        )

    def edit(self, item_id: int, text: ItemText) -> Item | None:
        """Change an item's text; return the changed item, None if it has been deleted.

        Raises UserError for what cannot be kept.
        """
        item = self.item(item_id)
        if item is not None and (problem := problem_with(item.kind, text)):
            raise UserError(problem)
        self.repository.edit(item_id, text)
        return self.item(item_id)

    def move(self, item_ids: Sequence[int], course_title: str) -> None:
        """Put items into the deck of another course; how well they are known stays."""
        self.repository.move(item_ids, self.repository.deck_of(course_title))

    def duplicates(self, deck_id: int, token: CancelToken, without: int | None = None) -> Duplicates:
        """Return what a deck asks already, leaving out one item; the embedding model must be prepared."""
        items = (item for item in self.items(deck_id) if item.item_id != without)
        return Duplicates(self._embedder.model_now(), items, token)
