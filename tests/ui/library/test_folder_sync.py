"""Watched folders in the real window: what changes in them is found, or gone, by itself."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer

from app.core.ingest.watcher import Pace
from tests.support.courses import BREAD, TITLES, write_courses
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

    from app.config.settings import Settings
    from tests.support.courses import KeptEmbedder

QUICK = Pace(settled=0.2, patience=2.0, poll=0.2)
TIDES = "Tides and Currents"


class Watched:
    """A window with a watched folder of three courses, and what its status bar has said."""

    def __init__(self, running: RunningWindow, folder: Path) -> None:
        self.running = running
        self.folder = folder
        self.said: list[str] = []
        running.window.folder_sync.said.connect(self.said.append)

    def wait_for_word(self, sentence: str) -> None:
        self.running.wait_for(lambda: sentence in self.said, f"“{sentence}” after {self.said}")
        self.said.clear()
        self.running.wait_for(
            lambda: not self.running.window.ingest_controller.is_reading, "the end of reading"
        )

    def listed(self) -> list[str]:
        model = self.running.window.sidebar.tree.model()
        return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.fixture
def kept(
    qapp: QApplication, stored_courses: tuple[Path, Path], tmp_path: Path, embedder: KeptEmbedder
) -> Iterator[Watched]:
    running = RunningWindow(tmp_path, tmp_path, embedder=embedder)
    running.workers.folders.pace = QUICK
    running.rag.open()
    running.rag.database.set_meta("samples", "added")
    running.rag.database.close()
    running.open()
    running.wait_until_ready(samples=False)
    folder = write_courses(tmp_path / "courses")
    watched = Watched(running, folder)
    running.window.ingest_controller.read([folder])
    running.wait_for(lambda: sorted(watched.listed()) == TITLES, "the courses")
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the end of reading")
    yield watched
    running.close()


def passages_embedded(running: RunningWindow) -> list[int]:
    """Collect how many passages each later job embeds."""
    counts: list[int] = []
    running.window.ingest_controller.synced.connect(lambda done: counts.append(done.passages_embedded))
    return counts


def test_edited_added_and_deleted_files_are_kept_up_with(kept: Watched) -> None:
    embedded = passages_embedded(kept.running)
    text = BREAD.replace("It is fed once a day.", "In summer it is fed twice a day.")
    (kept.folder / "bread.txt").write_text(text, encoding="utf-8", newline="\n")
    kept.wait_for_word("1 file read")
    assert "twice a day" in kept.running.rag.search.retrieve("how often is a starter fed?").hits[0].text
    assert sum(embedded) == 1
    (kept.folder / "tides.txt").unlink()
    kept.wait_for_word("1 removed")
    assert TIDES not in kept.listed()
    assert kept.running.rag.search.retrieve("spring tides", TIDES).hits == ()
    assert kept.running.window.ingest_status.is_reading is False


def test_a_folder_that_is_moved_away_and_back_keeps_its_courses(kept: Watched) -> None:
    embedded = passages_embedded(kept.running)
    away = kept.folder.with_name("away")
    kept.folder.rename(away)
    kept.wait_for_word("Can't reach “courses”; its courses stay as they were.")
    assert sorted(kept.listed()) == TITLES
    assert kept.running.rag.search.retrieve("spring tides").hits[0].course_title == TIDES
    (away / "ink.md").unlink()
    away.rename(kept.folder)
    kept.wait_for_word("1 removed")
    assert sorted(kept.listed()) == TITLES[1:]
    assert sum(embedded) == 0


@pytest.mark.slow
def test_what_people_ask_for_goes_first(kept: Watched, tmp_path: Path) -> None:
    """A job of the watcher gives way, and what it was to read is read afterwards."""
    many = tmp_path / "many"
    many.mkdir()
    for number in range(6):
        text = f"Course Title: Course {number}\n\nLesson 1: One\n" + f"Fact {number} is known. " * 60
        (many / f"{number}.txt").write_text(text, encoding="utf-8")
    shutil.copytree(many, kept.folder / "more")
    running = kept.running
    running.wait_for(lambda: running.window.ingest_controller.is_reading, "the watcher's job")
    other = tmp_path / "other.txt"
    other.write_text("Course Title: Other\n\nLesson 1: One\nSomething else.", encoding="utf-8")
    running.window.ingest_controller.read([other])
    running.wait_for(lambda: "Other" in kept.listed(), "what was asked for")
    running.wait_for(lambda: running.rag.courses.counts().documents == 10, "the rest", 120)


@pytest.mark.slow
def test_what_was_cancelled_is_not_begun_again_by_itself(kept: Watched, tmp_path: Path) -> None:
    running, late = kept.running, kept.folder / "late.txt"
    told: list[object] = []
    running.workers.folders.happened.connect(told.append)
    (kept.folder / "soon.txt").write_text("Course Title: Soon\n\nLesson 1: One\nSoon.", encoding="utf-8")
    running.wait_for(lambda: running.window.ingest_controller.is_reading, "the watcher's job")
    running.window.ingest_controller.cancel()
    running.wait_for(lambda: not running.window.ingest_controller.is_reading, "the end of it")
    told.clear()
    late.write_text("Course Title: Late\n\nLesson 1: One\nSomething late.", encoding="utf-8")
    gathering = running.window.folder_sync.findChild(QTimer)
    assert gathering is not None
    running.wait_for(lambda: bool(told) and not gathering.isActive(), "the time to begin")
    assert not running.window.ingest_controller.is_reading
    assert "Late" not in kept.listed()
    other = tmp_path / "other.txt"
    other.write_text("Course Title: Other\n\nLesson 1: One\nSomething else.", encoding="utf-8")
    running.window.ingest_controller.read([other])
    running.wait_for(lambda: {"Other", "Soon", "Late"} <= set(kept.listed()), "the rest")


def test_nothing_is_watched_where_that_is_not_wanted(kept: Watched, tmp_path: Path) -> None:
    running = kept.running
    settings: Settings = replace(running.window.settings, sync_folders=False)
    running.workers.library.save_settings(settings).run(running.window)
    running.wait_for(lambda: not running.window.settings.sync_folders, "the setting")
    (kept.folder / "tides.txt").unlink()
    # Watched again, it is found at once: nobody had taken it in meanwhile.
    running.workers.library.save_settings(replace(settings, sync_folders=True)).run(running.window)
    kept.wait_for_word("1 removed")

    # Nor is it once its entry in the menu was chosen.
    menu = kept.running.window.stop_watching
    kept.running.wait_for(lambda: len(menu.actions()) == 1, "the folder in the menu")
    assert menu.actions()[0].text() == str(kept.folder)
    menu.actions()[0].trigger()
    kept.running.wait_for(lambda: not menu.isEnabled(), "the end of watching")
    assert kept.running.rag.ingest.watched() == ()
    assert sorted(kept.listed()) == TITLES[:2]


@pytest.mark.slow
def test_closing_while_a_folder_is_looked_at_takes_no_time(kept: Watched) -> None:
    for number in range(2000):
        (kept.folder / f"{number}.txt").write_text("x", encoding="utf-8")
    folders = kept.running.workers.folders
    kept.running.close()
    thread = folders._thread  # noqa: SLF001 - nothing else tells that it is over
    assert thread is not None
    thread.join(30)
    assert not thread.is_alive()
