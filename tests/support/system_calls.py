"""Records what is asked of the system, in order; everything is done as well."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def record_flushes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows with every flush and every replaced file from now on."""
    calls: list[str] = []
    flush, replace = os.fsync, os.replace

    def recorded_flush(descriptor: int) -> None:
        flush(descriptor)
        calls.append(f"flush {Path(os.readlink(f'/proc/self/fd/{descriptor}')).name}")

    def recorded_replace(source: Path, target: Path) -> None:
        replace(source, target)
        calls.append(f"replace {Path(target).name}")

    monkeypatch.setattr(os, "fsync", recorded_flush)
    monkeypatch.setattr(os, "replace", recorded_replace)
    return calls
