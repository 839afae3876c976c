"""Chroma in a process of its own.

While Chroma stores passages it holds the interpreter of its process for about a millisecond at a time
and seconds altogether (docs/performance.md), so the window would not respond. Nor does a crash of its
engine end the program.
"""

from __future__ import annotations

import logging
import os
import pickle
import threading
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, cast

from app.core.child_process import ChildDied, ChildProcess
from app.core.search.chroma.store import ChromaStore, IndexDamaged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.passages import IndexRecord

_BATCH = 500  # records in one request: pickling them holds the interpreter for milliseconds

P = ParamSpec("P")
T = TypeVar("T")

_log = logging.getLogger(__name__)

# At most one process that has imported Chroma, for the next index that is opened.
_kept: list[ChildProcess] = []
_kept_guard = threading.Lock()


class VectorStore:
    """A :class:`ChromaStore` in another process, with the same methods. Thread-safe.

    Whatever Chroma raises, and the death of the process, becomes ``IndexDamaged``.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._guard = threading.Lock()
        self._process: ChildProcess | None = None
        self.is_open = False
        self.is_new = False

    def open(self, mark: str | None = None) -> None:
        """Open the collections; an index whose process dies while opening it is deleted."""
        try:
            self._open(mark)
        except ChildDied:
            ChromaStore(self._directory).destroy()
            try:
                self._open(None)
            except ChildDied as error:
                raise IndexDamaged(str(error)) from error

    def close(self, mark: str | None = None) -> None:
        """Close and seal; see :meth:`ChromaStore.close`. Idempotent."""
        with self._guard:
            process = self._process
            if process is None:
                return
            try:
                self._ask("close", mark)
            except ChildDied as error:
                _log.warning("The search index was not closed in order: %s", error)
            else:
                _keep_or_close(process)
            finally:
                self._process, self.is_open = None, False

    def destroy(self) -> None:
        with self._guard:
            if self._process is not None:
                try:
                    self._ask("destroy")
                except ChildDied as error:
                    _log.warning("Deleting the search index: %s", error)
                else:
                    return
            ChromaStore(self._directory).destroy()

    def count(self) -> int:
        return self._do(ChromaStore.count)

    def keys(self, collection: str) -> dict[str, int | None]:
        return self._do(ChromaStore.keys, collection)

    def put(self, collection: str, records: Sequence[IndexRecord]) -> None:
        for start in range(0, len(records), _BATCH):
            self._do(ChromaStore.put, collection, records[start : start + _BATCH])

    def remove(self, collection: str, ids: Sequence[str]) -> None:
        if ids:
            self._do(ChromaStore.remove, collection, ids)

    def search(self, embedding: NDArray[np.float32], limit: int) -> list[int]:
        return self._do(ChromaStore.search, embedding, limit)

    def _open(self, mark: str | None) -> None:
        with self._guard:
            if self._process is None or not self._process.is_alive:
                with _kept_guard:
                    kept = _kept.pop() if _kept else None
                self._process = kept or ChildProcess(_StoreServer(), "lectern-index")
            self._ask("open", mark, directory=self._directory)

    def _do(self, method: Callable[Concatenate[ChromaStore, P], T], *args: P.args, **_: P.kwargs) -> T:
        with self._guard:
            try:
                if self._process is None:
                    raise IndexDamaged("the search index is not open")
                return cast("T", self._ask(method.__name__, *args))
            except ChildDied as error:
                raise IndexDamaged(str(error)) from error

    def _ask(self, method: str, *args: Any, directory: Path | None = None) -> Any:  # noqa: ANN401 - of any method
        assert self._process is not None
        try:
            if directory is None and not self._process.is_alive:
                raise ChildDied("its process has ended")
            reply = self._process.ask(pickle.dumps((method, args, directory)))
        except BaseException:
            self._process = None
            self.is_open = False
            raise
        result, self.is_open, self.is_new = pickle.loads(reply)
        if isinstance(result, Exception):
            raise result
        return result


def _keep_or_close(process: ChildProcess) -> None:
    with _kept_guard:
        if not _kept:
            _kept.append(process)
            return
    process.close()


class _StoreServer:
    """Calls methods of a :class:`ChromaStore`, in the other process."""

    def __init__(self) -> None:
        self._store: ChromaStore | None = None

    def __call__(self, request: bytes, _note: Callable[[bytes], None]) -> bytes:
        method, args, directory = pickle.loads(request)
        if self._store is None:
            assert directory is not None, "the first request opens it"
            os.umask(0o077)  # Chroma's files hold what courses say
            self._store = ChromaStore(directory)
        try:
            result = getattr(self._store, method)(*args)
        except Exception as error:  # Chroma raises whatever its engine raises
            _log.info("Chroma failed:", exc_info=True)
            # An error that can be unpickled where Chroma is not imported.
            kind = OSError if isinstance(error, OSError) else IndexDamaged
            result = kind(str(error) or repr(error))
        state = self._store.is_open, self._store.is_new
        if method == "close":
            self._store, state = None, (False, False)
        return pickle.dumps((result, *state))
