"""Watching real folders: which changes are reported, and when."""

from __future__ import annotations

import os
import queue
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.ingest.watcher import FolderWatcher, Pace, scan
from app.domain.cancel import CancelToken
from app.domain.events import FolderFound, FolderLost, FolderSettled, WatchedPath, WatchEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PACE = Pace(settled=0.3, patience=1.0, poll=0.2)
_PATIENT = replace(_PACE, settled=1.0, patience=30.0)  # for writers that a busy computer may delay


class Watching:
    """A watcher running in its thread."""

    def __init__(self, *paths: Path, known: bool, pace: Pace) -> None:
        self.watcher = FolderWatcher(pace)
        self._events: queue.Queue[WatchEvent] = queue.Queue()
        self.watcher.watch([watched(path, known=known) for path in paths])
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def next(self) -> WatchEvent:
        return self._events.get(timeout=60)

    def settled(self) -> FolderSettled:
        event = self.next()
        assert isinstance(event, FolderSettled), event
        return event

    def close(self) -> list[WatchEvent]:
        """Stop it and return the remaining events."""
        self.watcher.close()
        self._thread.join(60)
        assert not self._thread.is_alive()
        left = []
        while not self._events.empty():
            left.append(self._events.get())
        return left

    def _run(self) -> None:
        for event in self.watcher.events():
            self._events.put(event)


def watched(path: Path, *, known: bool = True, was_mount: bool = False) -> WatchedPath:
    """Return a path as the library stores it; with its current state unless ``known`` is False."""
    plain = WatchedPath(path, not path.is_file(), was_mount=was_mount)
    found = scan(plain, CancelToken()) if known else None
    return WatchedPath(path, plain.is_folder, found.fingerprint(), was_mount) if found else plain


@pytest.fixture
def courses(tmp_path: Path) -> Path:
    folder = tmp_path / "courses"
    (folder / "week 1").mkdir(parents=True)
    (folder / "week 1" / "intro.txt").write_text("Hello.", encoding="utf-8")
    (folder / "notes.md").write_text("# Notes", encoding="utf-8")
    return folder


@pytest.fixture
def watch(request: pytest.FixtureRequest) -> Iterator[Callable[..., Watching]]:
    running: list[Watching] = []

    def begin(*paths: Path, known: bool = True, pace: Pace = _PACE) -> Watching:
        running.append(Watching(*paths, known=known, pace=pace))
        return running[-1]

    yield begin
    for one in running:
        one.close()


def test_an_edited_file_is_reported_once(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses)
    (courses / "notes.md").write_text("# Notes, longer", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(courses))
    assert watching.close() == []


def test_hundreds_of_files_at_once_are_one_event(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses, pace=_PATIENT)
    for number in range(300):
        folder = courses / f"module {number % 20}" / "deep"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text("Text.", encoding="utf-8")
    told = watching.settled()
    assert told == FolderSettled(watched(courses))
    assert watching.close() == []


def test_a_file_that_grows_waits_and_the_others_do_not(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses)
    growing, enough = courses / "big.pdf", threading.Event()

    def copy() -> None:
        with growing.open("ab", buffering=0) as file:
            while not enough.wait(0.05):
                file.write(b"more")

    writer = threading.Thread(target=copy)
    writer.start()
    (courses / "notes.md").write_text("# Changed", encoding="utf-8")
    first = watching.settled()
    enough.set()
    writer.join()
    assert first.unsettled == {str(growing)}
    assert first.watched.fingerprint == ""
    assert watching.settled() == FolderSettled(watched(courses))
    assert watching.close() == []


def test_saving_by_renaming_is_one_change(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses, pace=_PATIENT)
    (courses / "notes.md").rename(courses / "notes.md~")
    (courses / ".notes.md.swp").write_text("draft", encoding="utf-8")
    (courses / "notes.md").write_text("# Written anew", encoding="utf-8")
    (courses / "notes.md~").unlink()
    assert watching.settled() == FolderSettled(watched(courses))
    assert watching.close() == []


def test_drafts_locks_and_downloads_are_ignored(courses: Path) -> None:
    before = watched(courses)
    for name in (
        "~$notes.docx",
        ".notes.md.swp",
        "talk.pdf.part",
        "talk.pdf.crdownload",
        "4913",
        "notes.md~",
    ):
        (courses / name).write_text("x", encoding="utf-8")
    for folder in (".git", "node_modules"):
        (courses / folder).mkdir()
        (courses / folder / "readme.md").write_text("x", encoding="utf-8")
    assert watched(courses) == before


