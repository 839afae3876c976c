"""The bytes of a file, and why they cannot be had."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from app.core.documents.text.display import shown_name, shown_size
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

_SizeAndTime = tuple[int, int]


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Read a file whole, once more if it was written to meanwhile.

    Raises:
        UnreadableFile: it is too large, not a regular file, or changes all the time.
        FileNotOpened: the system does not open it.
    """
    name = shown_name(path)
    try:
        for _ in range(2):
            before = _regular_file(path, name, max_bytes)
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = _size_and_time(os.fstat(file.fileno()))
            if before == after and len(data) == after[0]:
                return data
    except OSError as error:
        raise FileNotOpened(why_not_opened(error, name)) from error
    except ValueError as error:  # a NUL or an undecodable character in the path
        raise UnreadableFile(Message("documents.name_not_openable", name=name)) from error
    raise UnreadableFile(Message("documents.being_written", name=name))


def _regular_file(path: Path, name: str, max_bytes: int) -> _SizeAndTime:
    """Check before opening, since opening a pipe would wait for ever."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise UnreadableFile(Message("documents.is_folder", name=name))
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFile(Message("documents.not_a_regular_file", name=name))
    if status.st_size > max_bytes:
        raise UnreadableFile(too_large(name, status.st_size, max_bytes))
    return _size_and_time(status)


def _size_and_time(status: os.stat_result) -> _SizeAndTime:
    return status.st_size, status.st_mtime_ns


def too_large(name: str, size: int, limit: int) -> Message:
    return Message("documents.too_large", name=name, size=shown_size(size), limit=shown_size(limit))


def why_not_opened(error: OSError, name: str) -> Message:
    """Return the sentence for what the system says about a file."""
    match error:
        case FileNotFoundError():
            return Message("documents.gone", name=name)
        case NotADirectoryError():
            return Message("documents.folder_gone", name=name)
        case PermissionError():
            return Message("documents.no_permission", name=name)
        case IsADirectoryError():
            return Message("documents.is_folder", name=name)
        case OSError(errno=errno.ELOOP):
            return Message("documents.link_to_itself", name=name)
        case OSError(errno=errno.ENAMETOOLONG):
            return Message("documents.name_too_long", name=name)
    reason = error.strerror or "unknown error"
    return Message("documents.cannot_be_read", name=name, reason=reason[:1].lower() + reason[1:])
