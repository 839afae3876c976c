"""Small models are asked in a short way, and slow computers are given time to read."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.picking import excerpts
from app.core.answers.prompts import load_prompt
from app.domain.events import AnswerDone, PassagesAtOnce
from app.domain.scope import Scope
from tests.support.answering import settings_for
from tests.support.scripted_turns import Text, Turn
from tests.support.small_library import CACHING, INK, Passage, SmallLibrary

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent
    from tests.support.anthropic_server import AnthropicServer

PULL = "The moon pulls the ocean into two bulges"
QUESTION = "Why are there two high tides a day?"


def ask(rag: RAGSystem, server: AnthropicServer, *questions: str) -> list[AnswerEvent]:
    """Ask in one chat; return the events of all answers."""
    chat = rag.conversations.create_session()
    model = settings_for(server, short=True)

    async def run() -> list[AnswerEvent]:
        events = []
        for question in questions:
            events += [event async for event in rag.answers.query(question, model, conversation_id=chat)]
        await rag.answers.disconnect()
        return events

    return asyncio.run(run())


def answers(events: list[AnswerEvent]) -> list[Exchange]:
    return [event.exchange for event in events if isinstance(event, AnswerDone)]


def said(body: dict[str, Any]) -> list[str]:
    """Return all that a request says, turn by turn."""
    return ["".join(block["text"] for block in message["content"]) for message in body["messages"]]


@pytest.mark.parametrize(
    ("address", "short", "silence"),
    [
        ("", False, 60),
        ("https://models.example.org", False, 60),
        ("https://models.example.org", True, 300),
        ("http://localhost:11434", False, 300),
        ("http://127.0.0.1:8080", False, 300),
    ],
)
def test_a_small_computer_may_take_minutes_to_read(
    rag: RAGSystem, address: str, short: bool, silence: int
) -> None:
    settings = replace(rag.settings, base_url=address, short_prompts=short)
    connection = rag.answers.connection("key", settings)
    assert connection is not None
    assert connection.short == short
    assert connection.timeout_read == silence
    assert connection.timeout_content >= silence


def test_a_small_model_gets_rules_examples_and_sentences_and_nothing_to_call(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text(f"{PULL} [1].")))
    (exchange,) = answers(ask(rag, server, QUESTION))
    (body,) = server.message_requests
    assert [block["text"] for block in body["system"]] == [load_prompt("short")]
    assert "tools" not in body
    *examples, asked = said(body)
    assert examples == load_prompt("short_examples").split("\n---\n")
    assert asked.startswith("Passage [1] (Tides")
    assert PULL in asked
    assert asked.endswith(f"\n\nQuestion: {QUESTION}")
    assert (exchange.answer, exchange.model) == (f"{PULL}.", "claude-sonnet-5-5")
    (citation,) = exchange.citations
    assert citation.verified
    assert citation.cited_text.startswith(PULL), "it opens the sentence, not the passage"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("high tides", "What is meant by “high tides”?"),
        ("Why two tides?", "Why two tides?"),
        ("Explain high tides", "Explain high tides"),
        ("all there is about high tides", "all there is about high tides"),
    ],
)
def test_a_small_model_is_asked_what_a_term_means(
    rag: RAGSystem, server: AnthropicServer, question: str, asked: str
) -> None:
    server.script(Turn(Text(f"{PULL} [1].")))
    ask(rag, server, question)
    assert said(server.message_requests[0])[-1].endswith(f"\nQuestion: {asked}")


def test_passages_can_be_read_before_the_model_says_a_word(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text(f"{PULL} [1].")))
    events = ask(rag, server, QUESTION)
    (at_once,) = [event for event in events if isinstance(event, PassagesAtOnce)]
    assert "Most coasts therefore see two high tides a day." in at_once.text
    assert all(citation.verified for citation in at_once.citations)
    (exchange,) = answers(events)
    assert exchange.answer == f"{PULL}.", "they are no part of it"


def test_a_follow_up_begins_letter_by_letter_with_what_was_said(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text(f"{PULL} [1].")), Turn(Text(f"{PULL} [1].")))
    exchanges = answers(ask(rag, server, QUESTION, "And why is that?"))
    first, second = server.message_requests
    assert second["system"] == first["system"]
    assert said(second)[: len(said(first)) + 1] == [*said(first), f"{PULL} [1]."]
    assert PULL not in said(second)[-1], "what was sent is not sent again"
    assert said(second)[-1].endswith("Question: And why is that?")
    assert exchanges[1].citations[0].verified, "it cites what the first question brought"
    assert [source.n for source in exchanges[1].sources if PULL in source.hit.text] == [1]


def test_another_question_begins_anew_with_a_word_of_what_was_said(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text(f"{PULL} [1].")), Turn(Text("Flour is ground grain [1].")))
    ask(rag, server, QUESTION, "What is sourdough made of, flour and water?")
    second = said(server.message_requests[1])
    assert second[-3:-1] == [QUESTION, f"{PULL}."]
    assert second[-1].startswith("Passage [1] (")


def test_a_long_conversation_in_a_script_of_many_tokens_begins_anew(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text("月亮拉动海水。" * 370 + " [1].")), Turn(Text(f"{PULL} [1].")))
    ask(rag, server, QUESTION, "And why is that?")
    assert said(server.message_requests[1])[-3] == QUESTION


def test_what_is_not_covered_is_said_without_asking(rag: RAGSystem, server: AnthropicServer) -> None:
    (exchange,) = answers(ask(rag, server, "Who composed the opera about the magic flute?"))
    assert exchange.model is None
    assert exchange.covered is False
    assert not server.message_requests


@pytest.mark.parametrize("written", ["The courses do not cover this.", "There are two high tides a day."])
def test_passages_follow_what_only_the_model_refuses_or_no_more_than_the_question(
    rag: RAGSystem, server: AnthropicServer, written: str
) -> None:
    server.script(Turn(Text(written)))
    (exchange,) = answers(ask(rag, server, QUESTION))
    assert exchange.model is None
    assert exchange.answer.startswith(f"{written}\n\nThe model gave no answer.")
    assert "Most coasts therefore see two high tides a day." in exchange.answer
    assert all(citation.verified for citation in exchange.citations)


def test_passages_follow_what_no_source_says(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text("Tides come from whales that swim in circles [1].")))
    (exchange,) = answers(ask(rag, server, QUESTION))
    assert exchange.answer.startswith("Tides come from whales that swim in circles.\n\nNo passage was found")
    assert "Most coasts therefore see two high tides a day." in exchange.answer
    (claim,) = exchange.claims
    assert not claim.support.is_good, "what the model wrote is marked, and nothing else counted"
    assert any(citation.verified for citation in exchange.citations)
    assert exchange.model, "the foot names who wrote it"


def test_a_small_model_is_not_tried_out_after_its_answer(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text(f"{PULL} [1].")))
    rag.answers.limits = replace(rag.answers.limits, second=0.0)
    ask(rag, server, QUESTION)
    assert len(server.message_requests) == 1


def test_excerpts_hold_the_best_sentences_and_those_beside_them() -> None:
    filler = "Nothing of this is about anything at all, and it goes on for a while. "
    library = SmallLibrary(Passage("Use", 1, filler * 5 + CACHING + filler * 5), Passage("Ink", 2, INK))
    hits = library.retrieve("prompt caching ink", None, None, Scope(), 5).hits
    sources = tuple(library.make_source(n, hit) for n, hit in enumerate(hits, 1))
    cut = excerpts("What is prompt caching?", sources, None, 300)
    texts = [text.strip() for source in cut for text in source.texts]
    assert CACHING.split(". ")[0] + "." in texts
    assert sum(map(len, texts)) <= 300
    assert all(set(one.sentences) <= set(whole.sentences) for one, whole in zip(cut, sources, strict=False))
