"""Backups of the library file, made before it is upgraded to another version."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

from app.domain.errors import LibraryUnusable
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT = 3
_NAME = re.compile(r"library\.v(\d+)\.(\d{4}-\d\d-\d\d)\.sqlite3")
_PAGES_AT_ONCE = 2000  # copied between two progress calls: 8 MB
_SPARE = 64 << 20  # bytes of the disk that stay free


def back_up(
    source: sqlite3.Connection, data_dir: Path, version: int, progress: Callable[[Message], None]
) -> None:
    """Copy a library into ``backups``, check the copy, and flush it to the disk.

    The newest :data:`KEPT` backups are kept. ``version`` is that of the schema; what ``progress`` raises
    cancels the backup.

    Raises:
        LibraryUnusable: there is no room, or the library is damaged.
        OSError: the backup cannot be written.
    """
    pages, page_size = (
        source.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    # The backup, and as much again for what the migration rewrites.
    needed, free = 2 * pages * page_size + _SPARE, shutil.disk_usage(data_dir).free
    if free < needed:
        sizes = {"needed": needed >> 20, "free": free >> 20}
        raise LibraryUnusable(Message("storage.no_room_for_backup", directory=data_dir, **sizes))
    folder = data_dir / "backups"
    folder.mkdir(exist_ok=True)
    for unfinished in folder.glob("*.part*"):
        unfinished.unlink()
    path = folder / f"library.v{version}.{time.strftime('%Y-%m-%d')}.sqlite3"
    unfinished = path.with_name(f"{path.name}.part")

    def report(_status: int, remaining: int, total: int) -> None:
        if remaining:
            progress(Message("storage.backing_up", percent=100 * (total - remaining) // total))

    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
            source.backup(copy, pages=_PAGES_AT_ONCE, progress=report)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, no others beside it
            state = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        if state != "ok":
            raise LibraryUnusable(Message("storage.damaged", directory=data_dir, reason=state))
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    unfinished.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened, and a rename is safe by itself
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    _delete_oldest(path)


def _delete_oldest(newest: Path) -> None:
    matches = (_NAME.fullmatch(path.name) for path in newest.parent.iterdir() if path != newest)
    # Schema versions never decrease, but clocks may go back.
    others = sorted((int(match[1]), match[2], match[0]) for match in matches if match)
    for _, _, name in others[: max(0, len(others) - KEPT + 1)]:
        newest.with_name(name).unlink()
