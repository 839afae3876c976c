"""Models with a large table of words, made with OpenVINO as real graphs of two operations."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.embedding.compact import make_compact
from app.core.embedding.graph import (
    GRAPH,
    PROBE,
    TABLE,
    TOKENIZER,
    BrokenGraph,
    EmbeddingGraph,
    GraphMeta,
    import_openvino,
)
from app.core.embedding.model_files import find_model
from app.core.embedding.word_table import WordTable, write_packed
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

NAMES = ("input_ids", "attention_mask")
WORDS, DIMENSION = 640_000, 32
TEXTS = ["What is attention?", "Tides follow the moon.", "a long passage about nothing " * 60]


def table() -> NDArray[np.float32]:
    return np.random.default_rng(1).standard_normal((WORDS, DIMENSION), np.float32)


def make_graph(folder: Path, default: Path, weights: NDArray[np.float32], first: int) -> GraphMeta:
    """Write a model whose vectors are means of the words' rows, from column ``first`` on."""
    openvino = import_openvino()
    operations = openvino.opset13
    ids, mask = (
        operations.parameter([-1, -1], np.int64, name=name) for name in ("input_ids", "attention_mask")
    )
    for each, name in zip((ids, mask), NAMES, strict=True):
        each.output(0).set_names({name})
    rows = operations.gather(operations.constant(weights), ids, np.int64(0))
    kept = operations.multiply(rows, (np.arange(DIMENSION) >= first).astype(np.float32))
    read = operations.unsqueeze(operations.convert(mask, "f32"), np.int64(2))
    summed = operations.reduce_sum(operations.multiply(kept, read), np.int64(1))
    vectors = operations.normalize_l2(summed, np.array([1]), 1e-12, "max")
    folder.mkdir(parents=True)
    graph = openvino.Model([vectors], [ids, mask])
    openvino.save_model(graph, folder / GRAPH, compress_to_fp16=True)
    shutil.copy(default / TOKENIZER, folder / TOKENIZER)
    meta = replace(GraphMeta.read(default), sha256="0" * 64, dimension=DIMENSION, probe=())
    meta.write(folder)
    return meta


@pytest.fixture
def default(model_cache: Path) -> Path:
    return find_model(None, model_cache).graph


def vectors_of(folder: Path) -> NDArray[np.float32]:
    graph = EmbeddingGraph(folder)
    return np.vstack([graph.embed_passages(TEXTS, CancelToken()), *map(graph.embed_query, TEXTS)])


def test_a_large_table_becomes_a_small_file_and_vectors_stay(tmp_path: Path, default: Path) -> None:
    folder = tmp_path / "graph"
    meta = make_graph(folder, default, table(), first=0)
    before, exact = size(folder), vectors_of(folder)
    make_compact(folder, meta)
    assert size(folder) < 0.4 * before
    assert list(tmp_path.iterdir()) == [folder]
    assert float((vectors_of(folder) * exact).sum(axis=1).min()) > 0.98

    probe = tuple(float(value) for value in EmbeddingGraph(folder).embed_query(PROBE))
    replace(meta, probe=probe).write(folder)
    packed = bytearray((folder / TABLE).read_bytes())
    packed[len(packed) // 2] ^= 1
    (folder / TABLE).write_bytes(packed)
    with pytest.raises(BrokenGraph, match=TABLE):
        EmbeddingGraph(folder)
    (folder / TABLE).write_bytes(packed[: len(packed) // 1000])
    with pytest.raises(BrokenGraph):
        EmbeddingGraph(folder)
    (folder / TABLE).unlink()
    with pytest.raises(BrokenGraph):
        EmbeddingGraph(folder)


def test_a_table_whose_vectors_would_suffer_stays(tmp_path: Path, default: Path) -> None:
    weights = table()
    weights[:, 0] = 1000  # beside which four bits are too few for the others
    folder = tmp_path / "graph"
    meta = make_graph(folder, default, weights, first=1)
    files, exact = sorted(folder.iterdir()), vectors_of(folder)
    make_compact(folder, meta)
    assert sorted(folder.iterdir()) == files
    assert vectors_of(folder) == pytest.approx(exact)


def test_rows_are_those_that_were_packed(tmp_path: Path) -> None:
    weights = table()[:100]
    weights[7] = 0
    write_packed(weights, tmp_path / "once")
    rows = WordTable(tmp_path / "once", DIMENSION).rows(np.arange(100).reshape(4, 25))
    assert rows.shape == (4, 25, DIMENSION)
    rows = rows.reshape(100, DIMENSION)
    assert np.abs(rows - weights).max() <= np.abs(weights).max() / 8
    assert not rows[7].any()
    write_packed(rows, tmp_path / "twice")
    assert (WordTable(tmp_path / "twice", DIMENSION).rows(np.arange(100)) == rows).all()


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())
