"""Runs of characters on a PDF page, and the rows they form."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

# A character, the space before it included, with its box: left, bottom, right, top.
Glyph = tuple[str, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Run:
    """Characters side by side on a line, in points.

    Attributes:
        fixed: all are equally wide, as in code.
        ruled: a line is drawn at their left, as between the cells of a table.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    fixed: bool = False
    ruled: bool = False

    @property
    def height(self) -> float:
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    def turned(self, quarter: int) -> Run:
        """Return it turned clockwise by quarters of a circle."""
        left, bottom, right, top = self.left, self.bottom, self.right, self.top
        for _ in range(quarter):
            left, bottom, right, top = bottom, -right, top, -left
        return replace(self, left=left, bottom=bottom, right=right, top=top)


class PdfLine:
    """Runs on one line in reading order; ``middle`` and ``height`` are those of the longest."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = runs
        self.text = " ".join(run.text for run in runs)
        self.left, self.right = extent(runs)
        self.bottom, self.top = min(run.bottom for run in runs), max(run.top for run in runs)
        longest = max(runs, key=lambda run: len(run.text))
        self.middle, self.height = longest.middle, longest.height


def extent(parts: Iterable[Run | PdfLine]) -> tuple[float, float]:
    """Return the left edge of the leftmost part and the right edge of the rightmost."""
    edges = [(part.left, part.right) for part in parts]
    return min(left for left, _ in edges), max(right for _, right in edges)


def joined_run(glyphs: Sequence[Glyph], *, fixed: bool, vertical: bool = False) -> Run:
    """Return characters in a row, or one above the other, as a run."""
    texts, lefts, bottoms, rights, tops = zip(*glyphs, strict=True)
    text = "".join(texts)
    if vertical:
        return Run(text, _middle(lefts), min(bottoms), _middle(rights), max(tops), fixed)
    return Run(text, min(lefts), _middle(bottoms), max(rights), _middle(tops), fixed)


def _middle(values: Sequence[float]) -> float:
    """Return the median; in a line set in one size all values are equal."""
    first = values[0]
    return first if values.count(first) == len(values) else median(values)


def rows_of(runs: Iterable[Run]) -> list[PdfLine]:
    """Group runs into rows from top to bottom; superscripts and subscripts join their line."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        for row in reversed(rows[-3:]):
            if any(_share_line(run, other) for other in row):
                row.append(run)
                break
        else:
            rows.append([run])
    rows.sort(key=lambda row: -max(row, key=lambda run: len(run.text)).middle)
    for row in rows:
        row.sort(key=lambda run: run.left)
    return [PdfLine(row[::-1] if is_right_to_left(row) else row) for row in rows]


def _share_line(run: Run, other: Run) -> bool:
    overlap = min(run.top, other.top) - max(run.bottom, other.bottom)
    return overlap > 0.55 * min(run.height, other.height)


def is_right_to_left(runs: Iterable[Run]) -> bool:
    return reads_backwards("".join(run.text for run in runs))


def reads_backwards(text: str) -> bool:
    """Whether most letters are Hebrew or Arabic."""
    return 2 * len(RIGHT_TO_LEFT.findall(text)) > sum(map(str.isalpha, text))
