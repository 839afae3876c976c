"""Opens course files: by their names, sizes and kinds, before anything is made of their content."""

import os
import stat
from pathlib import Path

from app.core.documents.formats import FORMATS, UNREAD_ENDINGS, Format, format_of_name
from app.core.documents.libreoffice import CONVERTED, find_libreoffice
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name, shown_size

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What old Office files begin with, and encrypted ones."""


def why_not_read(path: Path, size: int) -> Message | None:
    """Return why a file of this name and size is not read; None for one that is."""
    try:
        expected = expected_format(path)
    except UnreadableFile as error:
        return error.message
    return _too_large(shown_name(path), size, expected.max_bytes) if size > expected.max_bytes else None


def why_not_opened(error: OSError, name: str) -> Message:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return Message("documents.gone", name=name)
        case PermissionError():
            return Message("documents.no_permission", name=name)
        case IsADirectoryError():
            return Message("documents.is_folder", name=name)
    reason = error.strerror or "unknown error"
    return Message("documents.cannot_be_read", name=name, reason=reason[:1].lower() + reason[1:])


def expected_format(path: Path) -> Format:
    """Return the format that a file's name promises; raise UnreadableFile if it is not read."""
    ending, name = path.suffix.lower(), shown_name(path)
    expected = format_of_name(path)
    if ending in CONVERTED and find_libreoffice() is None:
        raise UnreadableFile(Message("documents.not_convertible", ending=ending, better=CONVERTED[ending]))
    if expected is not None:
        return expected
    if ending in UNREAD_ENDINGS:
        raise UnreadableFile(Message("documents.not_yet_read", ending=ending))
    endings = ", ".join(one.endings[0] for one in FORMATS)
    raise UnreadableFile(Message("documents.unknown_ending", name=name, endings=endings))


def read_bytes(path: Path, name: str, max_bytes: int) -> bytes:
    """Read a file whole, once more if it was written to meanwhile. Raises UnreadableFile."""
    try:
        for _ in range(2):
            before = path.stat()
            # Checked before opening, since opening a pipe would wait for ever.
            if stat.S_ISDIR(before.st_mode):
                raise UnreadableFile(Message("documents.is_folder", name=name))
            if not stat.S_ISREG(before.st_mode):
                raise UnreadableFile(Message("documents.not_a_regular_file", name=name))
            if before.st_size > max_bytes:
                raise UnreadableFile(_too_large(name, before.st_size, max_bytes))
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = os.fstat(file.fileno())
            if before.st_mtime_ns == after.st_mtime_ns and before.st_size == after.st_size == len(data):
                return data
    except OSError as error:
        raise FileNotOpened(why_not_opened(error, name)) from error
    except ValueError as error:  # a NUL or an undecodable character in the path
        raise UnreadableFile(Message("documents.name_not_openable", name=name)) from error
    raise UnreadableFile(Message("documents.being_written", name=name))


def _too_large(name: str, size: int, limit: int) -> Message:
    return Message("documents.too_large", name=name, size=shown_size(size), limit=shown_size(limit))
