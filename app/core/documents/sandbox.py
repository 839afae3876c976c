"""Reads files of unknown origin in a child process that can be killed.

A crafted or damaged file may make a parser hang, crash or eat memory; in a child none of that reaches the
program. One child reads many files, since starting it takes longer than reading a small one; after a crash,
a kill or some hundred parsed files a new one takes its place.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.child_process import ChildDied, ChildProcess, ChildTimedOut
from app.core.documents.document_reader import read_document
from app.core.documents.formats import format_of_name
from app.core.documents.text.display import shown_name
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.cancel import CancelToken

SECONDS = 60.0  # what reading one file may take
_FILES = 300  # parsed files after which a child is replaced, with whatever the parsers did not give back
_REPLY_LIMIT = 128 * 2**20  # bytes; the text of the largest file fits in
_DEPTH = 5000  # nested calls; pages have elements some hundred deep


class ReadingProcess(AbstractContextManager["ReadingProcess"]):
    """Reads files in a child process, started by the first one; ``memory`` is in bytes. For one thread."""

    def __init__(self, *, seconds: float = SECONDS, memory: int = 2 * 2**30) -> None:
        self._seconds = seconds
        self._child = ChildProcess(answer, "lectern-reader", seconds=seconds, memory=memory)
        self._parsed = 0

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, path: Path, token: CancelToken) -> DocumentText:
        """Read a file as ``read_document`` does; if the token is cancelled, kill the child.

        Raises:
            UnreadableFile: also where reading crashed or took too long.
            Cancelled: the token was cancelled.
        """
        token.check()
        if self._parsed >= _FILES:
            self.close()
        expected = format_of_name(path)
        self._parsed += expected is not None and not expected.is_plain
        was_fresh = self._child.answered == 0
        try:
            return _document_of(self._child.ask(os.fsencode(path), token))
        except ChildTimedOut as error:
            message = Message("documents.too_slow", name=shown_name(path), n=round(self._seconds))
            raise UnreadableFile(message) from error
        except ChildDied as error:
            self.close()
            if was_fresh:
                raise UnreadableFile(Message("documents.reader_crashed", name=shown_name(path))) from error
            return self.read(path, token)  # what it read before may be to blame

    def close(self) -> None:
        self._child.close()
        self._child.answered = self._parsed = 0


def _document_of(reply: bytes) -> DocumentText:
    """Return what a child found; only plain data is accepted, since a file may have led it astray."""
    try:
        found = json.loads(reply)
        if "error" in found:
            error = FileNotOpened if found.get("not_opened") else UnreadableFile
            raise error(Message.from_json(found["error"]))
        marks = tuple(AnchorMark(int(start), Anchor(kind, value)) for start, kind, value in found["marks"])
        return DocumentText(str(found["text"]), marks, str(found["sha256"]))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ChildDied from error


# In the child


def answer(request: bytes, _: Callable[[bytes], None]) -> bytes:
    """Read the file with the requested path; return its text, or a message."""
    sys.setrecursionlimit(_DEPTH)
    path = Path(os.fsdecode(request))
    try:
        reply = _reply(path)
        if len(reply) <= _REPLY_LIMIT:
            return reply
    except MemoryError:
        pass  # what was read is freed before the message is made
    return _encoded({"error": Message("documents.too_much_memory", name=shown_name(path)).to_json()})


def _reply(path: Path) -> bytes:
    try:
        document = read_document(path)
    except UnreadableFile as error:
        return _encoded({"error": error.message.to_json(), "not_opened": isinstance(error, FileNotOpened)})
    marks = [(mark.start, mark.anchor.kind, mark.anchor.value) for mark in document.marks]
    return _encoded({"text": document.text, "marks": marks, "sha256": document.sha256})


def _encoded(reply: dict[str, object]) -> bytes:
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
