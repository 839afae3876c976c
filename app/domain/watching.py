"""Watched folders and files, and what becomes of them while the program runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class WatchedPath:
    """A folder, or a single file, that the library keeps up with.

    Attributes:
        path: absolute, links resolved.
        is_folder: what it was when it was chosen, whatever lies there now.
        fingerprint: of what lay there when the library last took everything in; empty for never.
        was_mount: it, or the folder of a single file, was the root of a drive or share then.
    """

    path: Path
    is_folder: bool
    fingerprint: str = ""
    was_mount: bool = False


@dataclass(frozen=True, slots=True)
class FolderSettled:
    """Something has changed there, and nobody has written to it for a while.

    Attributes:
        watched: where, with the fingerprint of now; empty while files are left ``unsettled``.
        unsettled: files that are still being written, to be left for later.
    """

    watched: WatchedPath
    unsettled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FolderLost:
    """It can not be reached: a share is offline, a drive unplugged, or it was moved or deleted."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderFound:
    """It can be reached again. What changed meanwhile follows as ``FolderSettled``."""

    path: Path


WatchEvent = FolderSettled | FolderLost | FolderFound
