"""How like two texts are in meaning, by the library's embedding model."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from app.domain.cancel import CancelToken
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

    def embed_queries(self, texts: Sequence[str], token: CancelToken) -> "NDArray[np.float32]": ...


class TextEmbedder(Protocol):
    def model_now(self) -> TextModel: ...


class Likeness:
    """Compares texts, as many as there is time for in one answer, all with the same model."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._model = None if embedder is None else embedder.model_now()
        self._vectors: dict[str, Vector] = {}
        self._noted: dict[str, None] | None = None  # texts that are about to be compared

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

    def prepare(self, compare: Callable[[], object], token: CancelToken) -> None:
        """Embed together what ``compare`` compares: sooner than one text after the other."""
        if self._model is None:
            return
        self._noted = {}
        compare()
        texts, self._noted = [*self._noted][: _MOST_TEXTS - len(self._vectors)], None
        self._vectors.update(zip(texts, self._model.embed_queries(texts, token), strict=True))

    def vector(self, text: str) -> "Vector | None":
        text = text[:_LONGEST_TEXT]
        if text not in self._vectors and self._noted is not None:
            self._noted[text] = None
            return None
        if text not in self._vectors:
            if self._model is None or len(self._vectors) >= _MOST_TEXTS:
                return None
            self._vectors[text] = self._model.embed_query(text)
        return self._vectors[text]


def _without(vector: "Vector", other: "Vector") -> "Vector":
    """Return the part of a vector at right angles to another one, of length 1."""
    rest: Vector = vector - (vector @ other) * other
    return rest / max(math.sqrt(float(rest @ rest)), 1e-6)
