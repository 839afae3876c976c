"""Chroma, in a child process: two collections, persisted in the data directory.

Its engine blocks the interpreter for seconds while it stores passages, and may crash; neither may happen to
the window. The only importer of chromadb beside the client of shared libraries.
"""

import logging
import os
import shutil
import sys
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from app.config.files import flush_file, flush_folder, private_directory
from app.core.sandbox import ChildFailed, Sandbox
from app.core.search.filters import Where
from app.core.storage.passages import IndexRecord

CATALOG = "course_catalog"
CONTENT = "course_content"

_AT_ONCE = 250  # records in one request: sending them holds the interpreter
_PATIENCE = 0.05  # seconds that a query waits for what else Chroma is asked
_WAIT = 20.0  # seconds for the process of another program to end
_NEIGHBOURS = 400  # that a query looks at

_log = logging.getLogger(__name__)

# At most one process that has imported Chroma, for the next index that is opened.
_kept: list[Sandbox] = []
_kept_guard = threading.Lock()


class IndexDamaged(Exception):  # internal: searches are exact without Chroma, which is built again
    """Chroma could not do what it was asked, or its process has ended."""


class ChromaProcess:
    """The child process, from the parent's side. Thread-safe.

    After ``IndexDamaged``, which every method may raise, it has to be opened again.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._process: Sandbox | None = None

    @property
    def is_open(self) -> bool:
        return self._process is not None

    def open(self, directory: Path, *, fresh: bool) -> bool:
        """Open the collections, or delete them first; return whether they are new."""
        with self._guard:
            try:
                return bool(self._open(directory, fresh=fresh))
            except ChildFailed as error:
                raise IndexDamaged(str(error)) from error

    def put(self, collection: str, records: Sequence[IndexRecord]) -> None:
        """Add records, replacing those with a known id."""
        for start in range(0, len(records), _AT_ONCE):
            ids, vectors, texts, metadata = zip(*records[start : start + _AT_ONCE], strict=True)
            try:
                stacked = np.array(vectors, np.float32)
            except ValueError as error:  # of two models
                raise IndexDamaged(str(error)) from error
            self._ask("put", collection, [*ids], [*texts], [*metadata], stacked)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Remove records; unknown ids are ignored."""
        if ids:
            self._ask("remove", collection, [*ids])

    def nearest(self, vector: NDArray[np.float32], limit: int, where: Where | None) -> list[str] | None:
        """Return the ids of the nearest passages that pass, in order; None while it is busy."""
        if not self._guard.acquire(timeout=_PATIENCE):
            return None
        try:
            found: list[str] = self._answer("nearest", limit, where, vector)
            return found
        finally:
            self._guard.release()

    def count(self) -> int:
        return int(self._ask("count"))

    def ids(self, collection: str) -> set[str]:
        return {*self._ask("ids", collection)}

    def close(self) -> None:
        """Flush everything to the disk, and close. Idempotent."""
        with self._guard:
            if self._process is None:
                return
            self._answer("close")
            process, self._process = self._process, None
        with _kept_guard:
            if not _kept:
                _kept.append(process)
                return
        process.close()

    def give_up(self) -> None:
        with self._guard:
            if self._process is not None:
                self._process.kill()
                self._process = None

    def _open(self, directory: Path, *, fresh: bool) -> object:
        if self._process is None:
            with _kept_guard:
                self._process = _kept.pop() if _kept else Sandbox("index", memory=None)
        return self._send("open", str(directory), fresh)

    def _ask(self, *request: Any) -> Any:  # noqa: ANN401 - JSON
        with self._guard:
            return self._answer(*request)

    def _answer(self, *request: Any) -> Any:  # noqa: ANN401
        if self._process is None or not self._process.is_alive:
            self._process = None
            raise IndexDamaged("the search index is not open")
        try:
            return self._send(*request)
        except ChildFailed as error:
            raise IndexDamaged(str(error)) from error

    def _send(self, *request: Any) -> Any:  # noqa: ANN401
        assert self._process is not None
        process, self._process = self._process, None
        result, problem = process.call(list, serve, *request)
        if problem:
            process.close()
            raise IndexDamaged(problem)
        self._process = process
        return result


