"""Watched folders and files, and events about them."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """A folder or single file whose changes the library follows.

    Attributes:
        path: absolute, links resolved.
        is_folder: what it was when chosen, whatever is there now.
        fingerprint: of its files when the library last read all of them; empty for never.
        was_mount: it, or the folder of a single file, was the root of a drive or share at that time.
    """

    path: Path
    is_folder: bool
    fingerprint: str = ""
    was_mount: bool = False


@dataclass(frozen=True, slots=True)
class FolderSettled:
    """Files have changed, and nobody has written to them for a while.

    Attributes:
        watched: where, with the current fingerprint; empty while files are ``unsettled``.
        unsettled: files that are still being written, to be read later.
    """

    watched: WatchedPath
    unsettled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FolderLost:
    """The path is unreachable: a share is offline, a drive unplugged, or it was moved or deleted."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderFound:
    """The path is reachable again. Changes made meanwhile follow as ``FolderSettled``."""

    path: Path


WatchEvent = FolderSettled | FolderLost | FolderFound
