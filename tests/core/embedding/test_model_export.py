"""The export, with the real model and real child processes; each takes seconds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.embedding.embedder import Embedder
from app.core.embedding.graph import GRAPH_WEIGHTS, EmbeddingGraph, GraphMeta
from app.core.embedding.model_files import DEFAULT_SHA256, find_model, folder_to_export
from app.core.embedding.scale import COSINES, calibration, measured_names, measured_scale
from app.domain.cancel import Cancelled, CancelToken
from app.domain.embedding_models import IDENTITY
from app.domain.errors import ModelMissing
from app.domain.messages import Message
from tests.support.courses import ingest, library, write_courses
from tests.support.other_model import make_other_model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import OtherModel
    from tests.support.courses import KeptEmbedder

QUESTIONS, PASSAGES, NAMES, TITLES = calibration()

pytestmark = pytest.mark.slow

TEXTS = ["", "What is attention?", "Ein Satz mit Umlauten: äöü.", "a long passage about nothing " * 60]
LIMIT = 300  # seconds for a child process on a busy machine


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )


EXPORT_ALONE = """
import sys

def forbid(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise RuntimeError(event)

sys.addaudithook(forbid)
from pathlib import Path
from app.core.embedding.model_export import export_model
export_model(Path(sys.argv[1]), Path(sys.argv[2]), "tiny", sys.argv[3])
"""


def test_a_build_script_exports_without_network_or_leftovers(tmp_path: Path) -> None:
    model = folder_to_export(find_model(None, tmp_path))
    out, home = tmp_path / "out" / "graph", tmp_path / "home"
    home.mkdir()
    ended = run(
        "-c", EXPORT_ALONE, str(model), str(out), DEFAULT_SHA256, HOME=str(home), USERPROFILE=str(home)
    )
    assert ended.returncode == 0, ended.stderr
    assert sorted(path.name for path in out.iterdir()) == [
        "SHA256SUMS",
        "graph.bin",
        "graph.xml",
        "meta.json",
        "tokenizer.json",
    ]
    assert list(out.parent.iterdir()) == [out]
    assert not (home / "intel").exists()

    meta = GraphMeta.read(out)
    assert (meta.sha256, meta.dimension, meta.max_tokens) == (DEFAULT_SHA256, 384, 256)
    assert (meta.query_prefix, meta.passage_prefix, meta.pad_id) == ("", "", 0)
    assert (meta.scale, meta.names) == (IDENTITY, COSINES)
    texts = (*TEXTS, *QUESTIONS, *PASSAGES)
    exported = EmbeddingGraph(out).embed_passages(texts, CancelToken())
    built = Embedder(None, tmp_path / "cache")
    built.prepare(CancelToken())
    assert float((exported * built.embed_passages(texts, CancelToken())).sum(axis=1).min()) > 0.9999


def test_the_default_model_is_prepared_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question must not wait for imports that take twenty seconds."""
    hidden = tmp_path / "path"
    hidden.mkdir()
    for name in ("torch", "transformers", "sentence_transformers", "onnx"):
        (hidden / f"{name}.py").write_text("raise ModuleNotFoundError(__name__)", encoding="utf-8")
    monkeypatch.syspath_prepend(hidden)
    built = Embedder(None, tmp_path / "cache")
    built.prepare(CancelToken())
    assert built.embed_query("it works").shape == (384,)
    meta = GraphMeta.read(find_model(None, tmp_path / "cache").graph)
    assert (meta.sha256, meta.scale, meta.names) == (DEFAULT_SHA256, IDENTITY, COSINES)


def test_another_model_gives_its_own_vectors(tmp_path: Path, embedder: KeptEmbedder) -> None:
    """DistilBERT (no token types), first token's vector, a dense layer, not normalized, prompts."""
    default = folder_to_export(find_model(None, tmp_path))
    other = Embedder(make_other_model(tmp_path, default, TEXTS), tmp_path / "cache")
    steps: list[Message] = []
    other.prepare(CancelToken(), steps.append)
    assert {str(step) for step in steps} == {"Getting ready (first time only)"}
    assert other.dimension == 16
    passages = other.embed_passages(TEXTS, CancelToken())
    questions = np.stack([other.embed_query(text) for text in TEXTS])
    assert passages.shape == (len(TEXTS), 16)
    assert float((passages * np.load(tmp_path / "passages.npy")).sum(axis=1).min()) > 0.9999
    assert float((questions * np.load(tmp_path / "questions.npy")).sum(axis=1).min()) > 0.9999
    asked = np.stack([other.embed_query(text) for text in QUESTIONS])
    assert other.scale == pytest.approx(measured_scale(asked, other.embed_passages(PASSAGES, CancelToken())))
    named = np.stack([other.embed_query(text) for text in NAMES])
    titles = other.embed_passages(TITLES, CancelToken())
    expected = measured_names(named, titles).of(named[0], titles)
    assert other.likeness_to(NAMES[0], titles) == pytest.approx(expected, abs=1e-4)
    changes_over(tmp_path, embedder, other)


def changes_over(folder: Path, before: KeptEmbedder, after: Embedder) -> None:
    """A library that was embedded with one model is embedded with another, and Chroma follows."""
    with library(folder / "data", before) as rag:
        ingest(rag, write_courses(folder / "courses"))
    with library(folder / "data", after) as rag:
        assert rag.reindex.needed()
        found = rag.search.retrieve("sourdough starter")
        assert found.hits[0].course_title == "Bread Baking at Home"
        assert found.covered is None
        list(rag.reindex.run(CancelToken()))
        assert not rag.reindex.needed()
        assert rag.search.retrieve("sourdough starter").hits
        assert rag.index.chroma.count() == rag.courses.counts().passages
        assert not rag.catalog.index_queue.count()
        nearest = rag.index.chroma.nearest(after.embed_query("sourdough starter"), 3, None)
        assert len(nearest or ()) == 3


PREPARE = """
import sys
from pathlib import Path
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
embedder = Embedder(None, Path(sys.argv[1]))
embedder.prepare(CancelToken(), lambda step: print(step, flush=True))
print(embedder.embed_query("both end well").shape)
"""


def test_a_damaged_graph_is_exported_again_once_by_two_processes_at_once(
    model_cache: Path, tmp_path: Path
) -> None:
    Embedder(None, model_cache).prepare(CancelToken())
    graph = find_model(None, tmp_path).graph
    shutil.copytree(find_model(None, model_cache).graph, graph)
    weights = bytearray((graph / GRAPH_WEIGHTS).read_bytes())
    weights[30_000_000] ^= 1  # too little for the probe to notice
    (graph / GRAPH_WEIGHTS).write_bytes(weights)
    shutil.copytree(graph, graph.with_name(f"{graph.name.rpartition('-')[0]}-v1"))  # of an earlier Lectern

    ended: list[subprocess.CompletedProcess[str]] = []
    threads = [
        threading.Thread(target=lambda: ended.append(run("-c", PREPARE, str(tmp_path)))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.returncode for process in ended] == [0, 0], [process.stderr for process in ended]
    assert all("(384,)" in process.stdout for process in ended)
    assert sum("Getting ready" in process.stdout for process in ended) == 1
    left = {path.name for path in (tmp_path / "models").iterdir() if path.suffix != ".compiled"}
    assert left == {graph.name, f"{graph.name}.lock"}


def test_cancelling_ends_the_child_and_leaves_nothing(tmp_path: Path) -> None:
    token = CancelToken()
    steps: list[Message] = []

    def cancel_now(step: Message) -> None:
        steps.append(step)
        token.cancel()

    embedder = Embedder(None, tmp_path)
    with pytest.raises(Cancelled):
        embedder.prepare(token, cancel_now)
    assert steps == [Message("embedding.exporting")]
    left = {path.name for path in (tmp_path / "models").iterdir()}
    assert left <= {f"{find_model(None, tmp_path).graph.name}.lock"}
    with pytest.raises(Cancelled):
        embedder.prepare(token)


@pytest.mark.parametrize("missing", ["torch", "sentence_transformers"])
def test_what_has_to_be_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other_model: OtherModel, missing: str
) -> None:
    hidden = tmp_path / "path"
    hidden.mkdir()
    absent = f"raise ModuleNotFoundError('No module named {missing}', name='{missing}')"
    (hidden / f"{missing}.py").write_text(absent, encoding="utf-8")
    monkeypatch.syspath_prepend(hidden)
    with pytest.raises(ModelMissing, match=f"prepared once, which needs the package {missing}. Install it"):
        Embedder(other_model.folder, tmp_path / "cache").prepare(CancelToken())


def test_a_child_that_crashes_is_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    other_model: OtherModel,
) -> None:
    hidden = tmp_path / "path"
    hidden.mkdir()
    (hidden / "torch.py").write_text(
        "import os, sys; sys.stderr.write('boom'); os._exit(9)", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(hidden)
    caplog.set_level("INFO", "app")
    with pytest.raises(ModelMissing, match="could not be prepared; the log file says why"):
        Embedder(other_model.folder, tmp_path / "cache").prepare(CancelToken())
    assert "status 9" in caplog.text


def test_a_cache_that_can_not_be_written_is_said_so(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(ModelMissing, match="cannot be prepared in"):
        Embedder(None, cache).prepare(CancelToken())


def test_a_packaged_program_does_not_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(ModelMissing, match="Reinstall Lectern"):
        Embedder(None, tmp_path).prepare(CancelToken())
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_can_not_be_loaded_is_refused_in_one_sentence(tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(
        folder_to_export(find_model(None, tmp_path)),
        model,
        ignore=shutil.ignore_patterns("*.safetensors"),
    )
    (model / "model.safetensors").write_bytes(b"these are no weights")
    pooling = {"word_embedding_dimension": 384, "pooling_mode_cls_token": True}  # which only PyTorch exports
    (model / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    steps: list[Message] = []
    with pytest.raises(ModelMissing) as refusal:
        Embedder(model, tmp_path / "cache").prepare(CancelToken(), steps.append)
    assert str(refusal.value).startswith(f"The model in {model} could not be loaded: ")
    assert steps == [Message("embedding.loading")]
    graph = find_model(model, tmp_path / "cache").graph
    left = {path.name for path in (tmp_path / "cache" / "models").iterdir()}
    assert left == {f"{graph.name}.lock"}
