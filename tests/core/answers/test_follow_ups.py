"""Follow-up questions without a model: what they lean on is searched for with them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.core.answers.grounding import attempts_at
from app.domain.conversations import ChatMessage
from app.domain.events import AnswerDone, SearchStarted

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange

STARTER = "What is a sourdough starter?"


def ask(
    rag: RAGSystem, conversation: int | None, question: str, parent: int | None = None
) -> tuple[str, Exchange]:
    """Return what was searched for last, and the answer."""

    async def run() -> tuple[str, Exchange]:
        query = ""
        async for event in rag.answers.query(question, None, conversation_id=conversation, parent_id=parent):
            if isinstance(event, SearchStarted):
                query = event.query
        assert isinstance(event, AnswerDone)
        return query, event.exchange

    return asyncio.run(run())


@pytest.mark.parametrize("question", ["And how often a day?", "How often does it happen each day?"])
def test_a_follow_up_is_searched_for_with_the_question_before(rag: RAGSystem, question: str) -> None:
    conversation = rag.conversations.create_session()
    ask(rag, conversation, STARTER)
    _, alone = ask(rag, None, question)
    assert alone.sources[0].hit.course_title == "Tides and Currents", "two high tides a day"
    query, answer = ask(rag, conversation, question)
    assert query == f"{STARTER} {question}"
    assert answer.sources[0].hit.lesson_title == "Sourdough starters"
    assert answer.question == question


def test_a_question_that_stands_for_itself_is_searched_for_alone(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    ask(rag, conversation, STARTER)
    query, answer = ask(rag, conversation, "Neap tides?")
    assert query == "Neap tides?"
    assert answer.sources[0].hit.lesson_title == "Spring tides and neap tides"


def test_an_unrelated_question_does_not_repeat_the_answer_before(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    ask(rag, conversation, STARTER)
    query, answer = ask(rag, conversation, "Why not make chunks very large?")
    assert query == "Why not make chunks very large?"
    assert answer.covered is False


def test_the_branch_it_follows_counts(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    _, first = ask(rag, conversation, STARTER)
    ask(rag, conversation, "When do spring tides come at the coast?")
    assert ask(rag, conversation, "And how often a day?", first.id)[0] == f"{STARTER} And how often a day?"


@pytest.mark.parametrize(
    ("question", "leans"),
    [
        ("Und wie oft wird der Teig danach noch einmal geknetet?", True),
        ("Wie lange muss man ihn vor dem Backen gehen lassen?", True),
        ("Wie oft wird sie am Tag mit Mehl gefüttert?", True),
        ("¿Y cuántas veces al día hay que alimentarlo con harina?", True),
        ("¿Cuántas veces al día crecen ellas con la harina?", True),
        ("Wie entstehen Ebbe und Flut an der Küste?", False),
        ("¿Cuándo hay mareas vivas en la costa atlántica?", False),
        ("What is a closure and how does it work?", False),
        ("What's syntactic sugar, and why would a language want it?", False),
        ("Was ist ein Abschluss und wozu braucht man ihn?", False),
        ("Who wrote these lecture notes?", False),
        ("How much flour does it need and why?", True),
        ("Why does this method work when others fail?", True),
        ("Thanks!", False),
    ],
)
def test_what_points_back(question: str, leans: bool) -> None:
    history = [ChatMessage("user", STARTER), ChatMessage("assistant", "Flour and water.")]
    assert (attempts_at(question, history)[-1] != question) is leans
