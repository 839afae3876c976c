"""Which models are offered, and how one arrives: from a server on loopback, as it answers and as it fails."""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from app.core.local_models import service
from app.core.local_models.service import LocalModels
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import ConnectionTrouble, ServerBusy, UserError
from tests.support.hub_server import REVISION, HubServer
from tests.support.small_gguf import write_gguf

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.messages import Message

GIGABYTE = 10**9


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub with a small model, which is the only one on the list."""
    folder = tmp_path / "published"
    folder.mkdir()
    path = write_gguf(folder / "small.gguf", "The front element leaves the queue first.")
    with HubServer(folder) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        offer_only(monkeypatch, running, path)
        yield running


def offer_only(monkeypatch: pytest.MonkeyPatch, server: HubServer, path: Path) -> None:
    content = path.read_bytes()
    entry = {
        "id": "small",
        "name": "Small",
        "repository": server.name,
        "revision": REVISION,
        "files": [[path.name, len(content), hashlib.sha256(content).hexdigest()]],
        "licence": "Apache-2.0",
        "memory": 6,
        "ollama": "small",
    }
    monkeypatch.setattr(service, "entries", lambda: {"small": entry})


def download(models: LocalModels, progress: list[Message] | None = None) -> None:
    steps = [] if progress is None else progress
    models.download("small", CancelToken(), steps.append)


def size(server: HubServer) -> int:
    return (server.folder / "small.gguf").stat().st_size


def test_the_list_names_free_models_with_size_and_digest() -> None:
    listed = service.entries()
    assert list(listed) == ["qwen3-4b", "qwen3-1.7b"]
    for entry in listed.values():
        assert entry["licence"] == "Apache-2.0"
        assert len(entry["revision"]) == 40
        ((file, _, digest),) = entry["files"]
        assert len(bytes.fromhex(digest)) == 32
        assert file.endswith("Q4_K_M.gguf")


@pytest.mark.parametrize(
    ("memory", "multiplications", "offered", "recommended"),
    [
        (16, 1e12, ["qwen3-4b", "qwen3-1.7b"], "qwen3-4b"),
        (8, 1e12, ["qwen3-4b", "qwen3-1.7b"], "qwen3-4b"),
        (16, 5e10, ["qwen3-4b", "qwen3-1.7b"], "qwen3-1.7b"),  # too slow for the better one
        (16, 1e9, ["qwen3-4b", "qwen3-1.7b"], "qwen3-1.7b"),
        (6, 1e12, ["qwen3-1.7b"], "qwen3-1.7b"),
        (4, 1e12, [], None),
    ],
)
def test_memory_and_processor_say_which_is_best(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    memory: int,
    multiplications: float,
    offered: list[str],
    recommended: str | None,
) -> None:
    shown = int(memory * 0.95 * GIGABYTE)  # the system keeps some for itself
    monkeypatch.setattr(service, "total_memory", lambda: shown)
    monkeypatch.setattr(service, "multiplications", lambda: multiplications)
    models = LocalModels(tmp_path)
    assert [offer.id for offer in models.offers()] == offered
    best = models.recommended()
    assert (best and best.id) == recommended


def test_a_busy_moment_does_not_make_answers_slower(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = []
    for multiplications in (3e10, 6e10, 1e10):
        monkeypatch.setattr(service, "multiplications", lambda found=multiplications: found)
        seconds.append(LocalModels(tmp_path).offers()[-1].seconds)
    assert seconds[0] > seconds[1] == seconds[2]


def test_this_computer_has_memory_and_calculates() -> None:
    assert service.total_memory() > GIGABYTE
    assert service.multiplications() > 1e8


def test_a_model_arrives_is_found_again_and_removed(server: HubServer, tmp_path: Path) -> None:
    models, steps = LocalModels(tmp_path / "cache"), list[Any]()
    (offer,) = models.offers()
    assert (offer.arrived, offer.is_installed) == (0, False)
    download(models, steps)
    assert steps[-1].arguments["percent"] == 100
    (offer,) = models.offers()
    assert offer.is_installed
    assert models.path("small").read_bytes() == (server.folder / "small.gguf").read_bytes()
    asked = len(server.requests)
    download(LocalModels(tmp_path / "cache"))
    assert len(server.requests) == asked, "asked again for what is there"
    models.begin("small", CancelToken())
    models.end()
    assert models.speed("small") is not None
    models.remove("small")
    assert not models.is_loaded("small")
    assert not models.offers()[0].arrived
    with pytest.raises(UserError, match="Small has not been downloaded"):
        models.path("small")


@pytest.mark.parametrize("cut", [0, 100_000, 1_000_000, 2_950_000])
def test_a_download_cut_anywhere_is_resumed_there(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    path = server.folder / "small.gguf"
    path.write_bytes(os.urandom(3_000_000))
    offer_only(monkeypatch, server, path)
    models = LocalModels(tmp_path / "cache")
    server.cut_after = cut
    with suppress(ConnectionTrouble):  # unless so much had come that it goes on by itself
        download(models)
    download(models)
    offsets = [request.offset for request in server.requests]
    assert offsets == sorted(offsets)
    assert cut - 300_000 <= offsets[-1] <= cut + 20_000
    assert models.path("small").read_bytes() == path.read_bytes()


def test_a_cancelled_download_keeps_what_came(server: HubServer, tmp_path: Path) -> None:
    models, token = LocalModels(tmp_path / "cache"), CancelToken()
    server.hold_after = size(server) // 2

    def cancel() -> None:
        server.holding.wait(60)
        token.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(Cancelled):
        models.download("small", token, lambda _: None)
    canceller.join()
    assert not models.offers()[0].is_installed
    server.hold_after = None
    server.go_on.set()
    download(models)
    assert models.offers()[0].is_installed


def test_another_content_than_the_published_is_deleted(server: HubServer, tmp_path: Path) -> None:
    models = LocalModels(tmp_path / "cache")
    server.damaged = "small.gguf"
    with pytest.raises(ConnectionTrouble, match="arrived damaged and was deleted"):
        download(models)
    assert not models.offers()[0].arrived
    server.damaged = ""
    download(models)


def test_a_busy_hub_and_a_login_page_are_said(server: HubServer, tmp_path: Path) -> None:
    models = LocalModels(tmp_path / "cache")
    server.status = 503
    with pytest.raises(ServerBusy, match="overloaded"):
        download(models)
    server.status, server.is_portal = 0, True
    with pytest.raises(ConnectionTrouble, match="login page"):
        download(models)


def test_two_programs_download_it_once(server: HubServer, tmp_path: Path) -> None:
    one, other = LocalModels(tmp_path / "cache"), LocalModels(tmp_path / "cache")
    threads = [threading.Thread(target=download, args=(models,)) for models in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 1
    assert other.offers()[0].is_installed


def test_a_model_larger_than_the_memory_is_refused(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "total_memory", lambda: 1000)
    with pytest.raises(UserError, match="does not have enough memory for small"):
        LocalModels(tmp_path).begin(str(server.folder / "small.gguf"), CancelToken())
