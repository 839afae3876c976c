"""A graph built from the weights alone is that of sentence-transformers: with the real default model."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.embedding import bert_graph, model_files
from app.core.embedding.bert_graph import build, can_build
from app.core.embedding.embedder import Embedder
from app.core.embedding.graph import PROBE, TABLE, BrokenGraph, EmbeddingGraph, GraphMeta
from app.core.embedding.model_files import find_model, folder_to_export
from app.core.embedding.tokens import WordTable, write_packed
from app.domain.cancel import CancelToken
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

TEXTS = ["", "What is attention?", "Ein Satz mit Umlauten: äöü.", "a long passage about nothing " * 60]


def test_a_packaged_program_prepares_it_without_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: KeptEmbedder
) -> None:
    model = tmp_path / "model"
    shutil.copytree(folder_to_export(find_model(None, tmp_path)), model)
    prompts = {"prompts": {"query": "query: ", "document": "passage: "}}
    (model / "config_sentence_transformers.json").write_text(json.dumps(prompts), encoding="utf-8")
    hidden = tmp_path / "path"
    hidden.mkdir()
    for name in ("torch", "transformers", "sentence_transformers", "onnx"):
        (hidden / f"{name}.py").write_text("raise ModuleNotFoundError(__name__)", encoding="utf-8")
    monkeypatch.syspath_prepend(hidden)
    monkeypatch.setattr(model_files, "is_frozen", lambda: True)
    other = Embedder(model, tmp_path / "cache")
    steps: list[Message] = []
    Embedder(None, tmp_path).check(model)
    other.prepare(CancelToken(), steps.append)
    assert steps == [Message("embedding.exporting"), Message("embedding.checking")]
    expected = embedder.embed_query("query: What is attention?")
    assert float(other.embed_query("What is attention?") @ expected) > 0.998
    assert other.scale.factor == pytest.approx(1, abs=0.4)


def test_weights_that_are_none_are_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tmp_path / "model"
    shutil.copytree(
        folder_to_export(find_model(None, tmp_path)), model, ignore=shutil.ignore_patterns("*.safetensors")
    )
    (model / "model.safetensors").write_bytes(b"these are no weights")
    with pytest.raises(ModelMissing) as refusal:
        Embedder(model, tmp_path / "cache").prepare(CancelToken())
    assert str(refusal.value).startswith(f"The model in {model} could not be loaded: ")


def test_vectors_are_those_of_the_exported_model(tmp_path: Path, embedder: KeptEmbedder) -> None:
    model = folder_to_export(find_model(None, tmp_path))
    assert can_build(model)
    meta = build(model, tmp_path, GraphMeta("built", "0" * 64, 0, 0))
    assert (meta.dimension, meta.max_tokens) == (384, 256)
    graph = EmbeddingGraph(tmp_path)
    expected = embedder.embed_passages(TEXTS, CancelToken())
    assert float((graph.embed_passages(TEXTS, CancelToken()) * expected).sum(axis=1).min()) > 0.9999
    alone = np.stack([graph.embed_query(text) for text in TEXTS])
    assert float((alone * expected).sum(axis=1).min()) > 0.998


def test_a_large_table_of_words_becomes_a_small_file(
    tmp_path: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bert_graph, "_LARGE", 1_000_000)
    meta = build(folder_to_export(find_model(None, tmp_path)), tmp_path, GraphMeta("built", "0" * 64, 0, 0))
    graph = EmbeddingGraph(tmp_path)
    expected = embedder.embed_passages(TEXTS, CancelToken())
    assert float((graph.embed_passages(TEXTS, CancelToken()) * expected).sum(axis=1).min()) > 0.98
    assert (tmp_path / TABLE).stat().st_size < 0.6 * 2 * 30_522 * 384

    replace(meta, probe=tuple(graph.embed_query(PROBE).tolist())).write(tmp_path)
    packed = bytearray((tmp_path / TABLE).read_bytes())
    packed[len(packed) // 2] ^= 1
    for damaged in (packed, packed[: len(packed) // 1000]):
        (tmp_path / TABLE).write_bytes(damaged)
        with pytest.raises(BrokenGraph):
            EmbeddingGraph(tmp_path)
    (tmp_path / TABLE).unlink()
    with pytest.raises(BrokenGraph):
        EmbeddingGraph(tmp_path)


def test_rows_of_words_are_those_that_were_packed(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).standard_normal((100, 32), np.float32)
    weights[7] = 0
    write_packed(weights, tmp_path / "once")
    rows = WordTable(tmp_path / "once", 32).rows(np.arange(100).reshape(4, 25))
    assert rows.shape == (4, 25, 32)
    rows = rows.reshape(100, 32)
    assert np.abs(rows - weights).max() <= np.abs(weights).max() / 8
    assert not rows[7].any()
    write_packed(rows, tmp_path / "twice")
    assert (WordTable(tmp_path / "twice", 32).rows(np.arange(100)) == rows).all()


def test_a_limit_beyond_the_positions_that_a_model_has_is_theirs(tmp_path: Path) -> None:
    model, out = tmp_path / "model", tmp_path / "out"
    shutil.copytree(folder_to_export(find_model(None, tmp_path)), model)
    (model / "sentence_bert_config.json").write_text('{"max_seq_length": 100000}', encoding="utf-8")
    out.mkdir()
    meta = build(model, out, GraphMeta("built", "0" * 64, 0, 0))
    assert meta.max_tokens == 512
    assert EmbeddingGraph(out).embed_query("word " * 1000).any()
