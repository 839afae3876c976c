"""What a library needs of its disk: files that stay in place, room, and temporary folders."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.config.files import check_replaceable, move_into_place, private_file
from app.domain.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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


_PREFIX = ".lectern-moving-"
_LOCK = "in-use"
_BLOCK = 1 << 20


def place_for_copies(data_dir: Path, library: Path, target: Path) -> Path:
    """Return the data directory, or the folder of ``target`` if only that one can hold the copies."""
    if not os.access(data_dir, os.W_OK):
        return target.parent
    size = library.stat().st_size if library.exists() else 0
    needed, free = 2 * size + SPARE, shutil.disk_usage(data_dir).free
    same_disk = data_dir.stat().st_dev == target.parent.stat().st_dev
    return data_dir if same_disk or free >= needed else target.parent


@contextmanager
def temporary_folder(place: Path) -> Iterator[Path]:
    """Make a folder that is deleted at the end; those that killed processes left in ``place`` are, too."""
    sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    try:
        with FileLock(folder / _LOCK, thread_local=False):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_whole(place: Path, path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file below ``place``, and put it in the place of ``path``, flushed to the disk.

    Raises:
        OSError: the file cannot be written; what was there stays.
    """
    check_replaceable(path)
    with temporary_folder(place) as folder:
        made = folder / "made"
        write(made)
        for _ in move_out(made, path, CancelToken()):
            pass


def move_out(made: Path, target: Path, token: CancelToken) -> Iterator[tuple[int, int]]:
    """Put a file of a temporary folder in the place of ``target``, flushed to the disk.

    Yields bytes done and their total if it must be copied to another file system. What a killed process
    leaves there is replaced by the next export.

    Raises:
        OSError: ``target`` cannot be written.
    """
    try:
        move_into_place(made, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        yield from _copy_out(made, target, token)


def _copy_out(made: Path, target: Path, token: CancelToken) -> Iterator[tuple[int, int]]:
    target = Path(os.path.realpath(target))
    unfinished, total = target.with_name(f".{target.name}.part"), made.stat().st_size
    try:
        private_file(unfinished)
        with made.open("rb") as source, unfinished.open("wb") as copy:
            while block := source.read(_BLOCK):
                token.check()
                copy.write(block)
                yield copy.tell(), total
        token.check()
        with suppress(OSError):  # not every file system has permissions
            shutil.copymode(made, unfinished)
        move_into_place(unfinished, target)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def sweep(place: Path) -> None:
    """Delete what killed processes left; running ones keep theirs."""
    for folder in place.glob(f"{_PREFIX}*"):
        lock = FileLock(folder / _LOCK)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):
            continue
        lock.release()  # first: Windows deletes no open file
        shutil.rmtree(folder, ignore_errors=True)
