"""Makes the vectors that come with the sample courses: ``python -m resources.packaging.samples``.

To be run after a change of docs/courses or of how passages are cut.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.paths import user_cache_dir
from app.config.settings import Settings
from app.core.embedding.embedder import SAMPLE_VECTORS, Embedder, write_ready_made
from app.core.rag_system import RAGSystem
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


class _Recording(Embedder):
    """Remembers the vectors of all passages."""

    def __init__(self) -> None:
        super().__init__(None, user_cache_dir())
        self.made: dict[str, NDArray[np.float32]] = {}

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        vectors = super().embed_passages(texts, token)
        self.made.update(zip(texts, vectors, strict=True))
        return vectors


def make(path: Path) -> None:
    """Write the vectors of what the sample courses are cut into."""
    with tempfile.TemporaryDirectory() as folder:
        embedder = _Recording()
        write_ready_made(path, embedder.model_id, {})
        rag = RAGSystem(Path(folder), Settings(), embedder)
        rag.open()
        try:
            rag.prepare_model(CancelToken())
            for _ in rag.ingest.add_samples(CancelToken()):
                pass
        finally:
            rag.close()
        write_ready_made(path, embedder.model_id, embedder.made)


if __name__ == "__main__":
    make(Path(__file__).resolve().parents[2] / SAMPLE_VECTORS)
