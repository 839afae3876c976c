"""Reads files of unknown origin in a child process that can be killed.

A crafted or damaged file may make a parser hang, crash or eat memory; in a child none of that reaches the
program. One child reads many files, since starting it takes longer than reading a small one; after a crash,
a kill or some hundred parsed files a new one takes its place.

The limit of time is one of processor time: on a busy machine a file takes longer, and is no worse for it.
"""

from __future__ import annotations

import json
import math
import os
import sys
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.child_process import ChildDied, ChildKilled, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.documents.converter import Converter
from app.core.documents.formats import format_of_name
from app.core.documents.libreoffice import CONVERTED
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import FileNotOpened, ReaderStopped, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.cancel import CancelToken

SECONDS = 60.0  # of processor time that reading one file may take
_CLOCK_SECONDS = 600.0  # until a reader that waits, say for a disk, is stopped
_FILES = 300  # parsed files after which a child is replaced, with whatever the parsers did not give back
_REPLY_LIMIT = 128 * 2**20  # bytes; the text of the largest file fits in
DEPTH = 5000  # nested calls; pages have elements some hundred deep


class ReadingProcess(AbstractContextManager["ReadingProcess"]):
    """Reads files in a child process, started by the first one; ``memory`` is in bytes. For one thread."""

    def __init__(
        self, *, seconds: float = SECONDS, clock_seconds: float = _CLOCK_SECONDS, memory: int = 2 * 2**30
    ) -> None:
        self._seconds = seconds
        self._clock_seconds = clock_seconds
        self._child = ChildProcess(
            answer, "lectern-reader", seconds=clock_seconds, cpu_seconds=seconds, memory=memory
        )
        self._converter = Converter()
        self._parsed = 0

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path, token: CancelToken) -> DocumentText:
        """Read a file as ``read_document`` does; if the token is cancelled, kill the child.

        Raises:
            UnreadableFile: as ``read_document``.
            ReaderStopped: reading crashed, took too long or too much memory, or was ended from outside.
            Cancelled: the token was cancelled.
        """
        token.check()
        if self._parsed >= _FILES:
            self.close()
        expected = format_of_name(path)
        self._parsed += expected is not None and not expected.is_plain
        try:
            made = self._converter.converted(path, token) if path.suffix.lower() in CONVERTED else None
            document = _document_of(self._child.ask(os.fsencode(made.path if made else path), token))
            return replace(document, sha256=made.sha256) if made else document
        except (ChildDied, ChildTimedOut, ChildOverspent) as error:
            self.close()
            raise self._stopped(error, shown_name(path)) from error

    def _stopped(self, error: Exception, name: str) -> ReaderStopped:
        match error:
            case ChildKilled():
                return ReaderStopped(Message("documents.reader_killed", name=name), undecided=True)
            case ChildTimedOut():
                minutes = math.ceil(self._clock_seconds / 60)
                return ReaderStopped(Message("documents.reader_waited", name=name, n=minutes), undecided=True)
            case ChildOverspent():
                return ReaderStopped(Message("documents.too_slow", name=name, n=round(self._seconds)))
        return ReaderStopped(Message("documents.reader_crashed", name=name))

    def close(self) -> None:
        self._child.close()
        self._converter.close()
        self._parsed = 0


_ERRORS = {error.__name__: error for error in (UnreadableFile, FileNotOpened, ReaderStopped)}


def _document_of(reply: bytes) -> DocumentText:
    """Return what a child found; only plain data is accepted, since a file may have led it astray."""
    try:
        found = json.loads(reply)
        if "error" in found:
            raise _ERRORS[found["kind"]](Message.from_json(found["error"]))
        marks = tuple(AnchorMark(int(start), Anchor(kind, value)) for start, kind, value in found["marks"])
        unread = Message.from_json(found["unread"]) if found["unread"] else None
        return DocumentText(str(found["text"]), marks, str(found["sha256"]), unread)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ChildDied from error


# In the child


def answer(request: bytes, _: Callable[[bytes], None]) -> bytes:
    """Read the file with the requested path; return its text, or a message."""
    sys.setrecursionlimit(DEPTH)
    path = Path(os.fsdecode(request))
    try:
        reply = _reply(path)
        if len(reply) <= _REPLY_LIMIT:
            return reply
    except MemoryError:
        pass  # what was read is freed before the message is made
    return _refusal(ReaderStopped(Message("documents.too_much_memory", name=shown_name(path))))


def _reply(path: Path) -> bytes:
    from app.core.documents.document_reader import read_document  # imports all readers

    try:
        document = read_document(path)
    except UnreadableFile as error:
        return _refusal(error)
    marks = [(mark.start, mark.anchor.kind, mark.anchor.value) for mark in document.marks]
    unread = document.unread.to_json() if document.unread else None
    return _encoded({"text": document.text, "marks": marks, "sha256": document.sha256, "unread": unread})


def _refusal(error: UnreadableFile) -> bytes:
    return _encoded({"error": error.message.to_json(), "kind": type(error).__name__})


def _encoded(reply: dict[str, object]) -> bytes:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
