"""The connection to a Chroma server: a real one, and one that fails as servers and networks do."""

from __future__ import annotations

import base64
import json
import logging
import re
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
import pytest

from app.config.redaction import RedactingFormatter
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.shared import ServerAddress, ServerState
from app.features.shared import connection as module
from app.features.shared.connection import BATCH, CATALOG, CONTENT, Patience, Record, ServerConnection
from tests.support.chroma_server import AUTHORITY, OTHER_AUTHORITY, ChromaProxy, ChromaServer, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

pytestmark = pytest.mark.slow

DIMENSION = 8
TOKEN = "t0ken-of-the-class-7731"
METADATA: dict[str, str | int] = {"lectern": "library", "schema": 1, "model": "tiny", "dimension": DIMENSION}


def vector(number: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Return a direction for each number from 0 on, close to that of the next one."""
    angle = number / 100
    return np.array([np.cos(angle), np.sin(angle), *[0.0] * (DIMENSION - 2)], dtype=np.float32)


def record(number: int, text: str = "") -> Record:
    return Record(
        f"r{number}", vector(number), text or f"text {number}", {"n": number, "course": f"c{number % 2}"}
    )


@pytest.fixture
def connect() -> Iterator[Callable[..., ServerConnection]]:
    """Opens connections, of which the last one stays open until the end."""
    opened: list[ServerConnection] = []

    def connected(address: ServerAddress, token: str = "") -> ServerConnection:
        for connection in opened:
            connection.close()
        opened.append(ServerConnection(address, token))
        return opened[-1]

    yield connected
    for connection in opened:
        connection.close()


@pytest.fixture
def library(chroma_database: ServerAddress, connect: Callable[..., ServerConnection]) -> ServerAddress:
    """A library of ten passages on the server."""
    connection = connect(chroma_database)
    connection.create(METADATA)
    connection.put(CONTENT, [record(number) for number in range(10)])
    return chroma_database


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the pauses between two tries."""
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.05)


@pytest.fixture
def proxy(chroma_server: ChromaServer) -> Iterator[ChromaProxy]:
    with ChromaProxy(chroma_server.url) as running:
        yield running


def failure(request: Callable[[], object]) -> SharedError:
    with pytest.raises(SharedError) as caught:
        request()
    return caught.value


