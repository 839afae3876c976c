"""What is repeated on the pages of a PDF: running headers and footers, and page numbers."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import Row, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.documents.readers.pdf.lines import PageLines, Run

_EDGE = 3  # rows at the top and at the bottom that are looked at
_SAME_PLACE = 8.0  # points
_DIGITS = re.compile(r"\d+")
_LONE_NUMBER = re.compile(
    r"(?:page|seite|p\.|slide|folie)?\s*[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—]?"
    r"(?:\s*(?:/|of|von|\|)\s*\d{1,4})?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?:page|seite|slide|folie)\s+\d{1,4}(?:\s*(?:/|of|von)\s*\d{1,4})?", re.IGNORECASE)


def without_running_lines(pages: Sequence[PageLines]) -> list[list[Run]]:
    """Return each page's runs without running headers, footers and page numbers.

    A row at an edge of the page is one if the same words (digits aside) stand at the same place of
    many pages, or if it bears the number of its page where many pages do. Rows go from the
    edge inwards, and only where a gap divides them from the text.
    """
    rows = [rows_of(page.runs) for page in pages]
    dropped: list[set[Row]] = [set() for _ in pages]
    for edge in ("top", "bottom"):
        edges = [_edge_rows(page, edge) for page in rows]
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
    """Return how many rows from the edge inwards go: they are set apart from the text, or numbers only."""
    found = 0
    for index, row in enumerate(rows[: len(running)]):
        if not running[index]:
            break
        following = rows[index + 1] if index + 1 < len(rows) else None
        gap = _gap(row, following) if following else 0.0
        if following is None or gap > 0.6 * row.height or _LONE_NUMBER.fullmatch(row.text.strip()):
            found = index + 1
    return found


def _gap(row: Row, other: Row) -> float:
    return max(row.bottom - other.top, other.bottom - row.top)


def _edge_rows(rows: list[Row], edge: str) -> list[Row]:
    """Return the outermost rows from the edge inwards, with the one behind them."""
    return rows[: _EDGE + 1] if edge == "top" else rows[: -_EDGE - 2 : -1]


def _key(row: Row) -> str:
    """Return what must be the same on other pages."""
    return _DIGITS.sub("#", row.text.casefold())


def _repeated(edges: Sequence[list[Row]]) -> set[str]:
    places: dict[str, list[float]] = defaultdict(list)
    for rows in edges:
        for row in rows[:_EDGE]:
            places[_key(row)].append(row.middle)
    count = len(edges)
    needed = 2 if count < 4 else max(3, math.ceil(count * 0.3))
    if count > 20:
        # A chapter's name stands over its own pages only.
        needed = min(needed, 6)
    repeated = set()
    for key, heights in places.items():
        heights.sort()
        most = max(
            (sum(1 for other in heights if 0 <= other - height <= _SAME_PLACE) for height in set(heights)),
            default=0,
        )
        if count > 1 and most >= needed:
            repeated.add(key)
    return repeated


def _offsets(edges: Sequence[list[Row]]) -> set[int]:
    """Return how far the printed numbers are ahead of the pages' own, where many pages bear one."""
    found: Counter[int] = Counter()
    for index, rows in enumerate(edges):
        found.update({number - index for row in rows[:_EDGE] for number in _outer_numbers(row)})
    needed = 2 if len(edges) < 4 else max(3, math.ceil(len(edges) * 0.3))
    return {offset for offset, times in found.items() if times >= needed}


def _outer_numbers(row: Row) -> set[int]:
    words = row.text.split()
    return (
        {int(word) for word in (words[0], words[-1]) if word.isdecimal() and len(word) < 5}
        if words
        else set()
    )


def _bears_number(row: Row, index: int, offsets: set[int], pages: int) -> bool:
    if _NUMBERED.fullmatch(row.text.strip()):
        return True
    if any(number - index in offsets for number in _outer_numbers(row)):
        return len(row.text) < 150
    alone = _LONE_NUMBER.fullmatch(row.text.strip()) is not None
    return alone and (bool(offsets) or pages == 1) and len(row.text) < 20
