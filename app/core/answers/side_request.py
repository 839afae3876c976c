"""Requests to models: waiting for busy servers, a question to the cheapest one, a second look at claims."""

import asyncio
import logging
import re
import sqlite3
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from math import ceil
from typing import TypeVar

from app.core.answers.costs import price_list
from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import (
    AbilityLost,
    ModelProvider,
    ModelSettings,
    ReplyEnd,
    TextDelta,
    Turn,
)
from app.core.search.terms import content_terms
from app.domain.conversations import Exchange
from app.domain.errors import LecternError, ServerBusy, TemporaryError
from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.sources import Citation, Claim, Support

_log = logging.getLogger(__name__)


def known_error(error: Exception) -> LecternError:
    """Return an error with a message for the user; anything that has none is logged."""
    if isinstance(error, LecternError):
        return error
    _log.error("An answer failed.", exc_info=error)
    if isinstance(error, MemoryError):
        return LecternError(Message("answers.out_of_memory"))
    if isinstance(error, sqlite3.Error):
        return LecternError(Message("answers.library_failed", reason=str(error)))
    return LecternError(Message("answers.failed_inside"))


_MOST_WAITS = 5  # for one reply

_Seen = TypeVar("_Seen")


async def until_answered(
    attempt: Callable[[], AsyncGenerator[_Seen, None]],
    settings: ModelSettings,
    has_begun: Callable[[], bool],
) -> AsyncGenerator[_Seen | AnswerWaiting, None]:
    """Repeat attempts at a reply until one of them ends; yield their events.

    A passing failure is tried again at once, and a busy server when it says. An attempt fails for good once
    something of its reply was shown.
    """
    delays, waits = iter(settings.retry_delays), _MOST_WAITS
    while True:
        try:
            async with aclosing(attempt()) as events:
                async for event in events:
                    yield event
            return
        except AbilityLost:
            continue
        except TemporaryError as error:
            failure = error
        reason, seconds = failure.message, settings.longest_wait + 1
        if isinstance(failure, ServerBusy):
            reason = failure.reason
            seconds = seconds if failure.retry_after is None else failure.retry_after
        if has_begun():
            raise failure
        if failure.may_pass and (delay := next(delays, None)) is not None:
            yield AnswerWaiting(0, reason)
            await asyncio.sleep(delay)
        elif seconds <= settings.longest_wait and waits:
            waits -= 1
            for left in range(max(1, ceil(seconds)), 0, -1):
                yield AnswerWaiting(left, reason)
                await asyncio.sleep(settings.second)
            yield AnswerWaiting(0, reason)
        else:
            raise failure


_LONGEST_REPLY = 20_000  # characters


def cheapest_model(connection: ModelSettings) -> str:
    """Return the model for side requests: a server of one's own may have only the one that is set."""
    return connection.model if connection.is_own_server else price_list().cheapest


async def ask_cheapest(
    connection: ModelSettings,
    make_provider: Callable[[ModelSettings], ModelProvider],
    prompt: str,
    question: str,
    max_tokens: int,
) -> tuple[str, Usage, str]:
    """Return the reply to a question under the prompt of a name, its cost, and who gave it.

    Of a reply that breaks off what came counts; raises what :meth:`ModelProvider.reply` raises if it cost
    nothing.
    """
    model = cheapest_model(connection)
    settings = replace(connection, model=model, max_tokens=max_tokens, longest_answer=_LONGEST_REPLY)
    turn = Turn((question,), system=(load_prompt(prompt),), may_call=False)
    reply, usage, who = "", Usage(), model
    async with aclosing(make_provider(settings)) as provider:
        await provider.abilities()
        replies = until_answered(partial(provider.reply, turn), settings, lambda: bool(reply))
        try:
            async with aclosing(replies) as events:
                async for event in events:
                    if isinstance(event, TextDelta):
                        reply = (reply + event.text)[:_LONGEST_REPLY]
                    elif isinstance(event, Usage):
                        usage = event
                    elif isinstance(event, ReplyEnd):
                        who = event.model or model
        except LecternError:
            if not usage.tokens:
                raise
    return reply, replace(usage, cost=price_list().cost(model, usage)), who


