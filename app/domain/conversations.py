"""Conversations and their exchanges."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, NamedTuple

from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope, with_renamed
from app.domain.search import are_covered
from app.domain.sources import Citation, Claim, Source, Support
from app.domain.words import is_courtesy

BEFORE_ALL = 0
"""Parent of an exchange that becomes another first one of its conversation."""

INTERRUPTED = "interrupted"
"""Stop reason of an answer whose process ended while writing it."""


class StopReason(StrEnum):
    """Why a model stopped, as stored with an answer; a server may report others."""

    END = "end_turn"
    STOP_SEQUENCE = "stop_sequence"
    TOOL_CALLS = "tool_use"
    LENGTH = "max_tokens"
    CONTEXT_FULL = "model_context_window_exceeded"
    REFUSED = "refusal"
    PAUSED = "pause_turn"  # asked again, it goes on from the reply so far
    ENDLESS = "too_long"  # Lectern ended it


class ExchangeState(StrEnum):
    """State of an exchange; only ``DONE`` ones are sent as history."""

    WRITING = "writing"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class ChatMessage(NamedTuple):
    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Exchange:
    id: int
    parent_id: int | None  # the exchange before it on its branch; None for the first
    question: str
    answer: str
    state: ExchangeState
    scope: Scope = field(default_factory=Scope)
    sources: tuple[Source, ...] = ()
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()  # empty while they are not examined
    usage: Usage = field(default_factory=Usage)
    model: str | None = None  # the model that answered; None if the passages themselves are the answer
    stop_reason: str | None = None
    error: Message | None = None  # why it failed, or a remark on an answer that is not simply complete
    seconds: float = 0.0  # from the question to the end of the answer
    siblings: tuple[int, ...] = ()  # the exchanges with its parent, itself too, oldest first
    kind: str = ""  # what is written instead of an answer: a feature's word, a colon and its own words

    @property
    def covered(self) -> bool | None:
        """Whether the hits are close enough to the question; None if nothing was searched.

        The answer knows better than the scores: a claim found in the sources shows that they are close
        enough, and so does a verified citation of an answer that was not examined. An answer whose claims all
        come from elsewhere proves that they are not.
        """
        shown = self._shows_coverage() if self.model is not None and self.sources else None
        return are_covered([source.hit for source in self.sources]) if shown is None else shown

    @property
    def is_courtesy(self) -> bool:
        """Whether nothing was asked and nothing claimed: the answer need not come from the courses."""
        return not self.claims and is_courtesy(self.question)

    @property
    def missing(self) -> tuple[str, ...]:
        """The words searched for that stand in none of the lessons searched."""
        return tuple(dict.fromkeys(word for source in self.sources for word in source.hit.missing))

    @property
    def in_line_count(self) -> int:
        """How many of ``claims`` stand in their sources, or are in line with them."""
        return sum(claim.support.is_good for claim in self.claims)

    @property
    def open_claims(self) -> tuple[Claim, ...]:
        """The claims that were not found in the sources, and that no model has looked at again."""
        if not self.sources:
            return ()
        open_to = (Support.QUOTE_FOUND, Support.NOT_FOUND)
        return tuple(one for one in self.claims if one.support in open_to and not one.is_judged)

    @property
    def is_unsupported(self) -> bool:
        """Whether the courses do not bear the answer out, so that nothing should be built on it."""
        return self.covered is False or (bool(self.claims) and not self.in_line_count)

    def with_renamed(self, old: str, new: str) -> "Exchange":
        """Return the exchange after a course has got another title."""

        def now(source: Source) -> Source:
            is_of_it = source.hit.course_title == old
            return replace(source, hit=replace(source.hit, course_title=new)) if is_of_it else source

        scope = with_renamed(self.scope, old, new)
        return replace(self, scope=scope, sources=tuple(map(now, self.sources)))

    def _shows_coverage(self) -> bool | None:
        found = {claim.support for claim in self.claims}
        unexamined = () if found else self.citations
        if any(support.is_good for support in found) or any(
            citation.support.is_good if citation.support else citation.verified for citation in unexamined
        ):
            return True
        return False if found == {Support.NOT_FROM_COURSES} and not self.citations else None


class Conversation(NamedTuple):
    """A conversation as listed; ``updated`` is seconds since the epoch."""

    id: int
    title: str
    updated: float
    pinned: bool = False


class ConversationHit(NamedTuple):
    """A place that a search found; ``exchange_id`` is None if only the title matches.

    ``snippet`` holds the words around the match, on one line; its spans ``marks`` match.
    """

    conversation: Conversation
    exchange_id: int | None
    snippet: str
    marks: tuple[tuple[int, int], ...] = ()


class OpenedConversation(NamedTuple):
    """One branch of a conversation, oldest exchange first."""

    conversation: Conversation
    exchanges: tuple[Exchange, ...]
