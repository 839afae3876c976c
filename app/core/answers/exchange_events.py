"""How an exchange grows with the events of its answer."""

from collections.abc import Sequence
from dataclasses import replace

from app.core.answers.ai_generator import GenerationEnd, GenerationEvent
from app.core.answers.costs import price_list
from app.core.answers.proof.claims import says_not_covered
from app.core.answers.proof.examination import examined
from app.core.answers.proof.support import TextEmbedder
from app.domain.conversations import Exchange
from app.domain.events import (
    AnswerCitation,
    AnswerExamined,
    AnswerText,
    AnswerUsage,
    PassagesInstead,
    SourcesFound,
)
from app.domain.search import rated
from app.domain.sources import Source


def with_event(exchange: Exchange, event: GenerationEvent | PassagesInstead | AnswerExamined) -> Exchange:
    """Return the exchange as it stands after an event."""
    match event:
        case AnswerText(text):
            return replace(exchange, answer=exchange.answer + text)
        case SourcesFound(sources):
            return replace(exchange, sources=exchange.sources + sources)
        case AnswerCitation(citation):
            return replace(exchange, citations=(*exchange.citations, citation))
        case AnswerExamined(citations, claims):
            return replace(exchange, citations=citations, claims=claims)
        case AnswerUsage(usage):
            cost = price_list().cost(exchange.model, usage)
            return replace(exchange, usage=replace(usage, cost=cost))
        case GenerationEnd(stop_reason, model, note):
            return replace(exchange, stop_reason=stop_reason, model=model, error=note)
        case PassagesInstead():
            return replace(exchange, model=None)
    return exchange


def by_its_word(exchange: Exchange) -> Exchange:
    """Return an answer that says itself that the courses do not cover the question as not covered."""
    if exchange.citations or exchange.supported_count or not says_not_covered(exchange.answer):
        return exchange
    hits = rated([source.hit for source in exchange.sources], covered=False, missing=exchange.missing)
    sources = (replace(source, hit=hit) for source, hit in zip(exchange.sources, hits, strict=True))
    return replace(exchange, sources=tuple(sources))


async def examined_whole(
    exchange: Exchange, along: Sequence[Source], embedder: TextEmbedder | None
) -> tuple[AnswerExamined | None, tuple[Source, ...]]:
    """Examine an answer against its sources and what was sent along; see :func:`examined`.

    Return also those of the sources sent along that only the examination has found to support it.
    """
    unseen = tuple(source for source in along if source not in exchange.sources)
    examination = await examined(replace(exchange, sources=exchange.sources + unseen), embedder)
    cited = {citation.source_n for citation in examination.citations} if examination else set()
    return examination, tuple(source for source in unseen if source.n in cited)
