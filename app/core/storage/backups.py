"""Copies of the library file, kept before it is changed to another version."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

from app.domain.errors import LibraryUnusable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEPT = 3
_FOLDER = "backups"
_NAME = re.compile(r"library\.v(\d+)\.(\d{4}-\d\d-\d\d)\.sqlite3")
_PAGES_AT_ONCE = 2000  # copied between two words of progress: 8 MB
_SPARE = 64 << 20  # bytes of the disk that stay free


def keep_copy(
    source: sqlite3.Connection, data_dir: Path, version: int, progress: Callable[[str], None]
) -> Path:
    """Copy a library whole into ``backups``, look it over, and see it safely to the disk.

    Args:
        source: to the library, in no transaction.
        data_dir: of the library.
        version: of the library.
        progress: told in sentences; what it raises ends it.

    Returns:
        The copy. The oldest beyond the last :data:`KEPT` are deleted.

    Raises:
        LibraryUnusable: there is no room for it, or the library is damaged.
        OSError: it can not be written.
    """
    _check_room(source, data_dir)
    folder = data_dir / _FOLDER
    folder.mkdir(exist_ok=True)
    for left_over in folder.glob("*.part*"):
        left_over.unlink()
    path = folder / f"library.v{version}.{time.strftime('%Y-%m-%d')}.sqlite3"
    unfinished = path.with_name(f"{path.name}.part")

    def tell(_status: int, remaining: int, total: int) -> None:
        if remaining:
            share = 100 * (total - remaining) // total
            progress(f"Keeping a copy of the library before it is brought up to date: {share} %")

    try:
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as copy:
            source.backup(copy, pages=_PAGES_AT_ONCE, progress=tell)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without others beside it
            state = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
        if state != "ok":
            message = f"The library in {data_dir} is damaged ({state}). Restore a copy of it."
            raise LibraryUnusable(message)
        with unfinished.open("r+b") as file:
            os.fsync(file.fileno())
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    unfinished.replace(path)
    _sync_folder(folder)
    _delete_oldest(path)
    return path


def _check_room(source: sqlite3.Connection, data_dir: Path) -> None:
    pages, page_size = (
        source.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    # The copy, and as much again for what changes before the old is let go.
    needed = 2 * pages * page_size + _SPARE
    free = shutil.disk_usage(data_dir).free
    if free < needed:
        message = (
            f"The library in {data_dir} has to be brought up to date, and there is no room for a copy of it: "
            f"{needed >> 20} MB are needed, {free >> 20} MB are free. Free some space and start again; "
            "nothing was changed."
        )
        raise LibraryUnusable(message)


def _delete_oldest(newest: Path) -> None:
    others = [path for path in newest.parent.iterdir() if path != newest and _NAME.fullmatch(path.name)]
    for path in sorted(others, key=_age)[: max(0, len(others) - KEPT + 1)]:
        path.unlink()


def _age(path: Path) -> tuple[int, str]:
    """Return what copies are sorted by, oldest first: the version never goes back, a clock may."""
    match = _NAME.fullmatch(path.name)
    return (int(match[1]), match[2]) if match else (0, "")


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":  # elsewhere a folder can not be opened, and renaming is safe by itself
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
