"""Files of the user: replaced whole or not at all, and readable by no other user of the computer."""

import errno
import glob
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from app.domain.errors import UserError
from app.domain.messages import Message

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def private_directory(path: Path) -> None:
    """Create a directory and those around it, and let only its user into it.

    Raises:
        OSError: it cannot be created.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    keep_private(path)


def private_file(path: Path) -> None:
    """Create a file unless it exists, and let only its user read and write it.

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
    """Make an existing file or directory private, if it is this user's.

    Never opens it: closing any descriptor of a file would release SQLite's locks on it.
    """
    if os.name != "posix":
        return
    with suppress(OSError):  # a file system without permissions
        state = path.stat()
        is_shared = state.st_mode & stat.S_ISVTX  # such as /tmp, which must stay so
        if state.st_uid == os.geteuid() and state.st_mode & _OTHERS and not is_shared:
            path.chmod(stat.S_IMODE(state.st_mode) & ~_OTHERS)


_UNSUPPORTED = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` make a file at the path it receives; see :func:`replacing`."""
    with replacing(path) as unfinished:
        write(unfinished)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the path of a new file beside ``path``, which it replaces at the end of the block.

    Raises:
        OSError: the disk does not hold the new file; see also :func:`check_replaceable`.
    """
    check_replaceable(path)
    target = Path(os.path.realpath(path)) if path.is_symlink() else path  # maybe on another file system
    for part in target.parent.glob(f".{glob.escape(target.name)}.[0-9]*.part"):  # of killed processes
        with suppress(OSError, ValueError, OverflowError):  # it is in use, or no such part
            _check_ended(int(part.suffixes[-2][1:]))
            part.unlink()
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        yield unfinished
        move_into_place(unfinished, target)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _check_ended(process: int) -> None:
    """Raise OSError if a process runs; not on Windows, which deletes no file that is in use."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.kill(process, 0)
            raise ChildProcessError


@contextmanager
def writing(path: Path, message: str = "storage.file_not_written") -> Iterator[None]:
    """Raise UserError with a sentence, by default for a file the user chose, if the block cannot write."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise UserError(Message(message, path=path, reason=reason)) from error


def move_into_place(made: Path, path: Path) -> None:
    """Put a file of the same file system in the place of ``path``; both are flushed when it returns.

    Raises:
        OSError: with ``EXDEV`` if the file systems differ.
    """
    target = Path(os.path.realpath(path)) if path.is_symlink() else path  # a link stays one
    flush_file(made)
    made.replace(target)
    flush_folder(target.parent)


def flush_file(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


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


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's content, which takes about 0.7 ms a megabyte."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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


_PREFIX, _LOCK = ".lectern-moving-", "in-use"


@contextmanager
def temporary_folder(place: Path) -> Iterator[Path]:
    """Make a folder that is deleted at the end, along with those that killed processes left in ``place``."""
    from filelock import FileLock  # not where a window starts

    sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
    try:
        with FileLock(folder / _LOCK, thread_local=False):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(place: Path) -> None:
    """Delete what killed processes left; running ones keep theirs."""
    from filelock import FileLock, Timeout

    for folder in place.glob(f"{_PREFIX}*"):
        lock = FileLock(folder / _LOCK)
        try:
            lock.acquire(timeout=0)
        except (Timeout, OSError):
            continue
        lock.release()  # first: Windows deletes no open file
        shutil.rmtree(folder, ignore_errors=True)
