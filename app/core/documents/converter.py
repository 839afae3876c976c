"""Converts old Office files in a sandbox that LibreOffice ends with."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.config.files import private_directory, temporary_folder
from app.config.paths import user_cache_dir
from app.core.documents.formats import COMPOUND, expected_format, read_bytes
from app.core.documents.libreoffice import convert, find_libreoffice
from app.core.sandbox import ChildTimedOut, Sandbox
from app.domain.errors import ReaderStopped, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from app.domain.cancel import CancelToken

_SECONDS = 120.0  # for one file; LibreOffice starts in four
_MEMORY = 3 * 2**30


class Converted(NamedTuple):
    path: Path  # under its own name, until the next file is converted
    sha256: str  # of the file as it was


class Converter:
    """Has LibreOffice convert files, one at a time. For one thread."""

    def __init__(self, seconds: float = _SECONDS) -> None:
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
