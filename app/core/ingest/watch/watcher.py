"""Watching folders: tells which have changed, once nobody writes to them any more.

What the system says of changes is only a hint when to look. What has changed is found by comparing
two looks at names, sizes and times; so events that were lost, doubled or thinned out do no harm, and
folders without events are watched in the same way, only less often.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.core.ingest.discovery import is_course_file, is_left_out
from app.core.ingest.watch.scan import Scan, scan
from app.domain.cancel import Cancelled, CancelToken
from app.domain.watching import FolderFound, FolderLost, FolderSettled, WatchedPath, WatchEvent

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from watchfiles import Change

_AT_MOST = 0.05  # share of the time that may go into looking at a big folder
_TICKS = 4  # how often the clock is looked at within the time in which a file settles

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """How patient watching is, in seconds.

    Attributes:
        settled: a file that has not changed for so long counts as written.
        patience: so long what is settled waits for what is not, so that a burst becomes one job.
        presence: between two glances whether a folder is there, and still the same one.
        poll: between two looks at a folder of whose changes nobody tells.
        safety: between two looks at one of whose changes we should hear.
    """

    settled: float = 2.0
    patience: float = 10.0
    presence: float = 5.0
    poll: float = 30.0
    safety: float = 600.0


@dataclass(slots=True)
class _Folder:
    """What is known of a watched path.

    Attributes:
        told: what lay there when it was last told; None where only a fingerprint of it is known.
        seen: the last look, None before the first.
        due: when to look again, as ``time.monotonic`` counts.
        restless: since when looks have differed.
        identity: tells another folder at the same path, None while there is none.
        is_heard: the system tells of its changes.
    """

    watched: WatchedPath
    told: Scan | None = None
    seen: Scan | None = None
    due: float = 0.0
    restless: float | None = None
    identity: tuple[int, ...] | None = None
    is_lost: bool = False
    is_heard: bool = False


class FolderWatcher:
    """Watches a changing set of folders and single files.

    :meth:`events` runs in one thread, :meth:`watch` and :meth:`close` may be called from any.

    Args:
        pace: how patient it is.
        hear: False looks at every folder again and again instead of having the system tell.
    """

    def __init__(self, pace: Pace | None = None, *, hear: bool = True) -> None:
        self._pace = pace or Pace()
        self._tick = self._pace.settled / _TICKS
        self._hear = hear
        self._token = CancelToken()
        self._wanted: tuple[WatchedPath, ...] = ()
        self._changed = threading.Event()
        self._must_listen = False
        self._folders: dict[Path, _Folder] = {}
        self._hints: Generator[set[tuple[Change, str]], None, None] | None = None

    def watch(self, paths: Iterable[WatchedPath]) -> None:
        """Watch these from now on, and nothing else. What is in another of them is watched once."""
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
        """Tell what happens, until :meth:`close`."""
        glanced = time.monotonic()
        try:
            while not self._token.cancelled:
                self._take_wanted()
                if time.monotonic() - glanced >= self._pace.presence:
                    self._glance()
                    glanced = time.monotonic()
                for folder in list(self._folders.values()):
                    if folder.due <= time.monotonic():
                        yield from self._look(folder)
                self._wait()
        except Cancelled:
            pass
        finally:
            self._stop_hearing()

    # Looking

    def _look(self, folder: _Folder) -> Iterator[WatchEvent]:
        found = scan(folder.watched, self._token)
        now = time.monotonic()
        if found is None:
            folder.seen = folder.restless = None
            folder.due = now + self._pace.presence
            if not folder.is_lost:
                folder.is_lost = True
                yield FolderLost(folder.watched.path)
            return
        if folder.is_lost:
            folder.is_lost = False
            yield FolderFound(folder.watched.path)
        folder.watched = replace(folder.watched, was_mount=found.is_mount)
        before, folder.seen = folder.seen, found
        pause = found.seconds / _AT_MOST
        if self._is_told(folder, found):
            folder.restless = None
            folder.due = now + max(self._calm(folder), pause)
            return
        # Until two looks agree somebody may still be writing, or be about to put a file back.
        folder.restless = folder.restless or now
        moving = _difference(before, found) if before else found.files.keys()
        folder.due = now + max(self._pace.settled, pause)
        if not moving or (before and now - folder.restless >= self._pace.patience):
            yield from self._tell(folder, found, frozenset(moving))

    def _is_told(self, folder: _Folder, found: Scan) -> bool:
        if folder.told is not None:
            return folder.told.files == found.files
        if found.fingerprint() != folder.watched.fingerprint:
            return False
        folder.told = found
        return True

    def _tell(self, folder: _Folder, found: Scan, unsettled: frozenset[str]) -> Iterator[WatchEvent]:
        told = folder.told.files if folder.told else {}
        # Of files that are being written, what was told of them before still holds.
        now = {path: stamp for path, stamp in found.files.items() if path not in unsettled}
        now.update((path, told[path]) for path in unsettled if path in told)
        if folder.told is not None and now == told:
            return
        folder.told = replace(found, files=now)
        fingerprint = "" if unsettled else found.fingerprint()
        folder.watched = replace(folder.watched, fingerprint=fingerprint)
        if not unsettled:
            folder.restless = None
            folder.due = time.monotonic() + self._calm(folder)
        yield FolderSettled(folder.watched, unsettled)

    def _calm(self, folder: _Folder) -> float:
        return self._pace.safety if folder.is_heard else self._pace.poll

    def _glance(self) -> None:
        """Find out at little cost which folders have gone, come back or been replaced."""
        for folder in self._folders.values():
            identity = _identity(folder.watched)
            if identity != folder.identity:
                folder.due = 0.0
                if folder.watched.is_folder:  # what was heard of is another folder
                    self._must_listen = True
            folder.identity = identity

    # Hearing of changes

    def _take_wanted(self) -> None:
        if self._changed.is_set():
            self._changed.clear()
            known = self._folders
            self._folders = {item.path: known.get(item.path) or _Folder(item) for item in self._wanted}
            self._must_listen = True
        if self._must_listen:
            self._must_listen = False
            self._stop_hearing()
            self._begin_to_hear()

    def _begin_to_hear(self) -> None:
        """Have the system tell of as many folders as it can."""
        there: list[_Folder] = []
        for folder in self._folders.values():
            folder.identity = _identity(folder.watched)
            if folder.watched.is_folder and folder.identity is not None:
                there.append(folder)
        if not (self._hear and there):
            return
        try:
            self._hints = self._open(there)
            heard: Sequence[_Folder] = there
        except (OSError, RuntimeError):
            heard = self._open_one_by_one(there)
        for folder in there:
            folder.is_heard = folder in heard and _is_at_home(folder)
            folder.due = 0.0  # what changed until now was not heard

    def _open_one_by_one(self, folders: Sequence[_Folder]) -> list[_Folder]:
        heard: list[_Folder] = []
        for folder in folders:
            try:
                hints = self._open([*heard, folder])
            except (OSError, RuntimeError) as error:
                _log.warning(
                    "Changes in %s can not be watched, so it is looked at every %g seconds: %s",
                    folder.watched.path, self._pace.poll, error,
                )  # fmt: skip
                continue
            self._stop_hearing()
            self._hints = hints
            heard.append(folder)
        return heard

    def _open(self, folders: Sequence[_Folder]) -> Generator[set[tuple[Change, str]], None, None]:
        # Imported here: it takes a tenth of a second, which no start of a command has to wait for.
        from watchfiles import watch

        hints = watch(
            *(folder.watched.path for folder in folders),
            watch_filter=None,
            step=int(self._tick * 400),  # how often it asks whether to stop
            rust_timeout=int(self._tick * 1000),
            yield_on_timeout=True,
            stop_event=_Stop(self._token, self._changed),
            raise_interrupt=False,
            force_polling=False,
            ignore_permission_denied=True,
        )
        self._take(next(hints, set()))
        return hints

    def _wait(self) -> None:
        """Wait a moment, or until something happens."""
        if self._hints is None:
            self._changed.wait(self._tick)
            return
        try:
            changes = next(self._hints, None)
        except (OSError, RuntimeError) as error:
            _log.warning("Changes in folders are no longer told, so they are looked at: %s", error)
            changes, self._hear = None, False
        if changes is None:
            self._stop_hearing()
        else:
            self._take(changes)

    def _take(self, changes: set[tuple[Change, str]]) -> None:
        now = time.monotonic()
        for folder in self._folders.values():
            root = str(folder.watched.path)
            if any(_may_matter(change, name, root) for change, name in changes):
                pause = folder.seen.seconds / _AT_MOST if folder.seen else 0.0
                folder.due = min(folder.due, now + pause)

    def _stop_hearing(self) -> None:
        if self._hints is not None:
            self._hints.close()
            self._hints = None
        for folder in self._folders.values():
            folder.is_heard = False


@dataclass(frozen=True, slots=True)
class _Stop:
    """What watchfiles asks whether to stop."""

    token: CancelToken
    changed: threading.Event

    def is_set(self) -> bool:
        return self.token.cancelled or self.changed.is_set()


def _difference(before: Scan, now: Scan) -> set[str]:
    """Return the files that came, went or changed between two looks."""
    return {path for path, _ in before.files.items() ^ now.files.items()}


def _may_matter(change: Change, name: str, root: str) -> bool:
    """Whether a change is worth a look: not for downloads under way, locks and drafts of editors."""
    if not name.startswith(root):
        # Some systems spell a path otherwise than it was given; it can be any folder's then.
        return name.casefold().startswith(root.casefold()) or not name.isascii()
    if any(is_left_out(part) for part in name[len(root) :].split(os.sep)):
        return False
    # A folder of any name can have come or gone; being written to concerns files alone.
    return is_course_file(name) or change.raw_str() != "modified"


def _identity(watched: WatchedPath) -> tuple[int, ...] | None:
    """Return what changes when a folder is replaced by another, or a single file by its next version."""
    try:
        status = os.stat(watched.path)
    except OSError:
        return None
    if watched.is_folder:
        return status.st_dev, status.st_ino
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _is_at_home(folder: _Folder) -> bool:
    """Whether all of a folder's changes are heard of: not those made elsewhere on a share.

    Whatever lies on another device than the home directory can be one.
    """
    try:
        return os.stat(folder.watched.path).st_dev == os.stat(Path.home()).st_dev
    except (OSError, RuntimeError):  # the latter where there is no home
        return False
