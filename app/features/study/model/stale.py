"""What rests on sentences that no longer stand in the library as they were quoted."""

from dataclasses import dataclass

from app.domain.sources import Source
from app.features.study.model.items import Item, QuoteState


@dataclass(frozen=True, slots=True)
class StaleCounts:
    """How much rests on such sentences and waits to be looked at."""

    answers: int = 0
    items: int = 0

    def __bool__(self) -> bool:
        return bool(self.answers or self.items)


@dataclass(frozen=True, slots=True)
class StaleQuote:
    """A quoted sentence that reads differently now, or is gone, and what rests on it."""

    state: QuoteState  # CHANGED or GONE
    quote: str  # as it was quoted
    now: str  # what stands in its place, and in which document; empty and 0 if nothing does
    document_id: int
    source: Source  # the passage as it was quoted from
    title: str  # the question of the answer, or what the item asks
    claim: str  # what the answer says by it, or the item's answer
    item: Item | None = None  # None for an answer
    exchange_id: int | None = None  # of an answer, with its chat and the citations that quote the sentence
    conversation_id: int | None = None
    positions: tuple[int, ...] = ()

    @property
    def item_id(self) -> int | None:
        return None if self.item is None else self.item.item_id
