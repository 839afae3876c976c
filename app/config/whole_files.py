"""Replaces files whole: on the disk before they take the place of another, or not at all."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.domain.errors import UserError
from app.domain.messages import Message

_UNSUPPORTED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file at the path it receives, and put it in the place of ``path``.

    Raises:
        OSError: the disk does not hold the new file; see also :func:`check_replaceable`.
    """
    check_replaceable(path)
    target = Path(os.path.realpath(path)) if path.is_symlink() else path  # maybe on another file system
    unfinished = target.with_name(f".{target.name}.part")
    try:
        write(unfinished)
        move_into_place(unfinished, target)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise UserError with a sentence if the block cannot write a file that the user has chosen."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(Message("storage.file_not_written", path=path, reason=reason)) from error


def move_into_place(made: Path, path: Path) -> None:
    """Put a file of the same file system in the place of ``path``; both are flushed when it returns.

    Raises:
        OSError: with ``EXDEV`` if the file systems differ.
    """
    target = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link stays one
    with made.open("r+b") as file:
        os.fsync(file.fileno())
    made.replace(target)
    flush_folder(target.parent)


def flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, so that a renamed file survives a power cut."""
    if os.name != "posix":  # elsewhere a folder cannot be opened, and a rename is safe by itself
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except PermissionError:  # one may write to it, but not list it
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:  # some network file systems
            raise
    finally:
        os.close(descriptor)


def check_replaceable(path: Path) -> None:
    """Raise ``OSError`` unless a regular file is or can be created at ``path``; never blocks on a pipe."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    folder = Path(os.path.realpath(path)).parent
    if not stat.S_ISDIR(folder.stat().st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
