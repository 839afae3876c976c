"""Saves what can be read of a damaged library into a new one, row by row around the damaged pages."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.core.storage.backups import check_room
from app.core.storage.catalog import Catalog
from app.core.storage.checksums import check
from app.core.storage.database import LIBRARY_FILE, Database, acquire_lock
from app.core.storage.restore import renew, replace_library
from app.core.storage.schema import version_of
from app.core.storage.temporary import temporary_folder
from app.domain.errors import LibraryUnusable
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_KEYED = (
    "courses",
    "documents",
    "lessons",
    "chunks",
    "conversations",
    "exchanges",
    "document_checksums",
    "exchange_checksums",
    "decks",
    "items",
    "schedules",
    "reviews",
)
# Small tables without row numbers, with the order they are read in.
_OTHERS = {
    "meta": "key",
    "anchors": "document_id, start",
    "sources": "exchange_id, n",
    "citations": "exchange_id, position",
    "folders": "path",
    "corrections": "path",
    "watched": "path",
    "removed_files": "path",
}
_LAST = 1 << 62  # above every row number
_MOST_FAILURES = 20_000  # in one table: it is lost as a whole

# Rows whose parents are lost get new ones, or go.
_MEND = """
INSERT INTO courses (id, title, embedding, next_chunk_index)
SELECT course_id, 'Recovered course ' || course_id, max(embedding), max(chunk_index) + 1 FROM chunks
WHERE course_id NOT IN (SELECT id FROM courses) GROUP BY course_id;
INSERT INTO conversations (id, title, created_at, updated_at)
SELECT conversation_id, 'Recovered chat ' || conversation_id, min(created_at), max(created_at) FROM exchanges
WHERE conversation_id NOT IN (SELECT id FROM conversations) GROUP BY conversation_id;
INSERT INTO decks (id, uid, course_title, created_at)
SELECT deck_id, lower(hex(randomblob(16))), 'Recovered deck ' || deck_id, min(created_at) FROM items
WHERE deck_id NOT IN (SELECT id FROM decks) GROUP BY deck_id;
DELETE FROM schedules WHERE item_id NOT IN (SELECT id FROM items);
DELETE FROM reviews WHERE item_id NOT IN (SELECT id FROM items);
DELETE FROM documents WHERE course_id NOT IN (SELECT id FROM courses)
OR id NOT IN (SELECT document_id FROM lessons);
DELETE FROM lessons WHERE document_id NOT IN (SELECT id FROM documents);
DELETE FROM anchors WHERE document_id NOT IN (SELECT id FROM documents);
DELETE FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)
OR lesson_id NOT IN (SELECT id FROM lessons) OR course_id NOT IN (SELECT id FROM courses);
DELETE FROM courses WHERE id NOT IN (SELECT course_id FROM documents);
DELETE FROM document_checksums WHERE document_id NOT IN (SELECT id FROM documents);
UPDATE exchanges SET parent_id = NULL WHERE parent_id NOT IN (SELECT id FROM exchanges);
DELETE FROM sources WHERE exchange_id NOT IN (SELECT id FROM exchanges);
DELETE FROM citations WHERE exchange_id NOT IN (SELECT id FROM exchanges);
DELETE FROM exchange_checksums WHERE exchange_id NOT IN (SELECT id FROM exchanges);
INSERT INTO exchanges_fts (exchanges_fts) VALUES ('rebuild');
"""
# The passages of incomplete documents are made again from their texts, when the library is next changed.
_REINDEX = "UPDATE meta SET value = substr(value, 1, instr(value, '|')) WHERE key = 'cut'"


@dataclass(slots=True)
class Salvaged:
    """What was saved, where the damaged library is kept, and what in the new one is incomplete."""

    documents: int
    exchanges: int
    kept: Path | None = None
    incomplete: list[Message] = field(default_factory=list)


def salvage(data_dir: Path) -> Salvaged:
    """Put what can be read of a damaged library in its place; the damaged file is kept with the backups.

    Raises:
        LibraryLocked: another Lectern uses the library.
        LibraryUnusable: nothing can be read, or there is no room; nothing was changed.
    """
    path = data_dir / LIBRARY_FILE
    try:
        lock = acquire_lock(data_dir)
        try:
            check_room(data_dir, 2 * path.stat().st_size)
            with temporary_folder(data_dir) as folder:
                old, new = folder / "old", folder / "new"
                old.mkdir()
                for name in (LIBRARY_FILE, f"{LIBRARY_FILE}-wal"):
                    if (data_dir / name).exists():
                        shutil.copyfile(data_dir / name, old / name)
                saved = _copy(old / LIBRARY_FILE, new)
                saved.kept = replace_library(data_dir, new / LIBRARY_FILE)
            return saved
        finally:
            lock.release()
    except (OSError, sqlite3.Error) as error:
        raise LibraryUnusable(Message("storage.not_salvaged", reason=error)) from error


def _copy(source: Path, folder: Path) -> Salvaged:
    with (
        closing(sqlite3.connect(source, isolation_level=None)) as old,
        closing(Database(folder, backups=False)) as database,
    ):
        # Damaged text is better than none; the checksums tell of it.
        old.text_factory = lambda data: data.decode("utf-8", "replace")
        if not version_of(old):
            raise LibraryUnusable(Message("storage.not_salvaged", reason="it is empty"))
        database.open()
        new = database.connection
        new.execute("PRAGMA foreign_keys = OFF")
        new.execute("BEGIN")
        for table in (*_KEYED, *_OTHERS):
            _copy_table(old, new, table)
        new.execute("COMMIT")
        new.executescript(f"BEGIN;{_MEND}COMMIT;")
        Catalog(database).passages.rebuild_text_index()
        saved = Salvaged(_count(new, "documents"), _count(new, "exchanges"))
        saved.incomplete = [message for message in check(new) if message]
        if any(message.id == "storage.document_damaged" for message in saved.incomplete):
            new.execute(_REINDEX)
        renew(new)
    return saved


def _copy_table(old: sqlite3.Connection, new: sqlite3.Connection, table: str) -> None:
    known = {row[1] for row in old.execute(f"PRAGMA table_info ({table})")}
    columns = [row[1] for row in new.execute(f"PRAGMA table_info ({table})") if row[1] in known]
    if not columns:
        return  # of a later version
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
    for row in _rows(old, table, names):
        try:
            new.execute(insert, row)
        except sqlite3.Error:  # a value that no library holds
            continue


def _rows(connection: sqlite3.Connection, table: str, names: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that can be read."""
    if order := _OTHERS.get(table):
        # From both ends up to the damage; a row that is met twice does no harm.
        backwards = ", ".join(f"{name} DESC" for name in order.split(", "))
        for ordered in (order, backwards):
            try:
                yield from connection.execute(f"SELECT {names} FROM {table} ORDER BY {ordered}")
                return
            except sqlite3.DatabaseError:
                continue
        return
    query = f"SELECT rowid, {names} FROM {table} NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
    ranges, failures = [(0, _LAST)], 0
    while ranges and failures < _MOST_FAILURES:
        low, high = ranges.pop()
        try:
            for key, *row in connection.execute(query, (low, high)):
                low = key + 1
                yield tuple(row)
        except sqlite3.DatabaseError:
            failures += 1
            if low < high:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
