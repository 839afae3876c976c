"""Reads files of unknown origin in a child process that can be killed.

The parsers of PDF, office documents and web pages are large and partly not written in Python: a crafted or
damaged file may make one hang, crash or eat memory; so may a text made to slow down a search for patterns.
In a child none of that reaches the program. One child reads many files, since starting it takes longer than
reading a small one; after a crash, a kill or some hundred parsed files a new one takes its place.
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

from app.core.documents.document_reader import read_document
from app.core.documents.formats import format_of_name
from app.core.documents.text.display import shown_name
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess
    from typing import Self

    from app.domain.cancel import CancelToken

SECONDS = 60.0
"""What reading one file may take."""

MEMORY = 2 * 2**30
"""Bytes of address space of the child, where the system can limit it."""

_POLL = 0.05  # seconds between two checks of the token
_FILES = 300  # parsed files after which a child is replaced, with whatever the parsers did not give back
_REPLY_LIMIT = 128 * 2**20  # bytes; the text of the largest file fits in
_DEPTH = 5000  # nested calls; pages have elements some hundred deep

_log = logging.getLogger(__name__)


class ReadingProcess:
    """Reads files in a child process. For one thread at a time.

    Cheap to make: the child starts when the first file comes, or by :meth:`start`.

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

    def start(self) -> bool:
        """Start the child unless a good one runs; return whether it is new.

        Returns before the child is ready, which takes about a quarter of a second.
        """
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

    def read(self, path: Path, token: CancelToken) -> DocumentText:
        """Read a file as :func:`app.core.documents.document_reader.read_document` does.

        Raises:
            UnreadableFile: also where reading crashed or took too long.
            Cancelled: the token was cancelled; the child is killed.
        """
        token.check()
        while True:
            fresh = self.start()
            try:
                return self._ask(path, token)
            except _ChildDiedError as error:
                self._kill()
                if fresh:
                    raise UnreadableFile(
                        Message("documents.reader_crashed", name=shown_name(path))
                    ) from error
                # What it read before may be to blame: try once more in a new one.

    def close(self) -> None:
        """End the child; a later read starts a new one."""
        if self._connection is not None:
            self._connection.close()  # the child ends when it sees this
            self._connection = None
        if self._process is not None:
            self._process.join(0.5)
        self._kill()

    def _ask(self, path: Path, token: CancelToken) -> DocumentText:
        if self._connection is None or self._process is None:
            raise _ChildDiedError
        expected = format_of_name(path)
        self._files += expected is not None and not expected.is_plain
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
                raise UnreadableFile(
                    Message("documents.too_slow", name=shown_name(path), n=round(self._seconds))
                )
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
    """Return what a child found; only plain data is accepted, since a file may have led it astray."""
    try:
        answer = json.loads(reply)
        if "error" in answer:
            message = Message.from_json(answer["error"])
            if answer.get("detail"):
                _log.warning("Reading failed: %s\n%s", message, answer["detail"])
            raise (FileNotOpened if answer.get("not_opened") else UnreadableFile)(message)
        marks = tuple(AnchorMark(int(start), Anchor(kind, value)) for start, kind, value in answer["marks"])
        return DocumentText(str(answer["text"]), marks, str(answer["sha256"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _ChildDiedError from error


# In the child


def serve(connection: Connection, seconds: float, memory: int) -> None:
    """Read files until the parent closes its end: a path comes in, a text or a message goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl+C
    sys.setrecursionlimit(_DEPTH)
    _limit_memory(memory)
    while True:
        try:
            path = Path(os.fsdecode(connection.recv_bytes()))
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        try:
            connection.send_bytes(_reply(path))
        except OSError:
            return


def _reply(path: Path) -> bytes:
    """Return the answer for a file, or a message where that takes too much memory."""
    try:
        reply = _encoded(_answer(path))
        if len(reply) <= _REPLY_LIMIT:
            return reply
    except MemoryError:
        pass  # what was read is freed before the message is made
    return _encoded(_failed(Message("documents.too_much_memory", name=shown_name(path))))


def _encoded(answer: dict[str, object]) -> bytes:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _answer(path: Path) -> dict[str, object]:
    try:
        document = read_document(path)
    except UnreadableFile as error:
        return {**_failed(error.message), "not_opened": isinstance(error, FileNotOpened)}
    except MemoryError:
        raise
    except RecursionError:
        return _failed(Message("documents.nested_too_deep", name=shown_name(path)))
    except Exception:  # the border of a process: what a parser may raise has no limits
        failed = _failed(Message("documents.reader_failed", name=shown_name(path)))
        return {**failed, "detail": traceback.format_exc()}
    marks = [(mark.start, mark.anchor.kind, mark.anchor.value) for mark in document.marks]
    return {"text": document.text, "marks": marks, "sha256": document.sha256}


def _failed(message: Message) -> dict[str, object]:
    return {"error": message.to_json()}


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
    """Let this process end by itself should its parent be gone while a file keeps it busy for ever."""
    try:
        import resource  # not on Windows
    except ImportError:
        return
    usage = resource.getrusage(resource.RUSAGE_SELF)
    until = int(usage.ru_utime + usage.ru_stime + 2 * seconds) + 1
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))
