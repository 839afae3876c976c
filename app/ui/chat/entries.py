"""What a conversation on show consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from app.ui.chat.answer_stream import AnswerStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.domain.conversations import Exchange
    from app.ui.chat.transcript_html import NoticeKind


_SHOWN_AT_FIRST = 30
_LENGTH_AT_FIRST = 200_000  # characters; more than one exchange


@dataclass(eq=False)
class Notice:
    """A sentence that belongs to no answer."""

    text: str
    kind: NoticeKind


@dataclass(eq=False)
class Answer:
    """A question with its answer, and the positions of its parts in the document."""

    exchange: Exchange
    running: bool = False
    status: str = ""
    blocks: list[int] = field(default_factory=list)
    start: int = 0
    end: int = 0  # of the answer's text

    @cached_property
    def stream(self) -> AnswerStream:
        """The answer as it is drawn; made on first use, since a chat may have hundreds of answers."""
        return AnswerStream.of(self.exchange)


class Entries(list[Answer | Notice]):
    """A conversation from its beginning; only what is drawn has a place in the document."""

    def answers(self) -> Iterator[Answer]:
        return (entry for entry in self if isinstance(entry, Answer))

    def answer(self, exchange_id: int) -> Answer | None:
        return next((one for one in self.answers() if one.exchange.id == exchange_id), None)

    def newest(self) -> Answer | None:
        return next((one for one in reversed(self) if isinstance(one, Answer)), None)

    def running(self) -> Answer | None:
        return next((one for one in reversed(self) if isinstance(one, Answer) and one.running), None)

    def first_before(self, end: int) -> int:
        """Return which entry is the first of those shown at once that end before ``end``."""
        answers, length = list(self.answers()), 0
        for index in range(end - 1, -1, -1):
            exchange = answers[index].exchange
            length += len(exchange.question) + len(exchange.answer)
            if end - index > _SHOWN_AT_FIRST or (length > _LENGTH_AT_FIRST and index < end - 1):
                return index + 1
        return 0
