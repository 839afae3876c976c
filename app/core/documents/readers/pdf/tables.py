"""Tables of a PDF page: which rows are one, and what stands in which of its columns."""

import ctypes
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import Any

from app.core.documents.readers.pdf.lines import PdfLine, Run

_MOST_OBJECTS = 20_000  # of a page
_MOST_SEGMENTS = 400  # of one path; a drawing has more
_EXAMINED = 20_000  # segments of a page; a map has millions, at 2 µs each
_THIN = 3.0  # points: a narrower area is a line
_SHORT = 5.0  # points
_JOINT = 2.0  # points between two lines that are one
_ROWS = 1.8  # heights of a text that a line beside it has at least; a box around a word has less

Line = tuple[float, float, float]
"""Where a line stands from the left, its lower and its upper end."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The vertical lines of a page, from left to right."""

    lines: Sequence[Line] = ()

    def divides(self, left: float, right: float, bottom: float, top: float) -> bool:
        """Whether a line runs between two edges, next to text of this height."""
        first = bisect_left(self.lines, (left,))
        last = bisect_right(self.lines, (right, float("inf")))
        middle, least = (bottom + top) / 2, _ROWS * (top - bottom)
        return any(low < middle < high and high - low > least for _, low, high in self.lines[first:last])


def ruling_of(page: Any) -> Ruling:  # noqa: ANN401 - pypdfium2 is not typed
    """Return the vertical lines of an open page."""
    found = sorted((round(x), low, high, x) for x, low, high in _lines(page))
    lines: list[Line] = []
    column = None
    for at, low, high, x in found:
        if lines and column == at and low <= lines[-1][2] + _JOINT:
            lines[-1] = (lines[-1][0], lines[-1][1], max(lines[-1][2], high))
        else:
            lines.append((x, low, high))
        column = at
    return Ruling(sorted(lines))


def _lines(page: Any) -> Iterator[Line]:  # noqa: ANN401
    import pypdfium2.raw as pdfium

    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    remaining = _EXAMINED
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
        path = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(path) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        if not pdfium.FPDFPageObj_GetBounds(path, left, bottom, right, top):
            continue
        if top.value - bottom.value < _SHORT:
            continue
        if right.value - left.value < _THIN:
            yield (left.value + right.value) / 2, bottom.value, top.value
            continue
        count = pdfium.FPDFPath_CountSegments(path)
        if count <= min(_MOST_SEGMENTS, remaining):
            remaining -= count
            yield from _sides(path, count)


def _sides(path: Any, count: int) -> Iterator[Line]:  # noqa: ANN401
    """Yield the vertical lines of a path that is more than one line."""
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(path, matrix):
        return
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    for index in range(count + 1):
        segment = pdfium.FPDFPath_GetPathSegment(path, index) if index < count else None
        if segment is None or pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            for (x0, y0), (x1, y1) in pairwise([*points, *points[:1]]):
                if abs(x0 - x1) < 0.5 and abs(y0 - y1) > _SHORT:
                    yield (x0 + x1) / 2, min(y0, y1), max(y0, y1)
            points = []
        if segment is not None and pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            points.append(
                (
                    matrix.a * x.value + matrix.c * y.value + matrix.e,
                    matrix.b * x.value + matrix.d * y.value + matrix.f,
                )
            )


LEADERS = re.compile(r"(?:\s?[.․·_]){4,}\s*")
BULLET = re.compile(r"(?:[•▪▫◦‣●○■□▶►✓–—∗*·-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s")
_RELATION = re.compile(r"[=<>≤≥≈≡≠∼≅→⇒⇔↦∈⊂⊆∑∏∫√∂∇]")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")

_LEFT = attrgetter("left")
_Column = tuple[float, float]


def is_formula(row: PdfLine) -> bool:
    """Whether a row is a displayed formula: it relates something, and has hardly a word."""
    words = sum(map(len, _LONG_WORD.findall(row.text)))
    return _RELATION.search(row.text) is not None and words < 0.35 * len("".join(row.text.split()))


