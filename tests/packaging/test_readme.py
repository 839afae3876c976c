"""The commands of the README that install the program, as they stand there, on a machine that has nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMIT = 1800  # seconds for a gigabyte of packages
_LEFT_OUT = shutil.ignore_patterns(".*cache", ".git", ".venv", "build", "dist", "data", "__pycache__")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell")
def test_the_commands_install_the_program(tmp_path: Path) -> None:
    found = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(tmp_path),
        "filelock",
    ]
    if subprocess.run(found, timeout=LIMIT, check=False, capture_output=True).returncode:
        pytest.skip("no package can be downloaded")
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Install it as a program")[2]
    commands = section.partition("```sh\n")[2].partition("```")[0]
    clone, home = tmp_path / "clone", tmp_path / "home"
    shutil.copytree(ROOT, clone, ignore=_LEFT_OUT)
    home.mkdir()
    places = {name: str(home / name) for name in ("LECTERN_CONFIG_DIR", "LECTERN_CACHE_DIR")}
    known = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MAKEFLAGS")}
    env = {**known, **places, "HOME": str(home), "PYTHON": sys.executable}
    subprocess.run(["sh", "-ec", commands], cwd=clone, env=env, timeout=LIMIT, check=True)
    program = home / ".local" / "bin" / "lectern"
    for arguments in (["--version"], ["--data-dir", str(home / "data"), "courses"]):
        done = subprocess.run(
            [program, *arguments], cwd=home, env=env, timeout=LIMIT, check=True, capture_output=True
        )
        assert done.stdout
