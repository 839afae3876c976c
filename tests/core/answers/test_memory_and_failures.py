"""What a conversation remembers of its answers, and what is shown where a model gives none."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.answers.passage_answer import without_escapes
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerDone, AnswerInterrupted
from app.domain.messages import Message
from app.domain.sources import Claim, SourceState, Support
from tests.support.answering import EVERY_PROVIDER, settings_for
from tests.support.scripted_turns import Cite, Cut, ErrorReply, Text, ToolUse, Turn

if TYPE_CHECKING:
    from app.core.answers.providers.base import ModelSettings
    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer

QUESTION = "When do spring tides come?"
SEARCH = ToolUse("search_course_content", {"query": "spring tides"})
INSTEAD = str(Message("answers.passages_instead"))


def ask(rag: RAGSystem, question: str, model: ModelSettings, talk: int | None = None) -> Exchange:
    async def run() -> Exchange:
        events = rag.answers.query(question, model, conversation_id=talk)
        last = [event async for event in events][-1]
        await rag.answers.disconnect()
        assert isinstance(last, AnswerDone | AnswerInterrupted)
        return last.exchange

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("along", "begin"),
    [(True, []), (False, [Turn(SEARCH, stop_reason="tool_use")]), (False, [])],
    ids=["sent along", "after the model's search", "before the model's search"],
)
@pytest.mark.parametrize("status", [401, 500])
@EVERY_PROVIDER
def test_a_failure_shows_what_a_search_finds_as_what_it_is(
    rag: RAGSystem, server: AnthropicServer, along: bool, begin: list[Turn], status: int
) -> None:
    failure = ErrorReply(status, "api_error", "Broken")
    server.script(*begin, *[failure] * 3)
    talk = rag.conversations.create_session()
    exchange = ask(rag, QUESTION, settings_for(server, send_passages=along), talk)
    assert exchange.state is ExchangeState.FAILED
    assert exchange.error is not None
    said = without_escapes(exchange.answer)
    assert said.startswith("No answer was written. A search found these passages:\n")
    assert "> When sun and moon stand in line" in exchange.answer
    assert exchange.model is None, "nobody takes them for what a model wrote"
    for citation in exchange.citations:
        quoted = exchange.answer[citation.answer_start : citation.answer_end]
        assert quoted.startswith("> ")
    assert rag.conversations.exchanges(talk) == (exchange,)
    assert rag.conversations.get_conversation_history(talk, 5) == []


@EVERY_PROVIDER
def test_a_greeting_that_fails_is_not_searched_for(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(ErrorReply(401, "authentication_error", "No"))
    exchange = ask(rag, "Hello!", settings_for(server))
    assert (exchange.state, exchange.answer, exchange.sources) == (ExchangeState.FAILED, "", ())


@EVERY_PROVIDER
def test_a_failure_in_mid_answer_keeps_the_answer(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text("They come when ", Cut())))
    exchange = ask(rag, QUESTION, settings_for(server, send_passages=True))
    assert (exchange.state, exchange.answer) == (ExchangeState.FAILED, "They come when ")


@EVERY_PROVIDER
def test_a_model_that_only_searches_leaves_the_passages(rag: RAGSystem, server: AnthropicServer) -> None:
    server.answer_with(lambda body: Turn(Text("One moment."), SEARCH, stop_reason="tool_use"))
    exchange = ask(rag, QUESTION, settings_for(server))
    assert exchange.error == Message("answers.only_searched")
    assert INSTEAD in exchange.answer
    citation = exchange.citations[0]
    assert exchange.answer[citation.answer_start :].startswith("> ")


@EVERY_PROVIDER
def test_a_refusal_is_not_papered_over(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(stop_reason="refusal"))
    exchange = ask(rag, QUESTION, settings_for(server, send_passages=True))
    assert exchange.answer == ""


@EVERY_PROVIDER
def test_answers_that_are_not_supported_are_not_built_on(rag: RAGSystem, server: AnthropicServer) -> None:
    talk = rag.conversations.create_session()
    server.script(Turn(Text("Spring tides come every 400 years, on a Tuesday at nine o'clock.")))
    exchange = ask(rag, QUESTION, settings_for(server, send_passages=True), talk)
    assert exchange.is_unsupported
    server.script(Turn(Text("Because.")))
    ask(rag, "Why is that?", settings_for(server, send_passages=True), talk)
    body = server.message_requests[-1]
    assert "Tuesday" not in str(body)
    assert QUESTION in str(body["messages"][0])
    assert "left out" in str(body["messages"][1])


@EVERY_PROVIDER
def test_what_an_answer_cites_goes_along_with_a_follow_up(rag: RAGSystem, server: AnthropicServer) -> None:
    talk = rag.conversations.create_session()
    cited = "When sun and moon stand in line, their pull adds up and spring tides follow."
    server.script(Turn(Text(cited, citations=(Cite(0),))))
    before = ask(rag, QUESTION, settings_for(server, send_passages=True), talk)
    assert before.citations[0].verified
    server.script(Turn(Text("Their pull adds up.", citations=(Cite(0),))))
    after = ask(rag, "Why does that happen?", settings_for(server), talk)
    assert after.sources[0].ref == before.sources[before.citations[0].source_n - 1].ref
    assert len(server.message_requests) == 2


@pytest.mark.parametrize(
    ("supports", "unsupported"),
    [
        ([], False),
        ([Support.IN_LINE, Support.NOT_FOUND], False),
        ([Support.IN_LINE, Support.NOT_FOUND, Support.NOT_FROM_COURSES], False),
        ([Support.NOT_FOUND, Support.NOT_FROM_COURSES], True),
        ([Support.QUOTE_FOUND], True),
    ],
)
def test_an_answer_is_unsupported_when_nothing_of_it_was_found(
    supports: list[Support], unsupported: bool
) -> None:
    exchange = Exchange(1, None, "?", "!", ExchangeState.DONE, model="m")
    claims = tuple(Claim(0, 1, support) for support in supports)
    assert replace(exchange, claims=claims).is_unsupported is unsupported


def test_an_outline_is_a_source_like_any_other(rag: RAGSystem, server: AnthropicServer) -> None:
    """It is stored, opened, and held against the claims that cite it."""
    outline = ToolUse("get_course_outline", {"course_name": "Tides"})
    said = Text("The course about tides is taught by Jon Apsley.", citations=(Cite(0, 1, 2),))
    server.script(Turn(outline, stop_reason="tool_use"), Turn(said))
    talk = rag.conversations.create_session()
    exchange = ask(rag, "Who teaches the course about tides?", settings_for(server), talk)
    (source,) = exchange.sources
    (citation,) = exchange.citations
    assert citation.verified
    assert citation.cited_text == "Instructor: Jon Apsley"
    assert exchange.covered is True
    assert rag.conversations.exchanges(talk) == (exchange,)
    assert rag.search.source_state(source) is SourceState.CURRENT
    shown = rag.search.lesson_text(source)
    assert shown.text.startswith("Course: Tides and Currents")
    assert not shown.is_whole
    server.script(Turn(Text("Jon Apsley.")))
    ask(rag, "And who is he?", settings_for(server, send_passages=True), talk)
    assert all(one.hit.chunk_index >= 0 for one in rag.conversations.exchanges(talk)[-1].sources)
