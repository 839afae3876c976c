"""Text that is selected on pages with the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.domain.pages import HYPHEN, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.pages import Box, PageLink, PageText

_MOST_TEXTS = 24  # pages whose characters are kept; one has some thousands


class Place(NamedTuple):
    """A place between two characters of a page."""

    page: int
    at: int


class PageSelection:
    """The characters of pages, and which of them are selected."""

    def __init__(self) -> None:
        self._texts: dict[int, PageText] = {}
        self._anchor = self._caret = Place(0, 0)

    def clear(self) -> None:
        self._texts.clear()
        self._anchor = self._caret = Place(0, 0)

    def add(self, text: PageText) -> None:
        self._texts[text.page] = text
        selected = range(min(self._anchor, self._caret).page, max(self._anchor, self._caret).page + 1)
        while len(self._texts) > _MOST_TEXTS and (old := next(iter(self._texts))) not in selected:
            del self._texts[old]

    def has_text(self, page: int) -> bool:
        return page in self._texts

    @property
    def is_empty(self) -> bool:
        return self._anchor == self._caret

    def begin(self, place: Place | None) -> None:
        self._anchor = self._caret = place or Place(0, 0)

    def extend(self, place: Place) -> None:
        self._caret = place
        if not self._anchor.page:
            self._anchor = place

    def select_word(self, place: Place) -> None:
        text = self._texts[place.page].text
        start = end = min(place.at, max(len(text) - 1, 0))
        while start and (text[start - 1].isalnum() or text[start - 1] == HYPHEN):
            start -= 1
        while end < len(text) and (text[end].isalnum() or text[end] == HYPHEN):
            end += 1
        self._anchor, self._caret = Place(place.page, start), Place(place.page, end)

    def place(self, page: int, x: float, y: float) -> Place | None:
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
        return Place(page, nearest + is_past)

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
        """Return what is selected on a page."""
        text, span = self._texts.get(page), self._span(page)
        return lines_of(text.boxes[slice(*span)]) if text is not None and span is not None else []

    def text(self) -> str:
        """Return the selected text, divided words joined."""
        first, last = min(self._anchor, self._caret).page, max(self._anchor, self._caret).page
        return "\n".join(self._parts(range(first, last + 1)))

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
