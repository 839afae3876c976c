from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.stored_vectors import StoredVectors
from app.domain.cancel import CancelToken
from tests.support.courses import TITLES, ingest

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def vectors(rag: RAGSystem) -> StoredVectors:
    return StoredVectors(rag.database)


def live_keys(rag: RAGSystem) -> list[int]:
    rows = rag.database.connection.execute(
        """SELECT k.id FROM chunks AS k JOIN documents AS d ON d.id = document_id
           WHERE trashed_at IS NULL ORDER BY k.id"""
    )
    return [row[0] for row in rows]


def test_one_normalised_row_a_passage(rag: RAGSystem, vectors: StoredVectors) -> None:
    keys, matrix = vectors.matrix()
    assert keys.tolist() == live_keys(rag)
    assert matrix.shape == (len(keys), 384)
    assert np.linalg.norm(matrix, axis=1) == pytest.approx(1, abs=1e-3)


def test_the_nearest_are_exact(rag: RAGSystem, vectors: StoredVectors, embedder: KeptEmbedder) -> None:
    question = embedder.embed_query("spring tides")
    keys, matrix = vectors.matrix()
    expected = [int(keys[row]) for row in np.argsort(-(matrix @ question))]
    assert vectors.nearest(question, len(keys)) == expected
    assert vectors.nearest(question, 10_000) == expected
    assert vectors.nearest(question, 2) == expected[:2]
    some = sorted(expected)[::2]
    assert vectors.nearest(question, 10, some) == [key for key in expected if key in some]


def test_unknown_keys_are_left_out(vectors: StoredVectors) -> None:
    keys, _ = vectors.matrix()
    rows, matrix = vectors.rows_of([-5, int(keys[0]), 10_000, int(keys[0])])
    assert rows.tolist() == [keys[0]]
    assert matrix.shape == (1, 384)
    assert vectors.nearest(np.ones(384, np.float32), 5, [10_000]) == []
    assert vectors.nearest(np.ones(384, np.float32), 5, []) == []


def test_follows_the_library(
    rag: RAGSystem, vectors: StoredVectors, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    vectors.matrix()
    path = tmp_path / "owls.txt"
    path.write_text("Course Title: Owls\n\nLesson 1: A\nOwls turn their heads.\n", encoding="utf-8")
    ingest(rag, path)
    assert vectors.matrix()[0].tolist() == live_keys(rag)
    question = embedder.embed_query("birds that turn their heads")
    best = vectors.nearest(question, 1)
    assert rag.catalog.chunk_records(best)[0].course_title == "Owls"
    rag.remove_courses(["Owls", *TITLES[:2]], CancelToken())
    keys, matrix = vectors.matrix()
    assert keys.tolist() == live_keys(rag)
    assert len(keys) == len(matrix) > 0
    rag.remove_courses(TITLES, CancelToken())
    assert vectors.nearest(question, 5) == []
    ingest(rag, path)
    assert vectors.nearest(question, 5) == live_keys(rag)


def test_what_comes_back_from_the_trash_is_in_its_place(rag: RAGSystem, vectors: StoredVectors) -> None:
    before = vectors.matrix()
    rag.remove_courses([TITLES[0]], CancelToken())
    vectors.matrix()
    with rag.database.transaction() as connection:
        connection.execute("UPDATE documents SET trashed_at = NULL")
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    after = vectors.matrix()
    assert after[0].tolist() == before[0].tolist()
    assert np.array_equal(after[1], before[1])


def test_from_several_threads(rag: RAGSystem, vectors: StoredVectors) -> None:
    shapes: list[tuple[int, ...]] = []
    threads = [threading.Thread(target=lambda: shapes.append(vectors.matrix()[1].shape)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shapes == [(rag.counts().passages, 384)] * 6
