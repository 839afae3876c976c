"""Which folders and files the library watches, and which of them have changed.

Changes are found by comparing two scans of names, sizes and times: the system's change events get lost when
there are too many, and a share sends none for what other computers write.
"""

import hashlib
import os
import stat
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.core.ingest.discovery import has_readable_name, is_course_file, is_reachable, walk
from app.core.storage.database import Database
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.events import FolderFound, FolderLost, FolderSettled, WatchedPath, WatchEvent
from app.domain.file_paths import root_of
from app.domain.messages import Message

# Whether a path is inside the folder ``w.path``.
_INSIDE = "instr({}, rtrim(w.path, :separator) || :separator) = 1"
_SEPARATOR = {"separator": os.sep}


class WatchList:
    """Watched paths and removed files, as stored in the library file. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def paths(self) -> tuple[WatchedPath, ...]:
        """Return the paths to watch, sorted, except those from which the user removed every document."""
        rows = self._db.connection.execute(
            f"""SELECT * FROM watched AS w
                WHERE EXISTS (SELECT 1 FROM documents AS d WHERE d.trashed_at IS NULL
                              AND (d.path = w.path OR {_INSIDE.format("d.path")}))
                OR NOT EXISTS (SELECT 1 FROM removed_files AS r
                               WHERE r.path = w.path OR {_INSIDE.format("r.path")})
                ORDER BY path""",
            _SEPARATOR,
        )
        return tuple(
            WatchedPath(Path(row["path"]), bool(row["is_folder"]), row["fingerprint"], bool(row["was_mount"]))
            for row in rows
        )

    def check(self, paths: Iterable[Path]) -> None:
        """Refuse to read folders whose drive or share is not connected.

        Raises:
            UserError: names the first of them.
        """
        chosen = {os.path.realpath(path) for path in paths}
        for watched in self.paths():
            lost = str(watched.path) in chosen and watched.is_folder and watched.was_mount
            if lost and not is_reachable(watched.path, was_mount=True):
                raise UserError(Message("ingest.unreachable", path=watched.path))

    def add(self, paths: Iterable[Path]) -> None:
        """Watch the chosen paths that exist; files in them that the user had removed may return."""
        chosen = [os.path.realpath(path) for path in paths]
        found = [path for path in chosen if os.path.exists(path) and has_readable_name(path)]
        removed = self.removed()
        with self._db.transaction() as connection:
            # The empty fingerprint stays until everything is read, because reading may be interrupted.
            connection.executemany(
                """INSERT INTO watched (path, is_folder) VALUES (?, ?)
                   ON CONFLICT (path) DO UPDATE
                   SET fingerprint = '', is_folder = max(is_folder, excluded.is_folder)""",
                [(path, os.path.isdir(path)) for path in found],
            )
            # A folder is watched with everything in it.
            connection.execute(
                f"""DELETE FROM watched WHERE path IN
                    (SELECT o.path FROM watched AS o JOIN watched AS w
                     ON w.is_folder AND o.path <> w.path AND {_INSIDE.format("o.path")})""",
                _SEPARATOR,
            )
            back = [(path,) for path in removed if root_of(path, found)]
            connection.executemany("DELETE FROM removed_files WHERE path = ?", back)

    def stop(self, path: Path) -> None:
        """Stop watching a folder or file; its documents stay."""
        self._db.write("DELETE FROM watched WHERE path = ?", [(str(path),)])

    def clear(self) -> None:
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM watched")
            connection.execute("DELETE FROM removed_files")

    def mark_synced(self, watched: WatchedPath) -> None:
        """Store the state of a folder whose files have all been read."""
        self._db.write(
            "UPDATE watched SET fingerprint = ?, was_mount = ? WHERE path = ?",
            [(watched.fingerprint, watched.was_mount, str(watched.path))],
        )

    def exclude(self, document_ids: Sequence[int]) -> None:
        """Mark files as removed by the user; call this before trashing their documents."""
        self._db.write(
            "INSERT OR IGNORE INTO removed_files SELECT path FROM documents WHERE id = ?",
            [(key,) for key in document_ids],
        )

    def readmit(self, document_ids: Sequence[int]) -> None:
        """Clear the mark of restored documents."""
        self._db.write(
            "DELETE FROM removed_files WHERE path = (SELECT path FROM documents WHERE id = ?)",
            [(key,) for key in document_ids],
        )

    def removed(self) -> frozenset[str]:
        """Return the files the user removed; watching does not add them again."""
        rows = self._db.connection.execute(
            """SELECT path FROM removed_files
               WHERE path NOT IN (SELECT path FROM documents WHERE trashed_at IS NULL)"""
        )
        return frozenset(row["path"] for row in rows)


_MAX_SCAN_SHARE = 0.02  # of the time, spent on scanning one folder
_GONE_OR_PRIVATE = (FileNotFoundError, NotADirectoryError, PermissionError)


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals of watching, in seconds."""

    settled: float = 2.0  # a file unchanged for this long counts as completely written
    patience: float = 10.0  # how long settled files wait for the others, so that a burst becomes one job
    poll: float = 5.0  # between scans of a folder in which nothing happens


