"""The places of words that were searched for on the pages of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.domain.pages import Box, Mark

Place = tuple["Mark", ...]
"""The lines that words take, all of them on one page."""


class FoundPlaces:
    """Places by page: one letter may have hundreds of thousands, so none is looked at twice."""

    def __init__(self) -> None:
        self._places: dict[int, list[Place]] = {}
        self._now: tuple[int, int] | None = None  # the page of the current place, and its index there
        self.count = 0

    def clear(self) -> None:
        self._places.clear()
        self._now, self.count = None, 0

    def add(self, places: Iterable[Place], page: int) -> bool:
        """Add all places of some pages; return whether the first one after ``page`` has become current."""
        for place in places:
            if place:
                self._places.setdefault(place[0].page, []).append(place)
                self.count += 1
        if self._now is not None or not self._places:
            return False
        self._now = min((one for one in self._places if one >= page), default=min(self._places)), 0
        return True

    @property
    def number(self) -> int | None:
        """The current place among all, counted from 1."""
        if self._now is None:
            return None
        page, index = self._now
        return sum(len(places) for one, places in self._places.items() if one < page) + index + 1

    @property
    def current(self) -> Place:
        return self._places[self._now[0]][self._now[1]] if self._now else ()

    def step(self, steps: int) -> Place:
        """Go one place on or back, from the last to the first; return the current one then."""
        if self._now is not None:
            page, index = self._now[0], self._now[1] + steps
            if not 0 <= index < len(self._places[page]):
                pages = sorted(self._places)
                page = pages[(pages.index(page) + steps) % len(pages)]
                index = 0 if steps > 0 else len(self._places[page]) - 1
            self._now = page, index
        return self.current

    def boxes(self, page: int) -> Iterator[tuple[Box, bool]]:
        """Yield the boxes on a page, each with whether it is of the current place."""
        for index, place in enumerate(self._places.get(page, ())):
            yield from ((mark.box, self._now == (page, index)) for mark in place)
