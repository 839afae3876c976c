"""Which folders and files the library watches, and which of their files the user removed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ingest.availability import has_readable_name, is_reachable
from app.domain.errors import UserError
from app.domain.file_paths import root_of
from app.domain.messages import Message
from app.domain.watching import WatchedPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.storage.database import Database


class WatchList:
    """Watched paths and removed files, as stored in the library file. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def paths(self) -> tuple[WatchedPath, ...]:
        """Return the paths to watch, sorted, except those from which the user removed every document."""
        connection = self._db.connection
        live = [
            row["path"] for row in connection.execute("SELECT path FROM documents WHERE trashed_at IS NULL")
        ]
        removed = self.removed()
        return tuple(
            WatchedPath(Path(row["path"]), bool(row["is_folder"]), row["fingerprint"], bool(row["was_mount"]))
            for row in connection.execute("SELECT * FROM watched ORDER BY path")
            if _any_below(row["path"], live) or not _any_below(row["path"], removed)
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
            rows = connection.execute("SELECT path FROM watched WHERE is_folder")
            folders = {row["path"] for row in rows} | {path for path in found if os.path.isdir(path)}
            # A folder is watched with everything in it.
            outermost = [path for path in found if not _is_inside(path, folders)]
            # The empty fingerprint stays until everything is read, because reading may be interrupted.
            connection.executemany(
                """INSERT INTO watched (path, is_folder) VALUES (?, ?)
                   ON CONFLICT (path) DO UPDATE SET fingerprint = '', is_folder = excluded.is_folder""",
                [(path, path in folders) for path in outermost],
            )
            inside = [row["path"] for row in connection.execute("SELECT path FROM watched")]
            connection.executemany(
                "DELETE FROM watched WHERE path = ?",
                [(path,) for path in inside if _is_inside(path, folders)],
            )
            back = [(path,) for path in removed if root_of(path, found)]
            connection.executemany("DELETE FROM removed_files WHERE path = ?", back)

    def stop(self, path: Path) -> None:
        """Stop watching a folder or file; its documents stay."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched WHERE path = ?", (str(path),))

    def clear(self) -> None:
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched")
            connection.execute("DELETE FROM removed_files")

    def mark_synced(self, watched: WatchedPath) -> None:
        """Store the state of a folder whose files have all been read."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE watched SET fingerprint = ?, was_mount = ? WHERE path = ?",
                (watched.fingerprint, watched.was_mount, str(watched.path)),
            )

    def exclude(self, document_ids: Sequence[int]) -> None:
        """Mark files as removed by the user; call this before trashing their documents."""
        self._for_each(
            "INSERT OR IGNORE INTO removed_files SELECT path FROM documents WHERE id = ?", document_ids
        )

    def readmit(self, document_ids: Sequence[int]) -> None:
        """Clear the mark of restored documents."""
        self._for_each(
            "DELETE FROM removed_files WHERE path = (SELECT path FROM documents WHERE id = ?)", document_ids
        )

    def removed(self) -> frozenset[str]:
        """Return the files the user removed; watching does not add them again."""
        rows = self._db.connection.execute(
            """SELECT path FROM removed_files
               WHERE path NOT IN (SELECT path FROM documents WHERE trashed_at IS NULL)"""
        )
        return frozenset(row["path"] for row in rows)

    def _for_each(self, sql: str, document_ids: Sequence[int]) -> None:
        with self._db.transaction() as connection:
            connection.executemany(sql, [(key,) for key in document_ids])


def _is_inside(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(os.path.join(folder, "")) for folder in folders)


def _any_below(root: str, paths: Iterable[str]) -> bool:
    prefix = os.path.join(root, "")
    return any(path == root or path.startswith(prefix) for path in paths)