def test_what_is_put_is_found_again_and_what_is_deleted_is_not(
    chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(chroma_database)
    connection.create(METADATA)
    connection.put(CONTENT, [record(number) for number in range(2 * BATCH + 7)])
    connection.put(CONTENT, [record(3, "the tide rises")])

    assert len(connection.get(CONTENT)) == 2 * BATCH + 7
    assert len(connection.get(CONTENT)) == 2 * BATCH + 7
    assert len(connection.get(CONTENT, limit=BATCH + 1, offset=2)) == BATCH + 1
    (one,) = connection.get(CONTENT, ids=["r3", "unknown"], documents=True, metadatas=True, embeddings=True)
    assert (one.id, one.document, one.metadata) == ("r3", "the tide rises", {"n": 3, "course": "c1"})
    assert one.vector is not None
    np.testing.assert_array_equal(one.vector, vector(3))
    assert one.distance is None

    found = connection.query(CONTENT, vector(50), 5)
    assert found[0].id == "r50"
    assert found[0].document == "text 50"
    distances = [item.distance or 0.0 for item in found]
    assert distances == sorted(distances)
    assert distances[0] == pytest.approx(0, abs=1e-6)
    even = connection.query(CONTENT, vector(50), 5, where={"course": "c0"})
    assert [int(item.id[1:]) % 2 for item in even] == [0] * 5

    connection.delete(CONTENT, ["r3", "unknown"])
    assert len(connection.get(CONTENT)) == 2 * BATCH + 6
    assert connection.query(CATALOG, vector(0), 5) == []
    assert connection.get(CATALOG, documents=True) == []


def test_the_collections_say_what_they_are(
    chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(chroma_database)
    assert connection.metadatas() == [None, None]
    assert failure(lambda: connection.get(CONTENT)).message.id == "server.no_library"
    connection.create(METADATA)
    connection.create(METADATA)  # changes nothing
    connection.put(CONTENT, [record(1)])
    assert connection.metadatas() == [METADATA, METADATA]


def test_publishing_makes_a_missing_database_and_reading_does_not(
    chroma_server: ChromaServer, chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    address = replace(chroma_database, database=f"{chroma_database.database}-new")
    connection = connect(address)
    for _ in range(2):
        refused = failure(connection.metadatas)
        assert (refused.message.id, refused.state) == ("server.no_database", ServerState.REFUSED)
    connection.create(METADATA)
    assert connection.metadatas() == [METADATA, METADATA]


def json_answer(**content: object) -> Fault:
    return Fault(status=200, body=json.dumps(content).encode(), on="/query")


def refusal(status: int, error: str, text: str) -> Fault:
    return Fault(status=status, body=json.dumps({"error": error, "message": text}).encode(), on="/query")


# How a server fails, the ending of the message's id, and how often it is asked.
FAILURES = {
    "401": (Fault(status=401, on="/query"), "token_rejected", 1),
    "403": (Fault(status=403, body=b"Forbidden", on="/query"), "forbidden", 1),
    "404 of another program": (Fault(status=404, body=b"<html>", on="/query"), "not_chroma", 1),
    "405": (Fault(status=405, body=b"", on="/query"), "not_chroma", 1),
    "429": (Fault(status=429, on="/query"), "busy", 3),
    "429 for long": (Fault(status=429, headers=(("Retry-After", "600"),), on="/query"), "busy", 1),
    "500 of Chroma": (refusal(500, "InternalError", "the disk is full"), "failing", 3),
    "503": (Fault(status=503, body=b"<html>Bad gateway", on="/query"), "failing", 3),
    "rejected": (refusal(400, "InvalidArgumentError", "no such filter"), "rejected", 1),
    "login page": (Fault(status=200, body=b"<!DOCTYPE html><p>Sign in", on="/query"), "not_chroma", 1),
    "not an object": (Fault(status=200, body=b"[1, 2]", on="/query"), "not_chroma", 1),
    "other names": (json_answer(results=[]), "not_chroma", 1),
    "other types": (json_answer(ids=7, documents=None, metadatas="x", distances=[["a"]]), "not_chroma", 1),
    "no list of lists": (
        json_answer(ids=["r1"], documents=["a"], metadatas=[{}], distances=[0]),
        "not_chroma",
        1,
    ),
    "uneven": (
        json_answer(ids=[["r1", "r2"]], documents=[["a"]], metadatas=[[{}, {}]], distances=[[0, 1]]),
        "not_chroma",
        1,
    ),
    "packed": (Fault(status=200, headers=(("Content-Encoding", "gzip"),), on="/query"), "too_much", 1),
    "endless": (Fault(endless=True, on="/query"), "too_much", 1),
    "cut off": (Fault(cuts=True, on="/query"), "away", 3),
}
AWAY = ("away", "busy", "failing", "slow")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("how", FAILURES)
def test_a_request_that_fails_says_why_and_the_next_one_works(
    how: str, library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    fault, name, tries = FAILURES[how]
    connection = connect(proxy.address_of(library), TOKEN)
    assert connection.query(CONTENT, vector(1), 1)[0].id == "r1"
    proxy.seen.clear()
    proxy.fault = fault

    error = failure(lambda: connection.query(CONTENT, vector(1), 1))
    assert error.message.id == f"server.{name}"
    assert error.state is (ServerState.AWAY if name in AWAY else ServerState.REFUSED)
    assert str(error).startswith("127.0.0.1")
    assert len([request for request in proxy.seen if "/query" in request.path]) == tries
    proxy.fault = None
    assert connection.query(CONTENT, vector(1), 1)[0].id == "r1"


def test_what_a_server_told_of_a_collection_counts_no_more_once_a_request_has_failed(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    told: dict[str, object] = {
        "id": "x" * 70_000,  # no URL can hold it
        "metadata": None,
        "dimension": 3,
    }
    connection = connect(proxy.address_of(library))
    proxy.fault = Fault(status=200, body=json.dumps(told).encode(), on=f"/{CONTENT}", times=1)
    assert failure(lambda: connection.get(CONTENT)).message.id == "server.not_chroma"
    assert len(connection.get(CONTENT)) == 10


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("path", ["/tenants/", "/databases/", "/collections/"])
@pytest.mark.parametrize(("status", "name"), [(401, "no_access"), (404, "not_chroma"), (503, "failing")])
def test_so_does_every_request_that_comes_before(
    path: str,
    status: int,
    name: str,
    library: ServerAddress,
    proxy: ChromaProxy,
    connect: Callable[..., ServerConnection],
) -> None:
    proxy.fault = Fault(status=status, on=path, body=b"")
    connection = connect(proxy.address_of(library))
    assert failure(lambda: connection.get(CONTENT)).message.id == f"server.{name}"
    proxy.fault = None
    assert len(connection.get(CONTENT)) == 10


def test_what_passes_is_waited_for(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(proxy.address_of(library))
    proxy.fault = Fault(status=503, times=2)
    assert len(connection.get(CONTENT)) == 10
    proxy.fault = Fault(cuts=True, on="/upsert", times=2)
    connection.put(CONTENT, [record(10)])
    assert len(connection.get(CONTENT)) == 11
    proxy.fault = Fault(status=429, headers=(("Retry-After", "1"),), times=1)
    began = time.monotonic()
    assert len(connection.get(CONTENT)) == 11
    assert time.monotonic() - began >= 1


@pytest.mark.parametrize("how", [Fault(is_silent=True, on="/query"), Fault(trickles=True, on="/query")])
def test_a_server_that_takes_too_long_is_left(
    how: Fault,
    library: ServerAddress,
    proxy: ChromaProxy,
    connect: Callable[..., ServerConnection],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connection = connect(proxy.address_of(library))
    connection.get(CONTENT)
    monkeypatch.setattr(module, "READING", Patience(0.3, 0.6))
    proxy.fault = how
    began = time.monotonic()
    error = failure(lambda: connection.query(CONTENT, vector(1), 1))
    assert (error.message.id, error.state) == ("server.slow", ServerState.AWAY)
    assert 0.3 <= time.monotonic() - began < 20
    monkeypatch.setattr(module, "READING", Patience(60.0, 90.0))
    proxy.fault = None
    assert connection.query(CONTENT, vector(1), 1)[0].id == "r1"


def test_stop_is_heard_while_the_server_is_silent(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    connection, token = connect(proxy.address_of(library)), CancelToken()
    connection.get(CONTENT)
    proxy.fault = Fault(is_silent=True)
    stopped: list[float] = []

    def ask() -> None:
        with pytest.raises(Cancelled):
            connection.query(CONTENT, vector(1), 1, cancel=token)
        stopped.append(time.monotonic())

    threads = [threading.Thread(target=ask) for _ in range(2)]  # one of which waits for the other
    for thread in threads:
        thread.start()
    assert proxy.stuck.wait(120)
    began = time.monotonic()
    token.cancel()
    for thread in threads:
        thread.join()
    assert max(stopped) - began < 20  # of the minute that it would take


def test_closing_ends_a_request_that_is_under_way(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(proxy.address_of(library))
    connection.get(CONTENT)
    proxy.fault = Fault(is_silent=True)
    errors: list[SharedError] = []
    thread = threading.Thread(target=lambda: errors.append(failure(lambda: len(connection.get(CONTENT)))))
    thread.start()
    assert proxy.stuck.wait(120)
    connection.close()
    thread.join()
    assert [error.message.id for error in errors] == ["server.closed"]
    assert failure(connection.metadatas).message.id == "server.closed"


def test_a_server_that_was_away_is_found_again(
    library: ServerAddress, chroma_server: ChromaServer, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(library)
    assert len(connection.get(CONTENT)) == 10
    chroma_server.kill()
    try:
        error = failure(lambda: len(connection.get(CONTENT)))
        assert (error.message.id, error.state) == ("server.away", ServerState.AWAY)
    finally:
        chroma_server.start()
    assert len(connection.get(CONTENT)) == 10


def test_the_token_goes_to_the_server_and_nowhere_else(
    library: ServerAddress,
    proxy: ChromaProxy,
    connect: Callable[..., ServerConnection],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    proxy.token = TOKEN
    address = proxy.address_of(library)
    assert failure(connect(address).metadatas).message.id == "server.no_access"
    assert failure(connect(address, "another-token").metadatas).message.id == "server.token_rejected"

    proxy.seen.clear()
    connection = connect(address, f" {TOKEN}\n")
    assert len(connection.get(CONTENT)) == 10
    connection.create(METADATA)
    assert {request.headers["x-chroma-token"] for request in proxy.seen} == {TOKEN}
    echo = f"You sent Bearer {TOKEN} and {base64.b64encode(TOKEN.encode()).decode()}"
    proxy.fault = refusal(400, "InvalidArgumentError", echo)
    error = failure(lambda: connection.query(CONTENT, vector(1), 1))
    assert "You sent" in str(error)

    shown = [repr(connection), repr(error), repr(error.message), "".join(traceback.format_exception(error))]
    formatter = RedactingFormatter()
    shown += [formatter.format(entry) for entry in caplog.records]
    for text in shown:
        assert TOKEN not in text
        assert base64.b64encode(TOKEN.encode()).decode() not in text


def test_a_redirect_is_not_followed(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    with ChromaProxy(library.url) as other:
        connection = connect(proxy.address_of(library), TOKEN)
        for status in (301, 302, 307, 308):
            place = f"{other.url}/api/v2/auth/identity?token={TOKEN}"
            proxy.fault = Fault(status=status, headers=(("Location", place),))
            error = failure(connection.metadatas)
            assert (error.message.id, error.state) == ("server.redirects", ServerState.REFUSED)
            assert other.url in str(error)
            assert TOKEN not in str(error)
        assert other.seen == []


def test_a_certificate_is_trusted_if_the_chosen_authority_signed_it(
    library: ServerAddress, tmp_path: Path, connect: Callable[..., ServerConnection]
) -> None:
    with ChromaProxy(library.url, has_tls=True) as proxy:
        assert connect(proxy.address_of(library, AUTHORITY), TOKEN).metadatas() == [METADATA, METADATA]
        sent = len(proxy.seen)
        for authority in ("", OTHER_AUTHORITY):
            error = failure(connect(proxy.address_of(library, authority), TOKEN).metadatas)
            assert (error.message.id, error.state) == ("server.certificate", ServerState.REFUSED)
        by_number = replace(
            proxy.address_of(library, AUTHORITY), url=proxy.url.replace("localhost", "127.0.0.1")
        )
        assert failure(connect(by_number, TOKEN).metadatas).message.id == "server.certificate"
        for name, content in (("none.pem", None), ("text.pem", "no certificate")):
            if content is not None:
                (tmp_path / name).write_text(content)
            error = failure(connect(proxy.address_of(library, tmp_path / name), TOKEN).metadatas)
            assert error.message.id == "server.ca_unusable"
        assert len(proxy.seen) == sent  # no token went to a server that is not trusted


def test_tls_where_there_is_none_is_said(
    library: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    address = replace(library, url=library.url.replace("http:", "https:"))
    assert failure(connect(address).metadatas).message.id == "server.no_tls"


@pytest.mark.parametrize("token", ["a line\nand another", "one two", "schlüssel"])
def test_a_token_that_no_header_can_hold_is_refused(
    token: str, library: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    error = failure(connect(library, token).metadatas)
    assert error.message.id == "server.unusable_token"
    assert token not in str(error)


def test_collections_that_are_not_as_wanted_are_left_alone(
    chroma_server: ChromaServer, chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    chroma_server.make_collection(chroma_database, "theirs", None)
    chroma_server.make_collection(chroma_database, CONTENT, {"hnsw:space": "cosine"})
    connection = connect(chroma_database)

    def check(metadata: Mapping[str, object]) -> None:
        if metadata.get("lectern") != "library":
            raise SharedError(Message("shared.not_a_library"), ServerState.REFUSED)

    assert failure(lambda: connection.create(METADATA, check)).message.id == "shared.not_a_library"
    assert connection.metadatas() == [None, {"hnsw:space": "cosine"}]


def test_a_batch_that_is_too_large_for_the_server_is_halved(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(proxy.address_of(library))
    proxy.fault = Fault(status=413, on="/upsert", times=2, body=b"<html>Request Entity Too Large")
    connection.put(CONTENT, [record(number) for number in range(20, 28)])
    assert len(connection.get(CONTENT)) == 18
    proxy.fault = Fault(status=413, on="/upsert")
    error = failure(lambda: connection.put(CONTENT, [record(1), record(2)]))
    assert (error.message.id, error.state) == ("server.too_large", ServerState.REFUSED)


def test_many_threads_may_ask(library: ServerAddress, connect: Callable[..., ServerConnection]) -> None:
    connection = connect(library)
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda number: connection.query(CONTENT, vector(number), 1)[0].id, range(10))
        assert list(found) == [f"r{number}" for number in range(10)]


def test_what_was_made_counts_although_the_answer_was_lost(
    chroma_database: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(proxy.address_of(chroma_database))
    assert connection.metadatas() == [None, None]
    proxy.fault = Fault(cuts=True, on="/collections", after=2, times=1)  # once both were looked for
    connection.create(METADATA)
    assert connection.metadatas() == [METADATA, METADATA]
    made = [one for one in proxy.seen if one.method == "POST" and one.path.endswith("/collections")]
    assert len(made) == 3


def test_reading_needs_only_what_readers_are_allowed(
    library: ServerAddress, proxy: ChromaProxy, connect: Callable[..., ServerConnection]
) -> None:
    """As docs/shared-libraries.md has a web server allow it."""
    connection = connect(proxy.address_of(library), TOKEN)
    connection.metadatas()
    connection.get(CONTENT, where={"n": 1}, documents=True, metadatas=True, embeddings=True)
    connection.get(CONTENT, ids=["r1"])
    connection.query(CONTENT, vector(1), 3, where={"n": 1})
    connection.get(CONTENT)
    asked = [f"{one.method} {urlsplit(one.path).path}" for one in proxy.seen]
    allowed = r"GET /api/v2/.*|POST /api/v2/tenants/[^/]+/databases/[^/]+/collections/[^/]+/(get|query)"
    assert [one for one in asked if not re.fullmatch(allowed, one)] == []
    guide = Path(__file__).parents[3] / "docs" / "shared-libraries.md"
    assert allowed.partition("|")[2] in guide.read_text(encoding="utf-8")


def test_a_proxy_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "ht!tp://user:secret-of-the-proxy@[")
    with closing(ServerConnection(ServerAddress("https://chroma.invalid"))) as connection:
        error = failure(connection.metadatas)
    assert error.message.id == "server.unexpected"
    assert "secret" not in str(error)


def test_a_library_that_was_made_anew_is_found(
    library: ServerAddress, chroma_server: ChromaServer, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(library)
    assert len(connection.get(CONTENT)) == 10
    chroma_server.delete_collection(library, CONTENT)
    assert failure(lambda: len(connection.get(CONTENT))).message.id == "server.no_library"
    connection.create(METADATA)
    chroma_server.delete_collection(library, CONTENT)
    chroma_server.make_collection(library, CONTENT, METADATA)
    assert len(connection.get(CONTENT)) == 0
