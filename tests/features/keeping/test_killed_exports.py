"""An export that is killed leaves what was there, and one that is done is on the disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.files import replace_file, temporary_folder
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.keeping import LibraryExported, TransferStep
from app.features.keeping.transfer import MANIFEST, TransferService
from tests.support.courses import TITLES, library
from tests.support.system_calls import record_flushes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

EXPORTING = """
import sys
from pathlib import Path
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from app.config.files import replace_file
from app.features.keeping.transfer import TransferService
from tests.support.courses import SERVICES

what, data, target, cache = sys.argv[1], *map(Path, sys.argv[2:])

def say(word):
    print(word, flush=True)
    sys.stdin.readline()

def write(made):
    made.write_text("half of a ch", encoding="utf-8")
    say("chat")

rag = RAGSystem(data, Settings(), Embedder(None, cache), SERVICES, read_only=what == "library")
rag.open()
if what == "chat":
    replace_file(target, write)
else:
    for event in rag.service(TransferService).export_library(target, CancelToken()):
        say(getattr(event, "step", "done"))
rag.close()
"""


@pytest.fixture
def same_disk(tmp_path: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=tmp_path))


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    for place in (Path("/dev/shm"), Path("/var/tmp")):
        if place.is_dir() and place.stat().st_dev != tmp_path.stat().st_dev:
            with tempfile.TemporaryDirectory(dir=place) as folder:
                yield Path(folder)
            return
    pytest.skip("no second file system")


@contextmanager
def exporting(what: str, data_dir: Path, target: Path, model_cache: Path) -> Iterator[subprocess.Popen[str]]:
    """Start an export that waits after each of its lines."""
    arguments = [what, *map(str, (data_dir, target, model_cache))]
    with subprocess.Popen(
        [sys.executable, "-c", EXPORTING, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        bufsize=1,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def advance(process: subprocess.Popen[str], until: str) -> None:
    """Let an export go on until it says a word."""
    assert process.stdin is not None
    assert process.stdout is not None
    while (line := process.stdout.readline()) != f"{until}\n":
        assert line, "it ended early"
        process.stdin.write("\n")


def left_in(data_dir: Path) -> list[str]:
    return [path.name for path in data_dir.iterdir() if "moving" in path.name]


def kill_and_check(
    what: str, until: str, data_dir: Path, folder: Path, cache: Path, embedder: KeptEmbedder
) -> None:
    target = folder / "target"
    target.write_bytes(b"the earlier one")
    with exporting(what, data_dir, target, cache) as process:
        advance(process, until)
        process.kill()
    assert target.read_bytes() == b"the earlier one"
    with library(data_dir, embedder, index=False) as rag:
        assert [course.title for course in rag.courses.all()] == TITLES
        assert left_in(data_dir) == []
        list(rag.service(TransferService).export_library(target, CancelToken()))
    assert os.listdir(folder) == ["target"]


@pytest.mark.parametrize("step", ["copying", "packing"])
def test_killed_in_any_phase(
    step: str, data_dir: Path, same_disk: Path, embedder: KeptEmbedder, model_cache: Path
) -> None:
    kill_and_check("library", step, data_dir, same_disk, model_cache, embedder)


@pytest.mark.parametrize("step", ["copying", "packing"])
def test_killed_on_the_way_to_another_disk(
    step: str, data_dir: Path, other_disk: Path, embedder: KeptEmbedder, model_cache: Path
) -> None:
    kill_and_check("library", step, data_dir, other_disk, model_cache, embedder)


def test_killed_while_a_chat_is_written(
    data_dir: Path, same_disk: Path, embedder: KeptEmbedder, model_cache: Path
) -> None:
    kill_and_check("chat", "chat", data_dir, same_disk, model_cache, embedder)


def test_copies_beside_the_target_are_swept_by_the_next_export(same_disk: Path) -> None:
    left = same_disk / ".lectern-moving-killed"
    left.mkdir()
    (left / "library.sqlite3").write_bytes(b"courses")
    with temporary_folder(same_disk) as folder:
        assert list(same_disk.iterdir()) == [folder]
    assert os.listdir(same_disk) == []


def test_what_a_killed_conversion_made_is_swept_by_the_next_start(
    data_dir: Path, tmp_path: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LECTERN_CACHE_DIR", str(tmp_path / "cache"))
    killed = tmp_path / "cache" / ".lectern-moving-killed"
    killed.mkdir(parents=True)
    (killed / "lecture.docx").write_bytes(b"of an old file")
    with library(data_dir, embedder, index=False):
        assert not killed.exists()


def test_a_running_export_is_left_alone(
    data_dir: Path, same_disk: Path, embedder: KeptEmbedder, model_cache: Path
) -> None:
    with exporting("library", data_dir, same_disk / "a.zip", model_cache) as process:
        advance(process, "copying")
        with library(data_dir, embedder, index=False) as rag:
            assert left_in(data_dir)
            assert isinstance(
                list(rag.service(TransferService).export_library(same_disk / "b.zip", CancelToken()))[-1],
                LibraryExported,
            )
            assert len(left_in(data_dir)) == 1
            assert process.stdin is not None
            process.stdin.write("\n")
            advance(process, "done")
        process.communicate("\n", timeout=300)
        assert process.returncode == 0
    assert left_in(data_dir) == []
    for name in ("a.zip", "b.zip"):
        with zipfile.ZipFile(same_disk / name) as packed:
            assert packed.testzip() is None
            assert MANIFEST in packed.namelist()
    assert sorted(os.listdir(same_disk)) == ["a.zip", "b.zip"]


def test_it_is_on_the_disk_when_it_counts_as_exported(
    rag: RAGSystem, same_disk: Path, other_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_flushes(monkeypatch)
    for folder in (same_disk, other_disk):
        for event in rag.service(TransferService).export_library(folder / "a.zip", CancelToken()):
            if isinstance(event, LibraryExported):
                made, replaced, flushed = calls[-3:]
                assert made.startswith("flush ")
                assert (replaced, flushed) == ("replace a.zip", f"flush {folder.name}")
        replace_file(folder / "chat.md", lambda made: made.write_text("A chat."))
        assert calls[-2:] == ["replace chat.md", f"flush {folder.name}"]
        assert (folder / "chat.md").read_text() == "A chat."
        assert sorted(os.listdir(folder)) == ["a.zip", "chat.md"]
        assert (folder / "a.zip").stat().st_mode & 0o077 == 0, "readable by others"


def test_cancelled_on_the_way_to_another_disk(rag: RAGSystem, other_disk: Path) -> None:
    token = CancelToken()
    with pytest.raises(Cancelled):
        for event in rag.service(TransferService).export_library(other_disk / "a.zip", token):
            if getattr(event, "step", None) is TransferStep.PACKING:
                token.cancel()
    assert os.listdir(other_disk) == []
    assert left_in(rag.database.data_dir) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_library_that_cannot_be_written_is_exported(
    data_dir: Path, same_disk: Path, embedder: KeptEmbedder
) -> None:
    data_dir.chmod(0o500)
    try:
        with library(data_dir, embedder, index=False, read_only=True) as rag:
            list(rag.service(TransferService).export_library(same_disk / "a.zip", CancelToken()))
    finally:
        data_dir.chmod(0o700)
    assert os.listdir(same_disk) == ["a.zip"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="of this system")
def test_special_files_are_not_replaced(rag: RAGSystem, same_disk: Path) -> None:
    pipe = same_disk / "pipe"
    os.mkfifo(pipe)
    for target in (Path("/dev/full"), Path("/dev/null"), pipe):
        with pytest.raises(UserError, match=rf"could not be written to {target} \(Not a regular file\)"):
            list(rag.service(TransferService).export_library(target, CancelToken()))
        with pytest.raises(OSError, match="Not a regular file"):
            replace_file(target, lambda made: made.touch())
    assert pipe.is_fifo()
    assert os.listdir(same_disk) == ["pipe"]
