"""The self-check and its parts; the packaged program runs it too."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app.main import main
from app.selfcheck import checks

pytestmark = pytest.mark.slow

APP = Path(checks.__file__).parents[1]
# Only for exporting another embedding model, which the packaged program cannot do.
EXPORT = {"safetensors", "sentence_transformers", "torch", "transformers"}
STANDARD = {"ctypes", "fcntl", "ipaddress", "resource"}
STEP_OF_ITS_OWN = {"PySide6"}


def late_imports() -> set[str]:
    """Return the third-party modules that functions of the program import."""
    found: set[str] = set()
    for path in APP.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        for node in (inner for function in functions for inner in ast.walk(function)):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
    ignored = {"app", *EXPORT, *STANDARD, *STEP_OF_ITS_OWN}
    return {name for name in found if name.partition(".")[0] not in ignored}


def test_everything_imported_late_is_imported_by_the_check() -> None:
    checked = {*checks.LATE_IMPORTS, "keyring.backend"}
    parents = {".".join(name.split(".")[:depth]) for name in checked for depth in range(1, 5)}
    assert late_imports() <= parents | checked


def test_everything_works(model_cache: Path) -> None:
    environment = {**os.environ, "LECTERN_CACHE_DIR": str(model_cache)}
    command = [sys.executable, "-m", "app", "--selfcheck"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    steps = [line.split()[1].rstrip(":") for line in done.stdout.splitlines() if line.startswith("ok ")]
    first = "modules resources keychain reader library"
    assert " ".join(steps) == f"{first} window languages recording"
    assert done.stdout.endswith("Everything works.\n")


def test_a_place_without_room_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [*os.environ, "QT_QPA_PLATFORM"]:  # the check changes them; monkeypatch restores them
        monkeypatch.setenv(name, os.environ.get(name, ""))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    assert main(["--selfcheck"]) == 1
    assert "FAILED  a temporary folder cannot be created" in capsys.readouterr().out
