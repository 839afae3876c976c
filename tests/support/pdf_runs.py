"""Runs of a made-up PDF page: where text stands, without a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 5.0
"""Points that a letter takes."""


def run(text: str, left: float, bottom: float, *, height: float = 10, fixed: bool = False) -> Run:
    """Return a run whose letters are all 5 points wide."""
    return Run(text, left, bottom, left + WIDTH * len(text), bottom + height, fixed)


def column(lines: Sequence[str], left: float, top: float, *, pitch: float = 12) -> list[Run]:
    """Return lines below each other, the first with its bottom at ``top``."""
    return [run(line, left, top - pitch * index) for index, line in enumerate(lines)]
