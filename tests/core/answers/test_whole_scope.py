"""All that a question is restricted to, sent along with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.events import AnswerDone, SourcesFound
from app.domain.scope import Scope
from tests.support.answering import settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, Text, Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.answers.providers.base import ModelSettings
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent

TIDES = Scope(courses=("Tides and Currents",))
NEAP = "Neap tides come a week later."


@pytest.fixture
def rag(rag: RAGSystem) -> RAGSystem:
    rag.settings = replace(rag.settings, whole_scope_tokens=2_000)
    return rag


def ask(
    rag: RAGSystem,
    connection: ModelSettings,
    question: str = "When do neap tides come?",
    scope: Scope = TIDES,
    conversation: int | None = None,
) -> tuple[list[AnswerEvent], Exchange]:
    async def run() -> list[AnswerEvent]:
        events = rag.answers.query(question, connection, scope=scope, conversation_id=conversation)
        try:
            return [event async for event in events]
        finally:
            await rag.answers.disconnect()

    events = asyncio.run(run())
    assert isinstance(events[-1], AnswerDone)
    return events, events[-1].exchange


def opening(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The list of courses and what goes along, without what was said."""
    blocks: Sequence[dict[str, Any]] = body["messages"][0]["content"]
    last = max((at for at, block in enumerate(blocks) if "cache_control" in block), default=-1)
    return list(blocks[: last + 1])


def test_the_whole_scope_is_sent_and_cited_and_only_what_is_cited_is_shown(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text(NEAP, citations=(Cite(1, 1, 2),))))
    events, exchange = ask(rag, settings_for(server))
    (body,) = server.message_requests
    courses, *documents = opening(body)
    assert courses["text"].startswith("(The courses in the student's library")
    assert [block["type"] for block in documents] == ["search_result"] * 2
    texts = [part["text"] for block in documents for part in block["content"]]
    assert texts[0] == "The moon pulls the ocean into two bulges."
    assert texts[-1] == NEAP
    assert "bread" not in str(documents)
    assert "nothing more can be found by searching" in str(body["messages"][-1])
    (source,) = exchange.sources
    assert source.hit.lesson_number == 2
    assert [event.sources for event in events if isinstance(event, SourcesFound)] == [(source,)]
    (citation,) = exchange.citations
    assert (citation.source_n, citation.verified, citation.cited_text) == (source.n, True, NEAP)
    assert exchange.in_line_count == len(exchange.claims) == 1
    assert not server.rejections


def test_what_supports_an_answer_is_found_where_the_model_cites_nothing(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text("Most coasts see two high tides a day.")))
    _, exchange = ask(rag, settings_for(server), "How many high tides are there?")
    (citation,) = exchange.citations
    assert citation.is_found
    assert [source.n for source in exchange.sources] == [citation.source_n]
    assert exchange.in_line_count == 1


def test_the_next_question_reads_it_from_the_servers_cache(rag: RAGSystem, server: AnthropicServer) -> None:
    conversation = rag.conversations.create_session()
    server.script(*[Turn(Text(NEAP, citations=(Cite(1, 1, 2),)))] * 2)
    _, first = ask(rag, settings_for(server), conversation=conversation)
    _, second = ask(rag, settings_for(server), "And spring tides?", conversation=conversation)
    assert first.usage.cache_write_tokens > 0
    assert second.usage.cache_read_tokens >= first.usage.cache_write_tokens
    one, two = server.message_requests
    assert opening(one) == opening(two)
    assert len(two["messages"]) == 3
    stored = rag.conversations.exchanges(conversation)
    assert [[source.n for source in exchange.sources] for exchange in stored] == [[2], [2]]


def test_a_server_without_citations_gets_it_as_numbered_text(rag: RAGSystem) -> None:
    plain = Model("plain", "Plain", lacks=frozenset({"citations"}))
    with AnthropicServer(models=(plain,)) as server:
        server.script(*[Turn(Text(f"{NEAP[:-1]} [2]."))] * 3)
        _, exchange = ask(rag, settings_for(server, model="plain"))
        body = server.message_requests[-1]
    assert exchange.answer == NEAP
    (citation,) = exchange.citations
    assert (citation.source_n, citation.verified, citation.cited_text) == (2, True, NEAP)
    assert "Passage [2]\n[Tides and Currents - Lesson 2" in str(body["messages"][0]["content"][1]["text"])


@pytest.mark.parametrize(
    ("scope", "tokens"), [(Scope(), 2_000), (TIDES, 0), (TIDES, 100), (Scope(courses=("Gone",)), 2_000)]
)
def test_nothing_is_sent_along_that_is_not_restricted_or_too_long(
    rag: RAGSystem, server: AnthropicServer, scope: Scope, tokens: int
) -> None:
    rag.settings = replace(rag.settings, whole_scope_tokens=tokens)
    connection = settings_for(server)
    assert rag.answers.whole_scope(scope, connection) is None
    server.script(Turn(Text("I do not know.")))
    ask(rag, connection, "Who was Napoleon's cook?", scope)
    assert "search_result" not in str(server.message_requests[0])


def test_its_price_is_known_before_it_is_sent(rag: RAGSystem, server: AnthropicServer) -> None:
    whole = rag.answers.whole_scope(TIDES, settings_for(server))
    assert whole is not None
    assert 100 < whole.tokens < 250
    assert whole.first is not None
    assert whole.again is not None
    assert 0 < whole.again < whole.first < 0.01
    unknown = rag.answers.whole_scope(TIDES, settings_for(server, model="llama"))
    assert unknown is not None
    assert (unknown.tokens, unknown.first, unknown.again) == (whole.tokens, None, None)


def test_lessons_after_the_last_one_taught_are_left_out(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text("I do not know.")))
    scope = Scope(courses=TIDES.courses, up_to=(("Tides and Currents", 1),))
    ask(rag, settings_for(server), "Who was Napoleon's cook?", scope)
    assert "Neap tides come" not in str(server.message_requests[0])
    assert "two bulges" in str(server.message_requests[0])
