"""How like two texts are in meaning, by the library's embedding model."""

import math
from typing import TYPE_CHECKING, Protocol

from app.domain.embedding_models import CosineScale

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

_MOST_TEXTS = 120  # of one answer: two to three milliseconds each
_LONGEST_TEXT = 300  # characters; longer ones tell no more, and take longer


class TextModel(Protocol):
    @property
    def scale(self) -> CosineScale: ...

    def embed_query(self, text: str) -> "Vector": ...


class TextEmbedder(Protocol):
    def model_now(self) -> TextModel: ...


class Likeness:
    """Compares texts, as many as there is time for in one answer, all with the same model."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._model = None if embedder is None else embedder.model_now()
        self._vectors: dict[str, Vector] = {}

    def of(self, one: str, other: str, beyond: str = "") -> float | None:
        """Return the scaled cosine of two texts, without what both share with the text ``beyond``.

        None when the model or the time is missing.
        """
        first, second, common = (self.vector(text) if text else None for text in (one, other, beyond))
        if self._model is None or first is None or second is None:
            return None
        if common is not None:
            first, second = (_without(vector, common) for vector in (first, second))
        return float(self._model.scale.of(first @ second))

    def vector(self, text: str) -> "Vector | None":
        text = text[:_LONGEST_TEXT]
        if text not in self._vectors:
            if self._model is None or len(self._vectors) >= _MOST_TEXTS:
                return None
            self._vectors[text] = self._model.embed_query(text)
        return self._vectors[text]


def _without(vector: "Vector", other: "Vector") -> "Vector":
    """Return the part of a vector at right angles to another one, of length 1."""
    rest: Vector = vector - (vector @ other) * other
    return rest / max(math.sqrt(float(rest @ rest)), 1e-6)
