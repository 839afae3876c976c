"""Whether what is missing is really gone, or just out of reach."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def is_reachable(folder: Path, *, was_mount: bool) -> bool:
    """Whether a folder can be listed, and what it lacks is gone.

    Args:
        folder: that is asked about.
        was_mount: it used to be the root of a drive or share; where that is unplugged or offline, an
            empty folder may be left in its place.
    """
    try:
        with os.scandir(folder) as entries:
            is_empty = next(entries, None) is None
    except OSError:
        return False
    return not (is_empty and was_mount and not os.path.ismount(folder))


def is_gone(path: Path) -> bool:
    """Whether there is certainly no file: not for one that can only not be looked at."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def has_readable_name(path: Path | str) -> bool:
    """Whether a path is text: on some systems a name may be bytes that are none, and can not be stored."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
