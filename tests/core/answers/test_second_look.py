"""Claims that the examination leaves open are put to a model once more, if the settings say so."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.answers.costs import price_list
from app.core.answers.providers.base import ModelSettings
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerDone, AnswerEvent, AnswerExamined, AnswerInterrupted, AnswerUsage
from app.domain.model_servers import Usage
from app.domain.sources import Support
from tests.support.scripted_turns import Cite, Cut, ErrorReply, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer

MODEL = "claude-sonnet-5-5"
OPEN = "Sailors love the sea most of all"
ANSWER = (
    Turn(ToolUse("search_course_content", {"query": "why are there tides?"}), stop_reason="tool_use"),
    Turn(
        Text("The moon pulls the ocean into two bulges", citations=(Cite(0, 0, 1),)),
        Text(". "),
        Text(OPEN, citations=(Cite(0, 0, 1),)),
        Text(". There are 7 moons."),
    ),
)


@pytest.fixture
def looking(rag: RAGSystem) -> RAGSystem:
    rag.settings = replace(rag.settings, second_look=True)
    return rag


def ask(
    rag: RAGSystem, server: AnthropicServer, talk: int | None = None, stop_after: type | None = None
) -> tuple[list[AnswerEvent], float]:
    """Return the events, and the seconds from a stop to the end."""
    events: list[AnswerEvent] = []
    settings = ModelSettings(MODEL, server.url, server.key, retry_delays=(0.01, 0.01))
    stopped = 0.0

    async def collect(task: asyncio.Task[None] | None = None) -> None:
        nonlocal stopped
        async for event in rag.answers.query("Why are there tides?", settings, conversation_id=talk):
            events.append(event)
            if stop_after and isinstance(event, stop_after):
                stopped = time.perf_counter()
                asking.cancel()

    asking: asyncio.Task[None]

    async def run() -> None:
        nonlocal asking
        asking = asyncio.create_task(collect())
        await asyncio.wait([asking])
        await rag.answers.disconnect()

    asyncio.run(run())
    return events, time.perf_counter() - stopped


def last(events: list[AnswerEvent]) -> Exchange:
    assert isinstance(events[-1], AnswerDone | AnswerInterrupted)
    assert events[-1].exchange.state is ExchangeState.DONE
    return events[-1].exchange


def supports(exchange: Exchange) -> list[Support]:
    return [claim.support for claim in exchange.claims]


def test_without_the_setting_nothing_is_sent(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER)
    exchange = last(ask(rag, server)[0])
    assert supports(exchange)[:2] == [Support.STANDS, Support.QUOTE_FOUND]
    assert len(server.message_requests) == 2


@pytest.mark.parametrize(
    ("reply", "support", "reason"),
    [
        ("1 yes", Support.IN_LINE, "confirmed"),
        ("**1.** Yes, it does.", Support.IN_LINE, "confirmed"),
        ("1 no\n1 yes", Support.NOT_FOUND, "did not find"),
        ("3 yes\n0 yes\n99 yes", Support.QUOTE_FOUND, None),
        ("Of course! All of it is true.", Support.QUOTE_FOUND, None),
        ("", Support.QUOTE_FOUND, None),
    ],
)
def test_only_open_claims_are_asked_for_and_only_a_verdict_counts(
    looking: RAGSystem, server: AnthropicServer, reply: str, support: Support, reason: str | None
) -> None:
    server.script(*ANSWER, Turn(Text(reply)))
    talk = looking.conversations.create_session()
    events, _ = ask(looking, server, talk)
    exchange = last(events)
    assert supports(exchange)[:2] == [Support.STANDS, support]
    assert exchange.claims[2].support in (Support.NOT_FOUND, Support.NOT_FROM_COURSES)
    claim = exchange.claims[1]
    assert (reason in str(claim.reason)) if reason else claim.reason is None
    if support is Support.IN_LINE:
        assert all(one.support and one.support.is_good for one in exchange.citations)
    (request,) = server.message_requests[2:]
    assert OPEN in str(request["messages"])
    assert "Statement 2: There are 7 moons." in str(request["messages"]), "with the nearest passage"
    assert "Statement 3" not in str(request["messages"])
    assert "tools" not in request
    assert looking.conversations.exchanges(talk) == (exchange,)
    first, second = [event for event in events if isinstance(event, AnswerExamined)]
    assert [claim.support for claim in first.claims][1] is Support.QUOTE_FOUND
    assert (second.claims, second.citations) == (exchange.claims, exchange.citations)


def test_a_stored_answer_is_looked_at_once_it_is_asked_for(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER)
    talk = rag.conversations.create_session()
    exchange = last(ask(rag, server, talk)[0])
    assert len(exchange.open_claims) == 2
    server.script(Turn(Text("1 yes\n2 no")))
    settings = ModelSettings(MODEL, server.url, server.key, retry_delays=(0.01, 0.01))

    async def look() -> list[Exchange]:
        seen = [judged async for judged in rag.answers.look_again(exchange, settings)]
        await rag.answers.disconnect()
        return seen

    (judged,) = asyncio.run(look())
    assert supports(judged) == [Support.STANDS, Support.IN_LINE, Support.NOT_FOUND]
    assert judged.open_claims == ()
    assert rag.conversations.exchanges(talk) == (judged,)
    assert rag.answers.spending().dollars == pytest.approx(judged.usage.cost)


def test_it_is_paid_for_within_the_budget(looking: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER, Turn(Text("1 yes")))
    events, _ = ask(looking, server)
    exchange = last(events)
    *_, before = [event.usage for event in events if isinstance(event, AnswerUsage)]
    assert exchange.usage.tokens > before.tokens
    assert exchange.usage.cost is not None
    assert exchange.usage.cost > (price_list().cost(MODEL, before) or 0) > 0
    assert looking.answers.spending().dollars == pytest.approx(exchange.usage.cost)

    looking.conversations.record_unsaved(Usage(output_tokens=100_000, cost=1.0))
    looking.settings = replace(looking.settings, monthly_budget=1)
    server.script(*ANSWER)
    assert supports(last(ask(looking, server)[0]))[1] is Support.QUOTE_FOUND
    assert len(server.message_requests) == 3 + 2


@pytest.mark.parametrize("fault", [ErrorReply(400), ErrorReply(500)])
def test_a_failure_leaves_the_first_result(
    looking: RAGSystem, server: AnthropicServer, fault: ErrorReply
) -> None:
    server.script(*ANSWER, *[fault] * 3)
    exchange = last(ask(looking, server)[0])
    assert supports(exchange)[1] is Support.QUOTE_FOUND


def test_stopping_ends_the_look_and_not_the_answer(looking: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER, Turn(Text("1", Wait(Gate()), " yes")))
    events, seconds = ask(looking, server, stop_after=AnswerExamined)
    assert supports(last(events))[1] is Support.QUOTE_FOUND
    assert seconds < 15  # of the thirty that a second look may take


def test_the_cheapest_model_is_on_the_list() -> None:
    listed = price_list()
    assert all(
        price.output >= listed.prices[listed.cheapest][0].output for price, _, _ in listed.prices.values()
    )


def test_one_citation_may_stand_for_several_claims(looking: RAGSystem, server: AnthropicServer) -> None:
    both = Text(f"{OPEN}. Fishermen adore the coasts beyond all measure", citations=(Cite(0, 0, 1),))
    server.script(ANSWER[0], Turn(both), Turn(Text("1 yes\n2 yes")))
    exchange = last(ask(looking, server)[0])
    assert supports(exchange) == [Support.IN_LINE, Support.IN_LINE]
    assert [citation.support for citation in exchange.citations] == [Support.IN_LINE]


def test_a_look_that_breaks_off_is_paid_for(looking: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER, Turn(Text("1 y", Cut())))
    events, _ = ask(looking, server)
    exchange = last(events)
    (before, *_) = [event.usage for event in reversed(events) if isinstance(event, AnswerUsage)]
    assert exchange.usage.tokens > before.tokens
    assert exchange.claims[1].support is Support.QUOTE_FOUND
