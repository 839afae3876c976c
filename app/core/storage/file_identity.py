"""Recognises an opened file again by its path."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
