"""What the decks ask already that items are being made for, also by another making at the same time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from app.features.study.duplicates import Duplicates
    from app.features.study.model.items import Item, NewItem
    from app.features.study.store.items import StudyRepository


@dataclass(slots=True)
class _Known:
    """What a deck asks, as far as it was looked at."""

    asked: Duplicates
    last: int  # the key of the last item that was looked at


class KnownItems:
    """For one making.

    Args:
        load: returns what the deck with a key asks.
        deck_of: returns the key of a course's deck.
    """

    def __init__(
        self,
        repository: StudyRepository,
        load: Callable[[int], Duplicates],
        deck_of: Callable[[str], int],
    ) -> None:
        self._repository = repository
        self._load = load
        self._deck_of = deck_of
        self._courses: dict[str, _Known] = {}

    def claim(self, item: NewItem) -> NDArray[np.float32] | None:
        """Know an item from now on; return the vector of what it asks, None if another one asks the same."""
        asked = self._known(item).asked
        if not asked.is_new(item.kind, item.text, item.language):
            return None
        return asked.add(item.kind, item.text, item.language)

    def store(self, item: NewItem, vector: NDArray[np.float32]) -> Item | None:
        """Store an item that was claimed; None if another making has stored one that asks the same."""
        deck, known = self._deck_of(item.source.hit.course_title), self._known(item)
        with self._repository.storing:
            newer = self._repository.items_after(deck, known.last)
            if newer:
                known.last = newer[-1].item_id
                if not _is_new_beside(known.asked, newer, item):
                    return None
            (known.last,) = self._repository.add(deck, [item], vector[None])
        return self._repository.item(known.last)

    def _known(self, item: NewItem) -> _Known:
        title = item.source.hit.course_title
        if title not in self._courses:
            last = self._repository.last_key()
            self._courses[title] = _Known(self._load(self._deck_of(title)), last)
        return self._courses[title]


def _is_new_beside(asked: Duplicates, newer: tuple[Item, ...], item: NewItem) -> bool:
    """Make the newer items known as well; return whether none of them asks what an item asks."""
    others = asked.emptied()
    for one in newer:
        vector = others.add(one.kind, one.text, one.language)
        asked.add(one.kind, one.text, one.language, vector)
    return others.is_new(item.kind, item.text, item.language)
