"""The library file: SQLite connections, transactions, and the lock on it all."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.core.storage import schema
from app.core.storage.backups import keep_copy
from app.domain.errors import LibraryLocked, LibraryUnusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_LIBRARY = "library.sqlite3"
_INCREMENTAL = 2  # as PRAGMA auto_vacuum tells it
_PAGES_AT_ONCE = 2000  # given back in one transaction: 8 MB
_BUSY_TIMEOUT = 10.0  # seconds one writer waits for another; our transactions take milliseconds


class Database:
    """One connection a thread on ``library.sqlite3`` in write-ahead mode.

    Opened for writing it holds the lock file of the data directory until :meth:`close`. Opened
    for reading it takes no lock and works beside a writer; where there is no library yet it is an
    empty one in memory.

    Args:
        data_dir: directory of the library.
        read_only: nothing is written, but that a library of an earlier version is brought up to date.
        keep_copies: keep a copy before that; not where the library is a copy itself.
    """

    def __init__(self, data_dir: Path, *, read_only: bool = False, keep_copies: bool = True) -> None:
        self.data_dir = data_dir
        self.read_only = read_only
        self._keep_copies = keep_copies
        # By the number of their thread. What threading.local keeps is lost whenever a thread of Qt's
        # goes back from Python to its event loop, and each slot would leave a connection behind.
        self._connections: dict[int, sqlite3.Connection] = {}
        self._guard = threading.Lock()
        self._lock: FileLock | None = None
        self._in_memory = False
        self._is_open = False

    def open(self, progress: Callable[[str], None] = lambda _: None) -> None:
        """Take the lock and bring the library up to date where an earlier version made it.

        Args:
            progress: told in sentences what takes long; what it raises ends it, and nothing is changed.

        Raises:
            LibraryLocked: another Lectern writes to this data directory.
            LibraryUnusable: it can not be written, is damaged, or comes from a newer version.
        """
        path = self.data_dir / _LIBRARY
        try:
            if self.read_only:
                if self.data_dir.exists() and not self.data_dir.is_dir():
                    raise NotADirectoryError(errno.ENOTDIR, "It is not a directory")
                # A file of no bytes is one whose first writer did not get to write.
                self._in_memory = not path.exists() or not path.stat().st_size
            else:
                self.data_dir.mkdir(parents=True, exist_ok=True)
                self._acquire_lock()
            self._is_open = True
            self._prepare(progress)
        except OSError as error:
            self.close()
            if error.errno == errno.ENOSPC:
                raise LibraryUnusable(_full_message(self.data_dir)) from error
            message = (
                f"The data directory {self.data_dir} can not be used ({error.strerror or error}). "
                "Mend its permissions, or choose another with --data-dir."
            )
            raise LibraryUnusable(message) from error
        except sqlite3.Error as error:
            self.close()
            if isinstance(error, sqlite3.OperationalError) and _is_of_the_moment(error):
                raise LibraryUnusable(_unwritable_message(self.data_dir, error)) from error
            message = (
                f"The library {path} can not be opened ({error}). "
                "Run “lectern doctor”, or choose another directory with --data-dir."
            )
            raise LibraryUnusable(message) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close every connection and give the lock back. Idempotent."""
        with self._guard:
            self._is_open = False
            connections, self._connections = self._connections, {}
        for connection in connections.values():
            connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, in autocommit mode; rows are ``sqlite3.Row``.

        Raises:
            LibraryUnusable: the library is not open: nothing may be written without its lock.
        """
        return self._connections.get(threading.get_ident()) or self._connect()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run one write transaction: committed as a whole, or not at all when the block raises.

        Raises:
            LibraryUnusable: the disk is full, the directory is read-only, or a writer does not let go.
        """
        connection = self.connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            # Of the others, only the base class itself is not a bug: a damaged file.
            if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
                raise LibraryUnusable(_unwritable_message(self.data_dir, error)) from error
            raise

    def meta(self, key: str) -> str | None:
        """Return a stored property of the library, or None."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def set_meta(self, key: str, value: str) -> None:
        """Store a property of the library. Raises as :meth:`transaction` does."""
        with self.transaction() as connection:
            connection.execute(
                """INSERT INTO meta (key, value) VALUES (?, ?)
                   ON CONFLICT (key) DO UPDATE SET value = excluded.value""",
                (key, value),
            )

    def give_back_space(self, *, at_once: bool = True) -> Iterator[None]:
        """Return the room of what was deleted to the file system, in steps; others can write in between.

        Args:
            at_once: down to the last page, and a library that can not do it in steps in one long one.

        Raises:
            LibraryUnusable: the file can not be written now; nothing is lost.
        """
        connection = self.connection
        in_steps = connection.execute("PRAGMA auto_vacuum").fetchone()[0] == _INCREMENTAL
        try:
            if in_steps:
                enough = 0 if at_once else _PAGES_AT_ONCE
                while connection.execute("PRAGMA freelist_count").fetchone()[0] > enough:
                    # Not execute(): it ends a statement without rows after its first page.
                    connection.executescript(f"PRAGMA incremental_vacuum({_PAGES_AT_ONCE})")
                    yield
            elif at_once:
                connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        except sqlite3.OperationalError as error:
            raise LibraryUnusable(_unwritable_message(self.data_dir, error)) from error

    def _connect(self) -> sqlite3.Connection:
        if not self._is_open:
            message = f"The library in {self.data_dir} is not open."
            raise LibraryUnusable(message)
        path = self.data_dir / _LIBRARY
        if self._in_memory:
            target = "file:lectern-empty?mode=memory&cache=shared"
        else:
            target = f"{path.as_uri()}?mode={'ro' if self.read_only else 'rwc'}"
            if self.read_only and self._can_not_change():
                target += "&immutable=1"
        # Closed from another thread at the end; used only by the one that opened it.
        connection = sqlite3.connect(
            target, uri=True, timeout=_BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        # A library may come from anywhere, by an import or by hand.
        connection.execute("PRAGMA trusted_schema = OFF")
        if not self.read_only:
            if not connection.execute("PRAGMA page_count").fetchone()[0]:
                # Of a file without content yet: lets give_back_space work in small steps.
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            # A document that was reported as added is still there after a power cut.
            connection.execute("PRAGMA synchronous = FULL")
        with self._guard:
            if self._is_open:
                self._connections[threading.get_ident()] = connection
                return connection
        connection.close()
        message = f"The library in {self.data_dir} is closed."
        raise LibraryUnusable(message)

    def _can_not_change(self) -> bool:
        """Whether the library lies where nothing can be written, as on a disc: SQLite needs to be told."""
        log = self.data_dir / f"{_LIBRARY}-wal"
        return not os.access(self.data_dir, os.W_OK) and not log.exists()

    def _prepare(self, progress: Callable[[str], None]) -> None:
        try:
            version = schema.version_of(self.connection)
        except schema.NotALibrary:
            message = f"{self.data_dir / _LIBRARY} is not a Lectern library. Choose another directory."
            raise LibraryUnusable(message) from None
        if version > schema.SCHEMA_VERSION:
            message = (
                f"The library in {self.data_dir} was made by a newer Lectern. "
                "Install that version, or choose another directory with --data-dir."
            )
            raise LibraryUnusable(message)
        if version == 0:
            schema.create(self.connection)
        elif version < schema.SCHEMA_VERSION and self.read_only:
            self._have_it_brought_up_to_date(progress)
        elif version < schema.SCHEMA_VERSION:
            steps = schema.migrations(version)
            bring_up_to_date(self.connection, self.data_dir, steps, progress, keep_copies=self._keep_copies)

    def _have_it_brought_up_to_date(self, progress: Callable[[str], None]) -> None:
        """Open the library for writing for once."""
        writer = Database(self.data_dir)
        try:
            writer.open(progress)
        except LibraryLocked as error:
            message = (
                f"The library in {self.data_dir} comes from an earlier Lectern and can not be brought up to "
                f"date while it is used. Close the other one, or wait until it is done. ({error})"
            )
            raise LibraryLocked(message) from error
        finally:
            writer.close()

    def _acquire_lock(self) -> None:
        holder = self.data_dir / "lectern.holder"
        # Taken in a worker's thread and given back in another.
        lock = FileLock(self.data_dir / "lectern.lock", thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise LibraryLocked(_locked_message(self.data_dir, holder)) from None
        self._lock = lock
        holder.write_text(json.dumps({"pid": os.getpid()}), encoding="utf-8")


def bring_up_to_date(
    connection: sqlite3.Connection,
    data_dir: Path,
    steps: Sequence[schema.Migration],
    progress: Callable[[str], None] = lambda _: None,
    *,
    keep_copies: bool = True,
) -> None:
    """Take the steps to a later version, each with a copy of the library kept before it.

    Raises:
        LibraryUnusable: a step could not be taken; the library is as the steps before it left it.
        OSError: a copy can not be written.
    """
    for step in steps:
        try:
            if keep_copies:
                keep_copy(connection, data_dir, step.version - 1, progress)
            progress("Bringing the library up to date…")
            schema.migrate(connection, step)
        except sqlite3.Error as error:
            message = (
                f"The library in {data_dir} could not be brought up to date ({error}) and is as it was. "
                "Check that the disk has room and can be written, and start again."
            )
            raise LibraryUnusable(message) from error


def damaged_message(data_dir: Path, error: sqlite3.DatabaseError) -> str:
    """Return the sentence for a library file that SQLite can not make sense of."""
    return f"The library in {data_dir} is damaged ({error}). Run “lectern doctor”, or restore a copy of it."


def _unwritable_message(data_dir: Path, error: sqlite3.DatabaseError) -> str:
    reason = str(error)
    if not isinstance(error, sqlite3.OperationalError):
        return damaged_message(data_dir, error)
    if "full" in reason:
        return _full_message(data_dir)
    if "locked" in reason:
        return (
            f"The library in {data_dir} is being used by another program, perhaps a backup. "
            "Nothing is lost; try again when that is done."
        )
    return f"The library in {data_dir} can not be written ({reason}). Nothing is lost; try again."


def _full_message(data_dir: Path) -> str:
    return f"The disk that holds {data_dir} is full. Free some space and try again; nothing is lost."


def _is_of_the_moment(error: sqlite3.OperationalError) -> bool:
    return "full" in str(error) or "locked" in str(error)


def _locked_message(data_dir: Path, holder: Path) -> str:
    # The lock file itself can not be read on Windows while it is held, hence the file beside it.
    try:
        who = f" (process {int(json.loads(holder.read_text(encoding='utf-8'))['pid'])})"
    except (OSError, ValueError, KeyError, TypeError):
        who = ""
    return (
        f"Another Lectern{who} is using the library in {data_dir}. "
        "Close it first, or choose another directory with --data-dir."
    )
