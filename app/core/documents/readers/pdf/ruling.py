"""The vertical lines drawn on a PDF page, which tell apart cells that nearly touch."""

from __future__ import annotations

import ctypes
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        """Whether a line stands between two edges, beside text of this height."""
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
