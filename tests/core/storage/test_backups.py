"""Backups: when one is made, what is in it, which are kept."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections import namedtuple
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.storage import backups, restore
from app.core.storage.backups import DAYS, KEPT, MONTHS, WEEKS, to_thin_out
from app.core.storage.database import Database
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LibraryUnusable
from app.domain.keeping import Backup, BackupReason
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import TransferService
from tests.support.commands import Commands
from tests.support.courses import TITLES, ingest, library, write_courses

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

Usage = namedtuple("Usage", "total used free")
GIGABYTE = 1 << 30
BACKING_UP = """
import sys
from pathlib import Path
from app.config.settings import CurrentSettings, Settings
from app.core.storage import backups, restore
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
database = Database(Path(sys.argv[1]))
database.open()
backups._PAGES_AT_ONCE = 2
print("ready", flush=True)
restore.Backups(database, CurrentSettings(Settings())).make_daily(CancelToken(), in_background=True)
"""


def age(backup: Backup, days: int) -> Path:
    """Let a backup have been made some days ago."""
    day = f"{backup.made:%Y-%m-%d}"
    older = f"{backup.made - timedelta(days=days):%Y-%m-%d}"
    return backup.path.rename(backup.path.with_name(backup.path.name.replace(day, older)))


def edit(rag: RAGSystem, folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "note.txt").write_text(f"Course Title: Notes\n\nLesson 1: A\n{text}\n", encoding="utf-8")
    ingest(rag, folder)


class TestTheDailyOne:
    def test_is_a_whole_library(self, rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder) -> None:
        backup = rag.backups.make_daily(CancelToken())
        assert backup is not None
        assert backup.reason is BackupReason.DAILY
        assert rag.backups.all() == (backup,)
        assert [path.name for path in backup.path.parent.iterdir()] == [backup.path.name]
        (tmp_path / "other").mkdir()
        shutil.copy(backup.path, tmp_path / "other" / "library.sqlite3")
        with library(tmp_path / "other", embedder) as other:
            assert [course.title for course in other.courses.all()] == TITLES
            assert "sourdough" in other.search.retrieve("sourdough").hits[0].text
        assert examine(tmp_path / "other", Settings(), embedder).ok

    def test_is_made_once_a_day(self, rag: RAGSystem, tmp_path: Path) -> None:
        assert rag.backups.make_daily(CancelToken()) is not None
        edit(rag, tmp_path / "notes", "Something new.")
        assert rag.backups.make_daily(CancelToken()) is None
        assert len(rag.backups.all()) == 1

    def test_is_not_made_when_nothing_has_changed(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        with library(data_dir, embedder) as rag:
            first = rag.backups.make_daily(CancelToken())
            assert first is not None
        age(first, 1)
        with library(data_dir, embedder) as rag:  # opening and closing write marks of Lectern's own
            assert rag.backups.make_daily(CancelToken()) is None
            rag.conversations.begin_exchange(rag.conversations.create_session(), "Flour?", Scope(), None)
            assert rag.backups.make_daily(CancelToken()) is not None
            assert len(rag.backups.all()) == 2

    def test_is_not_made_of_nothing(self, tmp_path: Path, embedder: KeptEmbedder) -> None:
        with library(tmp_path / "new", embedder, index=False) as rag:
            assert rag.backups.make_daily(CancelToken()) is None
            assert not (tmp_path / "new" / "backups").exists()

    @pytest.mark.parametrize("limit", [0, 2])
    def test_stays_within_the_settings(
        self,
        data_dir: Path,
        embedder: KeptEmbedder,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        limit: int,
    ) -> None:
        monkeypatch.setattr(restore, "_GIGABYTE", 1024)
        with library(data_dir, embedder, Settings(backup_gigabytes=limit), index=False) as rag:
            assert rag.backups.make_daily(CancelToken()) is None
            assert rag.backups.make_before(BackupReason.REPLACE, CancelToken()) is None
        assert ("larger than the space for backups" in caplog.text) == bool(limit)

    def test_is_left_out_where_the_disk_has_no_room(
        self, rag: RAGSystem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9 << 30, 9 << 30, 5 << 20))
        assert rag.backups.make_daily(CancelToken()) is None
        assert "could not be backed up" in caplog.text
        with pytest.raises(LibraryUnusable, match="no room for the backup .* 5 MB are free"):
            rag.backups.make_before(BackupReason.REPLACE, CancelToken())

    def test_can_be_cancelled(self, rag: RAGSystem, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 2)
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            rag.backups.make_daily(token)
        assert list((rag.database.data_dir / "backups").iterdir()) == []
        rag.database.set_meta("still", "works")

    def test_is_of_one_moment_while_others_write(
        self, rag: RAGSystem, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A writer would otherwise make the copy begin again and again."""
        monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 4)
        done = threading.Event()
        written = 0

        def write() -> None:
            nonlocal written
            while not done.is_set():
                with rag.database.transaction() as connection:
                    for side in ("left", "right"):
                        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (side, str(written)))
                written += 1

        writer = threading.Thread(target=write)
        writer.start()
        backup = rag.backups.make_daily(CancelToken(), in_background=True)
        done.set()
        writer.join()
        assert backup is not None
        assert written > 3
        with closing(sqlite3.connect(backup.path)) as copy:
            sides = copy.execute("SELECT value FROM meta WHERE key IN ('left', 'right')").fetchall()
        assert len(set(sides)) <= 1

    def test_says_that_the_library_is_damaged(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        with library(data_dir, embedder, index=False) as rag:
            page = rag.database.connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'chunks_course'"
            ).fetchone()[0]
        with (data_dir / "library.sqlite3").open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(b"\xa5" * 4096)
        with library(data_dir, embedder, index=False) as rag:
            with pytest.raises(LibraryUnusable, match="is damaged"):
                rag.backups.make_daily(CancelToken())
            assert list((data_dir / "backups").iterdir()) == []

    def test_leaves_nothing_half_made_when_it_is_killed(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        moments = random.Random(time.time_ns())
        for _ in range(3):
            child = subprocess.Popen(
                [sys.executable, "-c", BACKING_UP, str(data_dir)], stdout=subprocess.PIPE, text=True
            )
            with child:
                assert child.stdout is not None
                assert child.stdout.readline() == "ready\n"
                time.sleep(moments.uniform(0, 0.3))  # any moment will do: that is the test
                child.kill()
            for made in backups.list_backups(data_dir):
                with closing(sqlite3.connect(made.path)) as copy:
                    assert copy.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        with library(data_dir, embedder, index=False) as rag:
            assert not list((data_dir / "backups").glob("*.part*"))  # gone with the next start
            rag.backups.make_daily(CancelToken())
            assert [path.suffix for path in (data_dir / "backups").iterdir()] == [".sqlite3"]


def test_what_a_killed_backup_left_goes_when_the_library_is_opened(
    data_dir: Path, embedder: KeptEmbedder
) -> None:
    unfinished = data_dir / "backups" / "library.v5.2026-11-22.163758.replace.sqlite3.part"
    unfinished.parent.mkdir()
    unfinished.write_bytes(b"half a library")
    with library(data_dir, embedder, index=False):
        assert not unfinished.exists()


class TestBeforeGreatChanges:
    def test_replacing_the_library(self, rag: RAGSystem, tmp_path: Path) -> None:
        archive = tmp_path / "a.zip"
        list(rag.service(TransferService).export_library(archive, CancelToken()))
        list(rag.service(TransferService).import_library(archive, CancelToken(), replace=True))
        (backup,) = rag.backups.all()
        assert backup.reason is BackupReason.REPLACE

    def test_rebuilding_it(self, rag: RAGSystem, tmp_path: Path) -> None:
        ingest(rag, write_courses(tmp_path / "again"), clear=True)
        (backup,) = rag.backups.all()
        assert backup.reason is BackupReason.REBUILD
        with closing(sqlite3.connect(backup.path)) as copy:
            assert copy.execute("SELECT count(*) FROM documents WHERE trashed_at IS NULL").fetchone()[0] == 3

    def test_a_folder_that_cannot_be_written_changes_nothing(self, rag: RAGSystem, tmp_path: Path) -> None:
        (rag.database.data_dir / "backups").write_text("in the way", encoding="utf-8")
        with pytest.raises(LibraryUnusable, match="could not be backed up"):
            ingest(rag, write_courses(tmp_path / "again"), clear=True)
        assert rag.courses.counts().documents == 3


def series(*days: int, reason: BackupReason = BackupReason.DAILY, size: int = 1) -> list[Backup]:
    """Return backups made so many days before a Sunday, newest first."""
    now = datetime(2026, 11, 22, 18)
    return [Backup(Path(f"{day}"), 6, now - timedelta(days=day), reason, size) for day in sorted(days)]


class TestThinningOut:
    def test_keeps_days_weeks_and_months(self) -> None:
        every = series(*range(200))
        gone = to_thin_out(every, GIGABYTE)
        kept = [int(backup.path.name) for backup in every if backup not in gone]
        assert kept == [0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 22, 53]
        assert (DAYS, WEEKS, MONTHS) == (7, 4, 3)

    def test_comes_to_the_same_day_by_day(self) -> None:
        """Each day one is made and the rest thinned out; the weeks and months must not die out."""
        kept: list[Backup] = []
        for day in range(400, -1, -1):
            kept = [*series(day), *kept]
            gone = to_thin_out(kept, GIGABYTE)
            kept = [backup for backup in kept if backup not in gone]
        assert [int(backup.path.name) for backup in kept] == [0, 1, 2, 3, 4, 5, 6, 7, 14, 21, 22, 53]

    def test_keeps_rare_ones_of_someone_who_is_seldom_here(self) -> None:
        assert to_thin_out(series(0, 40, 80, 200, 400, 500, 700), GIGABYTE) == []

    def test_keeps_the_newest_before_great_changes(self) -> None:
        before = series(*range(8), reason=BackupReason.REPLACE)
        assert to_thin_out(before, GIGABYTE) == before[KEPT:]

    def test_stays_within_the_space(self) -> None:
        daily, before = series(*range(1, 10), size=10), series(0, reason=BackupReason.REPLACE, size=10)
        every = [*before, *daily]
        gone = to_thin_out(every, 35)
        assert [backup for backup in every if backup not in gone] == every[:3]
        assert to_thin_out(every, 1) == daily, "the newest stays"

    def test_leaves_alone_what_is_not_a_backup(self, rag: RAGSystem) -> None:
        folder = rag.database.data_dir / "backups"
        folder.mkdir()
        for name in ("mine.sqlite3", "library.v6.2026-13-77.101010.daily.sqlite3", "library.v6.x.sqlite3"):
            (folder / name).touch()
        rag.backups.make_daily(CancelToken())
        assert len(rag.backups.all()) == 1
        assert len(list(folder.iterdir())) == 4


class TestCommands:
    def test_that_write_make_one(
        self,
        data_dir: Path,
        embedder: KeptEmbedder,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
        run = Commands(data_dir, capsys)
        assert run("courses").code == 0
        assert backups.list_backups(data_dir) == ()
        assert run("remove", "bread").code == 0
        (backup,) = backups.list_backups(data_dir)
        assert run("trash", "restore", "--all").code == 0
        assert backups.list_backups(data_dir) == (backup,)


def test_a_library_is_copied_without_its_log(data_dir: Path) -> None:
    database = Database(data_dir)
    database.open()
    database.set_meta("late", "1")  # still in the write-ahead log
    path = data_dir / "copy.sqlite3"
    backups.copy_library(database.connection, path, CancelToken(), lambda _: None)
    database.close()
    with closing(sqlite3.connect(path)) as copy:
        assert copy.execute("SELECT value FROM meta WHERE key = 'late'").fetchone()[0] == "1"
    assert os.listdir(data_dir).count("copy.sqlite3-wal") == 0
