"""The connection to a database of a Chroma server, by version 2 of Chroma's REST interface.

Requests run in an event loop in a thread of its own, so that one that hangs, or an answer that never ends,
can be stopped at any moment. Every failure becomes a :class:`SharedError` with a sentence that names the
server, and never the token.
"""

import asyncio
import json
import logging
import random
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, wait
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from app.config.redaction import hide, redact
from app.domain.cancel import CancelToken
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.shared import ServerAddress, ServerState

CATALOG = "course_catalog"
CONTENT = "course_content"
BATCH = 300
"""Most records that a request writes or reads."""
LARGEST_ANSWER = 32 * 2**20
"""Bytes of an answer at most; 300 records as publishers write them have 5 MB."""
FIRST_PAUSE = 0.4  # seconds before the second try at most; twice as many before the third

_TRIES = 3
_LOOK = 0.05  # seconds between two looks at whether a request was cancelled
_MOST_RECORDS = 1_000_000  # that are read at once
_LONGEST_REASON = 200  # characters of what a server says of its errors
_OWN_COMPUTER = ("localhost", "127.0.0.1", "[::1]")  # never behind the network's proxy
_CONFLICT, _TOO_LARGE = 409, 413
_PASSING = (408, 425, 429)  # statuses after which the same request may succeed, besides those from 500 on
_MEANINGS = {403: "forbidden", 429: "busy", _TOO_LARGE: "too_large"}
_AWAY = ("away", "busy", "closed", "failing", "slow")  # kinds of failures after which it may work later
# Single servers use these, the distributed deployment its own index. Vectors come with the requests.
_INDEX = {
    "hnsw": {"space": "cosine", "ef_search": 200},
    "spann": None,
    "embedding_function": {"type": "legacy"},
}

_log = logging.getLogger(__name__)

Value = str | int | float | bool


class Record(NamedTuple):
    """A record to write; one with the same id is replaced."""

    id: str
    vector: NDArray[np.float32]  # (dimension,)
    document: str | None
    metadata: Mapping[str, Value]


class Found(NamedTuple):
    """A record as it was read, with the parts asked for. Its content is not checked."""

    id: str
    document: str | None = None
    metadata: Mapping[str, Value] | None = None
    distance: float | None = None  # cosine distance to the vector asked about
    vector: NDArray[np.float32] | None = None  # (dimension,)


class Patience(NamedTuple):
    """How long a server may take, in seconds."""

    silence: float  # in each step of a request
    whole: float  # for the request, tries and pauses included


READING, WRITING = Patience(5.0, 8.0), Patience(30.0, 60.0)


