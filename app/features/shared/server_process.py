"""What speaks to a Chroma server, in a child process: chromadb's own client, and nothing beside it.

A child can be ended while a connection hangs, and what a server sends reaches the program only as JSON of
known types. The only importer of chromadb's client. See :mod:`app.features.shared.connection`.
"""

from __future__ import annotations

import base64
import json
import logging
import os
import ssl
from typing import TYPE_CHECKING, Any

import numpy as np

from app.core.search.chroma.store import leave_out_exporter
from app.features.shared.record import CATALOG, CONTENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONGEST_DOCUMENT, _LONGEST_VALUE = 2**16, 2**14  # characters; longer ones are not passed on
_CONFLICT = 409
_LONGEST_VERSION = 40  # characters
_MOST_KEYS = 64  # of the metadata of a record
_LONGEST_REASON = 10_000  # characters of what a server says of its errors, before it is cut where it is shown
# Of distances and neighbours: single servers use these, the distributed deployment its own index.
_INDEX = {"hnsw": {"space": "cosine", "ef_search": 200}}

_log = logging.getLogger(__name__)


class _Missing(Exception):
    """There is no such database or collection; the text is the kind of the failure."""


class ServerProcess:
    """Answers requests for one database of one server: JSON with the name of a method and its arguments."""

    def __init__(self) -> None:
        self._url = self._tenant = self._database = self._token = ""
        self._client: Any = None
        self._collections: dict[str, Any] = {}

    def __call__(self, request: bytes, _note: Callable[[bytes], None]) -> bytes:
        asked = json.loads(request)
        try:
            answer = {"answer": self._do(asked)}
        except Exception as error:  # whatever chromadb and its HTTP library raise; their texts stay here
            answer = {"failure": _failure(error, has_connected=self._client is not None)}
            self._collections.clear()  # what the server has told of one may be what made it fail
        return json.dumps(answer).encode()

    def _do(self, asked: dict[str, Any]) -> object:
        method = getattr(self, asked["do"])
        if asked["do"] == "open":
            return method(**asked["with"])
        from chromadb.errors import NotFoundError

        from app.features.shared.session import Session

        Session.seconds, Session.last = asked["seconds"], None
        try:
            return method(**asked["with"])
        except NotFoundError:
            if not self._collections:
                raise
            self._collections.clear()  # one that was deleted and made anew has another number
            return method(**asked["with"])

    def open(self, url: str, tenant: str, database: str, ca_file: str, token: str) -> None:
        """Import chromadb and remember where to connect to; connects to nothing."""
        for name in list(os.environ):
            if name.upper().startswith("CHROMA_"):  # would change settings
                del os.environ[name]
        leave_out_exporter()
        import httpx

        from app.features.shared.session import Session

        Session.ca_file = ca_file
        # chromadb takes no session, and sets its own no limits.
        httpx.Client = Session  # type: ignore[misc]
        import chromadb  # noqa: F401 - takes a second

        if self._client is not None:
            self._client.close()
        self._client, self._collections = None, {}
        self._url, self._tenant, self._database, self._token = url, tenant, database, token

    def facts(self) -> object:
        client = self._connected()
        return {
            "version": str(client.get_version())[:_LONGEST_VERSION],
            CATALOG: self._seen(CATALOG),
            CONTENT: self._seen(CONTENT),
        }

    def make_database(self) -> None:
        """Create the database unless it is there."""
        from chromadb import AdminClient
        from chromadb.errors import NotFoundError

        admin = AdminClient(self._settings())
        try:
            admin.get_database(self._database, self._tenant)
        except NotFoundError:
            admin.create_database(self._database, self._tenant)

    def make_collection(self, name: str, metadata: dict[str, str | int]) -> None:
        """Make a collection unless there is one."""
        from chromadb.errors import ChromaError

        from app.features.shared.session import Session

        client = self._connected()
        try:
            client.create_collection(name, metadata=metadata, configuration=_INDEX, embedding_function=None)
        except ChromaError:
            # Somebody else was quicker, or the answer to the first try was lost.
            if Session.last is None or Session.last.status_code != _CONFLICT:
                raise

    def count(self, collection: str) -> int:
        return int(self._collection(collection).count())

    def get(self, collection: str, include: list[str], **filters: Any) -> object:  # noqa: ANN401 - as JSON
        return _columns(self._collection(collection).get(**filters, include=include), lambda column: column)

    def query(
        self,
        collection: str,
        vector: list[float],
        limit: int,
        include: list[str],
        **filters: Any,  # noqa: ANN401
    ) -> object:
        found = self._collection(collection).query(
            query_embeddings=[vector],
            n_results=limit,
            include=include,
            **filters,
        )
        return _columns(found, lambda column: column[0])

    def put(
        self,
        collection: str,
        ids: list[str],
        vectors: str,
        documents: list[str],
        metadatas: list[dict[str, Any]],
    ) -> None:
        numbers = np.frombuffer(base64.b64decode(vectors), dtype="<f4").reshape(len(ids), -1)
        self._collection(collection).upsert(
            ids=ids, embeddings=numbers, documents=documents, metadatas=metadatas
        )

    def delete(self, collection: str, ids: list[str]) -> None:
        self._collection(collection).delete(ids=ids)

    def _settings(self) -> Any:  # noqa: ANN401 - chromadb's
        from chromadb.config import Settings

        return Settings(
            _env_file=None,  # type: ignore[call-arg] # none of the folder that Lectern was started in
            anonymized_telemetry=False,
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            chroma_server_host=self._url,  # with its port
            chroma_server_http_port=8000,  # not used, and asked for
            chroma_server_headers=self._headers(),
        )

    def _headers(self) -> dict[str, str]:
        if not self._token:
            return {}
        return {"Authorization": f"Bearer {self._token}", "x-chroma-token": self._token}

    def _connected(self) -> Any:  # noqa: ANN401 - chromadb's
        if self._client is None:
            from chromadb import HttpClient
            from chromadb.errors import NotFoundError

            try:
                self._client = HttpClient(
                    host=self._url,
                    headers=self._headers(),
                    settings=self._settings(),
                    tenant=self._tenant,
                    database=self._database,
                )
            except NotFoundError as error:
                raise _Missing("no_database") from error
        return self._client

    def _collection(self, name: str) -> Any:  # noqa: ANN401 - chromadb's
        found = self._collections.get(name)
        if found is None:
            from chromadb.errors import NotFoundError

            client = self._connected()
            try:
                # No embedding function: vectors come with requests, and Chroma's default would fetch a model.
                found = client.get_collection(name, embedding_function=None)
            except NotFoundError as error:
                raise _Missing("no_library") from error
            self._collections[name] = found
        return found

    def _seen(self, name: str) -> object:
        self._collections.pop(name, None)
        try:
            found = self._collection(name)
        except _Missing:
            if self._client is None:  # the database is
                raise
            return None
        dimension = found._model.dimension  # noqa: SLF001 - nothing else tells it
        return {
            "metadata": _plain(found.metadata),
            "dimension": dimension if isinstance(dimension, int) else None,
        }


