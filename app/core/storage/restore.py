"""Puts a backup in the place of the library, which is kept first whatever state it is in."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from app.config.files import flush_folder
from app.core.storage.backups import KEPT, backup_folder, check_room, copy_library, damage
from app.core.storage.database import LIBRARY_FILE, Database, acquire_lock
from app.core.storage.disk import temporary_folder
from app.core.storage.schema import version_of
from app.domain.backups import BackupReason
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable, UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.domain.backups import Backup


def find_backup(backups: Sequence[Backup], name: str) -> Backup:
    """Return the newest backup of a name or a day, such as ``2026-11-22``; for "latest" the newest of all.

    Raises:
        UserError: there is none.
    """
    for backup in backups:
        if name in ("latest", backup.path.name) or f"{backup.made:%Y-%m-%d}" == name:
            return backup
    raise UserError(Message("storage.no_such_backup", name=name))


def restore_closed(data_dir: Path, backup: Backup) -> Path | None:
    """Restore a backup while the library is closed; it may be damaged or gone.

    Returns:
        Where the library as it was is kept; None if there was none.

    Raises:
        LibraryLocked: another Lectern uses the library.
        LibraryUnusable: the backup cannot be used or written here; nothing was changed.
    """
    try:
        lock = acquire_lock(data_dir)
        try:
            with staged(data_dir, backup) as path:
                return replace_library(data_dir, path)
        finally:
            lock.release()
    except OSError as error:
        raise LibraryUnusable(_failed(backup, error)) from error


@contextmanager
def staged(data_dir: Path, backup: Backup) -> Iterator[Path]:
    """Give a temporary library file: a backup, checked and upgraded.

    Raises:
        LibraryUnusable: it is damaged, or there is no room.
    """
    try:
        with temporary_folder(data_dir) as folder:
            yield _stage(backup, folder)
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnusable(_failed(backup, error)) from error


def replace_content(database: Database, path: Path) -> None:
    """Replace what an open library holds by the content of a library file, in one transaction."""
    with closing(sqlite3.connect(path)) as source:
        source.backup(database.connection)


def _renew(connection: sqlite3.Connection) -> None:
    """Mark a library as another one than the last that was open, for what was derived or cached from it."""
    connection.execute("DELETE FROM meta WHERE key = 'index_mark'")
    now = str(time.time_ns())
    for key in ("generation", "renumbered"):
        connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, now))


def replace_library(data_dir: Path, new: Path) -> Path | None:
    """Put a library file in the place of a closed library, which is kept; return where."""
    path = data_dir / LIBRARY_FILE
    kept = _keep(data_dir) if path.exists() else None
    for ending in ("-wal", "-shm"):  # of the library that was; its log must not be applied to another one
        path.with_name(path.name + ending).unlink(missing_ok=True)
    new.replace(path)
    flush_folder(data_dir)
    return kept


def _stage(backup: Backup, folder: Path) -> Path:
    path = folder / LIBRARY_FILE
    check_room(folder, 2 * backup.size)  # as much again for the log of an open library that it replaces
    shutil.copyfile(backup.path, path)
    with closing(sqlite3.connect(path)) as connection:
        if found := damage(connection):
            raise LibraryUnusable(_failed(backup, found))
    with closing(Database(folder, backups=False)) as database:
        database.open()
        _renew(database.connection)
    with path.open("r+b") as file:
        os.fsync(file.fileno())
    return path


def _keep(data_dir: Path) -> Path:
    """Back up a closed library; if it is damaged, keep the file as it is with its log."""
    path, folder = data_dir / LIBRARY_FILE, backup_folder(data_dir)
    now = f"{datetime.now():%Y-%m-%d.%H%M%S}"
    try:
        # Read only: SQLite would delete a log that it cannot use.
        source = f"{path.as_uri()}?mode=ro"
        with closing(sqlite3.connect(source, uri=True, isolation_level=None)) as library:
            version = version_of(library)
            if version:
                kept = folder / f"library.v{version}.{now}.{BackupReason.RESTORE}.sqlite3"
                copy_library(library, kept, CancelToken(), lambda _: None)
                return kept
    except (sqlite3.DatabaseError, LibraryUnusable):
        pass
    kept = folder / f"damaged.{now}.sqlite3"
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        log.replace(kept.with_name(f"{kept.name}-wal"))
    try:
        os.link(path, kept)  # so that there is a library at every moment
    except OSError:
        shutil.copyfile(path, kept)
    _forget_old_damage(folder)
    return kept


def _forget_old_damage(folder: Path) -> None:
    for old in sorted(folder.glob("damaged.*.sqlite3"))[:-KEPT]:
        for path in (old, old.with_name(f"{old.name}-wal")):
            with suppress(OSError):  # open in another program; the next restore tries again
                path.unlink(missing_ok=True)


def _failed(backup: Backup, reason: object) -> Message:
    return Message("storage.backup_unusable", name=backup.path.name, reason=reason)