def serve(name: str, *arguments: object) -> tuple[object, str]:
    """Do something with the collections, in the child; return the result and what went wrong."""
    try:
        return getattr(_server(), name)(*arguments), ""
    except Exception as error:  # Chroma raises whatever its engine raises
        _log.info("Chroma failed:", exc_info=True)
        return None, str(error) or repr(error)


@lru_cache(maxsize=1)
def _server() -> "_Server":
    return _Server()


class _Server:
    def __init__(self) -> None:
        self._client: Any = None
        self._collections: dict[str, Any] = {}
        self._directory = Path()
        self._lock: FileLock | None = None

    def open(self, directory: str, fresh: bool) -> bool:
        os.umask(0o077)  # Chroma's files hold what courses say
        self._directory = Path(directory)
        if self._lock is None:
            private_directory(self._directory.parent)
            lock = FileLock(self._directory.with_name(f"{self._directory.name}.lock"), thread_local=False)
            lock.acquire(timeout=_WAIT)
            self._lock = lock
        if fresh:
            self._destroy()
        is_new = not (self._directory / "chroma.sqlite3").exists()
        self._connect()
        return is_new

    def _connect(self) -> None:
        # Takes half a second: only when the index is first needed, never at start-up.
        leave_out_exporter()
        import chromadb
        from chromadb.config import Settings as ChromaSettings

        private_directory(self._directory)
        self._client = chromadb.PersistentClient(
            path=str(self._directory), settings=ChromaSettings(anonymized_telemetry=False)
        )
        # No embedding function: vectors come with every call, and Chroma's default would fetch a model.
        self._collections = {
            name: self._client.get_or_create_collection(
                name,
                metadata={"hnsw:space": "cosine", "hnsw:search_ef": _NEIGHBOURS},
                embedding_function=None,
            )
            for name in (CATALOG, CONTENT)
        }
        # Reads the whole index into memory, so that the first question does not wait for it.
        self._collections[CONTENT].count()

    def _destroy(self) -> None:
        self._disconnect()
        if self._directory.is_dir() and not self._directory.is_symlink():
            shutil.rmtree(self._directory, ignore_errors=True)
        else:
            self._directory.unlink(missing_ok=True)

    def _disconnect(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client, self._collections = None, {}

    def put(
        self,
        collection: str,
        ids: list[str],
        texts: list[str],
        metadata: list[dict[str, str | int]],
        vectors: NDArray[np.float32],
    ) -> None:
        self._collections[collection].upsert(ids=ids, embeddings=vectors, documents=texts, metadatas=metadata)

    def remove(self, collection: str, ids: list[str]) -> None:
        self._collections[collection].delete(ids=ids)

    def nearest(self, limit: int, where: Where | None, vector: NDArray[np.float32]) -> list[str]:
        # Ids alone: the metadata of 200 passages would take four times as long as finding them.
        found = self._collections[CONTENT].query(
            query_embeddings=[vector], n_results=limit, where=where, include=[]
        )
        return list(found["ids"][0])

    def count(self) -> int:
        return int(self._collections[CONTENT].count())

    def ids(self, collection: str) -> list[str]:
        return list(self._collections[collection].get(include=[])["ids"])

    def close(self) -> None:
        self._disconnect()
        for path in (self._directory, *self._directory.rglob("*")):
            (flush_folder if path.is_dir() else flush_file)(path)
        if self._lock is not None:
            self._lock.release(force=True)
            self._lock = None


def leave_out_exporter() -> None:
    """Keep Chroma from importing its exporter of traces, which is never used and brings 18 MB of gRPC."""
    name = "opentelemetry.exporter.otlp.proto.grpc.trace_exporter"
    module = ModuleType(name)
    module.OTLPSpanExporter = None  # type: ignore[attr-defined]
    sys.modules.setdefault(name, module)