class RequestFailed(SharedError):
    """A request that got no usable answer."""

    status = 0  # of the answer, if there was one
    after = 0.0  # seconds after which the server wants to be asked again
    is_missing = False  # Chroma says that there is no such database or collection

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed in a moment."""
        return self.message.id == "server.away" or self.status in _PASSING or self.status >= 500


class ServerConnection:
    """Reads and writes the records of one database of a Chroma server. Thread-safe.

    Asks for its token and connects with the first request. Reading fails after at most eight seconds, writing
    a batch after a minute. All methods raise SharedError, and Cancelled soon after their token was cancelled.
    """

    def __init__(self, address: ServerAddress, token: str | Callable[[], str] = "") -> None:
        self.address = address
        self._ask_token = token if callable(token) else lambda: token
        self._token: str | None = None
        self._asking, self._guard = threading.Lock(), threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._is_closed = False
        self._client: Any = None  # of httpx2; used in the loop alone, as what follows
        self._ids: dict[str, str] = {}  # of collections, by their names

    def __repr__(self) -> str:
        return f"<ServerConnection {self.address.url}>"

    def metadatas(self, *, cancel: CancelToken | None = None) -> list[Mapping[str, Value] | None]:
        """Return the metadata of the two collections, which other programs may have made."""
        if self._ask("GET", self._database, may_lack=True, cancel=cancel) is None:
            raise self._failed("no_database")
        places = (f"{self._database}/collections/{name}" for name in (CATALOG, CONTENT))
        told = [self._ask("GET", place, may_lack=True, cancel=cancel) for place in places]
        if not all(one is None or isinstance(one, dict) for one in told):
            raise self._failed("not_chroma")
        return [None if one is None else _plain(one.get("metadata")) for one in told]

    def create(
        self,
        metadata: Mapping[str, Value],
        check: Callable[[Mapping[str, Value]], None] = lambda _: None,
        *,
        cancel: CancelToken | None = None,
    ) -> None:
        """Create the database and both collections if they are missing.

        ``check`` is called for those that are there, before anything is made, and for both at the end:
        somebody else may have made one meanwhile.
        """
        if self._ask("GET", self._database, may_lack=True, cancel=cancel) is None:
            tenant, _, name = self._database.rpartition("/")
            self._ask("POST", tenant, {"name": self.address.database}, WRITING, may_exist=True, cancel=cancel)
        there = self.metadatas(cancel=cancel)
        for found in there:
            if found is not None:
                check(found)
        for name, known in zip((CATALOG, CONTENT), there, strict=True):
            if known is None:
                made = {"name": name, "metadata": dict(metadata), "configuration": _INDEX}
                place = f"{self._database}/collections"
                self._ask("POST", place, made, WRITING, may_exist=True, cancel=cancel)
        for found in self.metadatas(cancel=cancel):
            check(found or {})

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

        Many records are requested page by page; ``limit`` and ``offset`` do not apply to ids.
        """
        wanted = {"documents": documents, "metadatas": metadatas, "embeddings": embeddings}
        asked: dict[str, Any] = {"include": [column for column, is_wanted in wanted.items() if is_wanted]}
        if where:
            asked["where"] = where
        found: list[Found] = []
        if ids is not None:
            for begin in range(0, len(ids), BATCH):
                some = {**asked, "ids": list(ids[begin : begin + BATCH])}
                found += self._read("/get", some, collection, BATCH, cancel)
            return found
        most = _MOST_RECORDS if limit is None else limit
        while (size := min(BATCH, most - len(found))) > 0:
            place = {"limit": size, "offset": offset + len(found)}
            page = self._read("/get", asked | place, collection, size, cancel)
            found += page
            if len(page) < size:
                return found
        if limit is None:
            raise self._failed("too_much")
        return found

    def query(
        self,
        collection: str,
        vector: NDArray[np.float32],
        limit: int,
        *,
        where: Mapping[str, Any] | None = None,
        cancel: CancelToken | None = None,
    ) -> list[Found]:
        """Return the texts of up to :data:`BATCH` records nearest to a vector, the nearest first.

        ``where`` is what their metadata must be, as Chroma filters it.
        """
        limit = min(limit, BATCH)
        asked: dict[str, Any] = {"query_embeddings": [vector.tolist()], "n_results": limit}
        asked["include"] = ["documents", "distances"]
        if where:
            asked["where"] = where
        return self._read("/query", asked, collection, limit, cancel)

    def put(self, collection: str, records: Sequence[Record], *, cancel: CancelToken | None = None) -> None:
        """Write records, in the place of those with the same ids; may be repeated."""
        for begin in range(0, len(records), BATCH):
            self._put(collection, records[begin : begin + BATCH], cancel)

    def delete(self, collection: str, ids: Sequence[str], *, cancel: CancelToken | None = None) -> None:
        """Delete records; unknown ids are ignored."""
        for begin in range(0, len(ids), BATCH):
            some = {"ids": list(ids[begin : begin + BATCH])}
            self._ask("POST", "/delete", some, WRITING, collection=collection, cancel=cancel)

    def close(self) -> None:
        """End the connection; a request that is under way fails. Idempotent."""
        with self._guard:
            self._is_closed = True
            thread, self._thread = self._thread, None
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._stop.set)
                self._loop = None
        if thread is not None:
            thread.join(_LOOK * 20)  # unless it is looking for an address, which ends by itself

    @property
    def _database(self) -> str:
        tenant, database = quote(self.address.tenant, safe=""), quote(self.address.database, safe="")
        return f"/tenants/{tenant}/databases/{database}"

    def _put(self, collection: str, records: Sequence[Record], cancel: CancelToken | None) -> None:
        vectors = np.array([record.vector for record in records], np.float32)
        columns = {
            "ids": [record.id for record in records],
            "embeddings": vectors.astype(str).astype(float).tolist(),  # with as few digits as tell them apart
            "documents": [record.document or "" for record in records],
            "metadatas": [dict(record.metadata) for record in records],
        }
        try:
            self._ask("POST", "/upsert", columns, WRITING, collection=collection, cancel=cancel)
            return
        except RequestFailed as failure:
            if failure.status != _TOO_LARGE or len(records) == 1:  # of a server that stands before Chroma
                raise
        half = len(records) // 2
        self._put(collection, records[:half], cancel)
        self._put(collection, records[half:], cancel)

    def _read(
        self, path: str, asked: Mapping[str, Any], collection: str, most: int, cancel: CancelToken | None
    ) -> list[Found]:
        answer = self._ask("POST", path, asked, collection=collection, cancel=cancel)
        try:
            return list(_found(answer, is_query=path == "/query"))[:most]
        except (TypeError, ValueError, KeyError, IndexError, OverflowError):  # this is no answer of Chroma
            raise self._failed("not_chroma") from None

    def _ask(
        self,
        method: str,
        path: str,
        body: object = None,
        patience: Patience | None = None,
        *,
        collection: str = "",
        may_lack: bool = False,
        may_exist: bool = False,
        cancel: CancelToken | None = None,
    ) -> Any:  # noqa: ANN401 - JSON
        """Send a request, repeatedly if necessary, and return its answer.

        ``path`` is below ``/api/v2``, or below a collection of this name. If it ``may_lack``, the answer is
        None where there is none; if it ``may_exist``, somebody else may have made it, or the first answer was
        lost.
        """
        if cancel is not None:
            cancel.check()
        sent = None if body is None else json.dumps(body).encode()
        with self._asking:  # a keychain may ask the user
            if self._token is None:
                self._token = self._ask_token().strip()
                hide(self._token)
        with self._guard:
            if self._is_closed:
                raise self._failed("closed")
            loop = self._running()
            work = self._tries(method, path, sent, patience or READING, collection)
            asked = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            while not asked.done():
                if cancel is not None:
                    cancel.check()
                wait((asked,), _LOOK)
            return asked.result()
        except CancelledError:
            raise self._failed("closed") from None
        except RequestFailed as failure:
            if may_lack and failure.is_missing:
                return None
            if may_exist and failure.status == _CONFLICT:
                return {}
            raise
        finally:
            asked.cancel()

    def _failed(self, name: str, **details: object) -> RequestFailed:
        """Return the error to show; ``name`` is the last part of its message's id."""
        address = self.address
        about = {"server": address.host, "tenant": address.tenant, "database": address.database}
        state = ServerState.AWAY if name in _AWAY else ServerState.REFUSED
        return RequestFailed(Message(f"server.{name}", **about, **details), state)

    def _running(self) -> asyncio.AbstractEventLoop:
        """Return the loop, whose thread is started with the first request."""
        if self._loop is None:
            ready = threading.Event()
            self._thread = threading.Thread(
                target=lambda: asyncio.run(self._main(ready)), name="class library", daemon=True
            )
            self._thread.start()
            ready.wait()
        assert self._loop is not None
        return self._loop

    async def _main(self, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        ready.set()
        await self._stop.wait()
        if self._client is not None:
            await self._client.aclose()

    async def _tries(
        self, method: str, path: str, body: bytes | None, patience: Patience, collection: str
    ) -> Any:  # noqa: ANN401 - JSON
        loop = asyncio.get_running_loop()
        until = loop.time() + patience.whole
        try:
            async with asyncio.timeout_at(until):
                for attempt in range(_TRIES):
                    was_known = collection in self._ids
                    try:
                        return await self._try(method, path, body, patience.silence, collection)
                    except RequestFailed as failed:
                        self._ids.clear()  # what the server has told of them may have made it fail
                        failure = failed
                    if failure.message.id == "server.no_library" and was_known:
                        continue  # it was deleted, and maybe made anew with another id
                    pause = max(failure.after, random.uniform(0.5, 1.0) * FIRST_PAUSE * 2**attempt)
                    if not failure.passes or attempt == _TRIES - 1 or loop.time() + pause > until:
                        break
                    await asyncio.sleep(pause)
        except TimeoutError:
            failure = self._failed("slow")
        _log.info("A request to the server failed: %s %s", failure.message.id, failure.status or "")
        raise failure from None

    async def _try(self, method: str, path: str, body: bytes | None, seconds: float, collection: str) -> Any:  # noqa: ANN401 - JSON
        if not collection:
            return await self._send(method, path, body, seconds)
        place = f"{self._database}/collections/"
        try:
            if collection not in self._ids:
                told = await self._send("GET", place + collection, None, seconds)
                self._ids[collection] = str(UUID(told["id"]))
            return await self._send(method, f"{place}{self._ids[collection]}{path}", body, seconds)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise self._failed("not_chroma") from None
        except RequestFailed as failure:
            raise (self._failed("no_library") if failure.is_missing else failure) from None

    async def _send(self, method: str, path: str, body: bytes | None, seconds: float) -> Any:  # noqa: ANN401
        """Send one request and return the answer as JSON; raises RequestFailed."""
        import httpx2  # only where somebody subscribes or publishes

        content = bytearray()
        try:
            client = self._client = self._client or self._connected()
            request = client.build_request(method, f"{self.address.url}/api/v2{path}", content=body)
            request.extensions["timeout"] = httpx2.Timeout(seconds).as_dict()
            answer = await client.send(request, stream=True)
            try:
                if answer.headers.get("Content-Encoding", "identity") != "identity":
                    raise self._failed("too_much")  # a few bytes could become gigabytes
                async for chunk in answer.aiter_raw():
                    content += chunk
                    if len(content) > LARGEST_ANSWER:
                        raise self._failed("too_much")
            finally:
                await answer.aclose()
        except (httpx2.TransportError, ssl.SSLError, OSError) as error:
            raise self._transport_failure(error) from None
        except (httpx2.InvalidURL, ValueError, ImportError) as error:  # of a proxy's address, for example
            raise self._failed("unexpected", reason=type(error).__name__) from None
        try:
            told = json.loads(content)
        except (ValueError, RecursionError):
            told = None
        if answer.is_success:
            if told is None:
                raise self._failed("not_chroma")
            return told
        raise self._refused(answer, told if isinstance(told, dict) else {})

    def _refused(self, answer: Any, told: dict[str, Any]) -> RequestFailed:  # noqa: ANN401 - of httpx2
        """Return the error for an unsuccessful answer; ``told`` is its content."""
        status, after = answer.status_code, answer.headers.get("Retry-After", "")
        said = " ".join(redact(str(told.get("message", ""))).split()) if "error" in told else ""
        if status == 401:
            name = "token_rejected" if self._token else "no_access"
        elif 300 <= status < 400:
            name = "redirects"
        else:
            passing = "failing" if status in _PASSING or status >= 500 else ""
            name = _MEANINGS.get(status) or passing or ("rejected" if said else "not_chroma")
        target = harmless(redact(_origin(answer.headers.get("Location", ""))))
        failure = self._failed(name, status=status, reason=harmless(said)[:_LONGEST_REASON], target=target)
        failure.status = status
        failure.after = float(after) if after.isascii() and after.isdecimal() else 0.0  # else a date
        failure.is_missing = status == 404 and told.get("error") == "NotFoundError"
        return failure

    def _transport_failure(self, error: BaseException) -> RequestFailed:
        import httpx2

        if isinstance(error, httpx2.TimeoutException):
            return self._failed("slow")
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                kind = "certificate" if isinstance(cause, ssl.SSLCertVerificationError) else "no_tls"
                why = getattr(cause, "verify_message", "") or str(cause.reason)
                return self._failed(kind, reason=harmless(redact(why))[:_LONGEST_REASON])
            cause = cause.__cause__ or cause.__context__
        return self._failed("away")

    def _connected(self) -> Any:  # noqa: ANN401 - httpx2's client
        import httpx2
        import truststore

        token = self._token or ""
        if not (token.isascii() and token.isprintable()) or " " in token:
            raise self._failed("unusable_token")
        headers = {"Accept-Encoding": "identity", "Content-Type": "application/json"}
        if token:
            headers |= {"Authorization": f"Bearer {token}", "x-chroma-token": token}
        if self.address.ca_file:
            try:
                trusted: ssl.SSLContext = ssl.create_default_context(cafile=self.address.ca_file)
            except (OSError, ssl.SSLError):
                raise self._failed("ca_unusable", file=self.address.ca_file) from None
        else:
            trusted = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        return httpx2.AsyncClient(
            headers=headers,
            verify=trusted,
            follow_redirects=False,  # the token would go along
            mounts={f"all://{host}": None for host in _OWN_COMPUTER},
        )


def _found(answer: Any, *, is_query: bool) -> Iterator[Found]:  # noqa: ANN401 - JSON
    """Yield the records of an answer; may raise any exception if it does not come from Chroma."""
    columns = [
        answer["ids"],
        *(answer.get(name) for name in ("documents", "metadatas", "distances", "embeddings")),
    ]
    ids, *others = [column and column[0] for column in columns] if is_query else columns
    filled = [[None] * len(ids) if column is None else column for column in others]
    for name, document, metadata, distance, vector in zip(ids, *filled, strict=True):
        if not isinstance(name, str):
            raise TypeError("an id is no text")
        yield Found(
            name,
            document if isinstance(document, str) else None,
            None if metadata is None else _plain(metadata),
            None if distance is None else float(distance),
            None if vector is None else np.array(vector, np.float32),
        )


def _plain(metadata: object) -> dict[str, Value]:
    items = metadata.items() if isinstance(metadata, dict) else ()
    return {key: value for key, value in items if isinstance(value, str | int | float)}


def _origin(target: str) -> str:
    """Return scheme and host of an address, without user name, path and query."""
    try:
        parts = urlsplit(target)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "?"
    return f"{parts.scheme}://{parts.hostname}{port}" if parts.hostname else "?"
