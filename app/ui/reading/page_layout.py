"""Where the pages of a document stand below each other, at one size."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from app.domain.pages import Box, Strip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP = 10  # between pages, and around them
_WIDEST = 8192  # pixels of a page's picture
_STRIP = 2 * 2**20  # pixels of one picture; a large page is drawn in several
_POINTS = 96 / 72  # device-independent pixels a point at 100 %


class PageLayout:
    """Pages centred in a column, in device-independent pixels.

    Args:
        sizes: of the pages, in points.
        width: of the view.
        zoom: 1.0 for 100 %, or None to fit each page into the width.
        ratio: pixels of the screen a device-independent one.
    """

    def __init__(
        self, sizes: Sequence[tuple[float, float]], width: int, zoom: float | None, ratio: float
    ) -> None:
        self._sizes = sizes
        self.ratio = ratio
        room = max(width - 2 * _GAP, 40)
        most = _WIDEST / ratio
        widths = [room if zoom is None else min(wide * _POINTS * zoom, most) for wide, _ in sizes]
        self._widths = [max(round(one * ratio), 1) for one in widths]  # in pixels of the screen
        heights = [
            max(round(wide * size[1] / size[0]), 1) / ratio
            for wide, size in zip(self._widths, sizes, strict=True)
        ]
        self._tops = list(accumulate((height + _GAP for height in heights), initial=_GAP))
        self.height = self._tops[-1]
        self.width = max([width, *(wide / ratio + 2 * _GAP for wide in self._widths)])

    @property
    def pages(self) -> range:
        return range(1, len(self._sizes) + 1)

    def zoom(self, page: int) -> float:
        """Return how large a page is, 1.0 for 100 %."""
        return self.scale(page) / _POINTS

    def scale(self, page: int) -> float:
        """Return device-independent pixels a point."""
        return self._widths[page - 1] / self.ratio / self._sizes[page - 1][0]

    def rect(self, page: int) -> QRectF:
        wide = self._widths[page - 1] / self.ratio
        top = self._tops[page - 1]
        return QRectF((self.width - wide) / 2, top, wide, self._tops[page] - _GAP - top)

    def page_at(self, y: float) -> int:
        """Return the page at a height, or the one above if there is none."""
        return min(max(bisect_right(self._tops, y), 1), len(self._sizes))

    def pages_between(self, top: float, bottom: float) -> range:
        return range(self.page_at(top), self.page_at(bottom) + 1)

    def shown(self, page: int, box: Box) -> QRectF:
        """Return where a box of a page stands in the column."""
        rect, scale = self.rect(page), self.scale(page)
        left, top = rect.left() + box.left * scale, rect.top() + box.top * scale
        return QRectF(left, top, (box.right - box.left) * scale, (box.bottom - box.top) * scale)

    def strips(self, page: int, top: float, bottom: float) -> Iterator[Strip]:
        """Yield the strips of a page that are seen between two heights of the column."""
        width, rect = self._widths[page - 1], self.rect(page)
        whole = round(rect.height() * self.ratio)
        each = max(_STRIP // width, 64)
        first = max(int((top - rect.top()) * self.ratio), 0) // each * each
        last = min((bottom - rect.top()) * self.ratio, whole)
        for begin in range(first, max(int(last) + 1, first), each):
            if begin < whole:
                yield Strip(page, width, begin, min(each, whole - begin))

    def strip_rect(self, strip: Strip) -> QRectF:
        """Return where the picture of a strip belongs, whatever size it was made for."""
        rect = self.rect(strip.page)
        pixel = rect.width() / strip.width
        return QRectF(rect.left(), rect.top() + strip.top * pixel, rect.width(), strip.height * pixel)
