"""No answer about the courses begins without a search, whatever the model does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.grounding import compared, completed, leans_on_history
from app.core.answers.providers.server_memory import ServerMemory
from app.core.search.named_places import named_course, named_lesson
from app.domain.conversations import ChatMessage
from app.domain.errors import ConnectionTrouble
from app.domain.events import AnswerText, SearchStarted, SourcesFound
from app.domain.scope import Scope
from app.domain.sources import OUTLINE
from tests.support.answering import QUESTION, ask, settings_for
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, Cut, Gate, Text, Thinking, ToolUse, Turn, Wait
from tests.support.small_library import CoveringLibrary

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})
INVENTED = "Prompt caching was invented in 1971 by a committee of bakers. " * 10
SAID = Turn(Text("It stores the beginning", citations=(Cite(),)), Text("."))
PLAIN = (Model("small", "Small", listed=False, citations=False),)


def passages_of(body: dict[str, Any]) -> list[str]:
    """Return the titles of the passages that stand before the question."""
    content = body["messages"][-1]["content"]
    return [block["title"] for block in content if block["type"] == "search_result"]


def test_an_answer_without_a_search_is_asked_again_with_passages_and_never_shown(
    server: AnthropicServer,
) -> None:
    never = Gate()
    server.script(Turn(Text(INVENTED, Wait(never), "And so on.")), SAID)
    outcome = ask(settings_for(server), library=CoveringLibrary())
    assert outcome.text == "It stores the beginning."
    assert [citation.verified for citation in outcome.citations] == [True]
    assert outcome.searches == [SearchStarted(QUESTION)]
    first, second = server.message_requests
    assert passages_of(first) == []
    assert passages_of(second) == ["Computer Use - Lesson 1"]
    assert second["tools"] == first["tools"], "it may still search for more"
    assert server.disconnects.acquire(timeout=60), "the useless answer is not waited for"


def test_it_is_remembered_for_this_model_and_server(server: AnthropicServer) -> None:
    memory = ServerMemory()
    server.script(Turn(Text("Bakers did.")), *[SAID] * 2)
    for _ in range(2):
        outcome = ask(settings_for(server), library=CoveringLibrary(), memory=memory)
        assert outcome.text == "It stores the beginning."
    assert [bool(passages_of(body)) for body in server.message_requests] == [False, True, True]
    assert memory.of(server.url, "claude-sonnet-5-5").searches is False
    assert memory.of(server.url, "claude-haiku-5").searches is None


def test_what_the_library_does_not_cover_streams_at_once(server: AnthropicServer) -> None:
    never = Gate()
    server.script(Turn(Text("Forty-two.", Wait(never))))
    library = CoveringLibrary()
    library.covered = False
    memory = ServerMemory()
    outcome = ask(settings_for(server, timeout_read=0.3), library=library, memory=memory)
    assert outcome.text == "Forty-two.", "shown while the rest is still to come"
    assert outcome.sources == []
    assert memory.of(server.url, "claude-sonnet-5-5").searches is None


@pytest.mark.parametrize("said", ["Thanks!", "Hello", "ok, great", "  "])
def test_courtesies_are_not_searched_for(server: AnthropicServer, said: str) -> None:
    server.script(*[Turn(Text("You are welcome."))] * 2)
    library = CoveringLibrary()
    for send_passages in (False, True):
        outcome = ask(
            settings_for(server, send_passages=send_passages),
            question=said,
            library=library,
            history=[ChatMessage("user", QUESTION), ChatMessage("assistant", "It is cheap.")],
        )
        assert outcome.text == "You are welcome."
        assert outcome.sources == []
    assert library.searches == []


@pytest.mark.parametrize("said", ["OK, and why?", "Great, how is that?"])
def test_a_question_behind_a_courtesy_is_searched_for(server: AnthropicServer, said: str) -> None:
    server.script(Turn(Text("It stores the beginning.", citations=(Cite(0, 0, 1),))))
    library = CoveringLibrary()
    history = [ChatMessage("user", QUESTION), ChatMessage("assistant", "It is cheap.")]
    outcome = ask(settings_for(server, send_passages=True), question=said, library=library, history=history)
    assert outcome.sources
    assert library.searches


def test_an_outline_is_no_search_for_what_is_taught(server: AnthropicServer) -> None:
    outline = ToolUse("get_course_outline", {"course_name": "Computer Use"})
    invented = Text("It was invented in 1492 by sailors who had nothing else to do with their prompts.")
    server.script(Turn(outline, stop_reason="tool_use"), Turn(invented), SAID)
    memory = ServerMemory()
    outcome = ask(settings_for(server), library=CoveringLibrary(), memory=memory)
    assert "1492" not in outcome.text
    assert outcome.sources
    assert memory.of(server.url, "claude-sonnet-5-5").searches is None, "it does call tools"


def test_a_sentence_before_a_search_is_no_answer(server: AnthropicServer) -> None:
    memory = ServerMemory()
    server.script(Turn(Text("One moment, I look that up."), SEARCH, stop_reason="tool_use"), SAID)
    outcome = ask(settings_for(server), library=CoveringLibrary(), memory=memory)
    assert outcome.text == "One moment, I look that up.\n\nIt stores the beginning."
    assert len(server.message_requests) == 2
    assert memory.of(server.url, "claude-sonnet-5-5").searches is None


def test_a_call_that_was_wrong_is_no_search(server: AnthropicServer) -> None:
    wrong = ToolUse("search_course_content", {"words": 7})
    server.script(Turn(wrong, stop_reason="tool_use"), Turn(Text("Bakers did.")), SAID)
    outcome = ask(settings_for(server), library=CoveringLibrary())
    assert outcome.text == "It stores the beginning."
    assert not server.rejections


@pytest.mark.parametrize("reason", ["refusal", "model_context_window_exceeded"])
def test_what_is_no_answer_is_shown_as_it_is(server: AnthropicServer, reason: str) -> None:
    server.script(Turn(Text("I cannot."), stop_reason=reason))
    outcome = ask(settings_for(server), library=CoveringLibrary())
    assert (outcome.text, outcome.end.stop_reason) == ("I cannot.", reason)


def test_an_empty_reply_says_so_and_proves_nothing(server: AnthropicServer) -> None:
    memory = ServerMemory()
    server.script(Turn(Thinking("Hm.")))
    outcome = ask(settings_for(server), library=CoveringLibrary(), memory=memory)
    assert "wrote nothing" in str(outcome.end.note)
    assert memory.of(server.url, "claude-sonnet-5-5").searches is None


def test_a_connection_that_breaks_shows_nothing_of_what_was_held_back(server: AnthropicServer) -> None:
    server.answer_with(lambda _: Turn(Text("Bakers did", Cut())))
    outcome = ask(settings_for(server), library=CoveringLibrary())
    assert isinstance(outcome.error, ConnectionTrouble)
    assert outcome.text == ""


def test_the_tokens_of_the_useless_request_are_counted(server: AnthropicServer) -> None:
    server.script(Turn(Text(INVENTED)), SAID)
    both = ask(settings_for(server), library=CoveringLibrary()).usage
    server.script(SAID)
    single = ask(settings_for(server, send_passages=True), library=CoveringLibrary()).usage
    assert both.prompt_tokens > single.prompt_tokens


def test_the_setting_sends_passages_along_and_takes_one_request(server: AnthropicServer) -> None:
    server.script(SAID)
    outcome = ask(settings_for(server, send_passages=True), library=CoveringLibrary())
    order = [type(event) for event in outcome.events if isinstance(event, SearchStarted | SourcesFound)]
    assert order == [SearchStarted, SourcesFound]
    (body,) = server.message_requests
    assert passages_of(body)
    assert [tool["name"] for tool in body["tools"]][0] == "search_course_content"
    assert body["messages"][-1]["content"][-1]["text"] == QUESTION


def test_with_passages_along_the_model_may_search_for_more(server: AnthropicServer) -> None:
    more = ToolUse("search_course_content", {"query": "tool schema"})
    server.script(Turn(more, stop_reason="tool_use"), Turn(Text("Both.", citations=(Cite(1),))))
    outcome = ask(settings_for(server, send_passages=True), library=CoveringLibrary())
    assert [source.n for source in outcome.sources] == [1, 2]
    assert outcome.citations[0].source_n == 2
    assert passages_of({"messages": server.message_requests[1]["messages"][:1]})


def test_without_citations_of_its_own_the_passages_are_numbered_text(server: AnthropicServer) -> None:
    server.models = PLAIN
    server.script(Turn(Text("A cached prompt is read at a tenth of the usual price [1].")))
    outcome = ask(settings_for(server, model="small", send_passages=True), library=CoveringLibrary())
    assert [citation.verified for citation in outcome.citations] == [True]
    assert "Passage [1]" in server.message_requests[0]["messages"][-1]["content"][1]["text"]


def test_a_search_of_our_own_that_fails_leaves_the_model_to_answer(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    library.fails = True
    server.script(Turn(Text("I do not know.")))
    assert ask(settings_for(server), library=library).text == "I do not know."


HISTORY = [
    ChatMessage("user", "What is prompt caching?"),
    ChatMessage("assistant", "It stores the beginning of a prompt."),
]


@pytest.mark.parametrize("question", ["Why?", "How long does it live on the server?", "And the price?"])
def test_a_follow_up_is_completed_from_the_exchange_before(question: str) -> None:
    assert completed(question, HISTORY) == f"What is prompt caching? {question}"
    assert completed(question, []) == question


def test_a_follow_up_of_a_follow_up_goes_back_to_what_both_mean() -> None:
    history = [*HISTORY, ChatMessage("user", "Why?"), ChatMessage("assistant", "It is cheap.")]
    assert completed("Really?", history) == "What is prompt caching? Why? Really?"


@pytest.mark.parametrize(
    "question",
    ["How does a tool describe a schema?", "What is the rule that says when iron gall ink darkens?"],
)
def test_a_whole_question_stands_for_itself(question: str) -> None:
    assert not leans_on_history(question)
    assert completed(question, HISTORY) == question


def test_a_follow_up_rests_on_the_sources_of_the_answer_before(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    server.script(SAID)
    before = ask(settings_for(server, send_passages=True), library=library).sources
    server.script(Turn(Text("The cache lives for five minutes.", citations=(Cite(0, 2, 3),))))
    memory = ServerMemory()
    outcome = ask(
        settings_for(server),
        question="How long does it live?",
        history=HISTORY,
        library=library,
        kept=before,
        memory=memory,
    )
    assert [citation.verified for citation in outcome.citations] == [True]
    assert [source.ref for source in outcome.sources] == [source.ref for source in before]
    assert len(server.message_requests) == 2, "no search was needed"
    assert memory.of(server.url, "claude-sonnet-5-5").searches is None


def test_a_question_of_its_own_does_not_carry_them(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    server.script(SAID)
    before = ask(settings_for(server, send_passages=True), library=library).sources
    library.covered = False
    server.script(Turn(Text("From oak galls.")))
    outcome = ask(settings_for(server), question="How was iron gall ink made?", library=library, kept=before)
    assert outcome.sources == []


def test_sources_outside_the_scope_are_not_carried_over(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    server.script(SAID)
    before = ask(settings_for(server, send_passages=True), library=library).sources
    server.script(Turn(Text("No.")))
    outcome = ask(
        settings_for(server),
        question="Why?",
        library=library,
        kept=before,
        scope=Scope(courses=("History of Writing",)),
    )
    assert outcome.sources == []


def test_the_course_and_lesson_that_the_question_names_are_searched(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    server.script(SAID)
    question = "What does lesson 1 of Computer Use say about prompt caching?"
    outcome = ask(settings_for(server, send_passages=True), question=question, library=library)
    assert outcome.searches == [SearchStarted(question, "Computer Use", 1)]
    assert library.searches == [(question, "Computer Use", 1)]


def test_words_that_only_look_like_a_place_do_not_hide_the_answer(server: AnthropicServer) -> None:
    library = CoveringLibrary()
    server.script(SAID)
    question = "What is prompt caching in lesson 99?"
    outcome = ask(settings_for(server, send_passages=True), question=question, library=library)
    assert [source.hit.lesson_number for source in outcome.sources] == [1]


TITLES = ["History of Writing", "Statistics", "Computer Use", "Computer Use 2", "MCP Basics: Build an App"]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("In the history of writing, who used ink?", "History of Writing"),
        ("What does the writing course say about ink?", "History of Writing"),
        ("What is taught in the statistics course?", "Statistics"),
        ("What are statistics good for?", None),
        ("Does Computer Use 2 mention tools?", "Computer Use 2"),
        ("Compare Computer Use with the History of Writing.", None),
        ("Who teaches MCP Basics?", "MCP Basics: Build an App"),
        ("What is the best course of action?", None),
    ],
)
def test_the_course_a_question_names(question: str, title: str | None) -> None:
    assert named_course(question, TITLES) == title


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("What is in lesson 3?", 3),
        ("Lecture 12 mentions ink. Where?", 12),
        ("Compare lesson 1 and 2", None),
        ("Compare lesson 1 with lesson 2", None),
        ("Was steht in Lektion 4?", 4),
        ("How many lessons are there in 2024?", None),
    ],
)
def test_the_lesson_a_question_names(question: str, number: int | None) -> None:
    assert named_lesson(question) == number


def test_text_is_shown_word_by_word_once_it_may_be(server: AnthropicServer) -> None:
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("It is cheap to read.")))
    outcome = ask(settings_for(server), library=CoveringLibrary())
    assert len([event for event in outcome.events if isinstance(event, AnswerText)]) == 5


def test_a_question_about_a_whole_course_gets_its_outline_along(server: AnthropicServer) -> None:
    server.script(Turn(Text("Lesson 1: Part 1", citations=(Cite(1, 5, 6),))))
    outcome = ask(
        settings_for(server, send_passages=True),
        question="Which lessons has the Computer Use course?",
        library=CoveringLibrary(),
    )
    outline = outcome.sources[-1]
    assert outline.hit.chunk_index == OUTLINE
    assert outline.texts[0] == "Course: Computer Use"
    (citation,) = outcome.citations
    assert citation.verified
    assert citation.source_n == outline.n
    assert citation.cited_text.startswith("Lesson 1: Part 1")


def test_an_outline_can_be_cited_and_is_not_sent_twice(server: AnthropicServer) -> None:
    outline = ToolUse("get_course_outline", {"course_name": "computer"})
    server.script(
        *[Turn(outline, stop_reason="tool_use")] * 2,
        Turn(Text("It is Ada's.", citations=(Cite(0, 1, 2),))),
    )
    outcome = ask(settings_for(server), question="Whose course is this?", library=CoveringLibrary())
    assert [citation.cited_text for citation in outcome.citations] == ["Instructor: Ada Example"]
    assert outcome.citations[0].verified
    assert len(outcome.sources) == 1


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What is the difference between iron gall ink and a cached prompt?",
            ["iron gall ink", "a cached prompt?"],
        ),
        ("Compare tools with ink.", ["tools", "ink."]),
        ("Prompt caching vs. tool schemas", ["Prompt caching", "tool schemas"]),
        ("How does a tool differ from a prompt?", ["How does a tool", "a prompt?"]),
        ("What is prompt caching?", []),
        ("Between you and me, is it cheap?", []),
    ],
)
def test_the_parts_of_a_comparison(question: str, parts: list[str]) -> None:
    assert compared(question) == parts


def test_each_part_of_a_comparison_is_searched(server: AnthropicServer) -> None:
    server.script(SAID)
    library = CoveringLibrary()
    question = "What is the difference between iron gall and prompt caching?"
    outcome = ask(settings_for(server, send_passages=True), question=question, library=library)
    assert [searched for searched, _, _ in library.searches] == [question, "iron gall", "prompt caching?"]
    assert {source.hit.course_title for source in outcome.sources} == {"History of Writing", "Computer Use"}
    assert len({source.ref for source in outcome.sources}) == len(outcome.sources)
