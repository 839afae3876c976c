"""What a library needs of its disk: files that stay in place, and room."""

from __future__ import annotations

import os
import shutil
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


ROOM = 64 << 10
"""Bytes without which nothing is written.

SQLite's shared memory grows by 32 kB, and a page of it for which the disk has no room kills the process.
"""

SPARE = 64 << 20
"""Bytes of the disk that copies of a library leave free."""


class FileIdentity:
    """The file that was at ``path`` when this was created, by device and inode.

    An open file outlives its name: without this check, what is written to a deleted file is lost in
    silence. A check takes some microseconds.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen = _device_and_inode(path)

    def is_there(self) -> bool:
        """Whether the file is still at its path; True if that cannot be known, as on a failing disk."""
        try:
            return _device_and_inode(self._path) == self._seen
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True


def _device_and_inode(path: Path) -> tuple[int, int]:
    state = os.stat(path)
    return state.st_dev, state.st_ino


def require_room(folder: Path) -> None:
    """Raise OSError if nothing more can be written: no room, no permission, or a quota used up."""
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))
        file.flush()


def has_room(folder: Path) -> bool:
    try:
        require_room(folder)
    except OSError:
        return False
    return True


def place_for_copies(data_dir: Path, library: Path, target: Path) -> Path:
    """Return the data directory, or the folder of ``target`` if only that one can hold a copy."""
    size = library.stat().st_size if library.exists() else 0
    has_room = shutil.disk_usage(data_dir).free >= size + SPARE
    return data_dir if has_room and os.access(data_dir, os.W_OK) else target.parent
