"""The real install script, in a temporary home, with a small stand-in for the packaged program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from resources.packaging.icons import APP_ID
from resources.packaging.tarball import stage

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("readelf") is None,
    reason="the archive is made on Linux, with binutils",
)

# A program that runs, waits on request, and answers to --version.
_STAND_IN = shutil.which("sleep") or "/bin/sleep"
ODD = "home of Zoë 🎓 “a$b` %x\\y"


class Machine:
    """A user's home that contains the unpacked archive."""

    def __init__(self, folder: Path, name: str) -> None:
        self.home = folder / name
        self.archive = self.home / "Téléchargements 下载" / "lectern-1"
        program = folder / "program"
        program.mkdir()
        shutil.copy(_STAND_IN, program / "lectern")
        self.archive.mkdir(parents=True)
        stage(program, self.archive)
        shutil.copytree(program, self.archive / "lectern")
        self.program = self.home / ".local/lib/lectern"
        self.link = self.home / ".local/bin/lectern"
        self.share = self.home / ".local/share"

    def run(self, *arguments: str, script: Path | None = None, **environment: str) -> tuple[int, str]:
        done = subprocess.run(
            ["sh", str(script or self.archive / "install.sh"), *arguments],
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), **environment},
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        return done.returncode, done.stdout + done.stderr

    def files(self) -> set[str]:
        """The files in the home, without the archive, and what desktops note of all menu entries."""
        return {
            str(one.relative_to(self.home))
            for one in self.home.rglob("*")
            if not one.is_dir() and self.archive not in one.parents and one.name != "mimeinfo.cache"
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path, ODD)


def test_it_installs_starts_from_its_menu_entry_and_goes_without_a_trace(machine: Machine) -> None:
    code, said = machine.run()
    assert code == 0, said
    assert str(machine.home / ".local/bin") in said  # is not in PATH
    entry = machine.share / "applications" / f"{APP_ID}.desktop"
    if shutil.which("desktop-file-validate"):
        assert subprocess.run(["desktop-file-validate", str(entry)], check=False).returncode == 0
    line = next(one for one in entry.read_text(encoding="utf-8").splitlines() if one.startswith("Exec="))
    command, files = exec_words(line)
    assert files == "%U"
    assert "x-scheme-handler/lectern;" in entry.read_text(encoding="utf-8")
    started = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert started.stdout.startswith("sleep")
    assert machine.link.resolve() == machine.program.resolve() / "lectern"
    icons = [one for one in machine.files() if f"/apps/{APP_ID}." in one]
    assert len(icons) == 10
    (machine.share / "Lectern").mkdir()
    (machine.share / "Lectern/library.sqlite3").write_bytes(b"courses")
    code, said = machine.run("--uninstall", script=machine.program / "install.sh")
    assert code == 0, said
    assert machine.files() == {".local/share/Lectern/library.sqlite3"}
    assert str(machine.share / "Lectern") in said


def test_again_is_an_upgrade_and_nothing_of_the_old_one_stays(machine: Machine) -> None:
    assert machine.run()[0] == 0
    (machine.program / "left over").write_text("old", encoding="utf-8")
    before = machine.files()
    code, said = machine.run()
    assert code == 0, said
    assert machine.files() == before - {".local/lib/lectern/left over"}


def test_a_program_that_runs_or_does_not_start_is_not_replaced(machine: Machine) -> None:
    assert machine.run()[0] == 0
    running = subprocess.Popen([machine.program / "lectern", "600"])
    try:
        code, said = machine.run()
        assert (code, "it is running" in said) == (1, True)
        assert machine.run("--uninstall")[0] == 1
    finally:
        running.kill()
        running.wait()
    before = machine.files()
    (machine.archive / "lectern/lectern").write_text("no program", encoding="utf-8")
    code, said = machine.run()
    assert (code, "does not start here" in said) == (1, True)
    assert machine.files() == before


def test_it_respects_xdg_directories_and_what_is_not_its_own(machine: Machine) -> None:
    machine.link.parent.mkdir(parents=True)
    machine.link.write_text("mine", encoding="utf-8")
    share = machine.home / "my share"
    code, said = machine.run(XDG_DATA_HOME=str(share))
    assert code == 0, said
    assert (share / "applications" / f"{APP_ID}.desktop").is_file()
    assert not machine.share.exists()
    assert "was left alone" in said
    assert machine.run("--uninstall", XDG_DATA_HOME=str(share))[0] == 0
    assert machine.files() == {".local/bin/lectern"}


def test_it_says_what_is_missing(machine: Machine) -> None:
    code, said = machine.run(HOME="")
    assert (code, "HOME is not set" in said) == (1, True)
    shutil.rmtree(machine.archive / "lectern")
    code, said = machine.run()
    assert (code, "unpacked archive" in said) == (1, True)
    assert machine.run("--help")[0] == 2
    assert machine.files() == set()


def exec_words(line: str) -> list[str]:
    """Return the words of an Exec line as a desktop reads them, by GLib's rules."""
    value = line.removeprefix("Exec=").replace("\\\\", "\\")
    value, files = value[:-3], value[-2:]
    assert value[0] == value[-1] == '"'
    words, escaped = "", False
    for character in value[1:-1]:
        if character == "\\" and not escaped:
            escaped = True
            continue
        words, escaped = words + character, False
    return [words.replace("%%", "%"), files]
