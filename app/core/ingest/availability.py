"""Tells deleted files from those on a disconnected drive or share."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def is_reachable(folder: Path, *, was_mount: bool) -> bool:
    """Whether a folder can be listed, so that files missing from it were deleted.

    Disconnecting a drive or share whose root it was may leave an empty folder.
    """
    try:
        with os.scandir(folder) as entries:
            is_empty = next(entries, None) is None
    except OSError:
        return False
    return not (is_empty and was_mount and not os.path.ismount(folder))


def is_gone(path: Path) -> bool:
    """Whether a file certainly does not exist; False if it cannot be examined."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def has_readable_name(path: Path | str) -> bool:
    """Whether a path is valid text; some systems allow names of arbitrary bytes, which cannot be stored."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
