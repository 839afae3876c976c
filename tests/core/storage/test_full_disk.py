"""No room, no permission, somebody else's lock, a clock set back: a sentence, and the library is whole."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import namedtuple
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings, load_settings, save_settings
from app.core.conversations.session_manager import SessionManager
from app.core.search.lexical import TextIndex
from app.core.storage import database
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable
from app.domain.events import AnswerDone
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import TransferService
from tests.support.courses import TITLES, ingest, library, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

POSIX = pytest.mark.skipif(
    sys.platform == "win32", reason="only there a process can be kept from writing much"
)
LIMITED = """
import resource, sys
def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
"""
Usage = namedtuple("Usage", "total used free")


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python that may limit the size of files it writes: more fails as on a full disk.

    It is not measured for coverage, whose own file would not fit either.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, "-c", LIMITED + code, *map(str, arguments)],
        cwd=Path(__file__).parents[3],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def long_course(folder: Path) -> Path:
    path = folder / "herons.txt"
    text = " ".join(f"Heron number {number} waits in the reeds." for number in range(60))
    path.write_text(f"Course Title: Herons\n\nLesson 1: All\n{text}\n", encoding="utf-8")
    return path


def is_whole(rag: RAGSystem) -> bool:
    assert rag.database.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    counts = {rag.courses.counts().passages, TextIndex(rag.database).count(), rag.index.chroma.count()}
    return len(counts) == 1 and not rag.catalog.index_queue.count()


class TestAFullDisk:
    def test_while_files_are_read(self, rag: RAGSystem, tmp_path: Path) -> None:
        path = long_course(tmp_path)
        connection = rag.database.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(LibraryUnusable, match=r"^The disk that holds .* is full\. Free some space"):
            ingest(rag, path)
        assert [course.title for course in rag.courses.all()] == TITLES
        assert is_whole(rag)
        assert "sourdough" in rag.search.retrieve("what is a sourdough starter?").hits[0].text
        connection.execute("PRAGMA max_page_count = 1000000")
        assert outcome(ingest(rag, path).files) == {"herons.txt": "added"}
        assert is_whole(rag)

    @POSIX
    def test_while_chroma_is_written(
        self, data_dir: Path, embedder: KeptEmbedder, model_cache: Path, tmp_path: Path
    ) -> None:
        with library(data_dir, embedder, index=False) as rag:
            ingest(rag, long_course(tmp_path))
        code = """
from pathlib import Path
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
rag = RAGSystem(Path(sys.argv[1]), Settings(), Embedder(None, Path(sys.argv[2])))
rag.open()
rag.prepare_model(CancelToken())
limit(50_000)
list(rag.open_index(CancelToken()))
print(rag.search.retrieve("which bird waits in the reeds?").hits[0].course_title)
rag.close()
"""
        done = run(code, data_dir, model_cache)
        assert done.stdout == "Herons\n", done.stderr
        assert "Traceback" not in done.stderr
        with library(data_dir, embedder) as rag:
            assert is_whole(rag)
        assert examine(data_dir, Settings(), embedder).ok

    @POSIX
    def test_while_it_is_exported(self, data_dir: Path, tmp_path: Path) -> None:
        code = """
from app.main import main
limit(60_000)
sys.exit(main(["--data-dir", sys.argv[1], "export", sys.argv[2]]))
"""
        target = tmp_path / "exports"
        target.mkdir()
        (target / "a.zip").write_bytes(b"an earlier one")
        done = run(code, data_dir, target / "a.zip")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert done.stderr.strip().count("\n") == 0, done.stderr
        assert [path.name for path in target.iterdir()] == ["a.zip"]
        assert (target / "a.zip").read_bytes() == b"an earlier one"

    @POSIX
    def test_while_settings_are_saved(self, tmp_path: Path) -> None:
        path = tmp_path / "settings.json"
        save_settings(Settings(theme="dark"), path)
        code = """
from pathlib import Path
from app.config.settings import Settings, save_settings
limit(10)
try:
    save_settings(Settings(theme="light"), Path(sys.argv[1]))
except OSError as error:
    print("told:", error.strerror)
