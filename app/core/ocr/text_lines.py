"""Finds lines of text in a map that says of each point how likely it belongs to the core of a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_LIKELY = 0.3  # from which a point belongs to a line
_SURE = 0.5  # what a line's points are on average
_LEAST = 6  # points of a line
_STEEPEST = 0.2
# The map has the core of a line alone. Around it belongs this share of its area by half its outline.
_AROUND = 0.8

_Span = tuple[int, int, int]  # row, first column, column behind the last


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text in a picture, in its points, from the top left; ``middle`` is that at ``centre``."""

    left: float
    right: float
    centre: float
    middle: float
    height: float
    slope: float

    def scaled(self, across: float, down: float) -> TextLine:
        """Return it in a picture that is larger by these factors."""
        return TextLine(
            self.left * across,
            self.right * across,
            self.centre * across,
            self.middle * down,
            self.height * down,
            self.slope * down / across,
        )

    def turned(self, width: float, height: float) -> TextLine:
        """Return it in a picture of this size that is turned upside down."""
        left, right = width - self.right, width - self.left
        return TextLine(left, right, width - self.centre, height - self.middle, self.height, self.slope)


def lines_in(likely: NDArray[np.float32]) -> Iterator[TextLine]:
    """Yield the lines of a map, shape (height, width); those that are steep or a point's size are none."""
    for spans in _connected(likely > _LIKELY):
        points = np.array(spans, dtype=np.float64)
        rows, widths = points[:, 0] + 0.5, points[:, 2] - points[:, 1]
        columns = (points[:, 1] + points[:, 2]) / 2
        area = float(widths.sum())
        if area < _LEAST or sum(float(likely[y, a:b].sum()) for y, a, b in spans) < _SURE * area:
            continue
        centre, middle = float(widths @ columns) / area, float(widths @ rows) / area
        spread = float(widths @ ((columns - centre) ** 2 + widths**2 / 12))
        slope = float(widths @ ((columns - centre) * (rows - middle))) / spread
        if abs(slope) > _STEEPEST:
            slope = 0.0
        left, right = float(points[:, 1].min()), float(points[:, 2].max())
        offsets = rows - middle - slope * (columns - centre)
        # A core that touches its neighbour in one place is no higher for it.
        height = min(float(np.ptp(offsets)) + 1, 1.3 * area / (right - left) + 1)
        around = _AROUND * height * (right - left) / (height + right - left)
        yield TextLine(left - around, right + around, centre, middle, height + 2 * around, slope)


def _connected(points: NDArray[np.bool_]) -> Iterable[list[_Span]]:
    """Return the spans of points of each connected part."""
    edges = np.diff(np.pad(points, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, begins = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    spans = list(zip(rows.tolist(), begins.tolist(), ends.tolist(), strict=True))
    parents = list(range(len(spans)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    above = 0  # the first span of the row above that may touch
    for index, (row, begin, end) in enumerate(spans):
        while spans[above][0] < row - 1 or (spans[above][0] == row - 1 and spans[above][2] <= begin):
            above += 1
        other = above
        while spans[other][0] == row - 1 and spans[other][1] < end:
            parents[root(other)] = root(index)
            other += 1
    parts: dict[int, list[_Span]] = {}
    for index, span in enumerate(spans):
        parts.setdefault(root(index), []).append(span)
    return parts.values()
