"""The sample courses come with their vectors, and those are the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.documents.text.passages import piece_text
from app.core.embedding.embedder import Embedder
from app.core.storage import codec
from app.domain.cancel import CancelToken
from tests.support.courses import KeptEmbedder, library

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class Noting(KeptEmbedder):
    """The real one; notes what it is asked for."""

    def __init__(self, cache: Path) -> None:
        super().__init__(None, cache)
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed_passages(texts, token)


@pytest.mark.slow
def test_the_samples_are_added_without_the_model_with_the_vectors_it_gives(
    tmp_path: Path, model_cache: Path
) -> None:
    embedder = Noting(model_cache)
    embedder.prepare(CancelToken())
    with library(tmp_path, embedder) as rag:
        for _ in rag.ingest.add_samples(CancelToken()):
            pass
        assert embedder.asked == [], "run python -m resources.packaging.samples"
        rows = rag.database.connection.execute(
            """SELECT d.text, c.pieces, c.vectors FROM chunks AS c
               JOIN documents AS d ON d.id = c.document_id WHERE c.id % 12 = 1"""
        ).fetchall()
    spans = [codec.decode_spans(row["pieces"]) for row in rows]
    texts = [piece_text(row["text"], span) for row, some in zip(rows, spans, strict=True) for span in some]
    stored = np.concatenate(
        [codec.decode_vectors(row["vectors"], len(some)) for row, some in zip(rows, spans, strict=True)]
    )
    assert len(texts) > 30
    expected = Embedder.embed_passages(embedder, texts, CancelToken())
    assert float((stored * expected).sum(axis=1).min()) > 0.999
    embedder.release()
