"""Claims that the examination leaves open are put to a model once more when somebody asks for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.core.answers.costs import price_list
from app.core.answers.providers.base import ModelSettings
from app.domain.conversations import Exchange, ExchangeState
from app.domain.errors import LecternError
from app.domain.events import AnswerDone, AnswerEvent, AnswerInterrupted
from app.domain.sources import Support
from tests.support.scripted_turns import Cite, Cut, ErrorReply, Text, ToolUse, Turn

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


def ask(rag: RAGSystem, server: AnthropicServer, talk: int | None = None) -> Exchange:
    """Return an answer as the examination leaves it."""

    async def answer() -> list[AnswerEvent]:
        query = rag.answers.query("Why are there tides?", connection(server), conversation_id=talk)
        events = [event async for event in query]
        await rag.answers.disconnect()
        return events

    return last(asyncio.run(answer()))


def look(rag: RAGSystem, server: AnthropicServer, exchange: Exchange) -> Exchange:
    """Return an answer with the verdicts of a second look."""

    async def judge() -> list[Exchange]:
        seen = [judged async for judged in rag.answers.look_again(exchange, connection(server))]
        await rag.answers.disconnect()
        return seen

    (judged,) = asyncio.run(judge())
    return judged


def connection(server: AnthropicServer) -> ModelSettings:
    return ModelSettings(MODEL, server.url, server.key, retry_delays=(0.01, 0.01))


def last(events: list[AnswerEvent]) -> Exchange:
    assert isinstance(events[-1], AnswerDone | AnswerInterrupted)
    assert events[-1].exchange.state is ExchangeState.DONE
    return events[-1].exchange


def supports(exchange: Exchange) -> list[Support]:
    return [claim.support for claim in exchange.claims]


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
    rag: RAGSystem, server: AnthropicServer, reply: str, support: Support, reason: str | None
) -> None:
    server.script(*ANSWER)
    talk = rag.conversations.create_session()
    answer = ask(rag, server, talk)
    assert supports(answer)[:2] == [Support.STANDS, Support.QUOTE_FOUND]
    assert len(server.message_requests) == 2, "nothing is looked at before it is asked for"
    server.script(Turn(Text(reply)))
    exchange = look(rag, server, answer)
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
    assert rag.conversations.exchanges(talk) == (exchange,)


def test_a_look_that_has_judged_all_leaves_nothing_open_and_is_paid_for(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(*ANSWER)
    talk = rag.conversations.create_session()
    answer = ask(rag, server, talk)
    assert len(answer.open_claims) == 2
    server.script(Turn(Text("1 yes\n2 no")))
    judged = look(rag, server, answer)
    assert supports(judged) == [Support.STANDS, Support.IN_LINE, Support.NOT_FOUND]
    assert judged.open_claims == ()
    assert rag.conversations.exchanges(talk) == (judged,)
    assert judged.usage.tokens > answer.usage.tokens
    assert judged.usage.cost is not None
    assert judged.usage.cost > (answer.usage.cost or 0) > 0
    assert rag.answers.spending().dollars == pytest.approx(judged.usage.cost)


@pytest.mark.parametrize("fault", [ErrorReply(400), ErrorReply(500)])
def test_a_failure_leaves_the_answer_as_it_was(
    rag: RAGSystem, server: AnthropicServer, fault: ErrorReply
) -> None:
    server.script(*ANSWER)
    talk = rag.conversations.create_session()
    answer = ask(rag, server, talk)
    server.script(*[fault] * 3)
    with pytest.raises(LecternError):
        look(rag, server, answer)
    assert rag.conversations.exchanges(talk) == (answer,)


def test_the_cheapest_model_is_on_the_list() -> None:
    listed = price_list()
    assert all(
        price.output >= listed.prices[listed.cheapest][0].output for price, _, _ in listed.prices.values()
    )


def test_one_citation_may_stand_for_several_claims(rag: RAGSystem, server: AnthropicServer) -> None:
    both = Text(f"{OPEN}. Fishermen adore the coasts beyond all measure", citations=(Cite(0, 0, 1),))
    server.script(ANSWER[0], Turn(both))
    answer = ask(rag, server)
    server.script(Turn(Text("1 yes\n2 yes")))
    exchange = look(rag, server, answer)
    assert supports(exchange) == [Support.IN_LINE, Support.IN_LINE]
    assert [citation.support for citation in exchange.citations] == [Support.IN_LINE]


def test_a_look_that_breaks_off_is_paid_for(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(*ANSWER)
    answer = ask(rag, server)
    server.script(Turn(Text("1 y", Cut())))
    exchange = look(rag, server, answer)
    assert exchange.usage.tokens > answer.usage.tokens
    assert exchange.claims[1].support is Support.QUOTE_FOUND
