"""How alike two texts are in meaning, by the embedding model of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.cosine_scale import CosineScale


class TextModel(Protocol):
    """An embedding model."""

    @property
    def scale(self) -> CosineScale:
        """What its cosines are on the scale of the thresholds."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text, of length 1."""


class TextEmbedder(Protocol):
    """What embeds the texts of the library."""

    def model_now(self) -> TextModel:
        """Return the model in use, which stays as it is when another one takes over."""


_MOST_TEXTS = 120  # of one answer: two to three milliseconds each
_LONGEST_TEXT = 1000  # characters


class Likeness:
    """Compares texts, as many as there is time for in one answer, all with the same model."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._embedder = embedder
        self._model: TextModel | None = None
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Read texts that matter most before others take the time."""
        for text in texts:
            self._vector(text)

    def of(self, one: str, other: str) -> float:
        """Return the scaled cosine of two texts; 0 when the model or the time is missing."""
        first, second = self._vector(one), self._vector(other)
        if self._model is None or first is None or second is None:
            return 0.0
        return float(self._model.scale.of(first @ second))

    def _vector(self, text: str) -> NDArray[np.float32] | None:
        text = text[:_LONGEST_TEXT]
        if text not in self._vectors:
            if self._embedder is None or len(self._vectors) >= _MOST_TEXTS:
                return None
            if self._model is None:
                self._model = self._embedder.model_now()
            self._vectors[text] = self._model.embed_query(text)
        return self._vectors[text]
