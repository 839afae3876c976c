"""Watches folders and reports those that have changed, once their files are no longer being written.

Change events of the system only say when to scan. Changes are found by comparing two scans of names,
sizes and times, so lost or duplicate events do no harm, and folders without events are scanned the
same way, only at fixed intervals.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ingest.discovery import is_course_file, is_left_out, is_reachable
from app.domain.cancel import Cancelled, CancelToken
from app.domain.events import FolderFound, FolderLost, FolderSettled, WatchedPath, WatchEvent

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from watchfiles import Change


_MAX_SCAN_SHARE = 0.05  # of the time, spent on scanning one folder
_TICKS = 4  # checks of the clock while a file settles
_GONE_OR_PRIVATE = (FileNotFoundError, NotADirectoryError, PermissionError)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals of watching, in seconds."""

    settled: float = 2.0  # a file unchanged for this long counts as completely written
    patience: float = 10.0  # how long settled files wait for the others, so that a burst becomes one job
    presence: float = 5.0  # between checks that a folder still exists and is the same one
    poll: float = 30.0  # between scans of a folder without change events
    safety: float = 600.0  # between scans of a folder with change events


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
    identity: tuple[int, ...] | None = None  # of the folder at the path; None while there is none
    is_lost: bool = False
    has_events: bool = False  # the system reports its changes


class FolderWatcher:
    """Watches a changing set of folders and single files.

    :meth:`events` runs in one thread, :meth:`watch` and :meth:`close` may be called from any.

    Without ``use_events`` it scans every folder at fixed intervals instead of using the system's events.
    """

    def __init__(self, pace: Pace | None = None, *, use_events: bool = True) -> None:
        self._pace = pace or Pace()
        self._tick = self._pace.settled / _TICKS
        self._use_events = use_events
        self._token = CancelToken()
        self._wanted: tuple[WatchedPath, ...] = ()
        self._changed = threading.Event()
        self._must_reopen = False
        self._folders: dict[Path, _Folder] = {}
        self._hints: Generator[set[tuple[Change, str]], None, None] | None = None

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
        checked = time.monotonic()
        try:
            while not self._token.cancelled:
                self._update_folders()
                if time.monotonic() - checked >= self._pace.presence:
                    self._check_identities()
                    checked = time.monotonic()
                for folder in list(self._folders.values()):
                    if folder.due <= time.monotonic():
                        yield from self._check(folder)
                self._wait()
        except Cancelled:
            pass
        finally:
            self._close_events()

    # Scanning

    def _check(self, folder: _Folder) -> Iterator[WatchEvent]:
        found = scan(folder.watched, self._token)
        now = time.monotonic()
        if found is None:
            folder.latest = folder.restless = None
            folder.due = now + self._pace.presence
            if not folder.is_lost:
                folder.is_lost = True
                yield FolderLost(folder.watched.path)
            return
        if folder.is_lost:
            folder.is_lost = False
            yield FolderFound(folder.watched.path)
        folder.watched = replace(folder.watched, was_mount=found.is_mount)
        before, folder.latest = folder.latest, found
        pause = found.seconds / _MAX_SCAN_SHARE
        if folder.reported is None and found.fingerprint() == folder.watched.fingerprint:
            folder.reported = found
        if folder.reported is not None and folder.reported.files == found.files:
            folder.restless = None
            folder.due = now + max(self._interval(folder), pause)
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
        folder.watched = replace(folder.watched, fingerprint="" if unsettled else found.fingerprint())
        if not unsettled:
            folder.restless = None
            folder.due = time.monotonic() + self._interval(folder)
        yield FolderSettled(folder.watched, unsettled)

    def _interval(self, folder: _Folder) -> float:
        return self._pace.safety if folder.has_events else self._pace.poll

    def _check_identities(self) -> None:
        """Find folders that disappeared, came back or were replaced, without scanning them."""
        for folder in self._folders.values():
            before, folder.identity = folder.identity, _identity(folder.watched)
            if folder.identity != before:
                folder.due = 0.0
                self._must_reopen |= folder.watched.is_folder  # the events belong to the former folder

    # Change events

    def _update_folders(self) -> None:
        if self._changed.is_set():
            self._changed.clear()
            known = self._folders
            self._folders = {item.path: known.get(item.path) or _Folder(item) for item in self._wanted}
            self._must_reopen = True
        if self._must_reopen:
            self._must_reopen = False
            self._close_events()
            self._open_events()

    def _open_events(self) -> None:
        """Subscribe to the events of all folders, if the system allows so many."""
        existing: list[_Folder] = []
        for folder in self._folders.values():
            folder.identity = _identity(folder.watched)
            if folder.watched.is_folder and folder.identity is not None:
                existing.append(folder)
        if not (self._use_events and existing):
            return
        # Imported here because it takes 0.1 s, which would delay every command.
        from watchfiles import watch

        hints = watch(
            *(folder.watched.path for folder in existing),
            watch_filter=None,
            step=int(self._tick * 400),  # milliseconds between checks of stop_event
            rust_timeout=int(self._tick * 1000),
            yield_on_timeout=True,
            stop_event=self._changed,
            raise_interrupt=False,
            force_polling=False,
            ignore_permission_denied=True,
        )
        try:
            self._schedule(next(hints, set()))
        except (OSError, RuntimeError) as error:
            message = "Cannot receive change events, so folders are scanned every %g seconds: %s"
            _log.warning(message, self._pace.poll, error)
            return
        self._hints = hints
        for folder in existing:
            folder.has_events = _is_on_home_device(folder)
            folder.due = 0.0  # earlier changes sent no event

    def _wait(self) -> None:
        """Wait for one tick or the next change."""
        if self._hints is None:
            self._changed.wait(self._tick)
            return
        try:
            changes = next(self._hints, None)
        except (OSError, RuntimeError) as error:
            _log.warning("Change events have stopped, so folders are scanned at intervals: %s", error)
            changes, self._use_events = None, False
        if changes is None:
            self._close_events()
        else:
            self._schedule(changes)

    def _schedule(self, changes: set[tuple[Change, str]]) -> None:
        now = time.monotonic()
        for folder in self._folders.values():
            root = str(folder.watched.path)
            # Some systems spell paths differently; such a path may belong to any folder.
            if any(name.startswith(root) or not name.isascii() for _, name in changes):
                pause = folder.latest.seconds / _MAX_SCAN_SHARE if folder.latest else 0.0
                folder.due = min(folder.due, now + pause)

    def _close_events(self) -> None:
        if self._hints is not None:
            self._hints.close()
            self._hints = None
        for folder in self._folders.values():
            folder.has_events = False


