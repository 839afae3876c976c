"""Notices that an item asks what another one of its deck asks: by its wording, and by its meaning."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.languages import stem_of
from app.domain.words import words_in
from app.features.study.kinds import KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from app.core.embedding.graph import EmbeddingGraph
    from app.domain.cancel import CancelToken
    from app.features.study.kinds import Kind
    from app.features.study.model.names import ItemKind, ItemText
    from app.features.study.store.items import StudyRepository

_ALIKE = 0.86  # cosine of two questions with their answers; ``python -m tests.tools.benchmarks.duplicates``
_BATCH = 512  # items embedded between two commits

_Group = tuple[str, str]


class Duplicates:
    """What the items of one deck ask.

    Items that are learnt in the same way are compared: cards, cloze texts with the same gap, points, and the
    questions of a quiz, of either kind. Terms are compared by their words alone, since the names of different
    things may mean much the same. For one thread.
    """

    def __init__(self, model: EmbeddingGraph) -> None:
        self._model = model
        self._wordings: set[tuple[_Group, str]] = set()
        self._vectors: dict[_Group, list[NDArray[np.float32]]] = defaultdict(list)

    def is_new(
        self, kind: ItemKind, text: ItemText, language: str = "", vector: NDArray[np.float32] | None = None
    ) -> bool:
        """Return whether nothing that is known asks the same."""
        group = KINDS[kind].group(text)
        if (group, _wording(KINDS[kind], text, language)) in self._wordings:
            return False
        if KINDS[kind].has_wording_alone or group not in self._vectors:
            return True
        vector = self.vector(kind, text) if vector is None else vector
        return float(self._model.scale.of(np.stack(self._vectors[group]) @ vector).max()) < _ALIKE

    def add(
        self, kind: ItemKind, text: ItemText, language: str = "", vector: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Know an item from now on; return the vector to store with it."""
        group = KINDS[kind].group(text)
        self._wordings.add((group, _wording(KINDS[kind], text, language)))
        vector = self.vector(kind, text) if vector is None else vector
        self._vectors[group].append(vector)
        return vector

    def vector(self, kind: ItemKind, text: ItemText) -> NDArray[np.float32]:
        return self._model.embed_query(KINDS[kind].meaning(text))


def duplicates_of(
    repository: StudyRepository,
    embedder: Embedder,
    deck_id: int,
    token: CancelToken,
    without: int | None = None,
) -> Duplicates:
    """Return what a deck asks; what has no vector of the model in use gets one, and keeps it.

    ``without`` is the key of an item that is left out.
    """
    repository.begin_embedding(embedder.model_id)
    known = Duplicates(embedder.model_now())
    vectors = repository.embeddings(deck_id)
    new: dict[int, NDArray[np.float32]] = {}
    for item in repository.items(deck_id):
        token.check()
        if item.item_id == without:
            continue
        vector = known.add(item.kind, item.text, item.language, vectors.get(item.item_id))
        if item.item_id not in vectors:
            new[item.item_id] = vector
        if len(new) == _BATCH:
            repository.set_embeddings(new)
            new = {}
    repository.set_embeddings(new)
    return known


def _wording(kind: Kind, text: ItemText, language: str) -> str:
    """Return the words that no other item of a group has, whatever its answer."""
    words = words_in(kind.wording(text).casefold())
    return " ".join(stem_of(word, language) for word in words) if kind.has_wording_alone else " ".join(words)
