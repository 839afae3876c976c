"""The connection to a database of a Chroma server.

chromadb's client runs in a child process (:mod:`app.features.shared.server_process`), so that a request that
hangs, or an answer that never ends, can be stopped at any moment. Every failure becomes a
:class:`SharedError` with a sentence that names the server, and never the token.
"""

from __future__ import annotations

import base64
import json
import random
import ssl
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.config.redaction import hide
from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.shared import ServerState
from app.features.shared.failures import Failure, RequestTooLarge
from app.features.shared.record import BATCH, CATALOG, CONTENT, Found, Record, Value
from app.features.shared.server_process import ServerProcess
from app.features.shared.waiting import Closed, TooLate, Turns, Watch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from app.domain.cancel import CancelToken
    from app.domain.shared import ServerAddress

_TRIES = 3
FIRST_PAUSE = 0.4  # seconds before the second try at most; twice as many before the third
_START = 60.0  # seconds for the child to import chromadb, of which it needs one
_LIMIT = 120.0  # seconds after which a child ends, whatever it was told
_MOST_RECORDS = 1_000_000  # that are read at once

# At most one child that has imported chromadb, for the next connection.
_kept: list[ChildProcess] = []
_kept_guard = threading.Lock()


class Patience(NamedTuple):
    """How long a server may take, in seconds."""

    silence: float  # in each step of a request
    whole: float  # for the request, tries and pauses included


READING, WRITING = Patience(5.0, 8.0), Patience(30.0, 60.0)


class CollectionFacts(NamedTuple):
    """What a server says of a collection: anybody may have made it."""

    metadata: dict[str, Value]
    dimension: int | None  # of its vectors; None before the first


class ServerFacts(NamedTuple):
    """What a server says of itself and of the two collections of a library, None where there is none."""

    version: str
    catalog: CollectionFacts | None
    content: CollectionFacts | None


