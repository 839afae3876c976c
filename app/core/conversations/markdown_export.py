"""Exports a conversation as Markdown, with citations as footnotes."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from app.core.conversations.answer_marks import answer_with_marks
from app.domain.conversations import INTERRUPTED, ExchangeState
from app.domain.sources import NO_SOURCE

if TYPE_CHECKING:
    from app.domain.conversations import Exchange, OpenedConversation
    from app.domain.sources import Citation, Source

# Starts of headings, list items, code and rules; the character to escape begins the second group.
_STARTS_A_BLOCK = re.compile(r"^([^\S\n]*\d*)((?<=\d)[.)]\s|#{1,6}\s|[-+]\s|~~~|=+\s*$|-+\s*$)", re.MULTILINE)


def conversation_markdown(opened: OpenedConversation) -> str:
    """Return one branch of a conversation as Markdown.

    Every cited source is a footnote with the cited sentences; a citation that could not be verified is
    flagged in the text and in its footnote.
    """
    conversation = opened.conversation
    day = datetime.fromtimestamp(conversation.updated).strftime("%Y-%m-%d")
    parts = [f"# {_one_line(conversation.title)}", f"Exported from Lectern · {day}"]
    for number, exchange in enumerate(opened.exchanges, 1):
        parts.append(f"## {number}. Question\n\n{_quoted(exchange.question)}")
        answer = _answer(exchange, number)
        parts += [part for part in ("### Answer", answer, how_it_ended(exchange)) if part]
        parts += [_footnote(source, exchange, number) for source in cited_sources(exchange)]
    return "\n\n".join(parts) + "\n"


def cited_sources(exchange: Exchange) -> list[Source]:
    cited = {citation.source_n for citation in exchange.citations}
    return [source for source in exchange.sources if source.n in cited]


def how_it_ended(exchange: Exchange) -> str:
    """Return a remark in italics on an answer that is not simply complete."""
    if exchange.state is ExchangeState.DONE:
        return f"*{exchange.error}*" if exchange.error else ""
    if exchange.state is ExchangeState.FAILED:
        return f"*The answer failed: {exchange.error or 'it could not be completed.'}*"
    if exchange.state is ExchangeState.WRITING:
        return "*The answer was still being written.*"
    if exchange.stop_reason == INTERRUPTED:
        return "*The answer was interrupted here.*"
    return "*The answer was stopped here.*"


def _answer(exchange: Exchange, number: int) -> str:
    def mark(citation: Citation) -> str:
        if citation.source_n == NO_SOURCE:
            return "[could not be verified]"
        flag = "" if citation.verified else " (could not be verified)"
        return f"[^{number}-{citation.source_n}]{flag}"

    return answer_with_marks(exchange.answer, exchange.citations, mark).strip()


def _footnote(source: Source, exchange: Exchange, number: int) -> str:
    hit = source.hit
    lesson = f"Lesson {hit.lesson_number}" if hit.lesson_number is not None else ""
    place = ": ".join(part for part in (lesson, hit.lesson_title) if part)
    text = f"{hit.course_title}, {place}." if place else f"{hit.course_title}."
    cited = [item for item in exchange.citations if item.source_n == source.n]
    quotes = dict.fromkeys(_one_line(item.cited_text) for item in cited if item.verified and item.cited_text)
    text += "".join(f" “{quote}”" for quote in quotes)
    if any(not item.verified for item in cited):
        text += " **A citation of this source could not be verified.**"
    if hit.link:
        text += f" <{hit.link}>"
    return f"[^{number}-{source.n}]: {text}"


def _quoted(question: str) -> str:
    """Return the user's words as a block quote, with all markup escaped."""
    return "\n".join(f"> {line}".rstrip() for line in _escaped(question.strip()).split("\n"))


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)
    return _STARTS_A_BLOCK.sub(lambda found: f"{found[1]}\\{found[2]}", text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
