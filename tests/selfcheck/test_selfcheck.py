"""The self-check and its parts; the packaged program runs it too."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

import pytest

from app.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


def test_everything_works(model_cache: Path) -> None:
    environment = {**os.environ, "LECTERN_CACHE_DIR": str(model_cache)}
    command = [sys.executable, "-m", "app", "--selfcheck"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = [line.split()[1].rstrip(":") for line in done.stdout.splitlines() if line.startswith("ok ")]
    first = "modules resources keychain reader library"
    assert " ".join(steps) == f"{first} window languages recording"
    assert done.stdout.endswith("Everything works.\n")
    modules = re.search(r"modules: (\d+) of Lectern, (\d+) of others", done.stdout)
    assert modules, "those that functions import are found in their code"
    assert int(modules[2]) > 25


def test_a_place_without_room_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [*os.environ, "QT_QPA_PLATFORM"]:  # the check changes them; monkeypatch restores them
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert main(["--selfcheck"]) == 1
    assert "FAILED  a temporary folder cannot be created" in capsys.readouterr().out
