"""All that a question is restricted to, sent along with it.

It goes before the conversation, where a server keeps it from one question to the next. An answer shows
only those parts as sources that it cites.
"""

from collections.abc import Sequence
from dataclasses import replace

from app.core.answers.costs import price_list
from app.core.answers.proof.examination import examined
from app.core.answers.proof.likeness import TextEmbedder
from app.core.answers.sources import Library
from app.domain.conversations import Exchange
from app.domain.events import AnswerExamined
from app.domain.model_servers import Usage, WholeScope
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Source

CHARACTERS_OF_TOKEN = 3.5  # a little fewer than English has
_AROUND = 40  # tokens of what each block is wrapped in: its title and reference


def whole_scope(library: Library, scope: Scope, most_tokens: int) -> tuple[SearchHit, ...]:
    """Return what is sent along with a question of a scope; nothing if that would be too much."""
    hits = library.whole(scope, int(most_tokens * CHARACTERS_OF_TOKEN)) if most_tokens else ()
    return hits if _tokens(hits) <= most_tokens else ()


def estimate(hits: Sequence[SearchHit], model: str) -> WholeScope | None:
    """Return what it takes to send this along; None if it is nothing."""
    if not hits:
        return None
    tokens, prices = _tokens(hits), price_list()
    first = prices.cost(model, Usage(cache_write_tokens=tokens))
    return WholeScope(tokens, first, prices.cost(model, Usage(cache_read_tokens=tokens)))


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


def _tokens(hits: Sequence[SearchHit]) -> int:
    return round(sum(len(hit.text) / CHARACTERS_OF_TOKEN + _AROUND for hit in hits))
