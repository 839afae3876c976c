"""Notices that an item asks what another one asks: by its wording, and by its meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from app.core.documents.text.languages import stem_of
from app.features.study.model.cloze import filled, gaps
from app.features.study.model.items import QUIZ, ItemKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from app.core.embedding.graph import EmbeddingGraph
    from app.domain.cancel import CancelToken
    from app.features.study.model.items import ItemText
    from app.features.study.store.items import StudyRepository

_ALIKE = 0.86  # cosine of two questions with their answers; ``python -m tests.tools.benchmarks.duplicates``
_ROOM = 256  # vectors that a group has room for at first
_BATCH = 512  # items embedded between two commits
_WORD = re.compile(r"[^\W_]+")

_Group = tuple[str, str]


class Duplicates:
    """What the items of a deck ask, and those that are being made for it.

    Compared are items that are learnt in the same way: cards, cloze texts with the same gap, points, and the
    questions of a quiz, of either kind. Terms are compared by their words alone, since the names of different
    things may mean much the same. For one thread.
    """

    def __init__(self, model: EmbeddingGraph) -> None:
        self._model = model
        self._wordings: set[tuple[_Group, str]] = set()
        self._groups: dict[_Group, _Vectors] = {}

    def is_new(self, kind: ItemKind, text: ItemText, language: str = "") -> bool:
        """Return whether nothing that is known asks the same."""
        group = _group(kind, text)
        if (group, _wording(kind, text, language)) in self._wordings:
            return False
        vectors = self._groups.get(group)
        if vectors is None or kind is ItemKind.TERM:
            return True
        cosines = self._model.scale.of(vectors.cosines(self.vector(kind, text)))
        return float(cosines.max()) < _ALIKE

    def add(
        self,
        kind: ItemKind,
        text: ItemText,
        language: str = "",
        vector: NDArray[np.float32] | None = None,
    ) -> NDArray[np.float32]:
        """Know an item from now on; return the vector to store with it."""
        group = _group(kind, text)
        self._wordings.add((group, _wording(kind, text, language)))
        vector = self.vector(kind, text) if vector is None else vector
        self._groups.setdefault(group, _Vectors(len(vector))).add(vector)
        return vector

    def emptied(self) -> Duplicates:
        """Return one that knows nothing yet, of the same model."""
        return Duplicates(self._model)

    def vector(self, kind: ItemKind, text: ItemText) -> NDArray[np.float32]:
        return self._model.embed_query(_asked(kind, text))


class _Vectors:
    """Vectors of one length, compared all at once."""

    def __init__(self, dimension: int) -> None:
        self._rows = np.empty((_ROOM, dimension), np.float32)
        self._count = 0

    def add(self, vector: NDArray[np.float32]) -> None:
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[self._count] = vector
        self._count += 1

    def cosines(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        return self._rows[: self._count] @ vector


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


def _group(kind: ItemKind, text: ItemText) -> _Group:
    """Return what an item is compared with."""
    if kind is ItemKind.CLOZE:
        return kind, " ".join(_words(" ".join(gaps(text.front))))
    return ("quiz" if kind in QUIZ else kind), ""


def _asked(kind: ItemKind, text: ItemText) -> str:
    """Return what an item asks, with its answer: questions that differ in a word may be far apart."""
    if kind is ItemKind.CLOZE:
        return filled(text.front)
    return text.back if kind is ItemKind.POINT else f"{text.front} {text.back}"


def _wording(kind: ItemKind, text: ItemText, language: str) -> str:
    """Return the words that no other item of a group has, whatever its answer."""
    if kind is ItemKind.TERM:
        return " ".join(stem_of(word, language) for word in _words(text.front))
    whole = {ItemKind.CLOZE: filled(text.front), ItemKind.POINT: text.back}
    return " ".join(_words(whole.get(kind, text.front)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
