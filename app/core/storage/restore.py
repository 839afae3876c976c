"""Backs up an open library daily and before great changes, and restores it; what was there is kept."""

import hashlib
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from app.config.files import flush_file, flush_folder, temporary_folder
from app.config.settings import CurrentSettings
from app.core.storage.backups import (
    KEPT,
    NoRoom,
    backup_folder,
    check_room,
    copy_library,
    damage,
    delete_backups,
    library_size,
    list_backups,
    to_thin_out,
)
from app.core.storage.database import LIBRARY_FILE, Database, acquire_lock
from app.core.storage.schema import SCHEMA_VERSION, version_of
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable, UserError
from app.domain.keeping import Backup, BackupReason
from app.domain.messages import Message

_PAUSE = 0.02  # seconds between two progress calls in the background, so that others get on
_GIGABYTE = 1 << 30

# What people have put into a library, and what they would notice if it were gone. Passages never change
# under their keys, which only grow.
_CONTENT = (
    "SELECT id, course_id, path, size, mtime_ns, sha256, trashed_at FROM documents ORDER BY id",
    "SELECT id, title, instructor, link FROM courses ORDER BY id",
    "SELECT id, number, title FROM lessons ORDER BY id",
    "SELECT count(*), max(id) FROM chunks",
    "SELECT * FROM conversations ORDER BY id",
    "SELECT * FROM exchanges ORDER BY id",
    "SELECT * FROM decks ORDER BY id",
    """SELECT id, deck_id, front, back, others, explanation, deleted_at, suspended, quiz_at FROM items
       ORDER BY id""",
    "SELECT count(*), max(id), max(at) FROM reviews",
    "SELECT path, one_course FROM folders ORDER BY path",
    "SELECT * FROM corrections ORDER BY path",
    "SELECT path FROM watched ORDER BY path",
    "SELECT path FROM removed_files ORDER BY path",
)
_HAS_CONTENT = "SELECT " + " OR ".join(
    f"EXISTS (SELECT 1 FROM {table})" for table in ("documents", "exchanges", "items")
)

_log = logging.getLogger(__name__)


class Backups:
    """Makes backups of an open library within the space that the settings allow. Thread-safe."""

    def __init__(self, database: Database, settings: CurrentSettings) -> None:
        self._db = database
        self._settings = settings

    def all(self) -> tuple[Backup, ...]:
        return list_backups(self._db.data_dir)

    def make_daily(self, token: CancelToken, *, in_background: bool = False) -> Backup | None:
        """Make today's backup unless there is one, nothing has changed, or there is no room.

        Raises:
            LibraryUnusable: the library is damaged.
        """
        today = datetime.now().date()
        if any(backup.made.date() == today for backup in self.all()):
            return None
        try:
            return self._make(BackupReason.DAILY, token, _PAUSE if in_background else 0.0)
        except (NoRoom, OSError, sqlite3.OperationalError) as error:
            _log.warning("The library could not be backed up: %s", error)
            return None

    def make_before(self, reason: BackupReason, token: CancelToken) -> Backup | None:
        """Make a backup before the whole library is changed, unless the settings leave no space for any.

        Before a restore it is made in any case.

        Raises:
            LibraryUnusable: the backup cannot be written, or the library is damaged.
        """
        try:
            return self._make(reason, token, always=reason is BackupReason.RESTORE)
        except (OSError, sqlite3.OperationalError) as error:
            raise LibraryUnusable(Message("storage.no_backup", reason=error)) from error

    def _make(
        self, reason: BackupReason, token: CancelToken, pause: float = 0.0, *, always: bool = False
    ) -> Backup | None:
        try:
            limit, connection = self._settings.value.backup_gigabytes * _GIGABYTE, self._db.connection
            size = library_size(connection)
            if not connection.execute(_HAS_CONTENT).fetchone()[0]:
                return None
            if size > limit and not always:
                if limit:
                    _log.warning("The library is larger than the space for backups in the settings.")
                return None
            existing = [backup for backup in self.all() if backup.version == SCHEMA_VERSION]
            if existing and _content_of(existing[0].path) == _content(connection):
                return None
            check_room(self._db.data_dir, size)

            def report(_: int) -> None:
                token.check()
                if pause:
                    time.sleep(pause)

            name = f"library.v{SCHEMA_VERSION}.{datetime.now():%Y-%m-%d.%H%M%S}.{reason}.sqlite3"
            path = backup_folder(self._db.data_dir) / name
            with _unchanging(connection):
                copy_library(connection, path, token, report)
            if reason is not BackupReason.RESTORE:  # then all others may still be wanted
                delete_backups(to_thin_out(self.all(), limit))
            return next((backup for backup in self.all() if backup.path == path), None)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            message = Message("storage.damaged", directory=self._db.data_dir, reason=error)
            raise LibraryUnusable(message) from error


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
            path = folder / LIBRARY_FILE
            check_room(folder, 2 * backup.size)  # as much again for the log of a library that it replaces
            shutil.copyfile(backup.path, path)
            with closing(sqlite3.connect(path)) as connection:
                if found := damage(connection):
                    raise LibraryUnusable(_failed(backup, found))
            with closing(Database(folder, backups=False)) as database:
                database.open()
                _renew(database.connection)
            flush_file(path)
            yield path
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnusable(_failed(backup, error)) from error


def replace_content(database: Database, path: Path) -> None:
    """Replace what an open library holds by the content of a library file, in one transaction."""
    with closing(sqlite3.connect(path)) as source:
        source.backup(database.connection)


def _renew(connection: sqlite3.Connection) -> None:
    """Mark a library as a different one, so that nothing derived or cached from the previous one is used."""
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


@contextmanager
def _unchanging(connection: sqlite3.Connection) -> Iterator[None]:
    """Let a connection read one state of the library: writes of others would restart a copy."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM meta").fetchone()
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _content_of(path: Path) -> str:
    """Return the fingerprint of a backup; empty if it cannot be read."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return _content(connection) if version_of(connection) == SCHEMA_VERSION else ""
    except sqlite3.Error:
        return ""


def _content(connection: sqlite3.Connection) -> str:
    """Return a fingerprint of what a library holds, without what Lectern notes for itself."""
    digest = hashlib.sha256()
    for query in _CONTENT:
        for row in connection.execute(query):
            digest.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()
