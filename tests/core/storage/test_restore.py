"""Restoring a backup: over a library that is sound, damaged or gone, closed or open."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.storage.backups import list_backups
from app.core.storage.restore import find_backup, restore_closed
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryLocked, LibraryUnusable
from app.domain.keeping import BackupReason
from app.features.keeping.doctor import examine
from tests.support.commands import Commands
from tests.support.courses import TITLES, ingest, library

if TYPE_CHECKING:
    from app.domain.keeping import Backup
    from tests.support.courses import KeptEmbedder

SAVED = Path(__file__).parents[2] / "data" / "libraries"


def add_rye(rag: RAGSystem, folder: Path) -> None:
    (folder / "rye.txt").write_text("Course Title: Rye\n\nLesson 1: A\nRye sours well.\n", encoding="utf-8")
    ingest(rag, folder / "rye.txt")


def titles(rag: RAGSystem) -> list[str]:
    return [course.title for course in rag.courses.all()]


@pytest.fixture
def backup(data_dir: Path, embedder: KeptEmbedder, tmp_path: Path) -> Backup:
    """A backup of the three courses; the library has got a fourth since."""
    with library(data_dir, embedder) as rag:
        made = rag.backups.make_daily(CancelToken())
        add_rye(rag, tmp_path)
    assert made is not None
    return made


class TestWhileItIsClosed:
    def test_the_present_library_is_kept(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder
    ) -> None:
        kept = restore_closed(data_dir, backup)
        assert sorted(path.name for path in data_dir.iterdir() if path.name.startswith((".", "library"))) == [
            "library.sqlite3"
        ]
        with library(data_dir, embedder) as rag:
            assert titles(rag) == TITLES
            assert rag.search.retrieve("rye").hits[0].course_title != "Rye"
            assert rag.index.chroma.count() == rag.courses.counts().passages
        assert examine(data_dir, Settings(), embedder).ok
        (newest, _) = list_backups(data_dir)
        assert (newest.path, newest.reason) == (kept, BackupReason.RESTORE)
        restore_closed(data_dir, newest)
        with library(data_dir, embedder) as rag:
            assert "Rye" in titles(rag)
        assert examine(data_dir, Settings(), embedder).ok

    def test_a_library_that_is_gone(self, data_dir: Path, backup: Backup, embedder: KeptEmbedder) -> None:
        (data_dir / "library.sqlite3").unlink()
        assert restore_closed(data_dir, backup) is None
        assert examine(data_dir, Settings(), embedder, repair=True).ok

    @pytest.mark.parametrize("read_only", [False, True])
    @pytest.mark.parametrize("emptied", [False, True])
    def test_a_library_that_is_gone_is_not_begun_anew(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder, *, emptied: bool, read_only: bool
    ) -> None:
        file = data_dir / "library.sqlite3"
        file.unlink()
        if emptied:
            file.touch()
        with pytest.raises(LibraryUnusable, match="is gone, but its backups are there"):
            RAGSystem(data_dir, Settings(), embedder, read_only=read_only).open()
        assert file.exists() == emptied
        (problem,) = examine(data_dir, Settings(), embedder).problems
        assert "is gone" in str(problem.what)
        restore_closed(data_dir, backup)
        with library(data_dir, embedder, index=False) as rag:
            assert titles(rag) == TITLES

    @pytest.mark.parametrize("log", [False, True])
    def test_a_damaged_library_is_kept_as_it_is(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder, *, log: bool
    ) -> None:
        damaged = b"nothing of the kind " * 3000
        (data_dir / "library.sqlite3").write_bytes(damaged)
        if log:
            (data_dir / "library.sqlite3-wal").write_bytes(b"its log")
        kept = restore_closed(data_dir, backup)
        assert kept is not None
        assert kept.read_bytes() == damaged
        if log:
            assert kept.with_name(f"{kept.name}-wal").read_bytes() == b"its log"
        assert examine(data_dir, Settings(), embedder, repair=True).ok
        assert len(list_backups(data_dir)) == 1

    def test_only_the_last_damaged_libraries_are_kept(self, data_dir: Path, backup: Backup) -> None:
        old = [backup.path.with_name(f"damaged.2026-01-0{day}.120000.sqlite3") for day in range(1, 5)]
        for path in old:
            path.write_bytes(b"an older one")
            path.with_name(f"{path.name}-wal").write_bytes(b"its log")
        (data_dir / "library.sqlite3").write_bytes(b"nothing of the kind " * 3000)
        newest = restore_closed(data_dir, backup)
        assert newest is not None
        logs = [path.with_name(f"{path.name}-wal") for path in old[2:]]
        assert set(newest.parent.glob("damaged.*")) == {newest, *old[2:], *logs}

    @pytest.mark.parametrize("copies", [1, 2])
    def test_is_not_begun_where_the_disk_has_no_room(
        self, data_dir: Path, backup: Backup, monkeypatch: pytest.MonkeyPatch, copies: int
    ) -> None:
        before = (data_dir / "library.sqlite3").read_bytes()
        usage = shutil.disk_usage(data_dir)._replace(free=(64 << 20) + copies * backup.size - 1)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
        with pytest.raises(LibraryUnusable, match="MB are free"):
            restore_closed(data_dir, backup)
        assert (data_dir / "library.sqlite3").read_bytes() == before

    def test_what_was_not_written_back_yet_is_kept_too(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder, tmp_path: Path
    ) -> None:
        """The log of a Lectern that was killed belongs to the old library and not to the restored one."""
        with library(data_dir, embedder, index=False) as rag:
            rag.database.set_meta("late", "1")
            killed = Path(shutil.copytree(data_dir, tmp_path / "killed"))
        kept = restore_closed(killed, find_backup(list_backups(killed), "latest"))
        assert kept is not None
        with (
            closing(sqlite3.connect(kept)) as old,
            closing(sqlite3.connect(killed / "library.sqlite3")) as new,
        ):
            late = "SELECT count(*) FROM meta WHERE key = 'late'"
            assert (old.execute(late).fetchone()[0], new.execute(late).fetchone()[0]) == (1, 0)

    def test_a_backup_of_an_earlier_version(self, tmp_path: Path, embedder: KeptEmbedder) -> None:
        (tmp_path / "data" / "backups").mkdir(parents=True)
        shutil.copy(
            SAVED / "v2" / "library.sqlite3", tmp_path / "data" / "backups" / "library.v2.2024-05-05.sqlite3"
        )
        (old,) = list_backups(tmp_path / "data")
        restore_closed(tmp_path / "data", old)
        with library(tmp_path / "data", embedder) as rag:
            assert titles(rag) == ["Bread Baking at Home", "Tides and Currents"]

    def test_a_damaged_backup_changes_nothing(self, data_dir: Path, backup: Backup) -> None:
        data = bytearray(backup.path.read_bytes())
        data[4096 * 3 : 4096 * 12] = b"\xff" * (4096 * 9)
        backup.path.write_bytes(data)
        before = (data_dir / "library.sqlite3").read_bytes()
        with pytest.raises(LibraryUnusable, match="could not be restored .* try another backup"):
            restore_closed(data_dir, backup)
        assert (data_dir / "library.sqlite3").read_bytes() == before
        assert [path.name for path in data_dir.iterdir() if path.name.startswith(".")] == []

    def test_not_while_another_lectern_uses_it(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder
    ) -> None:
        with library(data_dir, embedder, index=False), pytest.raises(LibraryLocked):
            restore_closed(data_dir, backup)


class TestWhileItIsOpen:
    def test_everything_is_as_it_was(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder, tmp_path: Path
    ) -> None:
        with library(data_dir, embedder) as rag:
            assert rag.search.retrieve("rye").hits[0].course_title == "Rye"
            list(rag.restore(backup, CancelToken()))
            assert titles(rag) == TITLES
            assert all(hit.course_title in TITLES for hit in rag.search.retrieve("rye").hits)
            assert rag.index.matches()
            # Keys are given out again: nothing cached of the other library may be found under them.
            (tmp_path / "salt.txt").write_text(
                "Course Title: Salt\n\nLesson 1: A\nSalt slows the yeast.\n", encoding="utf-8"
            )
            ingest(rag, tmp_path / "salt.txt")
            (hit, *_) = rag.search.retrieve("what slows the yeast?").hits
            assert hit.text == "Salt slows the yeast."
            newest = rag.backups.all()[0]
            assert newest.reason is BackupReason.RESTORE, rag.backups.all()
            list(rag.restore(newest, CancelToken()))
            assert "Rye" in titles(rag)
            assert rag.search.retrieve("rye").hits[0].course_title == "Rye"
        assert examine(data_dir, Settings(), embedder).ok

    def test_the_backup_is_not_thinned_out_meanwhile(
        self, data_dir: Path, backup: Backup, embedder: KeptEmbedder
    ) -> None:
        with library(data_dir, embedder, Settings(backup_gigabytes=0)) as rag:
            list(rag.restore(backup, CancelToken()))
            assert titles(rag) == TITLES
            assert backup in rag.backups.all(), "others may still be wanted"


class TestTheCommand:
    @pytest.fixture
    def run(
        self,
        data_dir: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        embedder: KeptEmbedder,
    ) -> Commands:
        monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
        return Commands(data_dir, capsys)

    def test_lists_and_restores(self, run: Commands, backup: Backup, data_dir: Path) -> None:
        listed = run("doctor", "--restore")
        assert backup.path.name in listed.out
        (entry,) = run("doctor", "--restore", "--json").json["backups"]
        assert (entry["name"], entry["reason"]) == (backup.path.name, "daily")
        (data_dir / "library.sqlite3").write_bytes(b"damaged" * 1000)
        refused = run("courses")
        assert refused.code == 1
        assert "doctor" in refused.err
        done = run("doctor", "--restore", f"{backup.made:%Y-%m-%d}", "--json")
        assert done.json["restored"] == backup.path.name
        assert Path(done.json["kept"]).read_bytes() == b"damaged" * 1000
        assert [course["title"] for course in run("courses", "--json").json["courses"]] == TITLES
        assert run("doctor", "--restore", "latest").out.startswith(
            f"Restored {backup.path.name}.\nThe library"
        )

    def test_says_when_there_is_none(self, run: Commands) -> None:
        assert run("doctor", "--restore").out == "There are no backups.\n"
        ran = run("doctor", "--restore", "yesterday")
        assert (ran.code, ran.out) == (1, "")
        assert "There is no backup “yesterday”" in ran.err