class ServerConnection:
    """Reads and writes the records of one database of a Chroma server. Thread-safe, one request at a time.

    Connects with the first request. A read fails after eight seconds at the latest, a batch that is written
    after a minute; starting the child takes a second more. All methods raise SharedError, and Cancelled
    within a fifth of a second after their token was cancelled.
    """

    def __init__(self, address: ServerAddress, token: str = "") -> None:
        self.address = address
        self._token = token.strip()
        hide(self._token)
        self._child: ChildProcess | None = None
        self._turns = Turns()
        self._closing = threading.Event()

    def __repr__(self) -> str:
        return f"<ServerConnection {self.address.url}>"

    def facts(self, *, cancel: CancelToken | None = None) -> ServerFacts:
        told = self._ask("facts", READING, cancel)
        catalog, content = (
            CollectionFacts(**told[name]) if told[name] is not None else None for name in (CATALOG, CONTENT)
        )
        return ServerFacts(told["version"], catalog, content)

    def create(self, metadata: Mapping[str, Value], *, cancel: CancelToken | None = None) -> None:
        """Make the database and both collections where they are missing.

        Refuses a database in which one of them is not ours, or has vectors of another length than the
        ``dimension`` of the metadata; nothing is made then.
        """
        self._ask("make_database", WRITING, cancel)
        for name in self._missing(metadata, cancel):
            self._ask("make_collection", WRITING, cancel, name=name, metadata=dict(metadata))
        self._missing(metadata, cancel)  # somebody else may have made one meanwhile

    def count(self, collection: str, *, cancel: CancelToken | None = None) -> int:
        return int(self._ask("count", READING, cancel, collection=collection))

    def get(
        self,
        collection: str,
        *,
        ids: Sequence[str] | None = None,
        where: Mapping[str, Any] | None = None,
        limit: int | None = None,
        offset: int = 0,
        documents: bool = False,
        metadatas: bool = False,
        embeddings: bool = False,
        cancel: CancelToken | None = None,
    ) -> list[Found]:
        """Return records in the server's order: those with these ids, or all up to a limit.

        Any number is asked for page by page; ``limit`` and ``offset`` do not count for ids.
        """
        wanted = {"documents": documents, "metadatas": metadatas, "embeddings": embeddings}
        filters = {"where": where, "include": [column for column, is_wanted in wanted.items() if is_wanted]}
        found: list[Found] = []
        if ids is not None:
            for begin in range(0, len(ids), BATCH):
                some = list(ids[begin : begin + BATCH])
                found += self._read("get", cancel, BATCH, collection=collection, ids=some, **filters)
            return found
        most = _MOST_RECORDS if limit is None else limit
        while (size := min(BATCH, most - len(found))) > 0:
            place = {"limit": size, "offset": offset + len(found)}
            page = self._read("get", cancel, size, collection=collection, **place, **filters)
            found += page
            if len(page) < size:
                return found
        if limit is None:
            raise Failure("too_much").error(self.address, has_token=bool(self._token))
        return found

    def query(
        self,
        collection: str,
        vector: NDArray[np.float32],
        limit: int,
        *,
        where: Mapping[str, Any] | None = None,
        words: Mapping[str, Any] | None = None,
        metadatas: bool = True,
        cancel: CancelToken | None = None,
    ) -> list[Found]:
        """Return the records nearest to a vector, the nearest first, with their documents.

        Args:
            collection: its name.
            vector: of shape (dimension,).
            limit: up to :data:`~app.features.shared.record.BATCH`.
            where: what their metadata must be, as Chroma filters it.
            words: what their documents must contain, as Chroma filters it: ``{"$contains": "word"}``.
            metadatas: with their metadata too.
            cancel: stops the request.
        """
        numbers, limit = [float(number) for number in vector], min(limit, BATCH)
        columns = ["documents", "distances", *(["metadatas"] if metadatas else [])]
        filters = {"where": where, "where_document": words, "include": columns}
        return self._read(
            "query", cancel, limit, collection=collection, vector=numbers, limit=limit, **filters
        )

    def put(self, collection: str, records: Sequence[Record], *, cancel: CancelToken | None = None) -> None:
        """Write records, in the place of those with the same ids; may be repeated."""
        for begin in range(0, len(records), BATCH):
            self._put(collection, records[begin : begin + BATCH], cancel)

    def delete(self, collection: str, ids: Sequence[str], *, cancel: CancelToken | None = None) -> None:
        """Delete records; unknown ids are ignored."""
        for begin in range(0, len(ids), BATCH):
            some = list(ids[begin : begin + BATCH])
            self._ask("delete", WRITING, cancel, collection=collection, ids=some)

    def close(self) -> None:
        """End the connection; a request that is under way fails. Idempotent."""
        self._closing.set()
        with self._turns.mine(lambda: None):
            child, self._child = self._child, None
        if child is not None:
            _keep_or_close(child)

    def _put(self, collection: str, records: Sequence[Record], cancel: CancelToken | None) -> None:
        vectors = np.array([record.vector for record in records], dtype="<f4")
        columns = {
            "ids": [record.id for record in records],
            "vectors": base64.b64encode(vectors.tobytes()).decode(),
            "documents": [record.document or "" for record in records],
            "metadatas": [dict(record.metadata) for record in records],
        }
        try:
            self._ask("put", WRITING, cancel, collection=collection, **columns)
            return
        except RequestTooLarge:  # of a server that stands before Chroma
            if len(records) == 1:
                raise
        half = len(records) // 2
        self._put(collection, records[:half], cancel)
        self._put(collection, records[half:], cancel)

    def _missing(self, metadata: Mapping[str, Value], cancel: CancelToken | None) -> list[str]:
        """Return which collections are not there; raise SharedError if one that is there is not ours."""
        facts = self.facts(cancel=cancel)
        missing = []
        about = {"server": self.address.host, "database": self.address.database}
        for name, found in ((CATALOG, facts.catalog), (CONTENT, facts.content)):
            if found is None:
                missing.append(name)
            elif found.metadata.get("lectern") != metadata["lectern"]:
                message = Message("server.not_ours", collection=name, **about)
                raise SharedError(message, ServerState.REFUSED)
            else:
                theirs, ours = found.dimension or found.metadata.get("dimension"), metadata["dimension"]
                if theirs != ours:
                    message = Message("server.other_dimension", theirs=theirs, ours=ours, **about)
                    raise SharedError(message, ServerState.REFUSED)
        return missing

    def _read(self, what: str, cancel: CancelToken | None, most: int, **arguments: object) -> list[Found]:
        columns = self._ask(what, READING, cancel, **arguments)
        ids = columns["ids"][:most]
        nothing = [None] * len(ids)
        vectors = [np.frombuffer(base64.b64decode(text), "<f4") for text in columns.get("vectors", ())]
        return [
            Found(*values)
            for values in zip(
                ids,
                columns.get("documents", nothing),
                columns.get("metadatas", nothing),
                columns.get("distances", nothing),
                vectors or nothing,
                strict=False,
            )
        ]

    def _ask(self, what: str, patience: Patience, cancel: CancelToken | None, **arguments: object) -> Any:  # noqa: ANN401 - JSON
        """Have the child do something, several times if need be; return its answer."""
        request = {"do": what, "seconds": patience.silence, "with": arguments}
        with self._my_turn(cancel, patience.whole):
            watch = self._watch(cancel, patience.whole)
            for attempt in range(_TRIES):
                reply = self._exchange(request, watch)
                if "failure" not in reply:
                    return reply["answer"]
                failure = Failure.read(reply["failure"])
                pause = max(failure.after, random.uniform(0.5, 1.0) * FIRST_PAUSE * 2**attempt)
                if not failure.passes or pause > watch.left:
                    break
                if attempt < _TRIES - 1:
                    watch.wait(pause)
        raise failure.error(self.address, has_token=bool(self._token))

    @contextmanager
    def _my_turn(self, cancel: CancelToken | None, seconds: float) -> Iterator[None]:
        """Wait for other threads and for the child; translate what may happen to it."""
        watch, kind = self._watch(cancel, seconds), ""
        try:
            with self._turns.mine(watch.check):
                watch.check()
                self._open(cancel)
                yield
        except Closed:
            kind = "closed"
        except (TooLate, ChildTimedOut):
            kind = "slow"
        except (ChildDied, ChildOverspent):
            kind = "ended"
        if kind:
            raise Failure(kind).error(self.address, has_token=bool(self._token))

    def _watch(self, cancel: CancelToken | None, seconds: float) -> Watch:
        return Watch(cancel, self._closing, seconds)

    def _open(self, cancel: CancelToken | None) -> None:
        """Start the child unless it is there, and tell it where to connect to."""
        if self._child is not None and self._child.is_alive:
            return
        self._check()
        with _kept_guard:
            kept = _kept.pop() if _kept else None
        self._child = kept or ChildProcess(ServerProcess(), "lectern-server", seconds=_LIMIT, network=True)
        address = self.address
        place = {"url": address.url, "tenant": address.tenant, "database": address.database}
        secret = {"ca_file": address.ca_file, "token": self._token}
        request = {"do": "open", "with": place | secret}
        reply = self._exchange(request, self._watch(cancel, _START))
        if "failure" in reply:
            self._child.kill()
            raise Failure("ended").error(address, has_token=bool(self._token))

    def _check(self) -> None:
        """Refuse a token and certificates that cannot be used."""
        message = None
        if not (self._token.isascii() and self._token.isprintable()) or " " in self._token:
            message = Message("server.unusable_token")
        if self.address.ca_file:
            try:
                ssl.create_default_context(cafile=self.address.ca_file)
            except (OSError, ssl.SSLError):
                message = Message("server.ca_unusable", file=self.address.ca_file)
        if message is not None:
            raise SharedError(message, ServerState.REFUSED)

    def _exchange(self, request: Mapping[str, object], watch: Watch) -> dict[str, Any]:
        assert self._child is not None
        reply: dict[str, Any] = json.loads(self._child.ask(json.dumps(request).encode(), watch))
        return reply


def _keep_or_close(child: ChildProcess) -> None:
    with _kept_guard:
        if child.is_alive and not _kept:
            _kept.append(child)
            return
    child.close()
