"""What keeps a library: exports and imports, the trash, backups."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from app.domain.courses import LeftOutFile


class TransferStep(StrEnum):
    COPYING = "copying"
    PACKING = "packing"
    CHECKING = "checking"
    ADDING = "adding"


class TransferProgress(NamedTuple):
    step: TransferStep
    done: int
    total: int


class LibraryExported(NamedTuple):
    path: Path
    documents: int
    passages: int
    conversations: int


@dataclass(frozen=True, slots=True)
class LibraryImported:
    documents: int  # new ones, and their `passages`
    passages: int
    conversations: int  # new ones, and those with new exchanges
    already_there: int  # documents the library held already
    left_out: tuple[LeftOutFile, ...]  # those that conflict with documents of the library
    embedded_again: bool  # passages were cut and embedded again, for another model or passage size
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the archive, that apply from now on


class TrashEntry(NamedTuple):
    """The documents removed from one course at one time."""

    documents: tuple[int, ...]
    course_title: str
    paths: tuple[str, ...]
    passages: int
    removed: float  # seconds since the epoch
    kept_until: float  # the same
    whole_course: bool = True  # whether the library holds nothing else of the course
    items: int = 0  # of the course's deck, which goes and comes back with the last of its documents


class BackupReason(StrEnum):
    DAILY = "daily"
    REPLACE = "replace"  # before an import that replaces the library
    REBUILD = "rebuild"  # before everything is moved to the trash and read again
    RESTORE = "restore"  # before another backup was restored
    UPGRADE = "upgrade"  # before a migration


class Backup(NamedTuple):
    """A copy of the library as it was at one moment, of a schema version."""

    path: Path
    version: int
    made: datetime  # local time; of an upgrade only the day
    reason: BackupReason
    size: int  # bytes