_MOST_CLAIMS, _MOST_SHORT = 12, 3  # in one request, and in one to a small model
_LONGEST_PASSAGE = 1500  # characters
_NEAREST = 2  # passages to a claim that cites none
_TOKENS = 10  # of a verdict
_VERDICT = re.compile(r"^[^\w\n]{0,4}(\d{1,2})[^\w\n]{1,4}(yes|no)\b", re.IGNORECASE | re.MULTILINE)


async def look_again(
    exchange: Exchange, connection: ModelSettings, make_provider: Callable[[ModelSettings], ModelProvider]
) -> tuple[Exchange, Usage] | None:
    """Return an examined exchange with the verdicts and their cost, and the cost alone.

    None if no claim is open. Of a reply that breaks off the verdicts that came count, and what it cost;
    raises what :meth:`ModelProvider.reply` raises if it cost nothing.
    """
    claims = exchange.open_claims[: _MOST_SHORT if connection.short else _MOST_CLAIMS]
    if not claims:
        return None
    room = _TOKENS * len(claims) + 20
    reply, usage, who = await ask_cheapest(
        connection, make_provider, "second_look", _question(exchange, claims), room
    )
    verdicts: dict[Claim, bool] = {}
    for number, said in _VERDICT.findall(reply):
        if 1 <= int(number) <= len(claims):
            verdicts.setdefault(claims[int(number) - 1], said.lower() == "yes")
    spent, asked = exchange.usage, usage.cost
    cost = None if spent.cost is None or asked is None else spent.cost + asked
    judged = _judged(exchange, verdicts, who)
    return replace(judged, usage=replace(spent + usage, cost=cost)), usage


def _citations(exchange: Exchange, claim: Claim) -> list[Citation]:
    return [
        citation
        for citation in exchange.citations
        if citation.answer_start < claim.answer_end and citation.answer_end > claim.answer_start
    ]


def _passages(exchange: Exchange, claim: Claim) -> list[str]:
    """Return the passages that a claim cites, or those with most of its words."""
    numbers = {citation.source_n for citation in _citations(exchange, claim)}
    passages = [source.hit.text for source in exchange.sources if source.n in numbers]
    if not passages:
        words = content_terms(exchange.answer[claim.answer_start : claim.answer_end])
        texts = [source.hit.text for source in exchange.sources]
        passages = sorted(texts, key=lambda text: -len(words & content_terms(text)))[:_NEAREST]
    return [text[:_LONGEST_PASSAGE] for text in passages]


def _question(exchange: Exchange, claims: Sequence[Claim]) -> str:
    parts = []
    for number, claim in enumerate(claims, 1):
        text = exchange.answer[claim.answer_start : claim.answer_end]
        parts.append(
            f"Statement {number}: {text}\n\nPassage for {number}:\n{chr(10).join(_passages(exchange, claim))}"
        )
    return "\n\n---\n\n".join(parts)


def _judged(exchange: Exchange, verdicts: dict[Claim, bool], model: str) -> Exchange:
    claims = list(exchange.claims)
    confirmed: set[Citation] = set()
    for claim, shown in verdicts.items():
        support = Support.IN_LINE if shown else Support.NOT_FOUND
        reason = Message("answers.second_look_yes" if shown else "answers.second_look_no", model=model)
        claims[claims.index(claim)] = claim._replace(support=support, reason=reason)
        confirmed.update(_citations(exchange, claim) if shown else ())
    citations = (_confirmed(one, exchange) if one in confirmed else one for one in exchange.citations)
    return replace(exchange, claims=tuple(claims), citations=tuple(citations))


def _confirmed(citation: Citation, exchange: Exchange) -> Citation:
    """Return a citation that a second look confirmed; a mark, which quotes nothing, cites its passage."""
    source = next((one for one in exchange.sources if one.n == citation.source_n), None)
    if source is None:
        return citation
    if not citation.verified:
        hit = source.hit
        citation = replace(citation, start=hit.start, end=hit.end, cited_text=hit.text, verified=True)
    return replace(citation, support=Support.IN_LINE)
