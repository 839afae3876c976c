"""Chroma in a process of its own.

While Chroma stores passages it lets no other thread of its process have the interpreter, for about a
millisecond each and some seconds in a row (docs/performance.md): the window would not answer. Nor does
a crash of its engine end the program.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from app.core.search.chroma.store import ChromaStore, IndexDamaged

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.connection import Connection
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.core.search.chroma.store import ChunkRecord
    from app.domain.courses import Course

_AT_ONCE = 500  # records in one message: packing them keeps the interpreter for some milliseconds

_log = logging.getLogger(__name__)


class VectorStore:
    """A :class:`~app.core.search.chroma.store.ChromaStore` in another process, with the same methods.

    Thread-safe. Where a method of that would raise something of Chroma's, or the process has died,
    these raise ``IndexDamaged``.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._guard = threading.Lock()
        self._process: _IndexProcess | None = None
        self._is_open = False
        self.is_new = False

    @property
    def is_open(self) -> bool:
        """Whether the collections can be used."""
        return self._is_open

    def open(self, mark: str | None = None) -> None:
        """Start the process where there is none, and open the collections there.

        An index whose process dies of opening it is thrown away.
        """
        try:
            self._open(mark)
        except _ProcessDied:
            ChromaStore(self._directory).destroy()
            try:
                self._open(None)
            except _ProcessDied as error:
                raise IndexDamaged(str(error)) from error

    def close(self, mark: str | None = None) -> None:
        """Close and seal; see :meth:`ChromaStore.close`. Idempotent."""
        with self._guard:
            process, self._process = self._process, None
            self._is_open = False
        if process is None:
            return
        try:
            process.ask(_Request("close", (mark,)))
        except _ProcessDied as error:
            _log.warning("The search index was not closed in order: %s", error)
        else:
            _keep_for_later(process)

    def destroy(self) -> None:
        """Delete everything; the next :meth:`open` starts empty."""
        with self._guard:
            if self._process is not None:
                try:
                    self._ask(_Request("destroy", ()))
                except _ProcessDied as error:
                    _log.warning("The search index is thrown away: %s", error)
                else:
                    return
            ChromaStore(self._directory).destroy()

    def count(self) -> int:
        """Return the number of passages."""
        return int(self._do("count"))

    def passages(self) -> list[tuple[str, int]]:
        """Return of each passage its id and the library's number of it."""
        found: list[tuple[str, int]] = self._do("passages")
        return found

    def course_titles(self) -> list[str]:
        """Return the ids of the catalogue's records."""
        found: list[str] = self._do("course_titles")
        return found

    def add_course_content(self, records: Sequence[ChunkRecord]) -> None:
        """Add passages; a known id is overwritten, so adding twice does no harm."""
        for start in range(0, len(records), _AT_ONCE):
            self._do("add_course_content", records[start : start + _AT_ONCE])

    def remove_content(self, record_ids: Sequence[str]) -> None:
        """Remove passages; unknown ids are ignored."""
        self._do("remove_content", record_ids)

    def add_course_metadata(self, courses: Sequence[tuple[Course, NDArray[np.float32]]]) -> None:
        """Put courses, each with its title's vector, into the catalogue, in place of what stands there."""
        self._do("add_course_metadata", courses)

    def remove_course_metadata(self, titles: Sequence[str]) -> None:
        """Take courses out of the catalogue; unknown titles are ignored."""
        self._do("remove_course_metadata", titles)

    def search(self, embedding: NDArray[np.float32], limit: int) -> list[int]:
        """Return the library's numbers of the passages nearest to a vector, nearest first."""
        found: list[int] = self._do("search", embedding, limit)
        return found

    def _open(self, mark: str | None) -> None:
        with self._guard:
            self._process = self._process or _new_or_kept_process()
            self._ask(_Request("open", (mark,), self._directory))

    def _do(self, method: str, *args: Any) -> Any:  # noqa: ANN401 - of any method
        with self._guard:
            try:
                return self._ask(_Request(method, args))
            except _ProcessDied as error:
                raise IndexDamaged(str(error)) from error

    def _ask(self, request: _Request) -> Any:  # noqa: ANN401 - of any method
        if self._process is None:
            raise _ProcessDied("the search index is not open")
        try:
            reply = self._process.ask(request)
        except BaseException:
            self._process = None
            self._is_open = False
            raise
        self._is_open, self.is_new = reply.is_open, reply.is_new
        if isinstance(reply.result, Exception):
            raise reply.result
        return reply.result


class _Request(NamedTuple):
    """A method of :class:`ChromaStore` to call; with a directory, of a new one for that."""

    method: str
    args: tuple[Any, ...]
    directory: Path | None = None


class _Reply(NamedTuple):
    """What the method returned or raised, and what it wanted logged."""

    result: Any
    is_open: bool
    is_new: bool
    messages: list[tuple[int, str]]


class _ProcessDied(Exception):  # internal: says it ended without an answer
    pass


class _IndexProcess:
    """The other process, as seen from here."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), name="lectern-index", daemon=True)
        try:
            self._process.start()
        finally:
            theirs.close()

    def ask(self, request: _Request) -> _Reply:
        """Have a method called there.

        Raises:
            _ProcessDied: it ended before it answered.
        """
        try:
            self._connection.send(request)
            reply: _Reply = self._connection.recv()
        except (EOFError, OSError) as error:
            self.end()
            raise _ProcessDied(f"its process ended ({self._process.exitcode})") from error
        except BaseException:  # Ctrl+C: its answer must not be taken for that to another question
            self._process.terminate()
            self.end()
            raise
        for level, message in reply.messages:
            _log.log(level, "%s", message)
        return reply

    def end(self) -> None:
        """End it; it does so by itself when nobody can ask it any more."""
        self._connection.close()
        self._process.join()


_kept: list[_IndexProcess] = []
_kept_guard = threading.Lock()


def _new_or_kept_process() -> _IndexProcess:
    with _kept_guard:
        return _kept.pop() if _kept else _IndexProcess()


def _keep_for_later(process: _IndexProcess) -> None:
    """Keep one process, with Chroma imported, for the next index that is opened."""
    with _kept_guard:
        if not _kept:
            _kept.append(process)
            return
    process.end()


# In the other process


def serve(connection: Connection) -> None:
    """Call methods of a :class:`ChromaStore` until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to deal with
    messages = _Messages()
    logging.getLogger("app").addHandler(messages)
    logging.getLogger("app").setLevel(logging.INFO)
    logging.getLogger("app").propagate = False
    store: ChromaStore | None = None
    while True:
        try:
            request: _Request = connection.recv()
        except (EOFError, OSError):
            return
        if request.directory is not None:
            store = store or ChromaStore(request.directory)
        assert store is not None, "nothing is asked before it is opened"
        try:
            result = getattr(store, request.method)(*request.args)
        except Exception as error:  # the border of a process, and Chroma raises what its engine raises
            logging.getLogger("app").info("Chroma failed:", exc_info=True)
            result = _plain(error)
        if request.method == "close":
            store = None
        state = (False, False) if store is None else (store.is_open, store.is_new)
        try:
            connection.send(_Reply(result, *state, messages.taken()))
        except OSError:
            return


def _plain(error: Exception) -> Exception:
    """Return an error that can be understood where Chroma is not imported."""
    return OSError(str(error)) if isinstance(error, OSError) else IndexDamaged(str(error) or repr(error))


class _Messages(logging.Handler):
    """Keeps what is logged, for the parent's log."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._kept.append((record.levelno, self.format(record)))

    def taken(self) -> list[tuple[int, str]]:
        taken, self._kept = self._kept, []
        return taken
