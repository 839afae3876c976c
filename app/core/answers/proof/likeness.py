"""How alike two texts are in meaning, by the embedding model of the library."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Embed = Callable[[str], "NDArray[np.float32]"]
"""Gives the vector of a text, of length 1."""

_MOST_TEXTS = 120  # of one answer: two to three milliseconds each
_LONGEST_TEXT = 1000  # characters


class Likeness:
    """Compares texts, as many as there is time for in one answer."""

    def __init__(self, embed: Embed | None) -> None:
        self._embed = embed
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Read texts that matter most before others take the time."""
        for text in texts:
            self._vector(text)

    def of(self, one: str, other: str) -> float:
        """Return the cosine of two texts; 0 when the model or the time is missing."""
        first, second = self._vector(one), self._vector(other)
        return 0.0 if first is None or second is None else float(first @ second)

    def _vector(self, text: str) -> "NDArray[np.float32] | None":
        text = text[:_LONGEST_TEXT]
        if text not in self._vectors:
            if self._embed is None or len(self._vectors) >= _MOST_TEXTS:
                return None
            self._vectors[text] = self._embed(text)
        return self._vectors[text]
