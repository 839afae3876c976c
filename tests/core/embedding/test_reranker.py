"""A tiny cross-encoder, from the hub and from a folder: its scores, and what it does to a search."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.config.settings import CurrentSettings, Settings
from app.core.embedding.hub_files import PINNED
from app.core.embedding.model_files import WEIGHTS, find_model, folder_to_export
from app.core.embedding.reranker import Reranker
from app.domain.cancel import CancelToken
from app.domain.embedding_models import RERANKER, RERANKER_MEGABYTES
from app.domain.errors import ModelMissing
from tests.support.courses import library
from tests.support.hub_server import HubServer
from tests.support.rerankers import make_reranker

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

QUESTION = "What is fed once a day?"
TEXTS = [
    "A sourdough starter is fed once a day.",
    "The moon pulls the ocean into two bulges.",
    "",
    "Iron gall ink was made from oak galls. " * 120,
    "Wie oft füttert man einen Sauerteig?",
]
NAME = "tiny/reranker"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, model_cache: Path) -> Path:
    vocabulary = folder_to_export(find_model(None, model_cache))
    return make_reranker(tmp_path_factory.mktemp("made") / "tiny", vocabulary, QUESTION, TEXTS)


@pytest.fixture(scope="module")
def prepared(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Reranker:
    reranker = Reranker(chosen(str(model)), tmp_path_factory.mktemp("cache"))
    assert reranker.is_missing()
    assert reranker.scores(QUESTION, TEXTS) is None
    reranker.prepare(CancelToken(), lambda _: None)
    return reranker


def chosen(setting: str) -> CurrentSettings:
    return CurrentSettings(Settings(reranking_model=setting))


def test_scores_are_those_of_sentence_transformers(model: Path, prepared: Reranker) -> None:
    expected = np.load(f"{model}.npy")
    scores = prepared.scores(QUESTION, TEXTS)
    assert scores is not None
    assert np.ptp(expected) > 0.5, "the model gives all texts one score"
    assert np.abs(scores - expected).max() < 0.03 * np.ptp(expected)


def test_a_search_is_reordered_once_it_is_prepared(
    model: Path, data_dir: Path, embedder: KeptEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder, "cache_dir", tmp_path)
    with library(data_dir, embedder, index=False) as rag:
        before = rag.search.retrieve(QUESTION, limit=20)
        rag.settings = replace(rag.settings, reranking_model=str(model))
        assert rag.search.retrieve(QUESTION, limit=20) == before
        rag.reranker.prepare(CancelToken(), lambda _: None)
        after = rag.search.retrieve(QUESTION, limit=20)
        assert {hit.text for hit in after.hits} == {hit.text for hit in before.hits}
        assert [hit.text for hit in after.hits] != [hit.text for hit in before.hits]
        assert (after.covered, after.missing) == (before.covered, before.missing)
        rag.settings = replace(rag.settings, reranking_model="")
        assert rag.search.retrieve(QUESTION, limit=20) == before


def test_without_one_a_search_loads_nothing_for_it(data_dir: Path, model_cache: Path) -> None:
    code = """
import sys
from pathlib import Path
from app.core.embedding.embedder import Embedder
from tests.support.courses import library

with library(Path(sys.argv[1]), Embedder(None, Path(sys.argv[2])), index=False) as rag:
    assert rag.search.retrieve("What is fed once a day?").hits
print("cross" if "app.core.embedding.cross_encoder" in sys.modules else "none")
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(data_dir), str(model_cache)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "none"


def test_it_is_downloaded_once_and_its_weights_are_not_kept(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    steps: list[str] = []
    with HubServer(model, NAME) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        reranker = Reranker(chosen(NAME), tmp_path)
        reranker.prepare(CancelToken(), lambda step: steps.append(str(step)))
        asked = len(server.requests)
        assert asked
        reranker.prepare(CancelToken(), lambda step: steps.append(str(step)))
        assert len(server.requests) == asked
    assert steps[0].startswith("Downloading reranker: 0 of ")
    assert steps[-1] == "Getting ready to compare passages (once)"
    assert not list(tmp_path.rglob(WEIGHTS))
    assert reranker.scores(QUESTION, TEXTS) is not None
    assert Reranker(chosen(NAME), tmp_path).scores(QUESTION, TEXTS) is not None


def test_a_damaged_one_is_left_out_until_it_is_prepared_again(model: Path, tmp_path: Path) -> None:
    first = Reranker(chosen(str(model)), tmp_path)
    first.prepare(CancelToken(), lambda _: None)
    (weights,) = tmp_path.rglob("graph.bin")
    weights.write_bytes(bytes(weights.stat().st_size))
    damaged = Reranker(chosen(str(model)), tmp_path)
    assert damaged.scores(QUESTION, TEXTS) is None
    assert damaged.is_missing()
    damaged.prepare(CancelToken(), lambda _: None)
    assert damaged.scores(QUESTION, TEXTS) is not None


def test_another_kind_of_model_is_refused(tmp_path: Path) -> None:
    embedding = folder_to_export(find_model(None, tmp_path))
    for folder in (embedding, tmp_path / "nothing"):
        with pytest.raises(ModelMissing, match="cannot be used for reranking"):
            Reranker(chosen(str(folder)), tmp_path).prepare(CancelToken(), lambda _: None)


def test_the_one_that_is_offered_is_known_in_advance() -> None:
    assert round(PINNED[RERANKER].size / 1e6) == RERANKER_MEGABYTES
