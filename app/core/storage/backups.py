"""Backups: verified copies of the library, each a closed library file, in ``backups`` beside it."""

import logging
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from app.config.files import flush_folder, private_directory, private_file
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable
from app.domain.keeping import Backup, BackupReason
from app.domain.messages import Message

SPARE = 64 << 20
"""Bytes of the disk that copies of a library leave free."""

KEPT = 3  # of those made before something changed the whole library, and of those before upgrades
DAYS, WEEKS, MONTHS = 7, 4, 3  # of which the last daily backup is kept
_NAME = re.compile(r"library\.v(\d+)\.(\d{4}-\d\d-\d\d)(?:\.(\d{6})\.([a-z]+))?\.sqlite3", re.ASCII)
_PAGES_AT_ONCE = 500  # copied between two progress calls: 2 MB
_FLUSH_EVERY = 16  # progress calls: flushing all at the end would take long
_CHECK_EVERY = 100_000  # steps of SQLite between two looks at the token

_log = logging.getLogger(__name__)


class NoRoom(LibraryUnusable):
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

    Daily backups are kept for the last 7 days, 4 weeks and 3 months that have any, the last one of each. The
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
    size = library_size(source)
    try:
        check_room(data_dir, 2 * size)  # the backup, and as much again for what the migration rewrites
    except NoRoom as error:
        arguments = error.message.arguments
        raise LibraryUnusable(Message("storage.no_room_for_backup", **arguments)) from error
    path = backup_folder(data_dir) / f"library.v{version}.{time.strftime('%Y-%m-%d')}.sqlite3"
    copy_library(
        source, path, CancelToken(), lambda percent: progress(Message("storage.backing_up", percent=percent))
    )
    # Schema versions never decrease, but clocks may go back.
    others = [item for item in list_backups(data_dir) if item.reason is BackupReason.UPGRADE]
    others = sorted(
        (item for item in others if item.path != path), key=lambda item: (item.version, item.made)
    )
    delete_backups(others[: max(0, len(others) - KEPT + 1)])


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
    """Return the folder of the backups, cleared of unfinished ones."""
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
        raise NoRoom(Message("storage.no_room_for_copy", directory=data_dir, **sizes))


def library_size(connection: sqlite3.Connection) -> int:
    pages, page_size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    return int(pages * page_size)


def delete_backups(backups: Sequence[Backup]) -> None:
    """Delete backups, as far as the system lets it."""
    for backup in backups:
        try:
            backup.path.unlink(missing_ok=True)
        except OSError as error:  # open in another program
            _log.warning("An old backup could not be deleted: %s", error)