def scan(watched: WatchedPath, token: CancelToken) -> Scan | None:
    """List a watched folder or file; return None if the folder is out of reach.

    It is if it is missing, cannot be listed, or is empty where a drive or share used to be.
    """
    began = time.monotonic()
    base = watched.path if watched.is_folder else watched.path.parent
    if not is_reachable(base, was_mount=watched.was_mount):
        return None
    files: dict[str, tuple[int, int]] = {}
    try:
        for file in _course_files(base, token) if watched.is_folder else (watched.path,):
            with suppress(*_GONE_OR_PRIVATE):
                status = file.stat()
                if stat.S_ISREG(status.st_mode):
                    files[os.fspath(file)] = (status.st_size, status.st_mtime_ns)
    except OSError:
        return None
    return Scan(files, os.path.ismount(base), time.monotonic() - began)


def _course_files(root: Path, token: CancelToken) -> Iterator[os.DirEntry[str]]:
    """Yield the course files below a folder, without following links to folders.

    Raises:
        OSError: a subfolder cannot be read for a reason other than permissions.
    """
    folders = [str(root)]
    while folders:
        token.check()
        with suppress(*_GONE_OR_PRIVATE), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if is_left_out(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                elif is_course_file(entry.name):
                    yield entry


def _identity(watched: WatchedPath) -> tuple[int, ...] | None:
    """Return a value that changes when a folder is replaced, or a file gets a new version."""
    try:
        status = os.stat(watched.path)
    except OSError:
        return None
    if watched.is_folder:
        return status.st_dev, status.st_ino
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _is_on_home_device(folder: _Folder) -> bool:
    """Whether a folder is on the device of the home directory.

    Any other device may be a share, where changes made from other computers send no events.
    """
    try:
        return os.stat(folder.watched.path).st_dev == os.stat(Path.home()).st_dev
    except (OSError, RuntimeError):  # RuntimeError: no home directory
        return False
