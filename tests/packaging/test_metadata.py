"""An installed program contains the resources it needs."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_every_resource_that_is_asked_for_is_in_the_wheel() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    included = settings["tool"]["hatch"]["build"]["targets"]["wheel"]["include"]
    asked = {
        name.partition("{")[0].rstrip("/")
        for file in (PROJECT / "app").rglob("*.py")
        for name in re.findall(r'f?"((?:resources|docs)/[^"]+)"', file.read_text(encoding="utf-8"))
    }
    assert "resources/prices.json" in asked
    asked = {name for name in asked if not name.startswith("resources/models")}  # of a packaged program
    for name in asked:
        assert any(fnmatch(name, pattern) or name.startswith(f"{pattern}/") for pattern in included), name
