"""Answers of a model server, from the question to what is stored."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from app.core.answers.proof import examination
from app.core.answers.providers.base import ModelSettings
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerDone, AnswerEvent, AnswerExamined, AnswerInterrupted, AnswerText
from app.domain.sources import NO_SOURCE, Support
from tests.support.scripted_turns import Cite, Cut, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    import pytest

    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer

SEARCH = ToolUse("search_course_content", {"query": "why are there tides?"})


def model(server: AnthropicServer) -> ModelSettings:
    return ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(0.01, 0.01))


def ask(
    rag: RAGSystem, server: AnthropicServer, talk: int, stop_at: str = ""
) -> tuple[list[AnswerEvent], float]:
    """Return the events, and the seconds from a stop behind ``stop_at`` to the end."""
    events: list[AnswerEvent] = []
    stopped = 0.0

    async def collect() -> None:
        nonlocal stopped
        async for event in rag.answers.query("Why are there tides?", model(server), conversation_id=talk):
            events.append(event)
            if stop_at and isinstance(event, AnswerText) and stop_at in event.text:
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
    ended = events[-1]
    assert isinstance(ended, AnswerDone | AnswerInterrupted)
    return ended.exchange


def test_an_answer_is_examined_after_its_last_text_and_stored_so(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(
            Text("The moon pulls the water of the sea", citations=(Cite(0, 0, 1),)),
            Text(". It is made of 7 cheeses."),
        ),
    )
    talk = rag.conversations.create_session()
    events, _ = ask(rag, server, talk)
    (examined,) = [event for event in events if isinstance(event, AnswerExamined)]
    assert events.index(examined) == len(events) - 2
    exchange = last(events)
    assert exchange.state is ExchangeState.DONE
    assert [exchange.answer[claim.answer_start : claim.answer_end] for claim in exchange.claims] == [
        "The moon pulls the water of the sea.",
        "It is made of 7 cheeses.",
    ]
    assert exchange.claims[1].support in (Support.NOT_FOUND, Support.NOT_FROM_COURSES)
    assert (exchange.citations, exchange.claims) == (examined.citations, examined.claims)
    assert all(citation.support for citation in exchange.citations)
    assert rag.conversations.exchanges(talk) == (exchange,)


def test_an_answer_in_another_language_is_held_against_its_sources_in_meaning(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    search = ToolUse("search_course_content", {"query": "sourdough starter"})
    answer = "Ein Starter für Sourdough besteht aus Mehl und Wasser."
    server.script(Turn(search, stop_reason="tool_use"), Turn(Text(answer)))
    (claim,) = last(ask(rag, server, rag.conversations.create_session())[0]).claims
    assert claim.support is Support.IN_LINE


def test_an_answer_that_broke_off_is_examined_too(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("Unicorns built the pyramids in 1492 [3]. And th", Cut())),
    )
    events, _ = ask(rag, server, rag.conversations.create_session())
    exchange = last(events)
    assert exchange.state is ExchangeState.FAILED
    assert exchange.answer.startswith("Unicorns built the pyramids in 1492")
    assert "[3]" not in exchange.answer
    assert [claim.support for claim in exchange.claims] == [Support.NOT_FOUND]
    assert [(one.source_n, one.support) for one in exchange.citations] == [(NO_SOURCE, Support.NOT_FOUND)]


def test_a_stopped_answer_is_examined_and_stops_at_once(
    rag: RAGSystem, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "_SECONDS_AFTER_STOP", 15.0)  # on a busy machine
    claims = "".join(f"Unicorns built the pyramids in the year {1492 + n}. " for n in range(40))
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text(claims, "So", Wait(Gate()), " it was.")))
    events, seconds = ask(rag, server, rag.conversations.create_session(), "So")
    exchange = last(events)
    assert exchange.state is ExchangeState.STOPPED
    assert seconds < 20
    assert len(exchange.claims) == 40
    assert exchange.in_line_count == 0


def test_a_stopped_answer_does_not_wait_long_to_be_examined(
    rag: RAGSystem, server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examination, "_SECONDS_AFTER_STOP", 0.0)
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("So", Wait(Gate()), " it was.")))
    exchange = last(ask(rag, server, rag.conversations.create_session(), "So")[0])
    assert (exchange.state, exchange.answer, exchange.claims) == (ExchangeState.STOPPED, "So", ())


def test_small_talk_has_no_claims(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text("Hello! I can help you with your courses. What would you like to know?")))
    exchange = last(ask(rag, server, rag.conversations.create_session())[0])
    assert exchange.claims == ()


def test_an_answer_that_says_the_courses_do_not_cover_it_is_taken_at_its_word(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    refusal = "Your material does not cover how submarines use the tides. Lesson 1 of Tides comes nearest."
    for answer, covered in (
        (Turn(Text(refusal)), False),
        (Turn(Text("The lesson does not stop there: "), Text("the moon", citations=(Cite(0, 0, 1),))), True),
    ):
        server.script(Turn(SEARCH, stop_reason="tool_use"), answer)
        talk = rag.conversations.create_session()
        exchange = last(ask(rag, server, talk)[0])
        assert exchange.sources
        assert exchange.covered is covered
        (stored,) = rag.conversations.exchanges(talk)
        assert stored.covered is covered
