"""What a screen reader says of the progress of an answer."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.conversations import ExchangeState
from app.domain.events import (
    AnswerDone,
    AnswerInterrupted,
    AnswerStarted,
    AnswerWaiting,
    ReadingStarted,
    SearchStarted,
)
from app.ui.chat.transcript_html import status_text
from app.ui.markup.support_words import are_from_elsewhere, origin_words, support_count
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent

tr = partial(QCoreApplication.translate, "AnswerNews")


def news_of(event: AnswerEvent) -> str:
    """Return what is said when an event arrives: what is waited for, then how the answer ended."""
    match event:
        case AnswerStarted() | SearchStarted() | ReadingStarted() | AnswerWaiting():
            return status_text(event)
        case AnswerDone(exchange=exchange) | AnswerInterrupted(exchange=exchange):
            return _end(exchange)
    return ""


def _end(exchange: Exchange) -> str:
    """Return how an answer ended, and whether its sources support it."""
    why = shown(exchange.error) if exchange.error else ""
    if exchange.state is ExchangeState.FAILED:
        return why or tr("The answer could not be completed.")
    if exchange.state is not ExchangeState.DONE:
        return tr("The answer was stopped.")
    sentences = [tr("The answer is complete, with %Ln source(s).", None, len(exchange.sources)), why]
    if exchange.claims and not are_from_elsewhere(exchange.claims):
        sentences.append(f"{support_count(exchange)}.")
    sentences.append(origin_words(exchange))
    return " ".join(filter(None, sentences))
