"""Very many files, odd names, circular links, sparse files: each is read or reported with a reason."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.features.keeping.doctor import examine
from tests.support.busy_library import MadeUpVectors
from tests.support.courses import ingest, library

if TYPE_CHECKING:
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

TINY = int(os.environ.get("LECTERN_TEST_TINY_FILES", "300"))
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no such names or files there")


def write(folder: Path, name: str, animal: str) -> None:
    text = f"Course Title: {animal.title()}\n\nLesson 1: A\nThe {animal} lives here. It is a fine animal.\n"
    (folder / name).write_text(text, encoding="utf-8")


def reported(data: Path, folder: Path) -> tuple[int, dict[str, dict[str, Any]]]:
    """Ingest with the command line in a child process; return its exit code and the report of each file."""
    done = subprocess.run(
        [sys.executable, "-m", "app", "--data-dir", str(data), "ingest", str(folder), "--json"],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr, done.stderr
    files = json.loads(done.stdout)["files"]
    return done.returncode, {file["path"].replace(str(folder.resolve()), "")[1:]: file for file in files}


def test_a_text_built_to_stall_the_reader(tmp_path: Path, embedder: KeptEmbedder) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "comments.md").write_text("elk\n" + "<!-- x -->\n" * 40, encoding="utf-8")
    (folder / "headings.md").write_text("# h\n" * 600_000, encoding="utf-8")
    write(folder, "owl.txt", "owl")
    code, files = reported(tmp_path / "data", folder)
    assert code == 0
    assert {name: file["status"] for name, file in files.items()} == {
        "comments.md": "added",
        "headings.md": "failed",
        "owl.txt": "added",
    }
    assert "sentences; Lectern reads up to 500,000 from one file. Split it." in files["headings.md"]["reason"]


@POSIX
def test_names_and_files_of_every_kind(tmp_path: Path, embedder: KeptEmbedder) -> None:
    folder, data = tmp_path / "files", tmp_path / "data"
    folder.mkdir()
    good = {
        "🎓 emoji.txt": "owl",
        "two\nlines.txt": "fox",
        "n" * 251 + ".txt": "elk",
        "a'b\"c;%s.txt": "gnu",
        "-rf.txt": "cod",
        "\u202etxt.txt": "ape",
    }
    for name, animal in good.items():
        write(folder, name, animal)
    (folder / "loop").symlink_to(folder)
    (folder / "self.txt").symlink_to(folder / "self.txt")
    os.mkfifo(folder / "pipe.txt")
    for name in ("huge.txt", "huge.pdf"):
        with (folder / name).open("wb") as file:
            file.truncate(2 << 30)
    try:
        write(folder, os.fsdecode(b"bad\xff\xfename.txt"), "eel")
        bad = {"bad??name.txt"}
    except OSError:  # macOS only accepts names that are valid text
        bad = set()
    code, files = reported(data, folder)
    assert code == 0
    assert {name for name, file in files.items() if file["status"] == "added"} == set(good)
    failed = {name: file["reason"] for name, file in files.items() if file["status"] == "failed"}
    assert set(failed) == {"self.txt", "huge.txt", "huge.pdf"} | bad
    assert "is 2 GB; Lectern reads at most 32 MB" in failed["huge.txt"]
    assert "symbolic links" in failed["self.txt"]
    assert all("Rename it" in failed[name] for name in bad)
    assert files["pipe.txt"]["status"] == "skipped"
    with library(data, embedder) as rag:
        for animal in good.values():
            assert rag.search.retrieve(f"the {animal}").hits[0].course_title == animal.title()
    assert examine(data, rag.settings, embedder).ok


@POSIX
def test_a_folder_whose_name_is_not_valid_text(tmp_path: Path, embedder: KeptEmbedder) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xffdir"))
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this system takes names that are text only")
    write(folder, "a.txt", "owl")
    done = subprocess.run(
        [sys.executable, "-m", "app", "--data-dir", str(tmp_path / "data"), "ingest", str(folder)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Rename it." in done.stderr
    write(tmp_path, "b.txt", "fox")
    with library(tmp_path / "data", embedder) as rag:
        files = ingest(rag, folder, tmp_path / "b.txt").files
    assert [file.status.value for file in files] == ["failed", "added"]


def test_very_many_tiny_files(tmp_path: Path) -> None:
    """``LECTERN_TEST_TINY_FILES=20000`` raises the number of files."""
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(TINY):
        path = folder / f"{number:05} note.txt"
        path.write_text(
            f"Note number {number} is about topic {number % 97}. It is short.\n", encoding="utf-8"
        )
    made_up = MadeUpVectors(None, Path(os.environ["LECTERN_CACHE_DIR"]))
    with library(tmp_path / "data", made_up) as rag:
        done = ingest(rag, folder)
        assert {file.status.value for file in done.files} == {"added"}
        assert done.counts.documents == TINY
        began = time.thread_time()
        done = ingest(rag, folder)
        assert {file.status.value for file in done.files} == {"unchanged"}
        assert time.thread_time() - began < 2 + TINY / 1000
        assert rag.search.retrieve(f"note number {TINY - 1}").hits
