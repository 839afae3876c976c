"""The pieces of a PDF page: runs of characters, and the rows they make."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


Glyph = tuple[str, float, float, float, float]
"""A character, the space before it included, with its box: left, bottom, right, top."""


@dataclass(frozen=True, slots=True)
class Run:
    """Characters side by side on one line; the unit is a point, ``top`` is above ``bottom``.

    Attributes:
        fixed: whether all its letters are equally wide, as in code.
    """

    text: str
    left: float
    bottom: float
    right: float
    top: float
    fixed: bool = False

    @property
    def height(self) -> float:
        """How high the line is."""
        return max(self.top - self.bottom, 1.0)

    @property
    def middle(self) -> float:
        """The height it stands at."""
        return (self.top + self.bottom) / 2

    def turned(self, quarter: int) -> Run:
        """Return it turned clockwise by so many quarters of a circle."""
        left, bottom, right, top = self.left, self.bottom, self.right, self.top
        for _ in range(quarter):
            left, bottom, right, top = bottom, -right, top, -left
        return replace(self, left=left, bottom=bottom, right=right, top=top)


@dataclass(frozen=True, slots=True)
class PageLines:
    """A page's runs in the order of the file, and how high what is printed on it is."""

    runs: tuple[Run, ...]
    height: float


@dataclass(frozen=True, slots=True)
class Row:
    """Runs on one line in reading order."""

    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        """The text of the row."""
        return " ".join(run.text for run in self.runs)

    @property
    def left(self) -> float:
        """Where it begins."""
        return min(run.left for run in self.runs)

    @property
    def right(self) -> float:
        """Where it ends."""
        return max(run.right for run in self.runs)

    @property
    def top(self) -> float:
        """Its upper edge."""
        return max(run.top for run in self.runs)

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return min(run.bottom for run in self.runs)

    @property
    def main(self) -> Run:
        """Its longest run."""
        return max(self.runs, key=lambda run: len(run.text))

    @property
    def middle(self) -> float:
        """The height it stands at."""
        return self.main.middle

    @property
    def height(self) -> float:
        """How high its letters are."""
        return self.main.height


def joined_run(glyphs: Sequence[Glyph], *, fixed: bool) -> Run:
    """Return the run that characters with their boxes make."""
    _, lefts, bottoms, rights, tops = zip(*glyphs, strict=True)
    return Run(_text(glyphs), min(lefts), _middle(bottoms), max(rights), _middle(tops), fixed)


def _middle(values: Sequence[float]) -> float:
    """Return the median; of a line set in one size all values are the same."""
    first = values[0]
    return first if values.count(first) == len(values) else median(values)


def _text(glyphs: Sequence[Glyph]) -> str:
    """Join characters; several in one box are the text a file gives in place of its signs.

    PDFium turns lines of Arabic and Hebrew from the order of the signs to that of reading, and such a
    text with them, although it was in reading order. It also gives it anew with each part of the line.
    """
    plain = "".join(glyph[0] for glyph in glyphs)
    if not RIGHT_TO_LEFT.search(plain):
        return plain
    texts: list[str] = []
    replaced: set[str] = set()
    for _, group in groupby(glyphs, key=lambda glyph: glyph[1:]):
        text = "".join(glyph[0] for glyph in group)
        if len(text.strip()) > 2 and RIGHT_TO_LEFT.search(text):
            text = text[::-1].strip()
            if text in replaced:
                continue
            replaced.add(text)
            text = f" {text} "
        texts.append(text)
    return " ".join("".join(texts).split()) if replaced else "".join(texts)


def rows_of(runs: Iterable[Run]) -> list[Row]:
    """Gather runs into rows from top to bottom; raised and lowered signs join their line."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: -run.middle):
        for row in reversed(rows[-3:]):
            if any(_share_line(run, other) for other in row):
                row.append(run)
                break
        else:
            rows.append([run])
    rows.sort(key=lambda row: -max(row, key=lambda run: len(run.text)).middle)
    return [Row(tuple(_in_order(row))) for row in rows]


def _share_line(run: Run, other: Run) -> bool:
    overlap = min(run.top, other.top) - max(run.bottom, other.bottom)
    return overlap > 0.55 * min(run.height, other.height)


def _in_order(row: list[Run]) -> list[Run]:
    row.sort(key=lambda run: run.left)
    text = "".join(run.text for run in row)
    backwards = len(RIGHT_TO_LEFT.findall(text))
    letters = sum(1 for character in text if character.isalpha())
    return row[::-1] if backwards * 2 > letters else row
