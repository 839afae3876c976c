"""A library file of items alone, and a clock that a test sets."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from app.config.settings import CurrentSettings, Settings
from app.core.storage.database import Database
from app.domain.search import SearchHit
from app.domain.sources import Source
from app.features.study.model.items import NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.reviews import ReviewService
from app.features.study.store.items import StudyRepository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAY = 86_400.0
MONDAY = datetime(2026, 3, 2, 9).timestamp()  # at nine in the morning, local time


@dataclass(slots=True)
class Reviewing:
    """Items to review at a moment; ``deck`` is that of a course."""

    database: Database
    settings: CurrentSettings
    clock: float = MONDAY
    study: StudyRepository = field(init=False)
    reviews: ReviewService = field(init=False)
    deck: int = field(init=False)

    def __post_init__(self) -> None:
        self.study = StudyRepository(self.database)
        self.reviews = ReviewService(self.database, self.settings, lambda: self.clock)
        self.deck = self.study.deck_of("Course")

    def add(self, *items: NewItem, deck: int | None = None) -> tuple[int, ...]:
        return self.study.add(deck or self.deck, items)

    def asked(self, **options: object) -> int | None:
        """Return which item is asked next."""
        card = self.reviews.next_card(**options)  # type: ignore[arg-type]
        return None if card is None else card.item.item_id


def item(place: int, lesson: int | None = 1, kind: ItemKind = ItemKind.CARD, document: int = 1) -> NewItem:
    """Return an item on the sentence that begins at a place of a document."""
    quote = f"This is sentence {place}."
    end, title = place + len(quote), f"Lesson {lesson}"
    hit = SearchHit(1, 0.5, "Course", lesson, title, 0, quote, "/a.txt", place, end, None, None, document)
    source = Source(1, "", hit, ((place, end),), "0" * 64)
    return NewItem(kind, ItemText(f"What is said at {place}?", "This"), source, place, end, quote)


@contextmanager
def reviewing(folder: Path, settings: Settings | None = None) -> Iterator[Reviewing]:
    """Open a library of items."""
    database = Database(folder)
    database.open()
    try:
        yield Reviewing(database, CurrentSettings(settings or Settings()))
    finally:
        database.close()
