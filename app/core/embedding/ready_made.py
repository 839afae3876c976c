"""The vectors of the sample courses, which come with the program: a first question need not wait for them.

``python -m resources.packaging.samples`` makes the file.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from app.config.paths import resource_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.embedding.embedder import Embedder
    from app.domain.cancel import CancelToken

SAMPLE_VECTORS = "resources/samples.npz"


class ReadyMade:
    """Embeds passages as ``embedder`` does, but takes those of the sample courses from the file."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[bytes, NDArray[np.float32]] | None = None

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        """Return the vectors of passages, shape (n, dimension), in order; see :class:`Embedder`."""
        if self._known is None:  # not earlier: another model may have taken over since
            self._known = _read(self._embedder.model_id)
        vectors = {text: self._known.get(_digest(text)) for text in texts}
        missing = [text for text, vector in vectors.items() if vector is None]
        if missing:
            vectors.update(zip(missing, self._embedder.embed_passages(missing, token), strict=True))
        return np.array([vectors[text] for text in texts], np.float32)


def write(path: Path, model_id: str, vectors: dict[str, NDArray[np.float32]]) -> None:
    """Write the file with the vectors of these texts."""
    digests = np.array([list(_digest(text)) for text in vectors], np.uint8)
    np.savez(path, model=model_id, digests=digests, vectors=np.array(list(vectors.values()), np.float16))


def _read(model_id: str) -> dict[bytes, NDArray[np.float32]]:
    """Return the vectors by digest; none if they are another model's, or the file is missing."""
    try:
        file = np.load(resource_path(SAMPLE_VECTORS))
    except OSError:
        return {}  # only time is lost
    with file:
        if str(file["model"]) != model_id:
            return {}
        digests, vectors = file["digests"], file["vectors"].astype(np.float32)
    return {digest.tobytes(): vector for digest, vector in zip(digests, vectors, strict=True)}


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:16]
