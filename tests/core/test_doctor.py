from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app import __version__
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.core.search.chroma import CATALOG, CONTENT
from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from tests.support.courses import TITLES, ingest, library, write_courses

if TYPE_CHECKING:
    from app.domain.messages import Message
    from tests.support.courses import KeptEmbedder


def test_a_library_in_order(data_dir: Path, embedder: KeptEmbedder) -> None:
    report = examine(data_dir, Settings(), embedder)
    assert report.ok
    data = report.as_dict()
    assert list(data) == ["ok", "version", "data_dir", "counts", "local_model", "speech_models", "problems"]
    assert (data["ok"], data["version"], data["data_dir"]) == (True, __version__, str(data_dir))
    assert data["problems"] == []
    assert list(data["counts"]) == ["documents", "chunks", "fts", "chroma", "items"]
    assert data["counts"]["documents"] == 3
    assert data["counts"]["chunks"] == data["counts"]["fts"] == data["counts"]["chroma"] > 3


LIBRARIES = Path(__file__).parent.parent / "data" / "libraries"


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 12] = b"\xff" * (4096 * 9)
    path.write_bytes(data)


def contents(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return time and content of every file; SQLite's shared memory holds nothing of its own."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


class TestNothingIsChanged:
    @pytest.mark.parametrize("state", ["in order", "no lock", "unsealed", "v1", "v4", "no index", "killed"])
    def test_by_examining(self, data_dir: Path, embedder: KeptEmbedder, tmp_path: Path, state: str) -> None:
        if state in ("v1", "v4"):
            data_dir = Path(shutil.copytree(LIBRARIES / state, tmp_path / "old"))
        elif state == "no lock":
            (data_dir / "lectern.lock").unlink(missing_ok=True)
        elif state == "unsealed":
            (data_dir / "chroma.clean").unlink()
        elif state == "no index":
            shutil.rmtree(data_dir / "chroma")
        elif state == "killed":
            with library(data_dir, embedder, index=False) as rag:
                rag.database.set_meta("colour", "green")
                rag.conversations.begin_exchange(rag.conversations.create_session(), "?", Scope(), None)
                data_dir = Path(shutil.copytree(data_dir, tmp_path / "killed"))
            assert (data_dir / "library.sqlite3-wal").stat().st_size > 0
        before = contents(data_dir)
        report = examine(data_dir, Settings(), embedder)
        assert contents(data_dir) == before
        assert report.counts["documents"] == (2 if state in ("v1", "v4") else 3)
        assert report.ok == (state in ("in order", "no lock", "killed"))

    def test_in_a_damaged_library(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        damage(data_dir / "library.sqlite3")
        before = contents(data_dir)
        assert not examine(data_dir, Settings(), embedder).ok
        assert contents(data_dir) == before


def test_where_there_is_no_library_nothing_is_created(tmp_path: Path, embedder: KeptEmbedder) -> None:
    report = examine(tmp_path / "a" / "b", Settings(), embedder)
    assert report.ok
    assert set(report.counts.values()) == {0}
    assert not (tmp_path / "a").exists()


def test_a_lost_full_text_index_is_found_and_mended(data_dir: Path, embedder: KeptEmbedder) -> None:
    with sqlite3.connect(data_dir / "library.sqlite3") as connection:
        connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('delete-all')")
    connection.close()
    report = examine(data_dir, Settings(), embedder)
    assert not report.ok
    assert report.counts["fts"] == 0
    (problem,) = report.problems
    assert "index of words" in str(problem.what)
    assert "doctor --repair" in str(problem.fix)
    assert examine(data_dir, Settings(), embedder, repair=True).ok
    assert examine(data_dir, Settings(), embedder).ok
    with library(data_dir, embedder, index=False) as rag:
        assert "sourdough" in rag.search.retrieve("sourdough").hits[0].text.casefold()


def test_a_lost_chroma_index_is_found_and_mended(data_dir: Path, embedder: KeptEmbedder) -> None:
    shutil.rmtree(data_dir / "chroma")
    report = examine(data_dir, Settings(), embedder)
    (problem,) = report.problems
    assert "search index" in str(problem.what)
    assert "doctor --repair" in str(problem.fix)
    mended = examine(data_dir, Settings(), embedder, repair=True)
    assert mended.ok
    assert mended.counts["chroma"] == mended.counts["chunks"]
    assert examine(data_dir, Settings(), embedder).ok


def test_an_index_that_is_behind_is_brought_up_to_date(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path
) -> None:
    with library(data_dir, embedder, index=False) as rag:
        ingest(rag, write_courses(tmp_path / "again"), clear=True)
    assert not examine(data_dir, Settings(), embedder).ok
    assert examine(data_dir, Settings(), embedder, repair=True).ok


@pytest.mark.parametrize("entry", [("remove", 5), ("remove", b"Bread"), ("course", 5)])
def test_a_queue_that_is_stuck_is_told_and_mended(
    data_dir: Path, embedder: KeptEmbedder, entry: tuple[str, object]
) -> None:
    with library(data_dir, embedder, index=False) as rag:
        rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES (?, ?)", entry)
    report = examine(data_dir, Settings(), embedder)
    (problem,) = report.problems
    assert str(problem.what) == "The search index lacks the latest changes of the library (1 missing)."
    assert "doctor --repair" in str(problem.fix)
    assert examine(data_dir, Settings(), embedder, repair=True).ok
    with library(data_dir, embedder, index=False) as rag:
        assert rag.catalog.index_queue.count() == 0
    assert examine(data_dir, Settings(), embedder).ok


@pytest.mark.parametrize("pending", [False, True])
def test_as_many_passages_that_are_others_are_found_and_mended(
    data_dir: Path, embedder: KeptEmbedder, *, pending: bool
) -> None:
    with library(data_dir, embedder) as rag:
        (record,) = rag.catalog.passages.chunk_records([1])
        rag.index.chroma.remove(CONTENT, [record[0]])
        rag.index.chroma.put(CONTENT, [(f"{record[3]['course_title']}_99", *record[1:])])
        if pending:
            rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('add', 2)")
    report = examine(data_dir, Settings(), embedder)
    (problem,) = report.problems
    assert "search index" in str(problem.what)
    assert report.counts["chroma"] == report.counts["chunks"]
    assert examine(data_dir, Settings(), embedder, repair=True).ok


def test_a_catalogue_that_lacks_a_course_is_found_and_mended(data_dir: Path, embedder: KeptEmbedder) -> None:
    with library(data_dir, embedder) as rag:
        rag.index.chroma.remove(CATALOG, [TITLES[0]])
    report = examine(data_dir, Settings(), embedder)
    assert [str(problem.what) for problem in report.problems] == [
        "The search index does not match the library."
    ]
    assert examine(data_dir, Settings(), embedder, repair=True).ok


def test_a_course_without_a_title_blocks_nothing(data_dir: Path, embedder: KeptEmbedder) -> None:
    """As an earlier version imported it."""
    with library(data_dir, embedder, index=False) as rag:
        rag.database.connection.execute("UPDATE courses SET title = '' WHERE title = ?", (TITLES[1],))
        rag.catalog.index_queue.refill()
    assert not examine(data_dir, Settings(), embedder).ok
    assert examine(data_dir, Settings(), embedder, repair=True).ok
    with library(data_dir, embedder) as rag:
        rag.courses.remove_courses([""], CancelToken())
        assert rag.catalog.index_queue.count() == 0
        assert rag.index.matches()


def test_beside_a_lectern_that_is_running(data_dir: Path, embedder: KeptEmbedder) -> None:
    told: list[Message] = []
    with library(data_dir, embedder):
        report = examine(data_dir, Settings(), embedder, repair=True, progress=told.append)
    assert report.ok
    assert report.counts["chroma"] is None
    assert report.counts["documents"] == 3
    assert any(
        message.id == "doctor.chroma_skipped" and "Another Lectern" in str(message) for message in told
    )


def test_a_damaged_library_file_is_said_and_left_alone(data_dir: Path, embedder: KeptEmbedder) -> None:
    with library(data_dir, embedder, index=False) as rag:
        rag.backups.make_daily(CancelToken())
    damage(data_dir / "library.sqlite3")
    before = (data_dir / "library.sqlite3").read_bytes()
    report = examine(data_dir, Settings(), embedder, repair=True)
    assert (data_dir / "library.sqlite3").read_bytes() == before
    assert not report.ok
    assert "damaged" in str(report.problems[0].what) or "cannot be opened" in str(report.problems[0].what)
    assert "backup" in str(report.problems[0].fix)


def test_a_library_that_is_no_database(tmp_path: Path, embedder: KeptEmbedder) -> None:
    (tmp_path / "library.sqlite3").write_bytes(b"nothing of the kind " * 300)
    report = examine(tmp_path, Settings(), embedder)
    (problem,) = report.problems
    assert "cannot be opened" in str(problem.what)


def test_a_newer_library(data_dir: Path, embedder: KeptEmbedder) -> None:
    with sqlite3.connect(data_dir / "library.sqlite3") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    (problem,) = examine(data_dir, Settings(), embedder).problems
    assert "newer Lectern" in str(problem.what)


@pytest.mark.parametrize("was_killed", [False, True])
def test_a_file_that_is_no_library(tmp_path: Path, embedder: KeptEmbedder, was_killed: bool) -> None:
    (tmp_path / "library.sqlite3").write_text("a shopping list", encoding="utf-8")
    if was_killed:  # then a copy is examined, which nobody needs to know
        (tmp_path / "library.sqlite3-wal").write_bytes(b"milk" * 1000)
    (problem,) = examine(tmp_path, Settings(), embedder).problems
    assert str(problem.what).count("cannot be opened") == 1
    assert str(tmp_path / "library.sqlite3") in str(problem.what)
    assert "lectern-doctor" not in str(problem.what)


@pytest.mark.parametrize("inside", ["data", "data/deeper"])
def test_a_file_in_the_place_of_the_directory(tmp_path: Path, embedder: KeptEmbedder, inside: str) -> None:
    (tmp_path / "data").write_text("in the way", encoding="utf-8")
    (problem,) = examine(tmp_path / inside, Settings(), embedder).problems
    assert str(tmp_path / "data") in str(problem.what)
    assert "--data-dir" in str(problem.fix)


def test_a_model_that_is_not_one(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    report = examine(data_dir, Settings(), Embedder(folder, tmp_path / "cache"))
    assert not report.ok
    assert str(folder) in str(report.problems[0].what)
    assert report.problems[0].fix


def test_a_disk_that_is_nearly_full(
    data_dir: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(data_dir)._replace(free=5 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    (problem,) = examine(data_dir, Settings(), embedder).problems
    assert "5 MB" in str(problem.what)
