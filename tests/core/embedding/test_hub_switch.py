"""A library changes to a model of the hub and back: the model is small and real, the hub is on loopback."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.downloads import one_at_a_time
from app.core.embedding import model_files
from app.core.embedding.embedder import Embedder
from app.core.embedding.graph import GRAPH_WEIGHTS
from app.core.embedding.model_files import WEIGHTS, download_folder, find_model
from app.domain.cancel import CancelToken
from app.domain.embedding_models import MULTILINGUAL, HubModel
from app.domain.errors import ConnectionTrouble, ModelMissing
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import TransferService
from tests.support.courses import TITLES, ingest, library
from tests.support.hub_server import HubServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.messages import Message
    from tests.conftest import OtherModel

pytestmark = pytest.mark.slow

MODEL = HubModel("intfloat/multilingual-e5-small")
QUESTION = "sourdough starter"
NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def cache(other_model: OtherModel) -> Path:
    """A cache in which nothing has been downloaded."""
    shutil.rmtree(other_model.cache / "models" / "hub", ignore_errors=True)
    return other_model.cache


@pytest.fixture
def server(other_model: OtherModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer(other_model.folder) as running:
        running.stand_in(monkeypatch)
        yield running


@pytest.fixture
def rag(data_dir: Path, cache: Path) -> Iterator[RAGSystem]:
    with library(data_dir, Embedder(None, cache)) as opened:
        yield opened


def ensure_current(rag: RAGSystem, *, download: bool = True) -> list[Message]:
    steps: list[Message] = []
    for _ in rag.reindex.ensure_current(CancelToken(), steps.append, download=download):
        pass
    return steps


def dimensions(rag: RAGSystem) -> set[int]:
    return {len(vector) for vector in rag.catalog.courses.vectors().values()}


def test_a_library_goes_to_a_model_of_the_hub_and_back_and_there_again(
    rag: RAGSystem, server: HubServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rag.search.retrieve(QUESTION)
    rag.reindex.choose_model(MULTILINGUAL)
    assert rag.reindex.needed()
    assert not server.requests, "choosing opens a connection"
    downloading: list[Message] = []

    def ask(step: Message) -> None:
        if step.id == "embedding.downloading":
            assert rag.search.retrieve(QUESTION) == before
            downloading.append(step)

    for _ in rag.reindex.ensure_current(CancelToken(), ask, download=True):
        assert rag.search.retrieve(QUESTION).hits
    assert downloading
    assert dimensions(rag) == {16}
    assert not rag.reindex.needed()
    assert rag.search.retrieve(QUESTION).covered is not None
    assert not list(download_folder(MODEL, cache).rglob("*.safetensors")), "what is exported is kept twice"

    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    for name, dimension in (("", 384), (MULTILINGUAL, 16), ("", 384)):
        rag.reindex.choose_model(name)
        ensure_current(rag)
        assert dimensions(rag) == {dimension}
    assert [hit.text for hit in rag.search.retrieve(QUESTION).hits] == [hit.text for hit in before.hits]


def test_without_network_the_library_is_searched_and_added_to_as_before(
    rag: RAGSystem, server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rag.search.retrieve(QUESTION)
    rag.reindex.choose_model(MULTILINGUAL)
    monkeypatch.setenv("HF_ENDPOINT", NOWHERE)
    with pytest.raises(ConnectionTrouble, match=r"127\.0\.0\.1 cannot be reached"):
        ensure_current(rag)
    assert rag.search.retrieve(QUESTION) == before
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "glass.txt").write_text("Glass is made from sand, soda and lime.", encoding="utf-8")
    ingest(rag, tmp_path / "more")
    assert dimensions(rag) == {384}
    assert rag.search.retrieve("What is glass made from?").hits[0].course_title == "more"
    assert not server.requests
    assert rag.reindex.needed(), "the choice is forgotten"

    monkeypatch.setenv("HF_ENDPOINT", server.url)
    ensure_current(rag)
    assert dimensions(rag) == {16}


def test_what_came_of_a_download_that_is_given_up_is_deleted(rag: RAGSystem, cache: Path) -> None:
    folder = download_folder(MODEL, cache)
    (folder / "1_Dense").mkdir(parents=True)
    came = [folder / "0123456789abcdef.part", folder / "1_Dense" / WEIGHTS]
    for path in came:
        path.write_bytes(b"half of it")
    rag.reindex.choose_model(MULTILINGUAL)
    assert all(path.exists() for path in came), "a download that is wanted cannot be resumed"
    with one_at_a_time(folder, CancelToken()):
        rag.reindex.choose_model("")
        assert all(path.exists() for path in came), "another Lectern is downloading them"
    rag.reindex.choose_model("")
    assert not any(path.exists() for path in came)


def test_one_that_was_never_downloaded_leaves_its_place_to_the_default(
    data_dir: Path, cache: Path, server: HubServer
) -> None:
    with library(data_dir, Embedder(MODEL, cache)) as rag:
        assert rag.search.retrieve(QUESTION).covered is not None
        assert rag.reindex.needed()
    assert not server.requests, "opening a library opens a connection"
    (problem,) = examine(data_dir, Settings(embedding_model=MULTILINGUAL), Embedder(MODEL, cache)).problems
    assert str(problem.what) == "The embedding model multilingual-e5-small has not been downloaded."
    assert str(problem.fix).startswith("Download it with “lectern model use multilingual”")


def test_one_whose_graph_is_damaged_is_fetched_again_and_nothing_embedded_again(
    data_dir: Path, cache: Path, server: HubServer
) -> None:
    with library(data_dir, Embedder(None, cache)) as rag:
        rag.reindex.choose_model(MULTILINGUAL)
        ensure_current(rag)
    (find_model(MODEL, cache).graph / GRAPH_WEIGHTS).write_bytes(b"damaged")
    server.requests.clear()
    with library(data_dir, Embedder(MODEL, cache)) as rag:
        found = rag.search.retrieve(QUESTION)
        assert found.hits[0].course_title == TITLES[1]
        assert found.covered is None, "vectors of two models were compared"
        assert not server.requests
        assert not list(rag.reindex.ensure_current(CancelToken(), download=True))
        assert dimensions(rag) == {16}
        assert rag.search.retrieve(QUESTION).covered is not None
    asked_for = {one.path.rpartition("/")[2] for one in server.requests if one.method == "GET"}
    assert asked_for == {WEIGHTS}, "what was still there was fetched again"


def test_an_archive_crosses_between_models(
    rag: RAGSystem, cache: Path, server: HubServer, tmp_path: Path
) -> None:
    rag.reindex.choose_model(MULTILINGUAL)
    ensure_current(rag)
    archive = tmp_path / "library.zip"
    for _ in rag.service(TransferService).export_library(archive, CancelToken()):
        pass
    for folder, chosen, again, dimension in (
        ("default", None, True, 384),
        ("same", MODEL, False, 16),
    ):
        with library(tmp_path / folder, Embedder(chosen, cache)) as other:
            *_, done = other.service(TransferService).import_library(archive, CancelToken())
            assert getattr(done, "embedded_again", None) is again
            assert dimensions(other) == {dimension}
            assert other.search.retrieve(QUESTION).hits[0].course_title == TITLES[1]

    asked, elsewhere = len(server.requests), tmp_path / "elsewhere"
    shutil.copytree(find_model(None, cache).graph, find_model(None, elsewhere).graph)
    with library(tmp_path / "not here", Embedder(MODEL, elsewhere)) as other:
        *_, done = other.service(TransferService).import_library(archive, CancelToken())
        assert getattr(done, "embedded_again", None) is True
        assert dimensions(other) == {384}
        assert other.reindex.needed()
    assert len(server.requests) == asked, "an import opens a connection"


def test_one_that_a_packaged_program_cannot_prepare_leaves_the_library_alone(
    data_dir: Path, cache: Path, server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_files, "is_frozen", lambda: True)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(find_model(None, cache).graph, find_model(None, elsewhere).graph)
    with library(data_dir, Embedder(None, elsewhere)) as rag:
        before = rag.search.retrieve(QUESTION)
        rag.reindex.choose_model(MULTILINGUAL)
        with pytest.raises(ModelMissing, match="cannot prepare"):
            ensure_current(rag)
        assert rag.search.retrieve(QUESTION) == before
        assert rag.reindex.needed()
