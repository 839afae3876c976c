"""A model writes the questions that are suggested; kept is what a search of the course answers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.answers.providers.base import ModelSettings
from app.domain.model_servers import Usage
from tests.support.scripted_turns import ErrorReply, Text, Turn

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer

TIDES = "Tides and Currents"
REPLY = (
    "Here they are:\n1. Why does the moon pull the water of the sea?\n"
    "- **Who won the football world cup in 1974?**\n"
    "2) Why does the moon \u202epull the water of the sea?\nWhy?\n"
)


def write(rag: RAGSystem, server: AnthropicServer) -> bool:
    connection = ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(0.01,))
    return asyncio.run(rag.questions.write(TIDES, connection))


def suggested(rag: RAGSystem) -> tuple[str, ...]:
    courses = rag.courses.all()
    found = dict(zip((one.title for one in courses), rag.courses.questions(courses), strict=True))
    return found[TIDES]


def test_questions_that_the_course_answers_are_kept(rag: RAGSystem, server: AnthropicServer) -> None:
    assert TIDES in rag.courses.without_questions()
    server.script(Turn(Text(REPLY)))
    assert write(rag, server)
    assert suggested(rag) == ("Why does the moon pull the water of the sea?",)
    assert TIDES not in rag.courses.without_questions()
    (request,) = server.message_requests
    assert "The moon pulls" in str(request["messages"])
    assert "tools" not in request
    assert request["model"] == "claude-sonnet-5-5", "a server of one's own may have no other"


def test_what_they_cost_counts(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(Text(REPLY)))
    write(rag, server)
    spent = rag.answers.spending()
    assert spent.tokens > 0
    assert spent.answers == 1
    rag.settings = replace(rag.settings, monthly_budget=1)
    rag.conversations.record_unsaved(Usage(input_tokens=1, cost=2.0))
    assert not write(rag, server)
    assert len(server.message_requests) == 1, "nothing is sent once the budget is spent"


def test_none_that_is_answered_leaves_the_courses_own(rag: RAGSystem, server: AnthropicServer) -> None:
    own = suggested(rag)
    server.script(Turn(Text("Who won the football world cup in 1974?")))
    assert write(rag, server)
    assert suggested(rag) == own
    assert TIDES not in rag.courses.without_questions(), "the model is not asked again"


def test_a_server_that_fails_is_asked_another_time(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(ErrorReply(401, "authentication_error"))
    assert not write(rag, server)
    assert TIDES in rag.courses.without_questions()
