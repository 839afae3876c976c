"""Importing the model server's SDK beside other imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# Stands for what PySide's look into pydantic does when another thread imports at that moment.
_INTERRUPTED = """
import sys
from importlib.abc import MetaPathFinder

class Once(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "pydantic._internal._validators":
            sys.meta_path.remove(self)
            raise ImportError(f"cannot import from partially initialized module {name}")

sys.meta_path.insert(0, Once())
from app.core.answers.providers.anthropic.client import import_sdk
sdk, http = import_sdk()
assert not any(isinstance(finder, Once) for finder in sys.meta_path), "never asked for"
print(sdk.AsyncAnthropic.__name__, http.Timeout.__name__)
"""


@pytest.mark.slow
def test_an_import_that_is_disturbed_is_repeated() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED],
        cwd=Path(__file__).parents[4],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.split() == ["AsyncAnthropic", "Timeout"], done.stderr
