"""What Lectern stores is readable by its user alone, whatever the umask."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.files import private_directory, private_file
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.features.keeping.transfer import TransferService
from tests.support.courses import ingest, library, write_courses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a profile's folders are its user's own there")
LOG = """
import logging, os, sys
from app.startup.crash_reports import CrashReportFile, log_to_file
from app.config.paths import user_log_dir
os.umask(0o022)
log_to_file()
faults = CrashReportFile(user_log_dir())
faults.start()
for _ in range(3):
    logging.getLogger("app").info("%s", "x" * 500_000)
"""


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(*places: Path) -> list[str]:
    paths = [path for place in places for path in (place, *place.rglob("*"))]
    return [f"{path} {mode_of(path):o}" for path in paths if mode_of(path) & 0o077]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_library_and_its_archive(tmp_path: Path, embedder: KeptEmbedder) -> None:
    data_dir, archive = tmp_path / "far" / "data", tmp_path / "mine.zip"
    with library(data_dir, embedder) as rag:
        ingest(rag, write_courses(tmp_path / "courses"))
        assert (data_dir / "library.sqlite3-wal").exists()
        assert list(data_dir.glob("chroma/*")), "Chroma has written its files"
        assert open_to_others(data_dir) == []
        list(rag.service(TransferService).export_library(archive, CancelToken()))
    assert open_to_others(data_dir, archive) == []
    assert mode_of(tmp_path / "courses") == 0o755, "what is not Lectern's stays as it is"


def test_a_library_that_others_could_read_is_taken_from_them(data_dir: Path) -> None:
    (data_dir / "backups").mkdir()
    for name in ("library.sqlite3-wal", "backups/library.v1.2026-01-01.sqlite3", "notes.txt"):
        (data_dir / name).touch()
    for path in (data_dir, *data_dir.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    database = Database(data_dir)
    database.open()
    assert open_to_others(data_dir / "backups") == []
    others = sorted(path.name for path in data_dir.iterdir() if mode_of(path) & 0o077)
    assert others == ["notes.txt"], "only that is not Lectern's"
    assert mode_of(data_dir) == 0o700
    database.close()


def test_the_log_and_reports_of_crashes(tmp_path: Path) -> None:
    environ = {**os.environ, "LECTERN_CACHE_DIR": str(tmp_path)}
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "lectern.log").touch(0o644)
    subprocess.run([sys.executable, "-c", LOG], env=environ, check=True, cwd=Path(__file__).parents[2])
    names = sorted(path.name.partition("-")[0] for path in (tmp_path / "log").iterdir())
    assert names == ["fault", "lectern.log", "lectern.log.1"]
    assert open_to_others(tmp_path / "log") == []


def test_a_folder_shared_by_everyone_stays_shared(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    private_directory(shared)
    assert mode_of(shared) == 0o1777
    private_file(shared / "mine")
    assert mode_of(shared / "mine") == 0o600


def test_no_content_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("kept", encoding="utf-8")
    private_file(path)
    assert path.read_text(encoding="utf-8") == "kept"
    assert mode_of(path) == 0o600
