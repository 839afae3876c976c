"""The library file: SQLite connections, transactions, and the lock on the data directory."""

import errno
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from filelock import FileLock, Timeout

from app.config.files import keep_private, private_directory, private_file
from app.core.storage import schema
from app.core.storage.backups import back_up_before_upgrade, list_backups
from app.core.storage.codec import reading
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryLocked, LibraryUnusable
from app.domain.messages import Message
from app.domain.sources import SourceState

LIBRARY_FILE = "library.sqlite3"
LOCK_FILE = "lectern.lock"
ROOM = 64 << 10
"""Bytes without which nothing is written.

SQLite's shared memory grows by 32 kB, and a page of it for which the disk has no room kills the process.
"""

_INCREMENTAL = 2  # as returned by PRAGMA auto_vacuum
_PAGES_AT_ONCE = 2000  # freed in one transaction: 8 MB
_BUSY_TIMEOUT = 10.0  # seconds one writer waits for another; our transactions take milliseconds


class FileIdentity:
    """The file that was at ``path`` when this was created, by device and inode.

    An open file outlives its name: without this check, what is written to a deleted file is silently lost. A
    check takes a few microseconds.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._seen = path, os.stat(path)

    def is_there(self) -> bool:
        """Whether the file is still at its path; True if that cannot be known, as on a failing disk."""
        try:
            return os.path.samestat(os.stat(self._path), self._seen)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True


def require_room(folder: Path) -> None:
    """Raise OSError if nothing more can be written: no room, no permission, or a quota used up."""
    with TemporaryFile(dir=folder) as file:
        file.write(bytes(ROOM))
        file.flush()


def has_room(folder: Path) -> bool:
    try:
        require_room(folder)
    except OSError:
        return False
    return True


class Database:
    """One connection per thread to ``library.sqlite3`` in write-ahead mode.

    Opened for writing, it holds the lock file of the data directory until :meth:`close`. Opened for
    reading, it takes no lock and works beside a writer; a missing library reads as an empty one.

    Args:
        data_dir: directory of the library.
        read_only: write nothing, except to upgrade a library of an earlier version.
        backups: back up a library before its upgrade; not needed for a library that is itself a copy.
        frozen: read a closed library of the current version, while nobody writes to it; not even SQLite's
            own files are created.
    """

    def __init__(
        self, data_dir: Path, *, read_only: bool = False, backups: bool = True, frozen: bool = False
    ) -> None:
        self.data_dir = data_dir
        self.hooks = LibraryHooks()
        self.read_only = read_only or frozen
        self._backups = backups
        self._frozen = frozen
        # By thread number. Not threading.local, which loses its content whenever a Qt thread returns
        # from Python to its event loop: each slot would leave a connection behind.
        self._connections: dict[int, sqlite3.Connection] = {}
        self._guard = threading.Lock()
        self._lock: FileLock | None = None
        self._in_memory = False
        self._immutable = False  # read without SQLite's shared memory, for which there is no room
        self.is_open = False
        self._file: FileIdentity | None = None
        self._lock_file: FileIdentity | None = None

    def open(self, progress: Callable[[Message], None] = lambda _: None) -> None:
        """Take the lock, and upgrade a library of an earlier version.

        ``progress`` receives messages about slow steps; what it raises cancels the upgrade.

        Raises:
            LibraryLocked: another Lectern writes to this data directory.
            LibraryUnusable: the library cannot be written, is damaged, or comes from a newer version.
        """
        try:
            if self.read_only:
                if self.data_dir.exists() and not self.data_dir.is_dir():
                    raise NotADirectoryError(errno.ENOTDIR, "It is not a directory")
                # An empty file is left by a first writer that was killed early.
                self._in_memory = not self._path.exists() or not self._path.stat().st_size
                has_log = self._beside("-wal").exists()
                self._immutable = self._frozen or (not has_log and not has_room(self.data_dir))
                if has_log and not self._beside("-shm").exists():
                    require_room(self.data_dir)
                self._require_library()
            else:
                private_directory(self.data_dir)
                self._lock = acquire_lock(self.data_dir)
                self._lock_file = FileIdentity(self.data_dir / LOCK_FILE)
                require_room(self.data_dir)
                self._require_library()
                self._keep_private()
            self.is_open = True
            self._prepare(progress)
            if not self._in_memory:
                self._file = FileIdentity(self._path)
        except (OSError, sqlite3.Error) as error:
            self.close()
            reason = error.strerror or error if isinstance(error, OSError) else error
            message = Message("storage.unopenable", path=self._path, reason=reason)
            if isinstance(error, OSError):
                message = Message("storage.directory_unusable", directory=self.data_dir, reason=reason)
            raise LibraryUnusable(_explained(self.data_dir, error, message)) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close every connection and release the lock. Idempotent."""
        with self._guard:
            self.is_open = False
            connections, self._connections = self._connections, {}
            self._file = self._lock_file = None
        for connection in connections.values():
            connection.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, in autocommit mode; rows are ``sqlite3.Row``.

        Raises:
            LibraryUnusable: the library is not open, or no longer the one that was opened: nothing may be
                written into a file that no one will find.
        """
        self._check_file()
        return self._connections.get(threading.get_ident()) or self._connect()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run one write transaction, rolled back if the block raises.

        Raises:
            LibraryUnusable: the disk is full, the directory is read-only, the library was deleted or moved,
                or another writer blocks.
        """
        connection = self.connection
        self._check_lock()
        self._check_room()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            self._check_file()  # a long transaction may have outlived its file
            self._check_lock()
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            # All other classes of SQLite errors are bugs; the base class itself is a damaged file.
            if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
                self._check_file()
                raise self._not_written(error) from error
            raise

    def write(self, sql: str, rows: Iterable[Sequence[Any]] = ((),)) -> None:
        """Run one statement for each row of parameters, all in one transaction."""
        with self.transaction() as connection:
            connection.executemany(sql, rows)

    def meta(self, key: str) -> str | None:
        """Return a stored property of the library, or None."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row["value"])

    def set_meta(self, key: str, value: str) -> None:
        self.write("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [(key, value)])

    def give_back_space(self, *, at_once: bool = True) -> Iterator[None]:
        """Return the space of deleted rows to the file system, in steps; others can write in between.

        ``at_once`` frees every page, even if a library that cannot do it in steps needs one long one.

        Raises:
            LibraryUnusable: the file cannot be written now; nothing is lost.
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
            raise self._not_written(error) from error

    @property
    def _path(self) -> Path:
        return self.data_dir / LIBRARY_FILE

    def _beside(self, suffix: str) -> Path:
        """Return a file of SQLite's: the log ``-wal``, which exists while someone writes, or ``-shm``."""
        return self.data_dir / f"{LIBRARY_FILE}{suffix}"

    def _check_lock(self) -> None:
        """Write nothing without the lock."""
        if self._lock_file is not None and not self._lock_file.is_there():
            raise LibraryUnusable(Message("storage.lock_gone", directory=self.data_dir))

    def _check_file(self) -> None:
        if self._file is not None and not self._file.is_there():
            raise LibraryUnusable(Message("storage.gone", directory=self.data_dir))
        if self._immutable and self._beside("-wal").exists():  # someone has begun to write
            raise LibraryUnusable(Message("storage.in_use", directory=self.data_dir))

    def _check_room(self) -> None:
        with suppress(OSError):  # asks the disk first: trying takes longer, but some disks do not know
            if self.read_only or shutil.disk_usage(self.data_dir).free >= ROOM:
                return
        try:
            require_room(self.data_dir)
        except OSError as error:
            raise self._not_written(error) from error

    def _connect(self) -> sqlite3.Connection:
        closed = LibraryUnusable(Message("storage.closed", directory=self.data_dir))
        if not self.is_open:
            raise closed
        if self._in_memory:
            target = "file:lectern-empty?mode=memory&cache=shared"
        else:
            may_create = "rwc" if self._file is None else "rw"
            target = f"{self._path.as_uri()}?mode={'ro' if self.read_only else may_create}"
            if self._immutable:
                target += "&immutable=1"
        # Used only by the thread that opened it, but closed by another one at the end.
        connection = sqlite3.connect(
            target, uri=True, timeout=_BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        # A library may come from anywhere, by an import or by hand.
        connection.execute("PRAGMA trusted_schema = OFF")
        if not self.read_only:
            if not connection.execute("PRAGMA page_count").fetchone()[0]:
                # Only possible in a file without content; lets give_back_space work in small steps.
                connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            # A document reported as added survives a power cut.
            connection.execute("PRAGMA synchronous = FULL")
        with self._guard:
            if self.is_open:
                self._connections[threading.get_ident()] = connection
                return connection
        connection.close()
        raise closed

    def _prepare(self, progress: Callable[[Message], None]) -> None:
        version = schema.version_of(self.connection)
        if version is None:
            raise LibraryUnusable(Message("storage.not_a_library", path=self._path))
        if version > schema.SCHEMA_VERSION:
            raise LibraryUnusable(Message("storage.newer", directory=self.data_dir))
        if version == 0:
            schema.create(self.connection)
        elif version < schema.SCHEMA_VERSION and self.read_only:
            try:
                with closing(Database(self.data_dir)) as writer:
                    writer.open(progress)
            except LibraryLocked as error:
                message = Message("storage.upgrade_locked", directory=self.data_dir, reason=error.message)
                raise LibraryLocked(message) from error
        elif version < schema.SCHEMA_VERSION:
            steps = schema.migrations(version)
            upgrade(self.connection, self.data_dir, steps, progress, backups=self._backups)

    def _require_library(self) -> None:
        """Refuse to begin an empty library where backups show that there was one."""
        is_there = self._path.exists() and self._path.stat().st_size
        if not is_there and list_backups(self.data_dir):
            raise LibraryUnusable(Message("storage.missing", directory=self.data_dir))

    def _keep_private(self) -> None:
        """Create the library's file, and take existing files from other users of the computer."""
        private_file(self._path)  # SQLite's other files take its permissions
        for pattern in (f"{LIBRARY_FILE}-*", "lectern.*", "chroma*", "backups", "backups/*"):
            for path in self.data_dir.glob(pattern):
                keep_private(path)

    def _not_written(self, error: sqlite3.DatabaseError | OSError) -> LibraryUnusable:
        if isinstance(error, sqlite3.OperationalError | OSError):
            message = Message("storage.unwritable", directory=self.data_dir, reason=error)
            return LibraryUnusable(_explained(self.data_dir, error, message))
        return LibraryUnusable(Message("storage.damaged", directory=self.data_dir, reason=error))


def acquire_lock(data_dir: Path, *, announce: bool = True) -> FileLock:
    """Acquire the lock of a data directory for writing, and announce the holder in a file beside it.

    Raises:
        LibraryLocked: another Lectern writes to this data directory.
        OSError: the directory cannot be written.
    """
    # The lock file itself cannot be read on Windows while it is held, hence the file beside it.
    holder = data_dir / "lectern.holder"
    # Acquired in one worker's thread and released in another.
    if announce:
        private_file(data_dir / LOCK_FILE)
    lock = FileLock(data_dir / LOCK_FILE, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        message = Message("storage.locked", directory=data_dir)
        with suppress(OSError, ValueError, KeyError, TypeError):
            process = str(int(json.loads(holder.read_text(encoding="utf-8"))["pid"]))
            message = Message("storage.locked_by", directory=data_dir, process=process)
        raise LibraryLocked(message) from None
    if announce:
        holder.write_text(json.dumps({"pid": os.getpid()}), encoding="utf-8")
    return lock


def upgrade(
    connection: sqlite3.Connection,
    data_dir: Path,
    steps: Sequence[schema.Migration],
    progress: Callable[[Message], None] = lambda _: None,
    *,
    backups: bool = True,
) -> None:
    """Run the migrations in order, each after a backup of the library.

    Raises:
        LibraryUnusable: a migration failed; the library is as the ones before it left it.
        OSError: a backup cannot be written.
    """
    for step in steps:
        try:
            if backups:
                back_up_before_upgrade(connection, data_dir, step.version - 1, progress)
            progress(Message("storage.upgrading"))
            schema.migrate(connection, step)
        except sqlite3.Error as error:
            message = Message("storage.upgrade_failed", directory=data_dir, reason=error)
            raise LibraryUnusable(message) from error


def _explained(data_dir: Path, error: OSError | sqlite3.Error, otherwise: Message) -> Message:
    """Return the message for a full disk or a library in use; ``otherwise`` for other errors."""
    reason = str(error) if isinstance(error, sqlite3.OperationalError) else ""
    is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    if is_full or "full" in reason or ("I/O error" in reason and not has_room(data_dir)):
        return Message("storage.disk_full", directory=data_dir)
    return Message("storage.in_use", directory=data_dir) if "locked" in reason else otherwise


@dataclass(eq=False, slots=True)
class LibraryCopy:
    """A copy of one library file into another, in a transaction on both.

    Attributes:
        dimension: required of every vector; None for any.
        known: for each document of the source its key in the target, copied or already there.
    """

    source: sqlite3.Connection
    target: sqlite3.Connection
    token: CancelToken
    dimension: int | None = None
    known: dict[int, int] = field(default_factory=dict)

    def rows_of(self, table: str, column: str, key: int) -> list[sqlite3.Row]:
        """Return the rows of the source that belong to a key, in the order of their first column."""
        return self.read(f"SELECT * FROM {table} WHERE {column} = ? ORDER BY 1", key)

    def read(self, query: str, *parameters: int) -> list[sqlite3.Row]:
        with reading():
            return self.source.execute(query, parameters).fetchall()


@dataclass(slots=True)
class LibraryHooks:
    """Functions that features add; all but the last three run in the transaction of the change.

    Attributes:
        course_renamed: a course has a new title; receives the old one and the new one.
        documents_trashed: documents were moved to the trash at a moment.
        documents_added: documents came into the library, or back from the trash.
        trash_emptied: documents in the trash were deleted for good.
        copied: the documents and conversations of a library were copied.
        opened: the library was opened for writing.
        sources_checked: corrects the states of an answer's sources, by their numbers.
    """

    course_renamed: list[Callable[[sqlite3.Connection, str, str], None]] = field(default_factory=list)
    documents_trashed: list[Callable[[sqlite3.Connection, Sequence[int], float], None]] = field(
        default_factory=list
    )
    documents_added: list[Callable[[sqlite3.Connection], None]] = field(default_factory=list)
    trash_emptied: list[Callable[[sqlite3.Connection], None]] = field(default_factory=list)
    opened: list[Callable[[], None]] = field(default_factory=list)
    sources_checked: list[Callable[[int, dict[int, SourceState]], None]] = field(default_factory=list)
    copied: list[Callable[[LibraryCopy], None]] = field(default_factory=list)
