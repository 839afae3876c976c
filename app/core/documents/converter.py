"""Converts old Office files in a child process that LibreOffice ends with."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from app.core.child_process import ChildProcess, ChildTimedOut
from app.core.documents.libreoffice import convert, find_libreoffice
from app.core.documents.opening import COMPOUND, expected_format, read_bytes
from app.domain.errors import FileNotOpened, ReaderStopped, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from collections.abc import Callable

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
        self._child: ChildProcess | None = None

    def converted(self, path: Path, token: CancelToken) -> Converted | None:
        """Return a file as one of the new kind; None if it is not of an old one, whatever it is called.

        Raises:
            UnreadableFile: it cannot be opened or converted.
            ReaderStopped: it took too long.
            ChildDied: something ended the child.
            Cancelled: the token was cancelled; LibreOffice has ended.
        """
        if self._child is None or self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="lectern-office-"))
            self._child = ChildProcess(
                answer,
                "lectern-converter",
                seconds=self._seconds,
                memory=_MEMORY,
                scratch=self._folder,
                programs=True,
            )
        request = [find_libreoffice() or "", os.fspath(path), str(self._folder)]
        try:
            found = json.loads(self._child.ask(json.dumps(request).encode(), token))
        except ChildTimedOut as error:
            message = Message("documents.too_slow", name=shown_name(path), n=round(self._seconds))
            raise ReaderStopped(message) from error
        if "error" in found:
            kind = FileNotOpened if found["gone"] else UnreadableFile
            raise kind(Message.from_json(found["error"]))
        return Converted(Path(found["path"]), found["sha256"]) if found else None

    def close(self) -> None:
        """End the child and delete what it made."""
        if self._child is not None and self._folder is not None:
            self._child.close()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._child = self._folder = None


# In the child


def answer(request: bytes, _: Callable[[bytes], None]) -> bytes:
    """Convert the requested file; return where the new one is, or a message."""
    program, name, folder = json.loads(request)
    path = Path(name)
    try:
        data = read_bytes(path, shown_name(path), expected_format(path).max_bytes)
        if not data.startswith(COMPOUND):
            return b"{}"
        made = convert(program, data, path.suffix.lower(), Path(folder))
    except UnreadableFile as error:
        gone = isinstance(error, FileNotOpened)
        return json.dumps({"error": error.message.to_json(), "gone": gone}).encode()
    if made is None:
        failed = Message("documents.not_converted", name=shown_name(path))
        return json.dumps({"error": failed.to_json(), "gone": False}).encode()
    (made.parent / "made").mkdir(exist_ok=True)
    named = made.replace(made.parent / "made" / path.name)
    return json.dumps({"path": str(named), "sha256": hashlib.sha256(data).hexdigest()}).encode()
