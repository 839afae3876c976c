"""Backups of the library file: made daily and before great changes, checked, and thinned out.

They lie in ``backups`` beside the library, each a closed library file of its own.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from app.config.files import flush_folder, private_directory, private_file
from app.core.storage.disk import SPARE
from app.core.storage.schema import SCHEMA_VERSION, version_of
from app.domain.backups import Backup, BackupReason
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from app.config.settings import CurrentSettings
    from app.core.storage.database import Database

KEPT = 3  # of those made before something changed the whole library, and of those before upgrades
DAYS, WEEKS, MONTHS = 7, 4, 3  # of which the last daily backup is kept
_NAME = re.compile(r"library\.v(\d+)\.(\d{4}-\d\d-\d\d)(?:\.(\d{6})\.([a-z]+))?\.sqlite3", re.ASCII)
_PAGES_AT_ONCE = 500  # copied between two progress calls: 2 MB
_FLUSH_EVERY = 16  # progress calls: flushing all at the end would take long
_CHECK_EVERY = 100_000  # steps of SQLite between two looks at the token
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
        """Return all backups, newest first."""
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
        except (_NoRoom, OSError, sqlite3.OperationalError) as error:
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
            return self._make_if_needed(reason, token, pause, always=always)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            raise LibraryUnusable(
                Message("storage.damaged", directory=self._db.data_dir, reason=error)
            ) from error

    def _make_if_needed(
        self, reason: BackupReason, token: CancelToken, pause: float, *, always: bool
    ) -> Backup | None:
        limit, connection = self._settings.value.backup_gigabytes * _GIGABYTE, self._db.connection
        size = _size_of(connection)
        if not connection.execute(_HAS_CONTENT).fetchone()[0]:
            return None
        if size > limit and not always:
            if limit:
                _log.warning(
                    "The library is larger than the space for backups in the settings: none is made."
                )
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
            _delete(to_thin_out(self.all(), limit))
        return next((backup for backup in self.all() if backup.path == path), None)


class _NoRoom(LibraryUnusable):
    """The disk has no room for a backup."""


def list_backups(data_dir: Path) -> tuple[Backup, ...]:
    """Return the backups of a library, newest first; the library itself may be damaged or gone."""
    folder = data_dir / "backups"
    found = []
    try:
        paths = list(folder.iterdir())
    except OSError:  # there is none, or it may not be read
        return ()
    for path in paths:
        match = _NAME.fullmatch(path.name)
        try:
            if match:
                version, day, moment, reason = match.groups()
                made = datetime.strptime(f"{day} {moment or '000000'}", "%Y-%m-%d %H%M%S")
                kind = BackupReason(reason or "upgrade")
                state = path.stat()
                written = datetime.fromtimestamp(state.st_mtime)
                if not moment and written.date() == made.date():  # names of upgrade backups end with the day
                    made = written
                backup = Backup(path, int(version), made, kind, state.st_size)
                found.append(((made, int(version), state.st_mtime_ns), backup))
        except (ValueError, OSError):  # a name of somebody else's, or a backup that has just been deleted
            continue
    return tuple(backup for _, backup in sorted(found, key=lambda item: item[0], reverse=True))


def to_thin_out(backups: Sequence[Backup], limit: int) -> list[Backup]:
    """Return what to delete of backups, given newest first, so that the rest takes at most ``limit`` bytes.

    Of the daily ones, the last of each of the last 7 days, 4 weeks and 3 months that have any are kept. The
    newest backup always stays.
    """
    daily = [backup for backup in backups if backup.reason is BackupReason.DAILY]
    before = [backup for backup in backups if backup.reason not in (BackupReason.DAILY, BackupReason.UPGRADE)]
    kept = set(before[:KEPT]) | {backup for backup in backups if backup.reason is BackupReason.UPGRADE}
    for period, number in (("%Y-%m-%d", DAYS), ("%G-%V", WEEKS), ("%Y-%m", MONTHS)):
        last: dict[str, Backup] = {}
        for backup in daily:
            last.setdefault(backup.made.strftime(period), backup)
        kept.update(list(last.values())[:number])
    kept.update(backups[:1])
    total = sum(backup.size for backup in kept)
    # Daily ones go first, since there are others of about the same time.
    order = sorted(backups[1:], key=lambda backup: (backup.reason is not BackupReason.DAILY, backup.made))
    for backup in order:
        if backup in kept and total > limit:
            kept.discard(backup)
            total -= backup.size
    return [backup for backup in backups if backup not in kept]


def back_up_before_upgrade(
    source: sqlite3.Connection, data_dir: Path, version: int, progress: Callable[[Message], None]
) -> None:
    """Make a backup before a migration; the newest :data:`KEPT` of these are kept.

    ``version`` is that of the schema; what ``progress`` raises cancels the backup.

    Raises:
        LibraryUnusable: there is no room, or the library is damaged.
        OSError: the backup cannot be written.
    """
    size = _size_of(source)
    try:
        check_room(data_dir, 2 * size)  # the backup, and as much again for what the migration rewrites
    except _NoRoom as error:
        arguments = error.message.arguments
        raise LibraryUnusable(Message("storage.no_room_for_backup", **arguments)) from error
    path = backup_folder(data_dir) / f"library.v{version}.{time.strftime('%Y-%m-%d')}.sqlite3"
    copy_library(
        source,
        path,
        CancelToken(),
        lambda percent: progress(Message("storage.backing_up", percent=percent)),
    )
    # Schema versions never decrease, but clocks may go back.
    others = [item for item in list_backups(data_dir) if item.reason is BackupReason.UPGRADE]
    others = sorted(
        (item for item in others if item.path != path), key=lambda item: (item.version, item.made)
    )
    _delete(others[: max(0, len(others) - KEPT + 1)])


def copy_library(
    source: sqlite3.Connection, path: Path, token: CancelToken, report: Callable[[int], None]
) -> None:
    """Copy a library in steps into a single file, check the copy, and flush it to the disk.

    ``report`` receives percentages between two steps; what it raises cancels the copy.

    Raises:
        LibraryUnusable: the library is damaged.
        OSError, sqlite3.OperationalError: the copy cannot be written.
    """
    unfinished = path.with_name(f"{path.name}.part")
    steps = 0
    try:
        private_file(unfinished)
        with (
            closing(sqlite3.connect(unfinished, isolation_level=None)) as copy,
            unfinished.open("ab") as file,
        ):

            def step(_status: int, remaining: int, total: int) -> None:
                nonlocal steps
                steps += 1
                if steps % _FLUSH_EVERY == 0:
                    os.fsync(file.fileno())
                if remaining:
                    report(100 * (total - remaining) // total)

            source.backup(copy, pages=_PAGES_AT_ONCE, progress=step)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, no others beside it
            copy.set_progress_handler(lambda: token.cancelled, _CHECK_EVERY)
            try:
                found = damage(copy)
            except sqlite3.OperationalError:
                token.check()
                raise
            if found:
                data_dir = path.parent.parent
                raise LibraryUnusable(Message("storage.damaged", directory=data_dir, reason=found))
            os.fsync(file.fileno())
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    unfinished.replace(path)
    flush_folder(path.parent)


def damage(connection: sqlite3.Connection) -> str | None:
    """Return the first thing that SQLite finds wrong in a library file, or None.

    Raises:
        sqlite3.OperationalError: this was interrupted.
    """
    try:
        state = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    return None if state == "ok" else state.splitlines()[-1]


def backup_folder(data_dir: Path) -> Path:
    """Return the folder of the backups, without what an interrupted one left behind."""
    folder = data_dir / "backups"
    private_directory(folder)
    sweep_unfinished(data_dir)
    return folder


def sweep_unfinished(data_dir: Path) -> None:
    """Delete what a killed backup left; for the process that holds the library's lock."""
    for unfinished in (data_dir / "backups").glob("*.part*"):
        with suppress(OSError):  # the next backup tries again
            unfinished.unlink()


def check_room(data_dir: Path, size: int) -> None:
    """Raise LibraryUnusable unless so many bytes can be written."""
    needed, free = size + SPARE, shutil.disk_usage(data_dir).free
    if free < needed:
        sizes = {"needed": needed >> 20, "free": free >> 20}
        raise _NoRoom(Message("storage.no_room_for_copy", directory=data_dir, **sizes))


@contextmanager
def _unchanging(connection: sqlite3.Connection) -> Iterator[None]:
    """Let a connection read the library as it is at one moment: what others write would restart a copy."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM meta").fetchone()
        yield
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _size_of(connection: sqlite3.Connection) -> int:
    pages, page_size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    return int(pages * page_size)


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


def _delete(backups: Sequence[Backup]) -> None:
    for backup in backups:
        try:
            backup.path.unlink(missing_ok=True)
        except OSError as error:  # open in another program
            _log.warning("An old backup could not be deleted: %s", error)
