"""Reading files of unknown origin in a child process that can be killed.

The parsers of PDF, office documents and web pages are large, and partly not written in Python: a
crafted or damaged file may make one hang, crash or eat memory. In a child none of that reaches the
program. One child reads many files, since starting it takes longer than reading a small one; after a
crash, a kill or some hundred files a new one takes its place.
"""

from __future__ import annotations

import contextlib
import json
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.documents.document_reader import is_plain_text, read_document
from app.core.documents.text.display import shown_name
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import FileNotOpened, UnreadableFile

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from typing import Self

    from app.domain.cancel import CancelToken

SECONDS = 60.0
"""What reading one file may take."""

MEMORY = 2 * 2**30
"""Bytes of address space of the child, where the system can limit it."""

_POLL = 0.05  # seconds between two looks at the token
_FILES = 300  # after which a child is replaced, with whatever its libraries did not give back
_REPLY_LIMIT = 2**30 - 1
_DEPTH = 5000  # nested calls; pages have elements some hundred deep

_log = logging.getLogger(__name__)


class ReadingProcess:
    """Reads files, those of formats with a parser in a child process. For one thread at a time.

    Cheap to make: the child is started when the first such file comes.

    Args:
        seconds: what one file may take.
        memory: bytes of address space the child may have.
    """

    def __init__(self, *, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self._seconds = seconds
        self._memory = memory
        self._process: SpawnProcess | None = None
        self._connection: Connection | None = None
        self._files = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path, token: CancelToken) -> DocumentText:
        """Read a file as :func:`app.core.documents.document_reader.read_document` does.

        Raises:
            UnreadableFile: with a sentence, also where reading crashed or took too long.
            Cancelled: the token was cancelled; the child is killed.
        """
        token.check()
        if is_plain_text(path):
            return read_document(path)
        while True:
            fresh = self._start()
            try:
                return self._ask(path, token)
            except _ChildDiedError as error:
                self._kill()
                if fresh:
                    message = f"{shown_name(path)} makes the reader of its format crash, so it was left out."
                    raise UnreadableFile(message) from error
                # What it read before may be to blame: once more in a new one.

    def close(self) -> None:
        """End the child; a later read starts a new one."""
        if self._connection is not None:
            self._connection.close()  # the child ends when it sees this
            self._connection = None
        if self._process is not None:
            self._process.join(0.5)
        self._kill()

    def _start(self) -> bool:
        """Have a child that can be asked; return whether it is a new one."""
        if self._files >= _FILES or (self._process is not None and not self._process.is_alive()):
            self.close()
        if self._process is not None:
            return False
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, self._seconds, self._memory), name="lectern-reader", daemon=True
        )
        try:
            self._process.start()
        finally:
            theirs.close()
        self._files = 0
        return True

    def _ask(self, path: Path, token: CancelToken) -> DocumentText:
        if self._connection is None or self._process is None:
            raise _ChildDiedError
        self._files += 1
        try:
            self._connection.send_bytes(os.fsencode(path))
        except OSError as error:
            raise _ChildDiedError from error
        deadline = time.monotonic() + self._seconds
        while not wait([self._connection, self._process.sentinel], timeout=_POLL):
            if token.cancelled:
                self._kill()
                token.check()
            if time.monotonic() > deadline:
                self._kill()
                message = (
                    f"{shown_name(path)} took more than {self._seconds:.0f} seconds to read, "
                    "so reading it was stopped."
                )
                raise UnreadableFile(message)
        return _document_of(self._reply())

    def _reply(self) -> bytes:
        """Return the child's answer; a child that stops in the middle of one is killed."""
        if self._connection is None or self._process is None or not self._connection.poll():
            raise _ChildDiedError
        watch = threading.Timer(self._seconds, self._process.kill)
        watch.daemon = True
        watch.start()
        try:
            return self._connection.recv_bytes(_REPLY_LIMIT)
        except (EOFError, OSError) as error:
            raise _ChildDiedError from error
        finally:
            watch.cancel()

    def _kill(self) -> None:
        if self._process is not None:
            with contextlib.suppress(ValueError):
                self._process.kill()
                self._process.join(5)
                self._process.close()
            self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class _ChildDiedError(Exception):
    """The child ended without an answer."""


def _document_of(reply: bytes) -> DocumentText:
    """Return what a child found; only plain data is taken from it, since a file may have led it astray."""
    try:
        answer = json.loads(reply)
        if "error" in answer:
            if answer.get("detail"):
                _log.warning("Reading failed: %s\n%s", answer["error"], answer["detail"])
            kind = FileNotOpened if answer.get("not_opened") else UnreadableFile
            raise kind(str(answer["error"]))
        marks = tuple(AnchorMark(int(start), Anchor(kind, value)) for start, kind, value in answer["marks"])
        return DocumentText(str(answer["text"]), marks, str(answer["sha256"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _ChildDiedError from error


# In the child


def serve(connection: Connection, seconds: float, memory: int) -> None:
    """Read files until the other end is closed: a path comes in, a text or a sentence goes out.

    Args:
        connection: to the parent.
        seconds: what the parent waits for one file.
        memory: bytes of address space this process may have.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's to deal with
    sys.setrecursionlimit(_DEPTH)
    _limit_memory(memory)
    while True:
        try:
            path = Path(os.fsdecode(connection.recv_bytes()))
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        answer = _answer(path)
        try:
            connection.send_bytes(json.dumps(answer).encode("ascii"))
        except OSError:
            return
        except MemoryError:
            connection.send_bytes(json.dumps({"error": _too_much(path)}).encode("ascii"))


def _answer(path: Path) -> dict[str, object]:
    try:
        document = read_document(path)
    except UnreadableFile as error:
        return {"error": str(error), "not_opened": isinstance(error, FileNotOpened)}
    except MemoryError:
        return {"error": _too_much(path)}
    except RecursionError:
        return {"error": f"{shown_name(path)} is nested deeper than any course document; it was not read."}
    except Exception:  # the border of a process: what a parser may raise has no limits
        message = f"{shown_name(path)} can not be read: the file is damaged."
        return {"error": message, "detail": traceback.format_exc()}
    marks = [(mark.start, mark.anchor.kind, mark.anchor.value) for mark in document.marks]
    return {"text": document.text, "marks": marks, "sha256": document.sha256}


def _too_much(path: Path) -> str:
    return f"{shown_name(path)} needs more memory than reading one file may take."


def _limit_memory(memory: int) -> None:
    try:
        import resource  # not on Windows
    except ImportError:
        return
    # macOS knows the limit and refuses to set it.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, resource.getrlimit(resource.RLIMIT_AS)[1]))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    """End this process by itself should its parent be gone while a file keeps it busy for ever."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = int(usage.ru_utime + usage.ru_stime + 2 * seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
