"""Reads course files in a sandbox, old Office files after LibreOffice has converted them in another."""

import hashlib
import math
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from app.config.files import private_directory, temporary_folder
from app.config.paths import user_cache_dir
from app.core.documents.formats import COMPOUND, expected_format, read_bytes
from app.core.documents.libreoffice import CONVERTED, convert, find_libreoffice
from app.core.sandbox import (
    ChildFailed,
    ChildKilled,
    ChildOutOfMemory,
    ChildOverspent,
    ChildTimedOut,
    Sandbox,
)
from app.domain.cancel import CancelToken
from app.domain.documents import Anchor, AnchorMark, DocumentText
from app.domain.errors import ReaderStopped, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

_CONVERTING_SECONDS = 120.0  # for one file; LibreOffice starts in four
_MEMORY = 3 * 2**30


class Converted(NamedTuple):
    path: Path  # under its own name, until the next file is converted
    sha256: str  # of the file as it was


class Converter:
    """Has LibreOffice convert files, one at a time. For one thread."""

    def __init__(self, seconds: float = _CONVERTING_SECONDS) -> None:
        self._seconds = seconds
        self._folder: Path | None = None
        self._closing = ExitStack()
        self._sandbox = Sandbox("converter", seconds=seconds, memory=_MEMORY, programs=True)

    def converted(self, path: Path, token: CancelToken) -> Converted | None:
        """Return a file as one of the new kind; None if it is not of an old one, whatever it is called.

        Raises:
            UnreadableFile: it cannot be opened or converted.
            ReaderStopped: it took too long.
            ChildFailed: something ended the child.
            Cancelled: the token was cancelled; LibreOffice has ended.
        """
        if self._folder is None:
            place = user_cache_dir()
            private_directory(place)
            self._folder = self._closing.enter_context(temporary_folder(place))
        program = find_libreoffice() or ""
        try:
            return self._sandbox.call(_made, convert_file, program, path, self._folder, token=token)
        except ChildTimedOut as error:
            message = Message("documents.too_slow", name=shown_name(path), n=round(self._seconds))
            raise ReaderStopped(message) from error

    def close(self) -> None:
        """End the child and delete what it made."""
        self._sandbox.close()
        self._closing.close()
        self._folder = None


def _made(found: list[str] | None) -> Converted | None:
    return Converted(Path(found[0]), found[1]) if found else None


def convert_file(program: str, path: Path, folder: Path) -> list[str] | None:
    """Convert a file, in the child; return where the new one is, and the digest of the old one."""
    data = read_bytes(path, shown_name(path), expected_format(path).max_bytes)
    if not data.startswith(COMPOUND):
        return None
    made = convert(program, data, path.suffix.lower(), folder)
    if made is None:
        raise UnreadableFile(Message("documents.not_converted", name=shown_name(path)))
    (folder / "made").mkdir(exist_ok=True)
    named = made.replace(folder / "made" / path.name)
    return [str(named), hashlib.sha256(data).hexdigest()]


SECONDS = 60.0  # of processor time that reading one file may take
_CLOCK_SECONDS = 600.0  # until a reader that waits, say for a disk, is stopped
_FILES = 300


class ReadingProcess(AbstractContextManager["ReadingProcess"]):
    """Reads files in a child process, started by the first one; ``memory`` is in bytes. For one thread."""

    def __init__(
        self, *, seconds: float = SECONDS, clock_seconds: float = _CLOCK_SECONDS, memory: int = 2 * 2**30
    ) -> None:
        self._seconds = seconds
        self._clock_seconds = clock_seconds
        self._sandbox = Sandbox("reader", seconds=clock_seconds, memory=memory, most_calls=_FILES)
        self._converter = Converter()

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
        try:
            made = self._converter.converted(path, token) if path.suffix.lower() in CONVERTED else None
            document = self._sandbox.call(
                _document_of, read, made.path if made else path, seconds=self._seconds, token=token
            )
            return replace(document, sha256=made.sha256) if made else document
        except ChildFailed as error:
            self.close()
            raise self._stopped(error, shown_name(path)) from error

    def _stopped(self, error: ChildFailed, name: str) -> ReaderStopped:
        match error:
            case ChildKilled():
                return ReaderStopped(Message("documents.reader_killed", name=name), undecided=True)
            case ChildTimedOut():
                minutes = math.ceil(self._clock_seconds / 60)
                return ReaderStopped(Message("documents.reader_waited", name=name, n=minutes), undecided=True)
            case ChildOverspent():
                return ReaderStopped(Message("documents.too_slow", name=name, n=round(self._seconds)))
            case ChildOutOfMemory():
                return ReaderStopped(Message("documents.too_much_memory", name=name))
        return ReaderStopped(Message("documents.reader_crashed", name=name))

    def close(self) -> None:
        self._sandbox.close()
        self._converter.close()


def _document_of(found: dict[str, Any]) -> DocumentText:
    marks = tuple(AnchorMark(int(start), Anchor(kind, value)) for start, kind, value in found["marks"])
    unread = Message.from_json(found["unread"]) if found["unread"] else None
    return DocumentText(str(found["text"]), marks, str(found["sha256"]), unread)


def read(path: Path) -> object:
    """Read a file, in the child; return its text."""
    from app.core.documents.document_reader import read_document  # imports all readers

    document = read_document(path)
    marks = [(mark.start, mark.anchor.kind, mark.anchor.value) for mark in document.marks]
    unread = document.unread.to_json() if document.unread else None
    return {"text": document.text, "marks": marks, "sha256": document.sha256, "unread": unread}