def _columns(found: Any, of: Callable[[Any], Any]) -> dict[str, list[Any]]:  # noqa: ANN401 - chromadb's
    """Return what was found, column by column, with nothing that is longer than a publisher writes.

    Raises whatever it may, such as KeyError, if this is no answer of Chroma.
    """
    columns: dict[str, list[Any]] = {"ids": of(found["ids"])}
    if found["documents"] is not None:
        columns["documents"] = [_short(text) for text in of(found["documents"])]
    if found["metadatas"] is not None:
        columns["metadatas"] = [_plain(metadata) for metadata in of(found["metadatas"])]
    if found.get("distances") is not None:
        columns["distances"] = [float(distance) for distance in of(found["distances"])]
    if found["embeddings"] is not None:
        vectors = [np.asarray(vector, dtype="<f4") for vector in of(found["embeddings"])]
        columns["vectors"] = [base64.b64encode(vector.tobytes()).decode() for vector in vectors]
    if not all(isinstance(name, str) for name in columns["ids"]):
        raise ValueError("an id is no text")
    if {len(column) for column in columns.values()} != {len(columns["ids"])}:
        raise ValueError("the columns differ in length")
    return columns


def _short(text: object) -> str | None:
    return text if isinstance(text, str) and len(text) <= _LONGEST_DOCUMENT else None


def _plain(metadata: object) -> dict[str, str | int | float | bool]:
    items = metadata.items() if isinstance(metadata, dict) else ()
    kept = [(key, value) for key, value in items if isinstance(value, str | int | float)]
    return {
        key: value
        for key, value in kept[:_MOST_KEYS]
        if not (isinstance(value, str) and len(value) > _LONGEST_VALUE)
    }


def _failure(error: Exception, *, has_connected: bool) -> dict[str, object]:
    """Say what went wrong: its kind, the answer's status (0 without one), and what the server says of it."""
    import httpx
    from chromadb.errors import ChromaError

    from app.features.shared.session import Session, UnusableAnswer

    causes = list(_causes(error))
    failure: dict[str, object] = {"kind": "unexpected", "status": 0}
    answer = Session.last
    if isinstance(error, _Missing):
        failure["kind"] = str(error)
    elif wrong := next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None):
        is_untrusted = isinstance(wrong, ssl.SSLCertVerificationError)
        failure["kind"] = "certificate" if is_untrusted else "no_tls"
        failure["reason"] = getattr(wrong, "verify_message", "") or str(wrong.reason)
    elif any(isinstance(cause, httpx.TimeoutException) for cause in causes):
        failure["kind"] = "slow"
    elif any(isinstance(cause, httpx.TransportError) for cause in causes):
        failure["kind"] = "away"
    elif any(isinstance(cause, UnusableAnswer) for cause in causes):
        failure["kind"] = "too_much"
    elif answer is not None and not answer.is_success:
        failure |= {"kind": "status", "status": answer.status_code}
        failure["after"] = answer.headers.get("Retry-After", "")
        failure["target"] = answer.headers.get("Location", "")
        chroma = next((cause for cause in causes if isinstance(cause, ChromaError)), None)
        if chroma is not None:
            failure["reason"] = str(chroma)[:_LONGEST_REASON]
    elif answer is not None or has_connected:
        failure["kind"] = "not_chroma"
    else:  # a setting that the HTTP library does not understand, such as a proxy's address
        failure["reason"] = type(error).__name__
    _log.info("A request to the server failed: %s, %s", failure["kind"], type(error).__name__)
    return failure


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all that led to it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
