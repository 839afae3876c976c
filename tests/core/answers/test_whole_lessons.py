"""What an answer is given of a whole lesson, from a real library and over the wire."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.domain.events import AnswerDone, ReadingStarted
from app.domain.scope import taught_so_far
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import ingest
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, Text, ToolUse, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.answers.providers.base import ModelSettings
    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange

BREAD = "Bread Baking at Home"
READ = ToolUse("read_lesson", {"course_name": "bread", "lesson_number": 1})
SUMMARY = "A starter that doubles within six hours is ready to raise a loaf."


def test_a_lesson_is_read_and_its_sentences_cited(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(READ, stop_reason="tool_use"), Turn(Text(SUMMARY, citations=(Cite(0, 2, 3),))))
    outcome = ask(settings_for(server), question="Summarise lesson 1 of the bread course", library=rag.search)
    assert outcome.text == SUMMARY
    assert ReadingStarted("bread", 1, 1) in outcome.events
    (source,) = outcome.sources
    assert (source.hit.course_title, source.hit.lesson_number) == (BREAD, 1)
    assert len(source.texts) == 3
    (citation,) = outcome.citations
    assert citation.verified
    assert citation.cited_text == SUMMARY
    results = server.message_requests[-1]["messages"][-1]["content"][0]["content"]
    assert [block["type"] for block in results] == ["search_result", "text"]
    assert results[1]["text"] == "This is all of it."
    assert not server.rejections


def test_only_what_is_cited_of_a_lesson_is_shown(rag: RAGSystem, server: AnthropicServer) -> None:
    course = ToolUse("read_lesson", {"course_name": "bread"})
    kneading = "Kneading lines up the gluten so that the dough can hold gas."
    server.script(Turn(course, stop_reason="tool_use"), Turn(Text(f"{kneading} {SUMMARY}")))
    exchange = answered(rag, "Summarise the bread baking course", settings_for(server))
    assert [source.hit.lesson_number for source in exchange.sources] == [1, 2]
    assert exchange.in_line_count == len(exchange.claims) == 2
    assert len(server.message_requests[-1]["messages"][-1]["content"][0]["content"]) == 4


def test_a_model_without_citations_marks_what_it_read(rag: RAGSystem) -> None:
    plain = Model("plain", "Plain", lacks=frozenset({"citations"}))
    with AnthropicServer(models=(plain,)) as server:
        server.script(Turn(READ, stop_reason="tool_use"), Turn(Text(f"{SUMMARY[:-1]} [1].")))
        outcome = ask(settings_for(server, model="plain"), question="Summarise lesson 1", library=rag.search)
    assert outcome.text == SUMMARY
    assert [(citation.source_n, citation.verified) for citation in outcome.citations] == [(1, True)]


def test_what_was_read_is_not_sent_twice(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(*[Turn(READ, stop_reason="tool_use")] * 2, Turn(Text("Done.")))
    outcome = ask(settings_for(server), question="Summarise lesson 1", library=rag.search)
    assert outcome.sources == []
    (again,) = server.message_requests[-1]["messages"][-1]["content"][0]["content"]
    assert again["text"] == "This is all of it. Given above already: [1]."


def test_a_lesson_outside_the_scope_is_not_read(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(Turn(READ, stop_reason="tool_use"), Turn(Text("It is not there.")))
    scope = taught_so_far(BREAD, 0)
    outcome = ask(settings_for(server), question="Summarise lesson 1", library=rag.search, scope=scope)
    assert outcome.sources == []
    assert "no text that this question may use" in str(server.message_requests[-1])
    assert "doubles within six hours" not in str(server.message_requests)


def test_calls_that_make_no_sense_are_explained(rag: RAGSystem, server: AnthropicServer) -> None:
    calls = [
        {"lesson_number": 1},
        {"course_name": "bread", "lesson_number": 9},
        {"course_name": "bread", "part": 7},
        {"course_name": "bread", "part": "last"},
    ]
    turn = Turn(*(ToolUse("read_lesson", call) for call in calls), stop_reason="tool_use")
    server.script(turn, Turn(Text("Done.")))
    outcome = ask(settings_for(server), question="Summarise it", library=rag.search)
    told = [result["content"][0]["text"] for result in server.message_requests[-1]["messages"][-1]["content"]]
    assert told[0].startswith("read_lesson: course_name is missing")
    assert told[1].startswith(f"Lesson 9 of '{BREAD}' has no text")
    assert told[2] == f"'{BREAD}' has 1 part."
    assert "whole number" in told[3]
    assert outcome.text == "Done."


def test_without_a_model_a_lesson_is_told_in_its_own_words(rag: RAGSystem) -> None:
    exchange = search_only(rag, "Summarise lesson 1 of Bread Baking at Home")
    assert exchange.model is None
    title = "### Lesson 1: Sourdough starters · Bread Baking at Home"
    assert exchange.answer.startswith(f"{title}\n\n> A sourdough starter is flour and water")
    assert {source.hit.lesson_number for source in exchange.sources} == {1}
    assert len(exchange.citations) == len(exchange.sources)
    for citation in exchange.citations:
        assert citation.verified
        assert exchange.answer[citation.answer_start : citation.answer_end].startswith("> ")
    assert exchange.covered is True


def test_without_a_model_a_course_is_told_in_its_own_words(rag: RAGSystem) -> None:
    exchange = search_only(rag, "Give me an overview of the bread baking course")
    assert exchange.answer.startswith(f"### {BREAD}\n\n**Before you start**\n\n> A kitchen scale matters")
    assert "**Sourdough starters**\n\n> A sourdough starter" in exchange.answer


def test_without_a_model_a_lesson_of_several_courses_is_asked_back_for(rag: RAGSystem) -> None:
    exchange = search_only(rag, "Summarise lesson 1")
    assert exchange.answer.startswith("Several courses have a lesson 1:")
    assert exchange.sources == ()


def test_a_server_without_tools_gets_the_lesson_along(rag: RAGSystem) -> None:
    plain = Model("plain", "Plain", lacks=frozenset({"tools", "citations"}))
    with AnthropicServer(models=(plain,)) as server:
        server.script(*[Turn(Text(f"{SUMMARY[:-1]} [1]."))] * 4)
        outcome = ask(
            settings_for(server, model="plain"),
            question="Summarise lesson 1 of Bread Baking at Home",
            library=rag.search,
        )
    assert ReadingStarted(BREAD, 1) in outcome.events
    (source,) = outcome.sources
    assert len(source.texts) == 3
    assert [citation.verified for citation in outcome.citations] == [True]
    assert "This is all of it." in str(server.message_requests[-1])


def search_only(rag: RAGSystem, question: str) -> Exchange:
    return answered(rag, question, None)


def answered(rag: RAGSystem, question: str, connection: ModelSettings | None) -> Exchange:
    async def run() -> Exchange:
        async for event in rag.answers.query(question, connection):
            last = event
        await rag.answers.disconnect()
        assert isinstance(last, AnswerDone)
        return last.exchange

    return asyncio.run(run())


SYLLABUS = """\
# Soft Matter

