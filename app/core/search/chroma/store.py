"""Chroma, persisted in the data directory: two collections, derived from the library file.

Runs in the process that :mod:`app.core.search.chroma.vector_store` starts. Everything in it can be rebuilt
from SQLite without reading a file or running the model, so a possibly damaged directory is deleted, not
repaired. The only importer of chromadb.
"""

from __future__ import annotations

import json
import logging
import shutil
import zlib
from typing import TYPE_CHECKING, Any

from filelock import FileLock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.courses import Course
    from app.domain.search import ChunkRecord

_log = logging.getLogger(__name__)

CATALOG = "course_catalog"
CONTENT = "course_content"
_COSINE = {"hnsw:space": "cosine"}
_BATCH = 2000  # records in one call; Chroma accepts up to 5,461
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
        self._catalog: Any = None
        self._content: Any = None
        self._damaged = False
        self.is_new = False

    def open(self, mark: str | None = None) -> None:
        """Open the collections, creating what is missing.

        Args:
            mark: as last given to :meth:`close`; None if unknown.

        Raises:
            OSError: the directory cannot be written, or another process holds it.
        """
        self._acquire()
        try:
            self._open(mark)
        except BaseException:
            self._lock.release(force=True)
            raise

    def _open(self, mark: str | None) -> None:
        self.is_new = not (self._directory / "chroma.sqlite3").exists()
        if not self.is_new and not self._is_sealed(mark):
            _log.warning("The search index was not closed in order, or is another library's; rebuilding it.")
            self.destroy()
        try:
            self._connect()
        except Exception as error:  # whatever a damaged index raises
            _log.warning("The search index cannot be opened; rebuilding it: %s", error)
            self.destroy()
            self._forget_failed_client()
            self._connect()

    def close(self, mark: str | None = None) -> None:
        """Flush, release and seal the files. Idempotent.

        Args:
            mark: also stored in the library; without one the next :meth:`open` starts afresh.
        """
        if self._client is None:
            self._lock.release(force=True)
            return
        self._client.close()
        self._client = self._catalog = self._content = None
        if mark is not None and not self._damaged and self._is_in_proportion():
            self._put_seal(mark)
        else:
            self._break_seal()
        self._lock.release(force=True)

    def destroy(self) -> None:
        """Delete everything; the next :meth:`open` starts empty."""
        was_held = self._lock.is_locked
        self._acquire()
        if self._client is not None:
            self._client.close()
        self._client = self._catalog = self._content = None
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
        """Whether the collections can be used."""
        return self._client is not None and not self._damaged

    def count(self) -> int:
        return int(self._content.count())

    def passages(self) -> list[tuple[str, int]]:
        """Return each passage's id and the library's key."""
        found = self._content.get(include=["metadatas"])
        keys = [int(item["key"]) for item in found["metadatas"]]
        return list(zip(found["ids"], keys, strict=True))

    def course_titles(self) -> list[str]:
        return list(self._catalog.get(include=[])["ids"])

    def add_course_content(self, records: Sequence[ChunkRecord]) -> None:
        """Add passages; one with a known id is replaced."""
        self._break_seal()
        for start in range(0, len(records), _BATCH):
            batch = records[start : start + _BATCH]
            self._content.upsert(
                ids=[record.record_id for record in batch],
                embeddings=[record.embedding for record in batch],
                documents=[record.text for record in batch],
                metadatas=[_metadata(record) for record in batch],
            )

    def remove_content(self, record_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""
        self._remove(self._content, record_ids)

    def add_course_metadata(self, courses: Sequence[tuple[Course, NDArray[np.float32]]]) -> None:
        """Add or replace courses, each with its title's vector."""
        self._break_seal()
        for start in range(0, len(courses), _BATCH):
            batch = courses[start : start + _BATCH]
            self._catalog.upsert(
                ids=[course.title for course, _ in batch],
                embeddings=[vector for _, vector in batch],
                documents=[course.title for course, _ in batch],
                metadatas=[_course_metadata(course) for course, _ in batch],
            )

    def remove_course_metadata(self, titles: Sequence[str]) -> None:
        """Remove courses; unknown titles are ignored."""
        self._remove(self._catalog, titles)

    def search(self, embedding: NDArray[np.float32], limit: int) -> list[int]:
        """Return the library's keys of the passages nearest to a vector, nearest first.

        Raises:
            IndexDamaged: Chroma cannot answer.
        """
        if self._client is None:
            raise IndexDamaged("the search index is not open")
        try:
            if self.count() == 0:
                return []
            found = self._content.query(query_embeddings=[embedding], n_results=limit, include=["metadatas"])
        except Exception as error:
            # Chroma raises whatever its engine raises, and none of it may fail the search.
            self._damaged = True
            self._break_seal()
            _log.warning("The search index is damaged and will be rebuilt: %s", error)
            raise IndexDamaged from error
        return [int(item["key"]) for item in found["metadatas"][0]]

    def _acquire(self) -> None:
        if not self._lock.is_locked:
            self._directory.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire(timeout=_WAIT)

    def _remove(self, collection: Any, ids: Sequence[str]) -> None:  # noqa: ANN401 - chromadb's own type
        self._break_seal()
        for start in range(0, len(ids), _BATCH):
            collection.delete(ids=list(ids[start : start + _BATCH]))

    def _break_seal(self) -> None:
        self._seal.unlink(missing_ok=True)

    def _put_seal(self, mark: str) -> None:
        seal = {"mark": mark, "files": self._checksums()}
        try:
            self._seal.write_text(json.dumps(seal), encoding="utf-8")
        except OSError as error:  # a full disk
            _log.warning("The search index cannot be sealed and will be rebuilt: %s", error)
            self._break_seal()

    def _is_sealed(self, mark: str | None) -> bool:
        try:
            seal = json.loads(self._seal.read_text(encoding="utf-8"))
            if mark is None or seal["mark"] != mark:
                return False
            sizes = {name: size for name, (size, _) in seal["files"].items()}
            # Sizes first: a file that has grown without bound would take minutes to read.
            return sizes == self._sizes() and bool(seal["files"] == self._checksums())
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return False

    def _is_in_proportion(self) -> bool:
        """Whether the links between points take no more space than the points, as in a sound index."""
        sizes = self._sizes()
        return all(
            size <= sizes.get(name.replace(_LINKS, _POINTS), 0) + _SLACK
            for name, size in sizes.items()
            if name.endswith(_LINKS)
        )

    def _sizes(self) -> dict[str, int]:
        return {name: path.stat().st_size for name, path in self._files()}

    def _checksums(self) -> dict[str, list[int]]:
        """Return size and CRC-32 of each file of the index; Chroma's SQLite file checks itself."""
        return {name: [path.stat().st_size, _crc32(path)] for name, path in self._files()}

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in sorted(self._directory.glob("*/*")):
            if path.is_file():
                yield path.relative_to(self._directory).as_posix(), path

    def _forget_failed_client(self) -> None:
        """Drop the cached client of a directory that chromadb could not open."""
        # As late as chromadb itself.
        from chromadb.api.shared_system_client import SharedSystemClient

        SharedSystemClient.clear_system_cache()

    def _connect(self) -> None:
        # Takes half a second: only when the index is first needed, never at start-up.
        import chromadb
        from chromadb.config import Settings as ChromaSettings

        self._directory.mkdir(parents=True, exist_ok=True)
        self._client = chromadb.PersistentClient(
            path=str(self._directory), settings=ChromaSettings(anonymized_telemetry=False)
        )
        # No embedding function: vectors come with every call, and Chroma's default would fetch a model.
        self._catalog = self._client.get_or_create_collection(
            CATALOG, metadata=_COSINE, embedding_function=None
        )
        self._content = self._client.get_or_create_collection(
            CONTENT, metadata=_COSINE, embedding_function=None
        )


def _course_metadata(course: Course) -> dict[str, str | int]:
    lessons = [
        {"lesson_number": item.number, "lesson_title": item.title, "lesson_link": item.link}
        for item in course.lessons
    ]
    return {
        "title": course.title,
        "instructor": course.instructor or "",
        "course_link": course.link or "",
        "lessons_json": json.dumps(lessons, ensure_ascii=False),
        "lesson_count": len(lessons),
    }


def _metadata(record: ChunkRecord) -> dict[str, str | int]:
    metadata: dict[str, str | int] = {
        "course_title": record.course_title,
        "chunk_index": record.chunk_index,
        "key": record.key,
    }
    if record.lesson_number is not None:
        metadata["lesson_number"] = record.lesson_number
    return metadata


def _crc32(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            value = zlib.crc32(block, value)
    return value