"""
        assert run(code, path).stdout.startswith("told:")
        assert load_settings(path).theme == "dark"

    def test_is_told_by_the_doctor(
        self, data_dir: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9 << 30, 9 << 30, 5 << 20))
        report = examine(data_dir, Settings(), embedder)
        (problem,) = report.problems
        assert str(problem.what) == f"The disk that holds {data_dir} has only 5 MB left."
        assert report.counts["documents"] == 3


@pytest.fixture
def full_disk(data_dir: Path, tmp_path: Path) -> Iterator[Path]:
    """A file system of its own without a free byte, with a closed library in ``library``."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "lectern-test", str(place)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    try:
        shutil.copytree(data_dir, place / "library")
        fill(place)
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(place: Path) -> None:
    with (place / "filling").open("ab", buffering=0) as file, suppress(OSError):
        for size in (1 << 20, 1 << 12, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
    assert shutil.disk_usage(place).free == 0


async def answer(rag: RAGSystem, question: str) -> str:
    events = [event async for event in rag.answers.query(question, None)]
    assert isinstance(events[-1], AnswerDone)
    return events[-1].exchange.answer


class TestNoByteFree:
    def test_a_closed_library_can_be_read(
        self, full_disk: Path, embedder: KeptEmbedder, tmp_path: Path
    ) -> None:
        folder = full_disk / "library"
        before = sorted(path.name for path in folder.iterdir())
        with library(folder, embedder, read_only=True) as rag:
            assert [course.title for course in rag.courses.all()] == TITLES
            assert "sourdough" in rag.search.retrieve("what is a sourdough starter?").hits[0].text
            assert "flour and water" in asyncio.run(answer(rag, "What is a sourdough starter?"))
            assert rag.trash.entries() == ()
            list(rag.service(TransferService).export_library(tmp_path / "a.zip", CancelToken()))
        assert sorted(path.name for path in folder.iterdir()) == before
        with library(tmp_path / "other", embedder, index=False) as rag:
            list(rag.service(TransferService).import_library(tmp_path / "a.zip", CancelToken()))
            assert [course.title for course in rag.courses.all()] == TITLES

    @POSIX
    @pytest.mark.parametrize(
        ("command", "expected"),
        [
            (["courses"], "Sourdough starters"),
            (["search", "sourdough"], "A sourdough starter is"),
            (["trash", "list"], "The trash is empty."),
        ],
    )
    def test_a_closed_library_can_be_read_where_no_file_may_grow(
        self, data_dir: Path, command: list[str], expected: str
    ) -> None:
        code = """
from app.main import main
limit(0)
sys.exit(main(["--data-dir", *sys.argv[1:]]))
"""
        done = run(code, data_dir, *command)
        assert (done.returncode, done.stderr) == (0, "")
        assert expected in done.stdout

    def test_writing_is_refused_in_a_sentence(self, full_disk: Path, embedder: KeptEmbedder) -> None:
        folder = full_disk / "library"
        with pytest.raises(LibraryUnusable, match=r"^The disk that holds .* is full\. Free some space"):
            Database(folder).open()
        (full_disk / "filling").unlink()
        with library(folder, embedder, index=False) as rag:
            rag.database.set_meta("colour", "green")
            fill(full_disk)
            with pytest.raises(LibraryUnusable, match=r"^The disk that holds .* is full\. Free some space"):
                rag.database.set_meta("colour", "blue")
            assert rag.database.meta("colour") == "green"
            assert "sourdough" in rag.search.retrieve("what is a sourdough starter?").hits[0].text
            (full_disk / "filling").unlink()
            rag.database.set_meta("colour", "blue")

    def test_a_log_that_cannot_be_read_without_room_is_said(
        self, full_disk: Path, embedder: KeptEmbedder
    ) -> None:
        """A library that was not closed in order, and lost the memory that its readers share."""
        folder = full_disk / "library"
        (folder / "library.sqlite3-wal").touch()
        with pytest.raises(LibraryUnusable, match=r"^The disk that holds .* is full\. Free some space"):
            Database(folder, read_only=True).open()
        (full_disk / "filling").unlink()
        with library(folder, embedder, read_only=True) as rag:
            assert [course.title for course in rag.courses.all()] == TITLES

    def test_a_reader_without_room_notices_a_writer(self, full_disk: Path) -> None:
        folder = full_disk / "library"
        reader = Database(folder, read_only=True)
        reader.open()
        assert reader.meta("colour") is None
        (full_disk / "filling").unlink()
        writer = Database(folder)
        writer.open()
        writer.set_meta("colour", "green")
        with pytest.raises(LibraryUnusable, match="used by another program"):
            reader.meta("colour")
        reader.close()
        reader.open()
        assert reader.meta("colour") == "green"
        reader.close()
        writer.close()


@pytest.fixture
def small_blocks(data_dir: Path, tmp_path: Path) -> Iterator[Path]:
    """A closed library on a disk with blocks of 1 kB: SQLite reserves a byte of each 4 kB it shares."""
    image, place = tmp_path / "image", tmp_path / "disk"
    image.touch()
    os.truncate(image, 32 << 20)
    place.mkdir()
    for command in (
        ["mkfs.ext4", "-q", "-m", "0", "-b", "1024", image],
        ["mount", "-o", "loop", image, place],
    ):
        try:
            subprocess.run(list(map(str, command)), capture_output=True, check=True)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("no file system may be mounted here")
    try:
        shutil.copytree(data_dir, place / "library")
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.mark.parametrize("left", [20, 28, 36])
def test_shared_memory_without_room_does_not_kill_the_process(small_blocks: Path, left: int) -> None:
    reserve = small_blocks / "reserve"
    reserve.write_bytes(bytes(left << 10))
    os.sync()
    fill(small_blocks)
    os.sync()
    reserve.unlink()
    os.sync()
    code = """
from pathlib import Path
from app.core.storage.database import Database
opened = Database(Path(sys.argv[1]))
opened.open()
opened.set_meta("colour", "green")
"""
    done = run(code, small_blocks / "library")
    assert done.returncode == 1, "a bus error ended it"
    assert done.stderr.strip().endswith("is full. Free some space and try again; nothing is lost.")


class TestAnotherProgram:
    def test_that_writes_to_the_library(
        self, rag: RAGSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = long_course(tmp_path)
        rag.database.connection.execute("PRAGMA busy_timeout = 50")
        with closing(sqlite3.connect(rag.database.data_dir / "library.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LibraryUnusable, match="used by another program, perhaps a backup"):
                ingest(rag, path)
            assert rag.search.retrieve("what is a sourdough starter?").hits
            other.rollback()
        assert outcome(ingest(rag, path).files) == {"herons.txt": "added"}
        assert is_whole(rag)

    @pytest.mark.parametrize("read_only", [False, True])
    def test_that_keeps_the_library_to_itself(
        self, data_dir: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
    ) -> None:
        monkeypatch.setattr(database, "_BUSY_TIMEOUT", 0.05)
        with closing(sqlite3.connect(data_dir / "library.sqlite3", isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN IMMEDIATE")
            other.execute("INSERT INTO meta VALUES ('other', 'was here')")
            with pytest.raises(LibraryUnusable, match="used by another program, perhaps a backup"):
                Database(data_dir, read_only=read_only).open()
        again = Database(data_dir, read_only=read_only)
        again.open()
        assert again.meta("other") is None
        again.close()


@POSIX
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() == 0, reason="root may write everywhere")
def test_a_directory_that_can_not_be_written(data_dir: Path, embedder: KeptEmbedder) -> None:
    for path in (*data_dir.rglob("*"), data_dir):
        path.chmod(0o500 if path.is_dir() else 0o400)
    with pytest.raises(LibraryUnusable, match="cannot be used .*Change its permissions"):
        Database(data_dir).open()
    with library(data_dir, embedder, read_only=True) as rag:
        assert "sourdough" in rag.search.retrieve("what is a sourdough starter?").hits[0].text
    report = examine(data_dir, Settings(), embedder)
    assert any("cannot be written" in str(problem.what) for problem in report.problems)
    for path in (data_dir, *data_dir.rglob("*")):
        path.chmod(0o700)


def test_a_clock_that_was_set_back_mixes_up_no_conversation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Database(tmp_path)
    opened.open()
    sessions = SessionManager(opened)
    now = time.time()
    conversation = sessions.create_session()
    parent = None
    for number, moment in enumerate((now, now - 86_400, now - 3600)):
        monkeypatch.setattr(time, "time", lambda moment=moment: moment)
        exchange = sessions.begin_exchange(conversation, f"{number}?", Scope(), "claude", parent_id=parent)
        parent = exchange.id
    assert [item.question for item in sessions.exchanges(conversation)] == ["0?", "1?", "2?"]
    assert len(sessions.all()) == 1
    opened.close()


@pytest.mark.parametrize("name", ["a #1 50% ü&x=y? '🎓'", "two\nlines", "." + "x" * 200])
def test_a_directory_with_an_odd_name(tmp_path: Path, embedder: KeptEmbedder, name: str) -> None:
    if sys.platform == "win32" and set(name) & set('?"\n'):
        pytest.skip("no name of a directory there")
    folder = tmp_path / name
    with library(folder, embedder) as rag:
        ingest(rag, long_course(tmp_path))
        assert is_whole(rag)
        assert rag.search.retrieve("heron").hits
    assert examine(folder, Settings(), embedder).ok
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "herons.txt"])
