"""Backups of the library file."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class BackupReason(StrEnum):
    """Why a backup was made."""

    DAILY = "daily"
    REPLACE = "replace"  # before an import that replaces the library
    REBUILD = "rebuild"  # before everything is moved to the trash and read again
    RESTORE = "restore"  # before another backup was restored
    UPGRADE = "upgrade"  # before a migration


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of the library as it was at one moment, of a schema version."""

    path: Path
    version: int
    made: datetime  # local time; of an upgrade only the day
    reason: BackupReason
    size: int  # bytes
