"""The layout of pages, their cached pictures, and what is selected and found on them."""

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage

from app.domain.pages import HYPHEN, Box, Mark, PageLink, PagePicture, PageText, Strip, lines_of

_GAP = 10  # between pages, and around them
_WIDEST = 8192  # pixels of a page's picture
_STRIP = 2 * 2**20  # pixels of one picture; a large page is drawn in several
_POINTS = 96 / 72  # device-independent pixels a point at 100 %


class PageLayout:
    """Pages centred in a column, in device-independent pixels; ``ratio`` is how many of the screen each has.

    Sizes are in points; ``zoom`` is 1.0 for 100 %, or None to fit each page into the width.
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


MOST_BYTES = 100 * 2**20
"""Of all pictures; what was not looked at for longest goes first."""


class PagePictures:
    def __init__(self) -> None:
        self._images: OrderedDict[Strip, tuple[QImage, bytes]] = OrderedDict()
        self._failed: set[Strip] = set()
        self.bytes = 0

    def clear(self) -> None:
        self._images.clear()
        self._failed.clear()
        self.bytes = 0

    def add(self, picture: PagePicture) -> None:
        strip = picture.strip
        # The image does not own its bytes, so both are kept.
        image = QImage(picture.pixels, strip.width, strip.height, 4 * strip.width, QImage.Format.Format_RGB32)
        self._images[strip] = image, picture.pixels
        self.bytes += len(picture.pixels)
        while self.bytes > MOST_BYTES and len(self._images) > 1:
            _, (_, pixels) = self._images.popitem(last=False)
            self.bytes -= len(pixels)

    def give_up(self, strip: Strip) -> None:
        """Ask no more for a strip that cannot be drawn; its place stays white."""
        self._failed.add(strip)

    def image(self, strip: Strip) -> QImage | None:
        if strip not in self._images:
            return None
        self._images.move_to_end(strip)
        return self._images[strip][0]

    def stand_ins(self, page: int) -> Iterator[tuple[Strip, QImage]]:
        """Yield pictures of a page in other sizes, to show until it is drawn."""
        return ((strip, image) for strip, (image, _) in self._images.items() if strip.page == page)

    def missing(self, strips: Iterable[Strip]) -> Strip | None:
        return next((one for one in strips if one not in self._images and one not in self._failed), None)


_MOST_TEXTS = 24  # pages whose characters are kept; one has some thousands


class Caret(NamedTuple):
    """A place between two characters of a page."""

    page: int
    at: int


class PageSelection:
    """The characters of pages, and which of them are selected."""

    def __init__(self) -> None:
        self._texts: dict[int, PageText] = {}
        self._anchor = self._caret = Caret(0, 0)

    def clear(self) -> None:
        self._texts.clear()
        self._anchor = self._caret = Caret(0, 0)

    def add(self, text: PageText) -> None:
        self._texts[text.page] = text
        while len(self._texts) > _MOST_TEXTS and (old := next(iter(self._texts))) not in self.pages:
            del self._texts[old]

    def has_text(self, page: int) -> bool:
        return page in self._texts

    @property
    def is_empty(self) -> bool:
        return self._anchor == self._caret

    def begin(self, place: Caret | None) -> None:
        self._anchor = self._caret = place or Caret(0, 0)

    def extend(self, place: Caret) -> None:
        self._caret = place
        if not self._anchor.page:
            self._anchor = place

    def select_word(self, place: Caret) -> None:
        text = self._texts[place.page].text
        start = end = min(place.at, max(len(text) - 1, 0))
        while start and (text[start - 1].isalnum() or text[start - 1] == HYPHEN):
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == HYPHEN):
            end += 1
        self._anchor, self._caret = Caret(place.page, start), Caret(place.page, end)

    def place(self, page: int, x: float, y: float) -> Caret | None:
        """Return the place nearest to a point of a page; None if the page has no characters."""
        text = self._texts.get(page)
        nearest, least = -1, (float("inf"), float("inf"))
        for at, box in enumerate(text.boxes if text is not None else ()):
            if not box.is_empty:
                distance = _beyond(y, box.top, box.bottom), _beyond(x, box.left, box.right)
                if distance < least:
                    nearest, least = at, distance
        if text is None or nearest < 0:
            return None
        box = text.boxes[nearest]
        upright = box.bottom - box.top >= 0.8 * (box.right - box.left)
        is_past = upright and x > (box.left + box.right) / 2
        return Caret(page, nearest + is_past)

    def is_over_text(self, page: int, x: float, y: float) -> bool:
        text = self._texts.get(page)
        boxes = text.boxes if text is not None else ()
        return any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes)

    def link_at(self, page: int, x: float, y: float) -> PageLink | None:
        text = self._texts.get(page)
        links = text.links if text is not None else ()
        over = (
            one for one in links if one.box.left <= x <= one.box.right and one.box.top <= y <= one.box.bottom
        )
        return next(over, None)

    def lines(self, page: int) -> list[Box]:
        text, span = self._texts.get(page), self._span(page)
        return lines_of(text.boxes[slice(*span)]) if text is not None and span is not None else []

    @property
    def pages(self) -> range:
        return range(min(self._anchor, self._caret).page, max(self._anchor, self._caret).page + 1)

    def text(self) -> str:
        """Return the selected text, divided words joined."""
        return "\n".join(self._parts(self.pages))

    def _parts(self, pages: range) -> Iterator[str]:
        for page in pages:
            text, span = self._texts.get(page), self._span(page)
            if text is not None and span is not None:
                plain = text.text[slice(*span)].replace("\r\n", "\n").replace("\r", "\n")
                yield plain.replace(HYPHEN + "\n", "").replace(HYPHEN, "").strip("\n")

    def _span(self, page: int) -> tuple[int, int] | None:
        first, last = sorted((self._anchor, self._caret))
        if first == last or not first.page <= page <= last.page:
            return None
        end = last.at if page == last.page else len(self._texts[page].text) if page in self._texts else 0
        return (first.at if page == first.page else 0, end)


def _beyond(value: float, low: float, high: float) -> float:
    return max(low - value, value - high, 0.0)


FoundPlace = tuple["Mark", ...]
"""The lines that words take, all of them on one page."""


class FoundPlaces:
    """Places in the order of their pages: one letter may have hundreds of thousands."""

    def __init__(self) -> None:
        self._places: list[FoundPlace] = []
        self._now: int | None = None  # the current place

    def clear(self) -> None:
        self._places, self._now = [], None

    def add(self, places: Iterable[FoundPlace], page: int) -> bool:
        """Add all places of some pages; return whether the first one after ``page`` has become current."""
        new = sorted(filter(None, places), key=_page_of)
        at = self._first_after(_page_of(new[0])) if new else 0
        self._places[at:at] = new
        if self._now is not None and at <= self._now:
            self._now += len(new)
        elif self._now is None and new:
            after = self._first_after(page)
            self._now = after if after < len(new) else 0
            return True
        return False

    @property
    def count(self) -> int:
        return len(self._places)

    @property
    def number(self) -> int | None:
        """The current place among all, counted from 1."""
        return None if self._now is None else self._now + 1

    @property
    def current(self) -> FoundPlace:
        return () if self._now is None else self._places[self._now]

    def step(self, steps: int) -> FoundPlace:
        """Go one place on or back, from the last to the first; return the current one then."""
        if self._now is not None:
            self._now = (self._now + steps) % len(self._places)
        return self.current

    def boxes(self, page: int) -> Iterator[tuple[Box, bool]]:
        """Yield the boxes on a page, each with whether it is of the current place."""
        for at in range(self._first_after(page), self._first_after(page + 1)):
            yield from ((mark.box, at == self._now) for mark in self._places[at])

    def _first_after(self, page: int) -> int:
        return bisect_left(self._places, page, key=_page_of)


def _page_of(place: FoundPlace) -> int:
    return place[0].page
