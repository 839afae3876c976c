"""Items made from the courses, and the decks that hold them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from app.domain.messages import Message
from app.domain.sources import Source
from app.features.study.kinds import KINDS
from app.features.study.model.names import ExportFormat, ItemKind, ItemText


class Difficulty(StrEnum):
    EASY = "easy"  # what a sentence says
    MEDIUM = "medium"  # what it means
    HARD = "hard"  # what follows from it, or how things hang together


class QuoteState(StrEnum):
    """How the sentence that an item, or an answer, rests on stands in the library now."""

    CURRENT = "current"  # it stands there, perhaps at another place
    CHANGED = "changed"  # another sentence has taken its place
    GONE = "gone"  # nothing like it is in the library any more


REMARKS = {
    QuoteState.CHANGED: Message("study_export.source_changed"),
    QuoteState.GONE: Message("study_export.source_gone"),
}
"""What is said of an item whose sentence does not stand in the library any more."""


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item that has been checked and may be stored."""

    kind: ItemKind
    text: ItemText
    source: Source  # the passage that the quote stands in; its number is 1
    start: int  # of the quote in the document; `end` is one past its last character
    end: int
    quote: str  # what stands there, exactly
    difficulty: Difficulty = Difficulty.MEDIUM
    language: str = ""  # of its text, as a code of ISO 639
    automatic: bool = False  # made by rules, without a model


@dataclass(frozen=True, slots=True)
class Item(NewItem):
    item_id: int = 0
    uid: str = ""  # the same in every copy of the library, and in every export
    deck_id: int = 0
    created_at: float = 0.0
    changed_at: float = 0.0  # what it says, or what it rests on
    edited: bool = False  # by hand, since it was made
    suspended: bool = False  # not asked until it is taken back
    state: QuoteState = QuoteState.CURRENT
    now: str = ""  # what stands in the quote's place if it is CHANGED
    quiz_right: bool | None = None  # the last result of a quiz question; None before the first

    @property
    def asked(self) -> str:
        return KINDS[self.kind].asked(self.text)

    @property
    def answered(self) -> str:
        return KINDS[self.kind].answered(self.text)


def course_order(item: Item) -> tuple[str, int, str, str, int, int]:
    """Return a key that sorts items as their sentences stand in the courses."""
    hit = item.source.hit
    number = -1 if hit.lesson_number is None else hit.lesson_number
    return hit.course_title, number, hit.lesson_title, hit.path, item.start, item.item_id


@dataclass(frozen=True, slots=True)
class Deck:
    """The items of one course. It stays when the text of its course leaves the library."""

    deck_id: int
    uid: str
    course_title: str
    items: int = 0
    due: int = 0  # today, within the limits of a day
    new: int = 0  # of these, those never reviewed


class LessonMark(NamedTuple):
    """A mark where it stands in a lesson now."""

    item_id: int
    start: int
    end: int
    quote: str
    note: str


class StudyExport(NamedTuple):
    """What to write."""

    deck_ids: tuple[int, ...]
    format: ExportFormat
    with_schedule: bool = False  # to Anki: how well the cards are known, and which are suspended
    with_answers: bool = True  # of a quiz on paper: on a page of their own


class Sheet(NamedTuple):
    """What is printed: a title, and parts in Markdown that each begin on a page of their own."""

    title: str
    parts: tuple[str, ...]


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