@dataclass(frozen=True, slots=True)
class Scan:
    """The course files in a watched folder, or the one watched file if it exists.

    ``files`` gives size in bytes and mtime in nanoseconds by absolute path; ``seconds`` is the duration.
    """

    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    is_mount: bool = False
    seconds: float = 0.0

    def fingerprint(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for path, (size, mtime) in sorted(self.files.items()):
            digest.update(f"{path}\0{size}\0{mtime}\n".encode("utf-8", "surrogatepass"))
        return digest.hexdigest()


@dataclass(slots=True)
class _Folder:
    """State of a watched path; times are those of ``time.monotonic``."""

    watched: WatchedPath
    reported: Scan | None = None  # the state last reported; None while only its fingerprint is known
    latest: Scan | None = None  # None before the first scan
    due: float = 0.0  # time of the next scan
    restless: float | None = None  # when unreported changes were first seen
    is_lost: bool = False


class FolderWatcher:
    """Watches a changing set of folders and single files.

    :meth:`events` runs in one thread, :meth:`watch` and :meth:`close` may be called from any.
    """

    def __init__(self, pace: Pace | None = None) -> None:
        self._pace = pace or Pace()
        self._token = CancelToken()
        self._wanted: tuple[WatchedPath, ...] = ()
        self._changed = threading.Event()
        self._folders: dict[Path, _Folder] = {}

    def watch(self, paths: Iterable[WatchedPath]) -> None:
        """Replace the watched paths; one inside another is watched only once."""
        wanted = {item.path: item for item in paths}
        folders = {path for path, item in wanted.items() if item.is_folder}
        outermost = tuple(item for path, item in wanted.items() if folders.isdisjoint(path.parents))
        if {item.path for item in outermost} != {item.path for item in self._wanted}:
            self._wanted = outermost
            self._changed.set()

    def close(self) -> None:
        """End :meth:`events`, within a fraction of a second."""
        self._token.cancel()
        self._changed.set()

    def events(self) -> Iterator[WatchEvent]:
        """Yield changes until :meth:`close`."""
        with suppress(Cancelled):
            while not self._token.cancelled:
                known = self._folders
                self._folders = {item.path: known.get(item.path) or _Folder(item) for item in self._wanted}
                for folder in self._folders.values():
                    if folder.due <= time.monotonic():
                        yield from self._check(folder)
                due = min((folder.due for folder in self._folders.values()), default=None)
                self._changed.wait(None if due is None else max(due - time.monotonic(), 0))
                self._changed.clear()

    def _check(self, folder: _Folder) -> Iterator[WatchEvent]:
        found = scan(folder.watched, self._token)
        now = time.monotonic()
        if found is None:
            folder.latest = folder.restless = None
            folder.due = now + self._pace.poll
            if not folder.is_lost:
                folder.is_lost = True
                yield FolderLost(folder.watched.path)
            return
        if folder.is_lost:
            folder.is_lost = False
            yield FolderFound(folder.watched.path)
        folder.watched = folder.watched._replace(was_mount=found.is_mount)
        before, folder.latest = folder.latest, found
        pause = found.seconds / _MAX_SCAN_SHARE
        if folder.reported is None and found.fingerprint() == folder.watched.fingerprint:
            folder.reported = found
        if folder.reported is not None and folder.reported.files == found.files:
            folder.restless = None
            folder.due = now + max(self._pace.poll, pause)
            return
        # Until two scans agree, a file may still be being written, or replaced by renaming.
        folder.restless = folder.restless or now
        moving = {path for path, _ in (before.files.items() if before else set()) ^ found.files.items()}
        folder.due = now + max(self._pace.settled, pause)
        if not moving or (before and now - folder.restless >= self._pace.patience):
            yield from self._report(folder, found, frozenset(moving))

    def _report(self, folder: _Folder, found: Scan, unsettled: frozenset[str]) -> Iterator[WatchEvent]:
        reported = folder.reported.files if folder.reported else {}
        # Files that are being written keep the state reported before.
        now = {path: stamp for path, stamp in found.files.items() if path not in unsettled}
        now.update((path, reported[path]) for path in unsettled if path in reported)
        if folder.reported is not None and now == reported:
            return
        folder.reported = replace(found, files=now)
        folder.watched = folder.watched._replace(fingerprint="" if unsettled else found.fingerprint())
        if not unsettled:
            folder.restless = None
            folder.due = time.monotonic() + self._pace.poll
        yield FolderSettled(folder.watched, unsettled)


def scan(watched: WatchedPath, token: CancelToken) -> Scan | None:
    """List a watched folder or file; return None if the folder is out of reach.

    It is if it is missing, cannot be listed, or is empty where a drive or share used to be.
    """
    began = time.monotonic()
    base = watched.folder
    if not is_reachable(base, was_mount=watched.was_mount):
        return None
    files: dict[str, tuple[int, int]] = {}
    unlisted: list[OSError] = []
    try:
        for file in walk(base, token, unlisted) if watched.is_folder else (watched.path,):
            if watched.is_folder and not is_course_file(file.name):
                continue
            with suppress(*_GONE_OR_PRIVATE):
                status = file.stat()
                if stat.S_ISREG(status.st_mode):
                    files[os.fspath(file)] = (status.st_size, status.st_mtime_ns)
    except OSError:
        return None
    # A folder that has just gone, or fails for another reason than its permissions, is not empty.
    if any(error.filename == str(base) or not isinstance(error, _GONE_OR_PRIVATE) for error in unlisted):
        return None
    return Scan(files, os.path.ismount(base), time.monotonic() - began)
