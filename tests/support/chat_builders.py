"""What the tests of the chat are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerStarted
from app.domain.messages import LITERAL, Message
from app.domain.search import SearchHit
from app.domain.sources import Citation, Claim, Source, Support

if TYPE_CHECKING:
    from collections.abc import Collection

    from app.ui.chat.chat_pane import ChatPane


def source(n: int, *, lesson: int | None = 5, title: str = "Caching", link: str | None = None) -> Source:
    """Return a source with number ``n``."""
    hit = SearchHit(1, 0.9, "Course A", lesson, title, n, "cited text", "a.txt", 0, 10, None, link, 1)
    return Source(n, f"s{n}", hit, ((0, 10),), "0" * 64)


def citation(n: int, end: int, *, verified: bool = True) -> Citation:
    """Return a citation of source ``n`` whose claim ends at ``end``."""
    return Citation(n, max(0, end - 5), end, 0, 10, "cited text", verified)


def cite(answer: str, *claims: tuple[int, str] | tuple[int, str, bool]) -> tuple[Citation, ...]:
    """Return citations, each of a source at the end of some words of the answer."""
    return tuple(
        citation(
            claim[0], answer.index(claim[1]) + len(claim[1]), verified=claim[2] if len(claim) > 2 else True
        )
        for claim in claims
    )


def exchange(
    number: int = 1,
    question: str = "Why?",
    answer: str = "Because.",
    state: ExchangeState = ExchangeState.DONE,
    citations: tuple[Citation, ...] = (),
    sources: tuple[Source, ...] = (),
    error: str | Message | None = None,
    seconds: float = 1.234,
) -> Exchange:
    """Return an exchange."""
    return Exchange(
        number,
        None,
        question,
        answer,
        state,
        sources=sources,
        citations=citations,
        error=Message(LITERAL, text=error) if isinstance(error, str) else error,
        seconds=seconds,
        model="model",
    )


def started(number: int = 1, question: str = "Why?") -> AnswerStarted:
    """Return the event with which an answer begins."""
    return AnswerStarted(exchange(number, question, "", ExchangeState.WRITING, seconds=0.0), 1)


def examined(
    answer: str,
    *parts: tuple[str, Support] | tuple[str, Support, str],
    found: Collection[str] = (),
    sources: int = 2,
) -> Exchange:
    """Return an answer with a claim for each part of it and, unless it is from elsewhere, a citation.

    A part is its words, its support and perhaps the reason; Lectern ``found`` the citations of some. Their
    sources count from 1.
    """
    citations: list[Citation] = []
    claims: list[Claim] = []
    for words, support, *why in parts:
        start = answer.index(words)
        end = start + len(words)
        reason = Message(LITERAL, text=why[0]) if why else None
        claims.append(Claim(start, end, support, reason))
        if support is not Support.NOT_FROM_COURSES:
            n = len(citations) % sources + 1
            citations.append(Citation(n, start, end, 0, 10, "cited text", True, support, words in found))
    held = exchange(
        answer=answer, citations=tuple(citations), sources=tuple(source(n + 1) for n in range(sources))
    )
    return replace(held, claims=tuple(claims))


def searched(chat: ChatPane) -> list[str]:
    """Return the courses that the composer says a question is restricted to."""
    entries = chat.composer.context.courses.menu().actions()
    return [entry.text().replace("&&", "&") for entry in entries if entry.isCheckable()]


def search_all(chat: ChatPane) -> None:
    chat.composer.context.courses.menu().actions()[-2].trigger()


def hints(chat: ChatPane) -> str:
    """Return what stands above the composer."""
    return chat.hint.text() if chat.hint.isVisible() else ""
