"""Which folders and files the library watches, and which of their files the user removed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ingest.discovery import has_readable_name, is_reachable
from app.domain.errors import UserError
from app.domain.events import WatchedPath
from app.domain.file_paths import root_of
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.storage.database import Database


# Whether a path is inside the folder ``w.path``.
_INSIDE = "instr({}, rtrim(w.path, :separator) || :separator) = 1"
_SEPARATOR = {"separator": os.sep}


class WatchList:
    """Watched paths and removed files, as stored in the library file. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def paths(self) -> tuple[WatchedPath, ...]:
        """Return the paths to watch, sorted, except those from which the user removed every document."""
        rows = self._db.connection.execute(
            f"""SELECT * FROM watched AS w
                WHERE EXISTS (SELECT 1 FROM documents AS d WHERE d.trashed_at IS NULL
                              AND (d.path = w.path OR {_INSIDE.format("d.path")}))
                OR NOT EXISTS (SELECT 1 FROM removed_files AS r
                               WHERE r.path = w.path OR {_INSIDE.format("r.path")})
                ORDER BY path""",
            _SEPARATOR,
        )
        return tuple(
            WatchedPath(Path(row["path"]), bool(row["is_folder"]), row["fingerprint"], bool(row["was_mount"]))
            for row in rows
        )

    def check(self, paths: Iterable[Path]) -> None:
        """Refuse to read folders whose drive or share is not connected.

        Raises:
            UserError: names the first of them.
        """
        chosen = {os.path.realpath(path) for path in paths}
        for watched in self.paths():
            lost = str(watched.path) in chosen and watched.is_folder and watched.was_mount
            if lost and not is_reachable(watched.path, was_mount=True):
                raise UserError(Message("ingest.unreachable", path=watched.path))

    def add(self, paths: Iterable[Path]) -> None:
        """Watch the chosen paths that exist; files in them that the user had removed may return."""
        chosen = [os.path.realpath(path) for path in paths]
        found = [path for path in chosen if os.path.exists(path) and has_readable_name(path)]
        removed = self.removed()
        with self._db.transaction() as connection:
            # The empty fingerprint stays until everything is read, because reading may be interrupted.
            connection.executemany(
                """INSERT INTO watched (path, is_folder) VALUES (?, ?)
                   ON CONFLICT (path) DO UPDATE
                   SET fingerprint = '', is_folder = max(is_folder, excluded.is_folder)""",
                [(path, os.path.isdir(path)) for path in found],
            )
            # A folder is watched with everything in it.
            connection.execute(
                f"""DELETE FROM watched WHERE path IN
                    (SELECT o.path FROM watched AS o JOIN watched AS w
                     ON w.is_folder AND o.path <> w.path AND {_INSIDE.format("o.path")})""",
                _SEPARATOR,
            )
            back = [(path,) for path in removed if root_of(path, found)]
            connection.executemany("DELETE FROM removed_files WHERE path = ?", back)

    def stop(self, path: Path) -> None:
        """Stop watching a folder or file; its documents stay."""
        self._db.write("DELETE FROM watched WHERE path = ?", [(str(path),)])

    def clear(self) -> None:
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched")
            connection.execute("DELETE FROM removed_files")

    def mark_synced(self, watched: WatchedPath) -> None:
        """Store the state of a folder whose files have all been read."""
        self._db.write(
            "UPDATE watched SET fingerprint = ?, was_mount = ? WHERE path = ?",
            [(watched.fingerprint, watched.was_mount, str(watched.path))],
        )

    def exclude(self, document_ids: Sequence[int]) -> None:
        """Mark files as removed by the user; call this before trashing their documents."""
        self._db.write(
            "INSERT OR IGNORE INTO removed_files SELECT path FROM documents WHERE id = ?",
            [(key,) for key in document_ids],
        )

    def readmit(self, document_ids: Sequence[int]) -> None:
        """Clear the mark of restored documents."""
        self._db.write(
            "DELETE FROM removed_files WHERE path = (SELECT path FROM documents WHERE id = ?)",
            [(key,) for key in document_ids],
        )

    def removed(self) -> frozenset[str]:
        """Return the files the user removed; watching does not add them again."""
        rows = self._db.connection.execute(
            """SELECT path FROM removed_files
               WHERE path NOT IN (SELECT path FROM documents WHERE trashed_at IS NULL)"""
        )
        return frozenset(row["path"] for row in rows)