def table_end(rows: list[PdfLine], begin: int) -> int:
    """Return one past the last row of the table that begins with a row; the row itself if none does.

    Rows with a cell in one column only belong to it if they stand between others, or go on with a cell.
    """
    if begin + 1 >= len(rows) or not _are_table(rows[begin], rows[begin + 1]):
        return begin
    end = full = begin + 1
    while end + 1 < len(rows):
        row, last = rows[end + 1], rows[end]
        if last.bottom - row.top > 1.5 * row.height or is_formula(row):
            break
        if _are_table(rows[full], row) or _are_table(rows[begin], row, far=True):
            full = end = end + 1
            continue
        if not _fits(row, columns(rows[begin : full + 1])):
            break
        end += 1
    # After the last full row, only what goes on with one of its cells.
    inner = columns(rows[begin : full + 1])[1:]
    while full < end and _fits(rows[full + 1], inner) and _is_close(rows[full], rows[full + 1]):
        full += 1
    return full + 1


def _are_table(row: PdfLine, following: PdfLine, *, far: bool = False) -> bool:
    """Whether two rows have at least two cells each, with inner ones below each other."""
    if len(cells_of(row)) < 2 or len(cells_of(following)) < 2 or is_formula(row) or is_formula(following):
        return False
    if any(map(LEADERS.search, (row.text, following.text))):
        return False  # a table of contents
    if not far and row.bottom - following.top > 2 * row.height:
        return False
    slack = 0.4 * row.height
    first, second = sorted(row.runs, key=_LEFT), sorted(following.runs, key=_LEFT)
    return any(_stand_below(run, other, slack) for run in first[1:] for other in second[1:])


def _stand_below(run: Run, other: Run, slack: float) -> bool:
    """Whether two cells begin at one place, or are numbers aligned right or names centred."""
    if abs(run.left - other.left) < slack:
        return True
    if abs(run.right - other.right) < slack and any(map(str.isdigit, run.text + other.text)):
        return True
    centred = abs(run.left + run.right - other.left - other.right) < slack
    return centred and max(len(run.text), len(other.text)) < 20


def _fits(row: PdfLine, where: Sequence[_Column]) -> bool:
    """Whether each part of a row begins where a column does and ends in it."""
    slack = 0.4 * row.height
    return all(
        any(abs(run.left - left) < slack and run.right < right + slack for left, right in where)
        for run in row.runs
    )


def _is_close(row: PdfLine, following: PdfLine) -> bool:
    return row.bottom - following.top < 0.5 * row.height


def columns(rows: Sequence[PdfLine]) -> list[_Column]:
    """Return the left edge of each column and that of the next one (the right edge of the last)."""
    runs = sorted((run for row in rows if len(cells_of(row)) > 1 for run in row.runs), key=_LEFT)
    starts: list[float] = []
    edge = float("-inf")
    for run in runs:
        if run.left > edge + (0 if run.ruled else 0.3 * run.height):
            starts.append(run.left)
        edge = max(edge, run.right)
    return list(zip(starts, [*starts[1:], edge], strict=True))


def table_cells(rows: list[PdfLine]) -> list[list[str]]:
    """Return the cells of each row, empty ones included; a cell of several lines is one."""
    where = columns(rows)
    if len(where) < max(len(cells_of(row)) for row in rows):  # something runs over several columns
        return [cells_of(row) for row in rows]
    found: list[list[str]] = []
    last: PdfLine | None = None
    for row in rows:
        cells = [""] * len(where)
        for run in row.runs:
            column = max((n for n, (left, _) in enumerate(where) if left < run.left + 0.5), default=0)
            cells[column] = f"{cells[column]} {run.text}".strip()
        goes_on = last is not None and not cells[0] and _is_close(last, row)
        if goes_on and all(above or not cell for cell, above in zip(cells, found[-1], strict=True)):
            found[-1] = [f"{above} {cell}".strip() for above, cell in zip(found[-1], cells, strict=True)]
        else:
            found.append(cells)
        last = row
    return found


def cells_of(row: PdfLine) -> list[str]:
    """Return the texts that wide gaps and drawn lines divide a row into; a list item's bullet is no cell."""
    cells: list[str] = []
    last: Run | None = None
    for run in row.runs:
        gap = max(run.left - last.right, last.left - run.right) if last else 0.0
        is_ruled = last is not None and max(last, run, key=_LEFT).ruled
        if last is None or gap > row.height or is_ruled:
            cells.append(run.text)
        else:
            cells[-1] += " " + run.text
        last = run
    if len(cells) > 1 and BULLET.fullmatch(cells[0] + " "):
        cells[:2] = [" ".join(cells[:2])]
    return cells