def test_a_folder_that_is_renamed_away_is_lost_and_found(
    courses: Path, tmp_path: Path, watch: Callable[..., Watching]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.txt").write_text("A.", encoding="utf-8")
    watching = watch(courses, other)
    courses.rename(tmp_path / "away")
    assert watching.next() == FolderLost(courses)
    (tmp_path / "away").rename(courses)
    assert watching.next() == FolderFound(courses)
    # Nothing changed in it, so the next event is the other folder's.
    (other / "a.txt").write_text("Changed.", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(other))
    # It is watched again.
    (courses / "week 1" / "intro.txt").write_text("Hello again.", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(courses))


def test_changes_made_while_a_folder_was_away_are_reported(
    courses: Path, tmp_path: Path, watch: Callable[..., Watching]
) -> None:
    watching = watch(courses)
    courses.rename(tmp_path / "away")
    assert watching.next() == FolderLost(courses)
    (tmp_path / "away" / "notes.md").unlink()
    (tmp_path / "away").rename(courses)
    assert watching.next() == FolderFound(courses)
    assert watching.settled() == FolderSettled(watched(courses))


def test_a_folder_missing_at_first_is_reported_when_it_appears(
    tmp_path: Path, watch: Callable[..., Watching]
) -> None:
    late = tmp_path / "late"
    watching = watch(late)
    assert watching.next() == FolderLost(late)
    late.mkdir()
    (late / "a.txt").write_text("A.", encoding="utf-8")
    assert watching.next() == FolderFound(late)
    assert watching.settled() == FolderSettled(watched(late))


def test_a_folder_replaced_by_a_file_is_lost(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses)
    courses.rename(courses.with_name("moved"))
    courses.write_text("a file", encoding="utf-8")
    assert watching.next() == FolderLost(courses)


def test_a_drive_that_is_unplugged_leaves_no_deletions_behind(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    assert scan(watched(stick, known=False, was_mount=True), CancelToken()) is None
    assert scan(WatchedPath(stick / "a.txt", is_folder=False, was_mount=True), CancelToken()) is None
    # Any file in it proves that the drive is connected.
    (stick / "a.txt").write_text("A.", encoding="utf-8")
    found = scan(watched(stick, known=False, was_mount=True), CancelToken())
    assert found is not None
    assert list(found.files) == [str(stick / "a.txt")]


def test_a_folder_in_another_is_watched_with_it(courses: Path, watch: Callable[..., Watching]) -> None:
    watching = watch(courses / "week 1", courses, courses / "notes.md")
    (courses / "week 1" / "intro.txt").write_text("Changed.", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(courses))
    assert watching.close() == []


def test_a_folder_that_was_never_read_is_reported_at_the_start(
    courses: Path, watch: Callable[..., Watching]
) -> None:
    watching = watch(courses, known=False)
    assert watching.settled() == FolderSettled(watched(courses))
    assert watching.close() == []


def test_a_single_file_is_reported_when_it_changes_disappears_or_returns(
    courses: Path, watch: Callable[..., Watching]
) -> None:
    file = courses / "notes.md"
    watching = watch(file)
    draft = courses / "draft"
    draft.write_text("# Saved by renaming", encoding="utf-8")
    draft.replace(file)
    assert watching.settled() == FolderSettled(watched(file))
    file.unlink()
    gone = watching.settled()
    assert gone.watched.path == file
    file.write_text("# Back", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(file))
    # Other files are ignored; without its folder, the file is out of reach.
    (courses / "week 1" / "intro.txt").write_text("Changed.", encoding="utf-8")
    courses.rename(courses.with_name("away"))
    assert watching.next() == FolderLost(file)


def test_a_single_file_replaced_by_a_folder_is_gone(courses: Path, watch: Callable[..., Watching]) -> None:
    file = courses / "notes.md"
    watching = watch(file)
    file.unlink()
    file.mkdir()
    assert watching.settled().watched.path == file
    found = scan(WatchedPath(file, is_folder=False), CancelToken())
    assert found is not None
    assert found.files == {}


def test_a_new_version_of_the_same_size_is_known_by_its_mtime(
    courses: Path, watch: Callable[..., Watching]
) -> None:
    watching = watch(courses)
    now = time.time()
    os.utime(courses / "notes.md", (now, now + 5))
    assert watching.settled() == FolderSettled(watched(courses))


def test_links_are_not_followed_in_circles(courses: Path) -> None:
    try:
        (courses / "week 1" / "round").symlink_to(courses, target_is_directory=True)
        (courses / "lost.txt").symlink_to(courses / "nothing.txt")
    except OSError:
        pytest.skip("this account may not make links")
    found = scan(WatchedPath(courses, is_folder=True), CancelToken())
    assert found is not None
    assert sorted(Path(path).name for path in found.files) == ["intro.txt", "notes.md"]


def test_closing_stops_a_scan_at_once(courses: Path, watch: Callable[..., Watching]) -> None:
    for number in range(1500):
        (courses / f"{number}.txt").write_text("x", encoding="utf-8")
    watching = watch(courses, known=False)
    watching.close()


def test_paths_no_longer_wanted_are_not_watched(
    courses: Path, tmp_path: Path, watch: Callable[..., Watching]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    watching = watch(courses)
    watching.watcher.watch([watched(other)])
    (courses / "notes.md").write_text("# Changed", encoding="utf-8")
    (other / "a.txt").write_text("A.", encoding="utf-8")
    assert watching.settled() == FolderSettled(watched(other))
    assert watching.close() == []
