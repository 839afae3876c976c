"""Keeps what a user's courses and chats are stored in from other users of the computer.

On Windows nothing is done: a profile's folders are its user's own there.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_directory(path: Path) -> None:
    """Create a directory and those around it, and let only its user into it.

    Raises:
        OSError: it cannot be created.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_private(path)


def private_file(path: Path) -> None:
    """Create a file if there is none, and let only its user read and write it, even an existing one.

    Raises:
        OSError: it cannot be created.
    """
    if os.name != "posix":
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        keep_private(path)


def keep_private(path: Path) -> None:
    """Take an existing file or directory from everyone but its user, if it is this user's.

    Never opens it: closing any descriptor of a file would release SQLite's locks on it.
    """
    if os.name != "posix":
        return
    with suppress(OSError):  # a file system without permissions
        state = path.stat()
        is_shared = state.st_mode & stat.S_ISVTX  # such as /tmp, which must stay so
        if state.st_uid == os.geteuid() and state.st_mode & _OTHERS and not is_shared:
            path.chmod(stat.S_IMODE(state.st_mode) & ~_OTHERS)
