"""The export, with the real model and real child processes; each takes seconds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
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
    from numpy.typing import NDArray

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


REFERENCE = """
import json, sys
import numpy as np
from sentence_transformers import SentenceTransformer
model = SentenceTransformer(sys.argv[1], device="cpu", local_files_only=True)
texts = json.load(open(sys.argv[2], encoding="utf-8"))
vectors = model.encode(texts, prompt="", normalize_embeddings=True, show_progress_bar=False)
np.save(sys.argv[3], vectors)
"""


def embedded(model: Path, texts: list[str]) -> NDArray[np.float32]:
    """Return the vectors that sentence-transformers gives texts, shape (n, dimension)."""
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder, "texts.json"), Path(folder, "vectors.npy")
        asked.write_text(json.dumps(texts), encoding="utf-8")
        ended = run("-W", "ignore", "-c", REFERENCE, str(model), str(asked), str(answer))
        assert ended.returncode == 0, ended.stderr
        return np.load(answer)  # type: ignore[no-any-return]


EXPORT_ALONE = """
import sys

def forbid(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        raise RuntimeError(event)

sys.addaudithook(forbid)
from pathlib import Path
from app.core.embedding.model_export import export
export(Path(sys.argv[1]), Path(sys.argv[2]), "tiny", sys.argv[3])
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
    texts = [*TEXTS, *QUESTIONS, *PASSAGES]
    exported = EmbeddingGraph(out).embed_passages(texts, CancelToken())
    assert float((exported * embedded(model, texts)).sum(axis=1).min()) > 0.9999


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
    """The first token's vector, prompts, and a length of vectors of its own."""
    model = make_other_model(tmp_path, folder_to_export(find_model(None, tmp_path)))
    other = Embedder(model, tmp_path / "cache")
    steps: list[Message] = []
    other.prepare(CancelToken(), steps.append)
    assert list(map(str, steps)) == ["Getting ready (first time only)"]
    assert other.dimension == 16
    passages = other.embed_passages(TEXTS, CancelToken())
    questions = np.stack([other.embed_query(text) for text in TEXTS])
    assert passages.shape == (len(TEXTS), 16)
    for ours, prompt, cosine in ((passages, "passage: ", 0.9999), (questions, "query: ", 0.998)):
        theirs = embedded(model, [prompt + text for text in TEXTS])
        assert float((ours * theirs).sum(axis=1).min()) > cosine
    asked = np.stack([other.embed_query(text) for text in QUESTIONS])
    expected = measured_scale(asked, other.embed_passages(PASSAGES, CancelToken()))
    assert other.scale == pytest.approx(expected, abs=0.01)
    named = np.stack([other.embed_query(text) for text in NAMES])
    titles = other.embed_passages(TITLES, CancelToken())
    likeness = measured_names(named, titles).of(named[0], titles)
    assert other.likeness_to(NAMES[0], titles) == pytest.approx(likeness, abs=0.02)
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


def test_a_child_that_crashes_is_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    other_model: OtherModel,
) -> None:
    hidden = tmp_path / "path"
    hidden.mkdir()
    (hidden / "safetensors.py").write_text(
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
