"""Watched folders and files, and events about them."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """A folder or single file whose changes the library follows."""

    path: Path  # absolute, links resolved
    is_folder: bool  # what it was when chosen, whatever is there now
    fingerprint: str = ""  # of its files when the library last read all of them; empty for never
    was_mount: bool = False  # it, or a single file's folder, was then the root of a drive or share


@dataclass(frozen=True, slots=True)
class FolderSettled:
    """Files have changed, and nobody has written to them for a while."""

    watched: WatchedPath  # where, with the current fingerprint; empty while files are `unsettled`
    unsettled: frozenset[str] = frozenset()  # files that are still being written, to be read later


@dataclass(frozen=True, slots=True)
class FolderLost:
    """The path is unreachable: a share is offline, a drive unplugged, or it was moved or deleted."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderFound:
    """The path is reachable again. Changes made meanwhile follow as ``FolderSettled``."""

    path: Path


WatchEvent = FolderSettled | FolderLost | FolderFound
