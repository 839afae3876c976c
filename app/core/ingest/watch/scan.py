"""A snapshot of a watched folder: names, sizes and modification times."""

from __future__ import annotations

import hashlib
import os
import stat
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.ingest.availability import is_reachable
from app.core.ingest.discovery import is_course_file, is_left_out

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.cancel import CancelToken
    from app.domain.watching import WatchedPath

Stamp = tuple[int, int]
"""Size in bytes and mtime in nanoseconds; a file whose stamp is unchanged counts as unchanged."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The course files in a watched folder, or the one watched file if it exists.

    Attributes:
        files: stamps by absolute path.
        is_mount: the folder is the root of a drive or share.
        seconds: how long the scan took.
    """

    files: dict[str, Stamp] = field(default_factory=dict)
    is_mount: bool = False
    seconds: float = 0.0

    def fingerprint(self) -> str:
        """Return a hash of the files and their stamps."""
        digest = hashlib.blake2b(digest_size=16)
        for path, (size, mtime) in sorted(self.files.items()):
            digest.update(f"{path}\0{size}\0{mtime}\n".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


def scan(watched: WatchedPath, token: CancelToken) -> Scan | None:
    """List a watched folder or file; return None if the folder is out of reach.

    It is if it is missing, cannot be listed, or is empty where a drive or share used to be.

    Raises:
        Cancelled: the token was cancelled.
    """
    began = time.monotonic()
    base = watched.path if watched.is_folder else watched.path.parent
    if not is_reachable(base, was_mount=watched.was_mount):
        return None
    files: dict[str, Stamp] = {}
    try:
        if watched.is_folder:
            _collect(base, files, token)
        else:
            _stamp(watched.path, files)
    except OSError:
        return None
    return Scan(files, os.path.ismount(base), time.monotonic() - began)


def _collect(root: Path, files: dict[str, Stamp], token: CancelToken) -> None:
    """Add the course files below a folder, without following links to folders.

    Raises:
        OSError: a subfolder cannot be read for a reason other than permissions.
    """
    folders = [str(root)]
    while folders:
        token.check()
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if is_left_out(entry.name):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif is_course_file(entry.name):
                        _stamp(entry, files)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue  # deleted since it was listed, or private


def _stamp(file: os.DirEntry[str] | Path, files: dict[str, Stamp]) -> None:
    try:
        status = file.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    if stat.S_ISREG(status.st_mode):
        files[os.fspath(file)] = (status.st_size, status.st_mtime_ns)
