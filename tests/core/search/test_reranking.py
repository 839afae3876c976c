"""What scores of texts do to the order of passages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.core.search.choosing import choose
from app.core.search.retriever import Retriever
from app.core.search.vectors import MetadataFilter
from app.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem
    from app.core.search.ranking import Window
    from app.core.search.reranking import Scores
    from tests.support.courses import KeptEmbedder

QUESTION = "How is a starter fed?"


def windows(rag: RAGSystem, embedder: KeptEmbedder, scores: Scores | None) -> list[Window]:
    everything = MetadataFilter(None, None, Scope())
    retriever = Retriever(rag.database, rag.vector_store, embedder.embed_query)
    gathered = retriever.gather(QUESTION, everything, rag.catalog.courses.ids(), scale=embedder.scale)
    return list(choose(gathered, 20, passage_size=800, characters=None, scores=scores).windows)


def test_the_passage_it_prefers_moves_up_but_does_not_outweigh_all_else(
    rag: RAGSystem, embedder: KeptEmbedder
) -> None:
    asked: list[str] = []

    def prefers_oak(question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        asked[:] = [question, *texts]
        return np.array(["Oak" in text or "oak" in text for text in texts], np.float32)

    before, after = windows(rag, embedder, None), windows(rag, embedder, prefers_oak)
    assert asked[0] == QUESTION
    assert len(asked) > len(set(window.key for window in before)) > 3
    places = [
        next(at for at, window in enumerate(found) if "oak" in texts_of(rag, window).lower())
        for found in (before, after)
    ]
    assert places[1] < places[0]
    assert {window.key for window in after} == {window.key for window in before}


def test_scores_that_say_nothing_change_nothing(rag: RAGSystem, embedder: KeptEmbedder) -> None:
    before = windows(rag, embedder, None)
    assert windows(rag, embedder, lambda _, texts: np.ones(len(texts), np.float32)) == before
    assert windows(rag, embedder, lambda _, __: None) == before


def texts_of(rag: RAGSystem, window: Window) -> str:
    return rag.catalog.passages.hits([window])[0].text
