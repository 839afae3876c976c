"""Removes what repeats on the pages of a PDF: running headers and footers, and page numbers."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from itertools import zip_longest
from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.documents.readers.pdf.lines import Run

_EDGE = 3  # rows examined at the top and at the bottom
_SAME_PLACE = 8.0  # points
_DIGITS = re.compile(r"\d+")
_LONE_NUMBER = re.compile(
    r"(?:page|seite|p\.|slide|folie)?\s*+[-–—]?+\s*+(?:\d{1,4}|[ivxlc]{1,7})\s*+[-–—]?+"
    r"(?:\s*+(?:/|of|von|\|)\s*+\d{1,4})?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:page|seite|slide|folie)\s+\d{1,4}(?:\s*(?:/|of|von)\s*\d{1,4})?", re.IGNORECASE)


def without_running_lines(pages: Sequence[Sequence[Run]]) -> list[list[Run]]:
    """Return each page's runs without running headers, footers and page numbers.

    These are rows at an edge whose words (digits aside) stand there on many pages, or that bear the page's
    number as many pages do; from the edge inwards, where a gap separates them from the text.
    """
    rows = [rows_of(page) for page in pages]
    dropped: list[set[Row]] = [set() for _ in pages]
    for direction in (1, -1):
        edges = [page[::direction][: _EDGE + 1] for page in rows]  # and the row after
        repeated = _repeated(edges)
        offsets = _offsets(edges)
        for index, candidates in enumerate(edges):
            running = [
                _key(row) in repeated or _bears_number(row, index, offsets, len(pages))
                for row in candidates[:_EDGE]
            ]
            dropped[index].update(candidates[: _count(candidates, running)])
    return [
        [run for row in page for run in row.runs if row not in gone]
        for page, gone in zip(rows, dropped, strict=True)
    ]


def _count(rows: list[Row], running: list[bool]) -> int:
    """Return how many rows to remove from the edge inwards: those apart from the text, or bare numbers."""
    found = 0
    for index, (row, following) in enumerate(zip_longest(rows, rows[1:])):
        if index == len(running) or not running[index]:
            break
        gap = max(row.bottom - following.top, following.bottom - row.top) if following else 0.0
        if following is None or gap > 0.6 * row.height or _LONE_NUMBER.fullmatch(row.text.strip()):
            found = index + 1
    return found


def _key(row: Row) -> str:
    return _DIGITS.sub("#", row.text.casefold())


def _repeated(edges: Sequence[list[Row]]) -> set[str]:
    places: dict[str, list[float]] = defaultdict(list)
    for rows in edges:
        for row in rows[:_EDGE]:
            places[_key(row)].append(row.middle)
    needed = _needed(len(edges))
    if len(edges) > 20:
        needed = min(needed, 6)  # a chapter's name stands over its own pages only
    return {
        key
        for key, heights in places.items()
        if len(edges) > 1
        and any(sum(0 <= other - low <= _SAME_PLACE for other in heights) >= needed for low in set(heights))
    }


def _needed(pages: int) -> int:
    return 2 if pages < 4 else max(3, math.ceil(pages * 0.3))


def _offsets(edges: Sequence[list[Row]]) -> set[int]:
    """Return by how much printed page numbers differ from page indexes, where many pages bear one."""
    found: Counter[int] = Counter()
    for index, rows in enumerate(edges):
        found.update({number - index for row in rows[:_EDGE] for number in _outer_numbers(row)})
    return {offset for offset, times in found.items() if times >= _needed(len(edges))}


def _outer_numbers(row: Row) -> set[int]:
    words = row.text.split()
    return {int(word) for word in (*words[:1], *words[-1:]) if word.isdecimal() and len(word) < 5}


def _bears_number(row: Row, index: int, offsets: set[int], pages: int) -> bool:
    text = row.text.strip()
    if _NUMBERED.fullmatch(text):
        return True
    if any(number - index in offsets for number in _outer_numbers(row)):
        return len(row.text) < 150
    return bool((offsets or pages == 1) and len(row.text) < 20 and _LONE_NUMBER.fullmatch(text))
