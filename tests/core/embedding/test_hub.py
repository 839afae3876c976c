"""Models of the hub: downloaded from a server on loopback, as it answers and as it fails."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.downloads import Download
from app.core.embedding import hub
from app.core.embedding.hub import MULTILINGUAL_FILES
from app.core.embedding.model_files import WEIGHTS, find_model, is_downloaded
from app.domain.cancel import Cancelled, CancelToken
from app.domain.embedding_models import (
    MULTILINGUAL,
    MULTILINGUAL_MEGABYTES,
    HubModel,
    model_choice,
    supported,
)
from app.domain.errors import ConnectionTrouble, LecternError, ModelMissing, ServerBusy, UserError
from app.domain.messages import Message
from tests.support.hub_server import HubServer
from tests.support.model_folders import make_model

if TYPE_CHECKING:
    from collections.abc import Iterator


MODEL = HubModel("intfloat/multilingual-e5-small")
SIZE = 3_000_000


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    folder = make_model(tmp_path / "published", weights=os.urandom(SIZE))
    with HubServer(folder) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        yield running


@pytest.fixture
def hub_on_loopback(server: HubServer, monkeypatch: pytest.MonkeyPatch) -> HubServer:
    """The server, where programs look for the hub; as from a computer whose owner has an account."""
    server.stand_in(monkeypatch)
    monkeypatch.setenv("HF_TOKEN", "hf_a_secret_of_the_user")
    return server


def attempt(server: HubServer, folder: Path) -> None:
    """Download in this process."""
    Download(server.snapshot, folder, lambda _: None).run()


def weights_requested(server: HubServer) -> list[int]:
    return [one.offset for one in server.requests if one.method == "GET" and one.path.endswith(WEIGHTS)]


def test_what_is_published_arrives_whole_with_progress_and_nothing_else(
    hub_on_loopback: HubServer, tmp_path: Path
) -> None:
    server, cache, steps = hub_on_loopback, tmp_path / "cache", list[Message]()
    hub.download(MODEL, cache, CancelToken(), steps.append)
    source = find_model(MODEL, cache)
    assert source.folder is not None
    assert (source.folder / WEIGHTS).read_bytes() == (server.folder / WEIGHTS).read_bytes()
    assert (source.name, source.dimension) == ("multilingual-e5-small", 32)
    assert not list(source.folder.rglob("*.part"))
    percents = [int(str(step.arguments["percent"])) for step in steps]
    assert percents == sorted(set(percents))
    assert (percents[0], percents[-1]) == (0, 100)
    assert str(steps[-1]) == "Downloading model: 3 of 4 MB (100%)"
    sent = "\n".join(f"{one.path} {one.headers}" for one in server.requests)
    assert "hf_a_secret" not in sent
    assert "authorization" not in sent
    assert all(one.path.startswith(f"/{server.name}/") for one in server.requests)

    asked = len(server.requests)
    hub.download(MODEL, cache, CancelToken(), steps.append)
    assert len(server.requests) == asked, "asked again for what is there"


def test_a_killed_download_goes_on_where_it_ended(hub_on_loopback: HubServer, tmp_path: Path) -> None:
    server, token, cache = hub_on_loopback, CancelToken(), tmp_path / "cache"
    server.hold_after = SIZE // 2

    def cancel() -> None:
        assert server.holding.wait(120)
        until = time.monotonic() + 120
        while not any(part.stat().st_size for part in cache.rglob("*.part")) and time.monotonic() < until:
            time.sleep(0.01)  # for another process
        token.cancel()

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(Cancelled):  # which kills the process that downloads, in the middle of a file
        hub.download(MODEL, cache, token, lambda _: None)
    canceller.join()
    assert not is_downloaded(MODEL, cache)
    with pytest.raises(ModelMissing, match="has not been downloaded"):
        find_model(MODEL, cache)

    server.hold_after = None
    server.go_on.set()
    hub.download(MODEL, cache, CancelToken(), lambda _: None)
    first, second = weights_requested(server)
    assert first == 0
    assert 0 < second <= SIZE // 2 + 2**17
    assert is_downloaded(MODEL, cache)


def test_a_lost_connection_is_taken_up_by_itself(server: HubServer, tmp_path: Path) -> None:
    server.cut_after = SIZE // 2
    attempt(server, tmp_path / "to")
    assert (tmp_path / "to" / WEIGHTS).read_bytes() == (server.folder / WEIGHTS).read_bytes()
    assert len(weights_requested(server)) == 2


@pytest.mark.parametrize(
    ("status", "kind", "sentence"),
    [
        (404, ConnectionTrouble, "not the model's server"),
        (429, ServerBusy, r"overloaded or out of order \(429\)"),
        (503, ServerBusy, r"overloaded or out of order \(503\). Try again later; the download will resume."),
        (418, ConnectionTrouble, "not the model's server"),
    ],
)
def test_each_refusal_has_its_sentence(
    server: HubServer,
    tmp_path: Path,
    status: int,
    kind: type[LecternError],
    sentence: str,
) -> None:
    server.status = status
    with pytest.raises(kind, match=sentence):
        attempt(server, tmp_path / "to")
    server.status = 0
    attempt(server, tmp_path / "to")


def test_the_login_page_of_a_network_takes_nothing_away(server: HubServer, tmp_path: Path) -> None:
    to = tmp_path / "to"
    weights = next(file for file in server.snapshot.files if file.path == WEIGHTS)
    to.mkdir()
    part = to / f"{weights.digest[:16]}.part"
    part.write_bytes((server.folder / WEIGHTS).read_bytes()[: SIZE - 1000])
    server.is_portal = True
    with pytest.raises(ConnectionTrouble, match="perhaps the login page of a network"):
        attempt(server, to)
    assert part.stat().st_size == SIZE - 1000
    server.is_portal = False
    attempt(server, to)
    assert weights_requested(server)[-1] == SIZE - 1000
    assert (to / WEIGHTS).read_bytes() == (server.folder / WEIGHTS).read_bytes()


def test_a_server_that_sends_files_whole_is_read_from_the_beginning(
    server: HubServer, tmp_path: Path
) -> None:
    weights = next(file for file in server.snapshot.files if file.path == WEIGHTS)
    (tmp_path / f"{weights.digest[:16]}.part").write_bytes(b"x" * 1000)
    server.is_whole = True
    steps: list[Message] = []
    Download(server.snapshot, tmp_path, steps.append).run()
    assert (tmp_path / WEIGHTS).read_bytes() == (server.folder / WEIGHTS).read_bytes()
    assert steps[-1].arguments["percent"] == 100


@pytest.mark.parametrize("file", [WEIGHTS, "modules.json"])
def test_a_damaged_file_is_never_used_and_fetched_again(server: HubServer, tmp_path: Path, file: str) -> None:
    snapshot, to = server.snapshot, tmp_path / "to"
    server.damaged = file
    with pytest.raises(ConnectionTrouble, match=f"The file {file} of tiny/model arrived damaged"):
        Download(snapshot, to, lambda _: None).run()
    assert not (to / file).exists()
    assert not list(to.rglob("*.part"))
    server.damaged = ""
    attempt(server, to)
    assert (to / file).read_bytes() == (server.folder / file).read_bytes()


def test_prompts_that_the_files_leave_out_are_added(server: HubServer, tmp_path: Path) -> None:
    snapshot = server.snapshot._replace(prompts=(("query", "query: "), ("passage", "passage: ")))
    Download(snapshot, tmp_path, lambda _: None).run()
    config = json.loads((tmp_path / "config_sentence_transformers.json").read_text(encoding="utf-8"))
    assert config == {"prompts": {"query": "query: ", "passage": "passage: "}}


def test_other_weights_than_the_pinned_ones_are_refused(server: HubServer, tmp_path: Path) -> None:
    snapshot = server.snapshot
    (server.folder / WEIGHTS).write_bytes(os.urandom(SIZE))  # as long
    with pytest.raises(ConnectionTrouble, match="arrived damaged"):
        Download(snapshot, tmp_path / "to", lambda _: None).run()


def test_without_a_server_the_sentence_names_it(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ConnectionTrouble, match=r"tiny/model could not be .* 127\.0\.0\.1 cannot be reached"):
        Download(server.snapshot, tmp_path, lambda _: None).run()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ALL_PROXY", "socks5://user:password@127.0.0.1:9"),
        ("HTTP_PROXY", "odd://user:password@127.0.0.1:9"),
        ("SSL_CERT_FILE", "/nowhere/certificates.pem"),
        ("HF_ENDPOINT", "http://127.0.0.1:99999"),
        ("HF_ENDPOINT", "hub"),
    ],
)
def test_variables_that_allow_no_connection_are_named(
    hub_on_loopback: HubServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConnectionTrouble, match="environment variables") as caught:
        hub.download(MODEL, tmp_path / "cache", CancelToken(), lambda _: None)
    assert "password" not in str(caught.value)


def test_a_disk_without_room_is_said_before_anything_is_fetched(
    server: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 5_000_000}))
    with pytest.raises(UserError, match="needs 7 MB of free space in .*, where 5 MB are free"):
        snapshot = server.snapshot._replace(is_converted=True)
        Download(snapshot, tmp_path / "to", lambda _: None).run()
    assert not weights_requested(server)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
def test_a_disk_that_fills_up_meanwhile_is_said(server: HubServer, tmp_path: Path) -> None:
    to = tmp_path / "to"
    to.mkdir()
    weights = next(file for file in server.snapshot.files if file.path == WEIGHTS)
    (to / f"{weights.digest[:16]}.part").symlink_to("/dev/full")
    with pytest.raises(UserError, match="is full. Make room and try again; the download will resume"):
        attempt(server, to)


def test_the_settings_name_models_of_all_kinds(tmp_path: Path) -> None:
    assert model_choice("") is None
    assert model_choice(MULTILINGUAL) == MODEL
    for folder in (str(tmp_path), "./tiny/model", "~/model", "C:\\models\\tiny", "../model", "a/b/c"):
        assert supported(folder) == folder
        assert model_choice(folder) == Path(folder)
    assert supported(MODEL.name) == MULTILINGUAL
    assert supported("tiny/model") == "", "once any model of the hub could be chosen"


def test_the_multilingual_model_is_pinned_in_every_byte() -> None:
    assert round(MULTILINGUAL_FILES.size / 1_000_000) == MULTILINGUAL_MEGABYTES
    assert all(len(file.digest) == 64 for file in MULTILINGUAL_FILES.files)
    assert dict(MULTILINGUAL_FILES.prompts) == {"query": "query: ", "passage": "passage: "}
