"""The commands of the README that install the program, as they stand there.

What ``make install`` fetches is there already: it made the environment that runs this test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALLED = Path(sys.prefix) / ".lectern-installed"
LIMIT = 120  # seconds on a busy machine
_LEFT_OUT = shutil.ignore_patterns(".*cache", ".git", ".venv", "build", "dist", "data", "__pycache__")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the commands are for a shell")
@pytest.mark.skipif(not INSTALLED.exists(), reason="the environment is not one that make made")
def test_the_commands_install_the_program(tmp_path: Path) -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("### Install it as a program")[2]
    commands = section.partition("```sh\n")[2].partition("```")[0]
    clone, home = tmp_path / "clone", tmp_path / "home"
    shutil.copytree(ROOT, clone, ignore=_LEFT_OUT)
    home.mkdir()
    (clone / ".venv").symlink_to(sys.prefix)
    for name in ("pyproject.toml", "constraints.txt", "resources/packaging/torch.txt"):
        os.utime(clone / name, (0, 0))  # changed since, they would be installed again
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
