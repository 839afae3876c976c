"""Which folders and files the library keeps up with, and which of their files people took out of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ingest.availability import has_readable_name, is_reachable
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.watching import WatchedPath

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.core.storage.database import Database


class WatchList:
    """What people chose, in the library file. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def paths(self) -> tuple[WatchedPath, ...]:
        """Return what is to be watched, in the order of its paths.

        Not a folder of which people have taken out everything that was read, as long as that holds.
        """
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
        """Refuse to read folders again whose drive or share is not there.

        Raises:
            UserError: naming the first of them.
        """
        chosen = {os.path.realpath(path) for path in paths}
        for watched in self.paths():
            lost = str(watched.path) in chosen and watched.is_folder and watched.was_mount
            if lost and not is_reachable(watched.path, was_mount=True):
                raise UserError(Message("ingest.unreachable", path=watched.path))

    def add(self, paths: Iterable[Path]) -> None:
        """Watch what people chose from now on; what they took out of it before may come back.

        What can not be found is passed by. Raises as :meth:`Database.transaction` does.
        """
        chosen = [os.path.realpath(path) for path in paths]
        found = [path for path in chosen if os.path.exists(path) and has_readable_name(path)]
        removed = self.removed()
        with self._db.transaction() as connection:
            rows = connection.execute("SELECT path FROM watched WHERE is_folder")
            folders = {row["path"] for row in rows} | {path for path in found if os.path.isdir(path)}
            # What lies in a folder is watched with it.
            outermost = [path for path in found if not _is_inside(path, folders)]
            # Until all of it was taken in, nothing is known of it: reading may be interrupted.
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
            back = [(path,) for path in removed if any(_any_below(root, [path]) for root in found)]
            connection.executemany("DELETE FROM removed_files WHERE path = ?", back)

    def stop(self, path: Path) -> None:
        """Watch a folder or file no longer; what was read of it stays."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched WHERE path = ?", (str(path),))

    def clear(self) -> None:
        """Watch nothing any more."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched")
            connection.execute("DELETE FROM removed_files")

    def handled(self, watched: WatchedPath) -> None:
        """Remember how a folder was found, once everything there has been taken in."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE watched SET fingerprint = ?, was_mount = ? WHERE path = ?",
                (watched.fingerprint, watched.was_mount, str(watched.path)),
            )

    def keep_out(self, document_ids: Sequence[int]) -> None:
        """Remember that people take these documents out; to be called before that is done."""
        self._for_each(
            "INSERT OR IGNORE INTO removed_files SELECT path FROM documents WHERE id = ?", document_ids
        )

    def let_in(self, document_ids: Sequence[int]) -> None:
        """Remember that people brought these documents back."""
        self._for_each(
            "DELETE FROM removed_files WHERE path = (SELECT path FROM documents WHERE id = ?)", document_ids
        )

    def removed(self) -> frozenset[str]:
        """Return the files that people took out of the library; only they can bring them back."""
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
