"""Chroma, persisted in the data directory: two collections, derived from the library file.

Runs in the process that :mod:`app.core.search.chroma.vector_store` starts. Everything in it can be rebuilt
from SQLite without reading a file or running the model, so a possibly damaged directory is deleted, not
repaired. The only importer of chromadb.
"""

from __future__ import annotations

import json
import logging
import shutil
import sys
import zlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from app.config.files import private_directory

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.passages import IndexRecord

_log = logging.getLogger(__name__)

CATALOG = "course_catalog"
CONTENT = "course_content"
_BLOCK = 1 << 20  # bytes read at once for a checksum
_LINKS, _POINTS = "link_lists.bin", "data_level0.bin"
_SLACK = 1 << 20  # bytes by which links may exceed the points they connect
_WAIT = 20.0  # seconds for a process whose parent died to finish its last call


class IndexDamaged(Exception):  # internal: the caller searches without Chroma
    """Chroma could not answer; it is rebuilt when the library is next opened."""


class ChromaStore:
    """The collections ``course_catalog`` and ``course_content``, with cosine distance.

    A lock beside the directory admits one process at a time. An orderly :meth:`close` leaves a seal beside
    it, with the sizes and checksums of the index's files and the mark of its library; the first write
    breaks the seal. Without a seal that fits, the last run died or something else wrote to the files. Since
    an index killed while writing can grow without bound, or abort the process that opens it, :meth:`open`
    then deletes the files, and :attr:`is_new` asks for a rebuild.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._seal = directory.with_name(directory.name + ".seal")
        self._lock = FileLock(directory.with_name(directory.name + ".lock"), thread_local=False)
        self._client: Any = None
        self._collections: dict[str, Any] = {}
        self._damaged = False
        self.is_new = False

    def open(self, mark: str | None = None) -> None:
        """Open the collections if sealed with this mark, else create them.

        Raises OSError if the directory cannot be written, or another process holds it.
        """
        self._acquire()
        try:
            self.is_new = not (self._directory / "chroma.sqlite3").exists()
            if not self.is_new and not self.is_sealed(mark):
                _log.warning(
                    "The search index was not closed in order, or is another library's; rebuilding it."
                )
                self.destroy()
            try:
                self._connect()
            except Exception as error:  # whatever a damaged index raises
                _log.warning("The search index cannot be opened; rebuilding it: %s", error)
                self.destroy()
                # As late as chromadb itself, which keeps the client that could not be opened.
                from chromadb.api.shared_system_client import SharedSystemClient

                SharedSystemClient.clear_system_cache()
                self._connect()
        except BaseException:
            self._lock.release(force=True)
            raise

    def close(self, mark: str | None = None) -> None:
        """Flush, release and seal the files with a mark, without which they are rebuilt. Idempotent."""
        if self._client is not None:
            self._disconnect()
            self._seal.unlink(missing_ok=True)
            if mark is not None and not self._damaged and self._is_in_proportion():
                self._put_seal(mark)
        self._lock.release(force=True)

    def destroy(self) -> None:
        """Delete everything; the next :meth:`open` starts empty."""
        was_held = self._lock.is_locked
        self._acquire()
        if self._client is not None:
            self._disconnect()
        self._seal.unlink(missing_ok=True)
        if self._directory.is_dir() and not self._directory.is_symlink():
            shutil.rmtree(self._directory, ignore_errors=True)
        else:
            self._directory.unlink(missing_ok=True)
        self._damaged = False
        self.is_new = True
        if not was_held:
            self._lock.release()

    @property
    def is_open(self) -> bool:
        return self._client is not None and not self._damaged

    def is_sealed(self, mark: str | None) -> bool:
        """Whether the files are as the last orderly :meth:`close` with this mark left them."""
        try:
            seal = json.loads(self._seal.read_text(encoding="utf-8"))
            sizes = {name: size for name, (size, _) in seal["files"].items()}
            # Sizes first: a file that has grown without bound would take minutes to read.
            fits = seal["mark"] == mark and sizes == self._sizes()
            return bool(fits and seal["files"] == self._checksums())
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return False

    def count(self) -> int:
        """Return the number of passages."""
        return int(self._collections[CONTENT].count())

    def keys(self, collection: str) -> dict[str, int | None]:
        """Return the library's key of each record by id; courses have none."""
        found = self._collections[collection].get(include=["metadatas"])
        return {name: item.get("key") for name, item in zip(found["ids"], found["metadatas"], strict=True)}

    def put(self, collection: str, records: Sequence[IndexRecord]) -> None:
        """Add records, replacing those with a known id; Chroma takes up to 5,461 at once."""
        self._seal.unlink(missing_ok=True)
        ids, vectors, texts, metadata = (list(column) for column in zip(*records, strict=True))
        self._collections[collection].upsert(ids=ids, embeddings=vectors, documents=texts, metadatas=metadata)

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        """Remove at least one record; unknown ids are ignored."""
        self._seal.unlink(missing_ok=True)
        self._collections[collection].delete(ids=list(ids))

    def search(self, embedding: NDArray[np.float32], limit: int) -> list[int]:
        """Return the library's keys of the nearest passages in order, or raise IndexDamaged."""
        if self._client is None:
            raise IndexDamaged("the search index is not open")
        try:
            if self.count() == 0:
                return []
            found = self._collections[CONTENT].query(
                query_embeddings=[embedding], n_results=limit, include=["metadatas"]
            )
        except Exception as error:
            # Chroma raises whatever its engine raises, and none of it may fail the search.
            self._damaged = True
            self._seal.unlink(missing_ok=True)
            _log.warning("The search index is damaged and will be rebuilt: %s", error)
            raise IndexDamaged from error
        return [int(item["key"]) for item in found["metadatas"][0]]

    def _acquire(self) -> None:
        if not self._lock.is_locked:
            private_directory(self._directory.parent)
            self._lock.acquire(timeout=_WAIT)

    def _disconnect(self) -> None:
        self._client.close()
        self._client, self._collections = None, {}

    def _put_seal(self, mark: str) -> None:
        seal = {"mark": mark, "files": self._checksums()}
        try:
            self._seal.write_text(json.dumps(seal), encoding="utf-8")
        except OSError as error:  # a full disk
            _log.warning("The search index cannot be sealed and will be rebuilt: %s", error)
            self._seal.unlink(missing_ok=True)

    def _is_in_proportion(self) -> bool:
        """Whether the links between points take no more space than the points, as in a sound index."""
        sizes = self._sizes()
        return all(
            size <= sizes.get(name.replace(_LINKS, _POINTS), 0) + _SLACK
            for name, size in sizes.items()
            if name.endswith(_LINKS)
        )

    def _sizes(self) -> dict[str, int]:
        return {
            path.relative_to(self._directory).as_posix(): path.stat().st_size
            for path in sorted(self._directory.glob("*/*"))
            if path.is_file()
        }

    def _checksums(self) -> dict[str, list[int]]:
        """Return size and CRC-32 of each file of the index; Chroma's SQLite file checks itself."""
        return {name: [size, _crc32(self._directory / name)] for name, size in self._sizes().items()}

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
                name, metadata={"hnsw:space": "cosine"}, embedding_function=None
            )
            for name in (CATALOG, CONTENT)
        }


def leave_out_exporter() -> None:
    """Keep Chroma from importing its exporter of traces, which is never used and brings 18 MB of gRPC."""
    name = "opentelemetry.exporter.otlp.proto.grpc.trace_exporter"
    module = ModuleType(name)
    module.OTLPSpanExporter = None  # type: ignore[attr-defined]
    sys.modules.setdefault(name, module)


def _crc32(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            value = zlib.crc32(block, value)
    return value
