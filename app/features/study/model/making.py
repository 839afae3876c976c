"""Having items made: what is asked for, what that costs, and what is told while it happens."""

from dataclasses import dataclass, field
from enum import StrEnum

from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.features.study.model.items import Difficulty, Item
from app.features.study.model.names import ItemKind


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """What is to be made, and from what."""

    kinds: tuple[ItemKind, ...]
    number: int  # of items, of all kinds together
    scope: Scope = field(default_factory=Scope)
    conversation_id: int | None = None  # from the passages that its answers cite, instead of the scope
    difficulty: Difficulty = Difficulty.MEDIUM
    language: str = ""  # of the items, as a code of ISO 639; empty for that of the material
    automatic: bool = False  # by rules, without a model
    instead_of: int | None = None  # key of an item whose place the new one takes


def again(item: Item) -> MakeRequest:
    """Return what makes an item anew: from where its sentence stood, or else from its lesson."""
    hit = item.source.hit
    scope = Scope(lessons=((hit.course_title, hit.lesson_number),))
    return MakeRequest((item.kind,), 1, scope, None, item.difficulty, item.language, instead_of=item.item_id)


@dataclass(frozen=True, slots=True)
class MakeEstimate:
    """What it takes to make items, about."""

    passages: int  # that they will be made from
    tokens: int
    cost: float | None  # US dollars; None if the price is unknown
    remark: Message | None = None  # why there are no passages, or what is left out
    terms: int = 0  # marked by the author; counted only where no model is asked
    minutes: int = 0  # that a small model takes on two cores


class DropReason(StrEnum):
    """Why something that the model wrote was not kept."""

    FORM = "form"  # not written as it was asked for: parts missing, too long, HTML, no gap
    QUOTE = "quote"  # the quoted sentence does not stand in the passage
    UNSUPPORTED = "unsupported"  # the passage does not say it
    CHOICES = "choices"  # the wrong answers are too few, alike, or hold the right one
    GIVEN_AWAY = "given_away"  # the question holds its answer
    LANGUAGE = "language"
    REPEATED = "repeated"
    TOO_MANY = "too_many"


@dataclass(frozen=True, slots=True)
class MakeStarted:
    items: int  # that will be made at most


@dataclass(frozen=True, slots=True)
class ItemMade:
    """An item passed all checks, and is stored."""

    item: Item


@dataclass(frozen=True, slots=True)
class MakeDone:
    """The last event, also after Stop and after an error."""

    made: int
    dropped: tuple[tuple[DropReason, int], ...]
    covered: int  # of the passages, how many have items now
    passages: int
    usage: Usage  # of all requests, with their cost
    summary: Message  # one sentence: what was made and dropped, or why nothing was made and what to do
    error: Message | None = None  # why it ended early; None also after Stop


MakeEvent = MakeStarted | ItemMade | AnswerWaiting | MakeDone


def nothing_made(why: Message) -> MakeDone:
    return MakeDone(0, (), 0, 0, Usage(), why, why)
