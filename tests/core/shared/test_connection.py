"""The connection to a Chroma server: a real one, and one that fails as servers and networks do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.shared.connection import ServerConnection
from app.core.shared.record import BATCH, CATALOG, CONTENT, Record
from app.domain.errors import SharedError
from app.domain.shared import ServerAddress, ServerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.chroma_server import ChromaServer

DIMENSION = 8
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
    """Opens connections, which are closed at the end."""
    opened: list[ServerConnection] = []

    def connected(address: ServerAddress, token: str = "") -> ServerConnection:
        opened.append(ServerConnection(address, token))
        return opened[-1]

    yield connected
    for connection in opened:
        connection.close()


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

    assert connection.count(CONTENT) == 2 * BATCH + 7
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
    assert {(item.metadata or {})["course"] for item in even} == {"c0"}
    assert [item.id for item in connection.query(CONTENT, vector(0), 9, words={"$contains": "tide"})] == [
        "r3"
    ]

    connection.delete(CONTENT, ["r3", "unknown"])
    assert connection.count(CONTENT) == 2 * BATCH + 6
    assert connection.query(CATALOG, vector(0), 5) == []
    assert connection.get(CATALOG, documents=True) == []


def test_the_facts_tell_what_is_there(
    chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    connection = connect(chroma_database)
    before = connection.facts()
    assert before.version
    assert (before.catalog, before.content) == (None, None)
    assert failure(lambda: connection.count(CONTENT)).message.id == "server.no_library"

    connection.create(METADATA)
    connection.create(METADATA)  # changes nothing
    connection.put(CONTENT, [record(1)])
    after = connection.facts()
    assert after.catalog is not None
    assert after.content is not None
    assert after.catalog.metadata == after.content.metadata == METADATA
    assert (after.catalog.dimension, after.content.dimension) == (None, DIMENSION)


def test_publishing_makes_a_missing_database_and_reading_does_not(
    chroma_server: ChromaServer, chroma_database: ServerAddress, connect: Callable[..., ServerConnection]
) -> None:
    address = replace(chroma_database, database=f"{chroma_database.database}-new")
    connection = connect(address)
    for _ in range(2):
        refused = failure(connection.facts)
        assert (refused.message.id, refused.state) == ("server.no_database", ServerState.REFUSED)
    connection.create(METADATA)
    assert connection.facts().content is not None
