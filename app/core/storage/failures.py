"""Files that could not be read, stored until they change, disappear or are retried."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.core.storage.database import Database


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one version of a file could not be read."""

    size: int
    mtime_ns: int
    reason: Message


class Failures:
    """Reads and writes failures. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def files(self) -> tuple[FileDone, ...]:
        """Return the failed files that still exist, sorted by path; accesses the disk for each."""
        rows = self._db.connection.execute("SELECT path, reason FROM failures ORDER BY path")
        return tuple(
            FileDone(row["path"], FileStatus.FAILED, reason=Message.from_json(row["reason"]))
            for row in rows
            if os.path.exists(row["path"])
        )

    def known(self) -> dict[str, Failure]:
        """Return all failures by path, including files that no longer exist."""
        rows = self._db.connection.execute("SELECT path, size, mtime_ns, reason FROM failures")
        return {
            row["path"]: Failure(row["size"], row["mtime_ns"], Message.from_json(row["reason"]))
            for row in rows
        }

    def add(self, path: str, size: int, mtime_ns: int, reason: Message) -> None:
        with self._db.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO failures (path, size, mtime_ns, reason) VALUES (?, ?, ?, ?)",
                (path, size, mtime_ns, reason.to_json()),
            )

    def forget(self, paths: Iterable[str]) -> None:
        """Delete failures, so that the files are read again the next time."""
        with self._db.transaction() as connection:
            connection.executemany("DELETE FROM failures WHERE path = ?", [(path,) for path in paths])
