"""Hints instead of an answer: each step, tries between them, and what a model may say."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import ModelSettings
from app.core.conversations.markdown_export import conversation_markdown
from app.core.search.terms import content_terms
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState, OpenedConversation
from app.domain.events import AnswerDone
from app.features.study.model.hints import kind_of, leads_on
from tests.support.courses import ingest
from tests.support.scripted_turns import ErrorReply, Text, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from tests.support.anthropic_server import AnthropicServer

QUESTION = "What is a sourdough starter?"
SENTENCE = "A sourdough starter is flour and water in which wild yeast and bacteria live."


class Chat:
    """A saved chat in which hints are asked for."""

    def __init__(self, rag: RAGSystem, server: AnthropicServer | None = None) -> None:
        self.rag = rag
        self.id = rag.conversations.create_session()
        self.model: ModelSettings | None = None
        if server is not None:
            self.model = ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(0.01, 0.01))

    def ask(self, kind: str, text: str = QUESTION) -> Exchange:
        async def answer() -> list[Exchange]:
            events = self.rag.answers.query(text, self.model, conversation_id=self.id, kind=kind)
            found = [event.exchange async for event in events if isinstance(event, AnswerDone)]
            await self.rag.answers.disconnect()
            return found

        (exchange,) = asyncio.run(answer())
        assert exchange.state is ExchangeState.DONE
        return exchange


@pytest.fixture
def chat(rag: RAGSystem) -> Chat:
    return Chat(rag)


def test_they_lead_to_the_answer_without_telling_it(chat: Chat) -> None:
    where, what, gaps = (chat.ask(f"hint:{step}") for step in (1, 2, 3))
    answer = chat.ask("")
    assert where.answer.startswith("Look in **Lesson 1: Sourdough starters** · Bread Baking at Home.")
    assert where.sources[0].hit.text == ""  # the place, not what stands there
    assert "**sourdough**, **starter**" in what.answer
    assert "14 words" in what.answer
    assert gaps.answer.endswith("> A sourdough starter is flour and […\\] in which […\\] and […\\].")
    assert SENTENCE in answer.answer
    hidden = content_terms(SENTENCE) - content_terms(QUESTION)
    assert not content_terms(what.answer) & hidden
    assert content_terms(gaps.answer) & hidden == {"flour"}  # which stands in most passages
    saved = chat.rag.conversations.exchanges(chat.id)
    assert [one.kind for one in saved] == ["hint:1", "hint:2", "hint:3", ""]
    # What is sent to a model later is the answer alone.
    assert [one.content for one in chat.rag.conversations.get_conversation_history(chat.id, 9)][0] == QUESTION
    assert len(chat.rag.conversations.get_conversation_history(chat.id, 9)) == 2
    assert [one.exchange_id for one in chat.rag.conversations.recent_questions(9)] == [answer.id]
    (listed,) = chat.rag.conversations.all()
    assert "Look in **Lesson 1" in conversation_markdown(OpenedConversation(listed, saved))


def test_a_heading_is_the_place_unless_it_is_the_answer(chat: Chat) -> None:
    where = chat.ask("hint:1", "How does ink of oak galls darken and bite into parchment?")
    assert "under “Oak galls”" in where.answer
    assert where.sources[0].hit.text == "## Oak galls"
    assert (
        chat.ask("hint:1", "What was iron gall ink made from?").answer
        == "Look in **A Short History of Ink**."
    )


def test_words_that_tell_nothing_are_not_to_be_looked_for(chat: Chat, tmp_path: Path) -> None:
    text = (
        "Un montículo es un árbol binario que guarda cada valor por encima de los de sus hijos, y que es un "
    )
    text += "árbol casi completo. Los hijos de un nodo son menores que él en todo el árbol."
    (tmp_path / "arboles.md").write_text(f"# Árboles\n\n{text}\n", encoding="utf-8")
    ingest(chat.rag, tmp_path / "arboles.md")
    assert "**montículo**." in chat.ask("hint:2", "¿Qué es un montículo?").answer


def test_a_try_is_answered_to(chat: Chat) -> None:
    chat.ask("hint:1")
    for tried, said in (
        ("It has wild yeast in it", "You have **wild**, **yeast**. 4 words are still missing."),
        ("Flour, water and wild yeast, with live bacteria", "You have most of the answer"),
        ("A kind of cheese", "None of the answer's words are in that yet."),
        ("…!", "There is nothing in that to compare."),
        ("yeast " * 1000, "Your answer has 5,999 characters. Say it in 2,000 at most"),
    ):
        reply = chat.ask("hint:1:try", tried.strip())
        assert reply.answer.startswith(said)
        assert "bacteria" not in reply.answer or "bacteria" in tried
    chat.ask("hint:3")
    assert "in which wild yeast and […\\]." in chat.ask("hint:3:try", "wild yeast").answer


def test_what_is_not_covered_has_no_place(chat: Chat) -> None:
    hint = chat.ask("hint:1", "Who won the football world cup of 1954?")
    assert hint.answer.startswith("Your courses do not seem to cover this")
    assert not leads_on(hint)
    assert not hint.sources  # whose names may give it away, if the search is wrong


def test_a_course_that_was_removed_between_two_steps_is_said(chat: Chat) -> None:
    chat.ask("hint:1")
    chat.rag.courses.remove_courses(["Bread Baking at Home"], CancelToken())
    assert chat.ask("hint:2").answer == "The passage behind the last hint is no longer in your courses."


class TestAModel:
    @pytest.fixture
    def written(self, rag: RAGSystem, server: AnthropicServer) -> Chat:
        chat = Chat(rag, server)
        chat.ask("hint:1")
        assert not server.message_requests  # the first step needs none
        return chat

    def test_its_hint_is_shown(self, written: Chat, server: AnthropicServer) -> None:
        server.script(Turn(Text("Which organisms make dough rise?")))
        hint = written.ask("hint:2")
        assert hint.answer == "Which organisms make dough rise?"
        assert hint.usage.tokens
        assert not hint.claims
        server.script(Turn(Text("You have the yeast. What it feeds on is missing.")))
        assert written.ask("hint:2:try", "wild yeast").answer.startswith("You have the yeast.")
        assert "wild yeast" in str(server.message_requests[-1])

    def test_one_that_tells_the_answer_is_made_again_and_then_replaced(
        self, written: Chat, server: AnthropicServer
    ) -> None:
        server.script(Turn(Text("It is about yeasts.")), Turn(Text("What raises it?")))
        assert written.ask("hint:2").answer == "What raises it?"
        server.script(Turn(Text("It is about yeasts.")), Turn(Text("Flour!")))
        hint = written.ask("hint:2")
        assert hint.answer.startswith("Look for a sentence with")
        assert hint.error is not None
        assert hint.error.id == "hints.said_too_much"

    def test_one_that_fails_leaves_lecterns_own(self, written: Chat, server: AnthropicServer) -> None:
        server.script(*[ErrorReply(500, "api_error", "Sorry.")] * 9)
        reply = written.ask("hint:1:try", "wild yeast")
        assert reply.answer.startswith("You have **wild**, **yeast**.")
        assert reply.error is not None


def test_between_hints_a_text_is_a_try_and_a_question_is_one(chat: Chat) -> None:
    hint = chat.ask("hint:2")
    assert kind_of("Wild yeast", hint, hints_first=True) == "hint:2:try"
    assert kind_of("And what is “proofing?”", hint, hints_first=True) == "hint:1"
    assert kind_of("And what is proofing?", hint, hints_first=False) == ""
    assert kind_of("Proofing", chat.ask(""), hints_first=False) == ""
