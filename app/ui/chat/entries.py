"""What a conversation on show consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from app.ui.chat.answer_stream import AnswerStream

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.ui.chat.transcript_html import NoticeKind


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

    @cached_property
    def stream(self) -> AnswerStream:
        """The answer as it is drawn; made on first use, since a chat may have hundreds of answers."""
        return AnswerStream.of(self.exchange)