This is the page of a course taught in the spring of 2026 by Professors Ada Moreno and Jan R. Holm.

| Textbook | None is needed; the notes are enough. |
|-----------|------|
| Grading | Homework counts 40 percent, the final exam 60 percent. |

The final exam is on 3 June at nine o'clock in the large hall.
"""
LESSON = "# Foams\n\nMost of a foam is gas. Who teaches it to grow? Its films do, until they burst.\n"


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who teaches the course?", "> This is the page of a course taught in the spring of 2026"),
        ("who are the profs?", "> This is the page of a course taught in the spring of 2026"),
        ("How is it graded?", "> Grading: Homework counts 40 percent, the final exam 60 percent."),
        ("When is the exam?", "> The final exam is on 3 June"),
        ("Is there a textbook?", "> Textbook: None is needed; the notes are enough."),
    ],
)
def test_what_is_asked_of_a_course_itself_is_looked_for_in_its_syllabus(
    rag: RAGSystem, tmp_path: Path, question: str, first: str
) -> None:
    folder = tmp_path / "soft"
    folder.mkdir()
    (folder / "syllabus.md").write_text(SYLLABUS, encoding="utf-8")
    (folder / "01 Foams.md").write_text(LESSON, encoding="utf-8")
    ingest(rag, folder)
    quotations = [line for line in search_only(rag, question).answer.split("\n") if line.startswith("> ")]
    assert quotations[0].startswith(first)
    assert rag.search.retrieve(question).covered
