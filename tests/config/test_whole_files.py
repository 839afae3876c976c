"""A file is replaced whole, flushed to the disk, or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.config.files import check_replaceable, replace_file
from app.config.settings import Settings, load_settings, save_settings
from tests.support.system_calls import record_flushes

SAVING = """
import sys
from pathlib import Path
from app.config.files import replace_file

def write(draft):
    draft.write_text("half of i", encoding="utf-8")
    print("ready", flush=True)
    sys.stdin.readline()

replace_file(Path(sys.argv[1]), write)
"""

needs_special_files = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no special files")


def write(path: Path, text: str = "new") -> None:
    replace_file(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def test_a_file_is_made_and_replaced(tmp_path: Path) -> None:
    for text in ("one", "two"):
        write(tmp_path / "a.txt", text)
        assert (tmp_path / "a.txt").read_text(encoding="utf-8") == text
        assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="how flushes are recorded")
def test_settings_are_on_the_disk_when_they_count_as_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = record_flushes(monkeypatch)
    save_settings(Settings(theme="dark"), tmp_path / "settings.json")
    assert calls == [
        f"flush .settings.json.{os.getpid()}.part",
        "replace settings.json",
        f"flush {tmp_path.name}",
    ]


def test_one_that_cannot_be_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write(path, "old")

    def fill_the_disk(draft: Path) -> None:
        draft.write_text("ne", encoding="utf-8")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        replace_file(path, fill_the_disk)
    assert os.listdir(tmp_path) == ["a.txt"]
    assert path.read_text(encoding="utf-8") == "old"


def test_killed_while_saving_the_earlier_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    save_settings(Settings(theme="dark"), path)
    with subprocess.Popen(
        [sys.executable, "-c", SAVING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        process.kill()
    assert load_settings(path).theme == "dark"
    save_settings(Settings(theme="light"), path)
    assert os.listdir(tmp_path) == ["settings.json"]
    assert load_settings(path).theme == "light"


def test_two_processes_replace_one_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "notes [1].txt"
    with subprocess.Popen(
        [sys.executable, "-c", SAVING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == b"ready"
        write(path)
        assert path.read_text(encoding="utf-8") == "new"
        process.communicate(b"\n", timeout=30)
    assert process.returncode == 0
    assert path.read_text(encoding="utf-8") == "half of i"
    assert os.listdir(tmp_path) == [path.name]


@needs_special_files
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link, real = tmp_path / "a.txt", tmp_path / "elsewhere" / "b.txt"
    link.symlink_to(real)
    for text in ("one", "two"):
        drafts: list[Path] = []

        def write_down(draft: Path, text: str = text, drafts: list[Path] = drafts) -> None:
            drafts.append(draft)
            draft.write_text(text, encoding="utf-8")

        replace_file(link, write_down)
        assert drafts[0].parent == real.parent  # the link may be on another file system
        assert link.is_symlink()
        assert real.read_text(encoding="utf-8") == text


@needs_special_files
def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/null")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "link"):
        with pytest.raises(OSError, match="Not a regular file"):
            write(tmp_path / name)
    with pytest.raises(OSError, match="symbolic links"):
        write(tmp_path / "loop")
    with pytest.raises(OSError, match="Not a regular file"):
        write(Path("/dev/null"))
    with pytest.raises(IsADirectoryError):
        write(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["link", "loop", "pipe"]


def test_what_cannot_be_created_is_known_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileNotFoundError):
        check_replaceable(tmp_path / "no such folder" / "a.txt")
    with pytest.raises(NotADirectoryError):
        check_replaceable(tmp_path / "file" / "a.txt")
    check_replaceable(tmp_path / "a.txt")
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            check_replaceable(tmp_path / "a.txt")
    finally:
        tmp_path.chmod(0o700)
