from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.providers.server_memory import ServerMemory
from app.domain.errors import RequestRefused
from tests.support.answering import QUESTION, ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, ErrorReply, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})
SAID = {
    "effort": "output_config",
    "thinking": "thinking",
    "cache_control": "cache_control",
}


def serving(*lacks: str) -> AnthropicServer:
    return AnthropicServer(models=(Model("claude-sonnet-5-5", "Sonnet", lacks=frozenset(lacks)),))


@pytest.mark.parametrize("name", sorted(SAID))
def test_a_field_the_server_refuses_is_left_out_and_remembered(name: str) -> None:
    memory = ServerMemory()
    with serving(name) as server:
        server.script(*[Turn(Text("Yes."))] * 2)
        first = ask(settings_for(server), memory=memory)
        second = ask(settings_for(server), memory=memory)
        assert (first.text, second.text) == ("Yes.", "Yes.")
        refused, *accepted = server.message_requests
        assert len(accepted) == 2, "refused once, then never sent again"
        assert SAID[name] in refused
        assert all(SAID[name] not in str(body) for body in accepted)
        others = {field for other, field in SAID.items() if other != name}
        assert all(other in body for body in accepted for other in others)


def test_all_of_them_can_be_missing() -> None:
    with serving("effort", "thinking", "cache_control", "citations") as server:
        server.script(
            Turn(SEARCH, stop_reason="tool_use"), Turn(Text("It stores the beginning of a prompt [1]."))
        )
        outcome = ask(settings_for(server))
        assert outcome.text == "It stores the beginning of a prompt."
        assert len(server.rejections) == 4


def test_the_memory_is_for_one_server_and_model_only() -> None:
    memory = ServerMemory()
    with serving("effort") as poor, AnthropicServer() as rich:
        poor.script(Turn(Text("Yes.")))
        rich.script(Turn(Text("Yes.")))
        ask(settings_for(poor), memory=memory)
        ask(settings_for(rich), memory=memory)
        assert "output_config" in rich.message_requests[0]


def test_a_refusal_that_names_nothing_we_can_spare_is_an_error() -> None:
    with AnthropicServer() as server:
        server.script(ErrorReply(400, "invalid_request_error", "metadata: the account is unknown"))
        assert isinstance(ask(settings_for(server)).error, RequestRefused)
        assert len(server.message_requests) == 1


def test_what_the_user_set_is_never_dropped() -> None:
    with AnthropicServer() as server:
        server.script(ErrorReply(400, "invalid_request_error", "max_tokens: too many"))
        assert isinstance(ask(settings_for(server)).error, RequestRefused)
        assert len(server.message_requests) == 1


def test_without_search_results_passages_are_numbered_text_and_marks_become_citations() -> None:
    memory = ServerMemory()
    with serving("citations") as server:
        answer = "A cached prompt is read at a tenth of the price [1]. It lives for five minutes [1]."
        server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text(answer)))
        outcome = ask(settings_for(server), memory=memory)
        assert outcome.text == "A cached prompt is read at a tenth of the price. It lives for five minutes."
        first, second = outcome.citations
        assert first.verified
        assert second.verified
        assert outcome.text[first.answer_start : first.answer_end] == (
            "A cached prompt is read at a tenth of the price"
        )
        assert first.source_n == second.source_n == 1
        plain = server.message_requests[-1]["messages"][-1]["content"][0]["content"]
        assert plain.startswith("Passage [1]\n[Computer Use - Lesson 1]\nPrompt caching stores")
        assert "Marking what you use" in server.message_requests[-1]["system"][-1]["text"]

        server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Yes.")))
        ask(settings_for(server), memory=memory)
        assert len(server.rejections) == 1, "the second time the server is not tried again"


def test_a_model_of_another_kind_gets_plain_text_from_the_start() -> None:
    with AnthropicServer(models=(Model("qwen3:8b", "Qwen"),), lists_models=False) as server:
        server.script(
            Turn(SEARCH, stop_reason="tool_use"), Turn(Text("A cached prompt is cheap to read [1]."))
        )
        outcome = ask(settings_for(server, model="qwen3:8b", api_key=server.key))
        assert outcome.citations[0].source_n == 1
        assert not server.rejections
        first = server.message_requests[0]
        assert "thinking" not in first


def test_a_model_whose_entry_says_it_can_not_cite_gets_plain_text() -> None:
    with AnthropicServer(models=(Model("claude-sonnet-5-5", "Sonnet", citations=False),)) as server:
        server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Yes.")))
        ask(settings_for(server))
        assert isinstance(server.message_requests[1]["messages"][-1]["content"][0]["content"], str)


def test_thinking_between_tools_only_where_it_is_listed() -> None:
    with AnthropicServer() as server:
        server.script(*[Turn(Text("Yes."))] * 2)
        ask(settings_for(server))
        ask(settings_for(server, model="claude-haiku-5"))
        sonnet, haiku = server.message_requests
        assert sonnet["thinking"] == {"type": "between_tools"}
        assert "thinking" not in haiku


def test_the_models_limit_is_kept() -> None:
    with AnthropicServer(models=(Model("claude-sonnet-5-5", "Sonnet", max_tokens=1000),)) as server:
        server.script(Turn(Text("Yes.")))
        assert ask(settings_for(server)).text == "Yes."
        assert server.message_requests[0]["max_tokens"] == 1000


def test_the_model_is_looked_up_once() -> None:
    memory = ServerMemory()
    for lists_models in (True, False):
        with AnthropicServer(lists_models=lists_models) as server:
            server.script(*[Turn(Text("Yes."))] * 3)
            for _ in range(3):
                ask(settings_for(server), memory=memory)
            assert [item.method for item in server.requests] == ["GET", "POST", "POST", "POST"]


def passages_before_the_question(body: dict[str, Any]) -> list[dict[str, Any]]:
    content = body["messages"][-1]["content"]
    assert content[-1] == {"type": "text", "text": QUESTION}
    assert content[0]["text"].startswith("(The courses")
    return list(content[1:-1])


def test_without_tools_the_library_is_searched_first_and_the_passages_go_along() -> None:
    memory = ServerMemory()
    with serving("tools") as server:
        server.script(*[Turn(Text("It stores the beginning.", citations=(Cite(),)))] * 2)
        outcome = ask(settings_for(server), memory=memory)
        assert outcome.text == "It stores the beginning."
        assert [search.query for search in outcome.searches] == [QUESTION]
        assert outcome.sources
        assert [citation.verified for citation in outcome.citations] == [True]
        refused, answered = server.message_requests
        assert "tools" in refused
        assert "tools" not in answered
        assert "tool_choice" not in answered
        passage, note = passages_before_the_question(answered)
        assert passage["type"] == "search_result"
        assert "was searched already" in note["text"]
        assert "tools" not in str(answered["system"])
        ask(settings_for(server), memory=memory)
        assert len(server.message_requests) == 3, "the second time the server is not offered any"


def test_without_tools_and_search_results_the_passages_are_numbered_text() -> None:
    with serving("tools", "citations") as server:
        server.script(Turn(Text("A cached prompt is read at a tenth of the usual price [1].")))
        outcome = ask(settings_for(server))
        assert outcome.text == "A cached prompt is read at a tenth of the usual price."
        assert [citation.verified for citation in outcome.citations] == [True]
        (plain,) = passages_before_the_question(server.message_requests[-1])
        assert plain["text"].startswith("Passage [1]\n[Computer Use - Lesson 1]\n")


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.example/library/gemma does not support tools"),
        (500, "tools param requires --jinja flag"),
        (422, "tool_choice: Extra inputs are not permitted"),
        (400, "Function calling is not supported by this model"),
        (501, "Tools are not available"),
    ],
)
def test_every_way_of_saying_that_there_are_no_tools(status: int, message: str) -> None:
    with AnthropicServer() as server:
        server.script(ErrorReply(status, "invalid_request_error", message), Turn(Text("Yes.")))
        assert ask(settings_for(server)).text == "Yes."
        assert "tools" not in server.message_requests[-1]


def test_tools_refused_in_the_middle_lose_nothing_that_was_found() -> None:
    with AnthropicServer() as server:
        server.script(
            Turn(SEARCH, stop_reason="tool_use"),
            ErrorReply(400, "invalid_request_error", "tools are not supported after a result"),
            Turn(Text("It stores the beginning.", citations=(Cite(),))),
        )
        outcome = ask(settings_for(server))
        assert [source.n for source in outcome.sources] == [1]
        assert outcome.citations[0].verified
        kinds = [block["type"] for block in passages_before_the_question(server.message_requests[-1])]
        assert kinds == ["search_result", "text"]


def test_a_complaint_about_a_tool_result_is_no_lack_of_tools() -> None:
    with AnthropicServer() as server:
        server.script(
            ErrorReply(400, "invalid_request_error", "messages.2: `tool_use` ids were found without results")
        )
        assert isinstance(ask(settings_for(server)).error, RequestRefused)


@pytest.fixture
def answering() -> Iterator[AnthropicServer]:
    with AnthropicServer() as running:
        yield running


def test_the_server_answers_by_itself_without_a_script(answering: AnthropicServer) -> None:
    outcome = ask(settings_for(answering))
    assert "Prompt caching stores the beginning" in outcome.text
    assert [citation.verified for citation in outcome.citations] == [True]
    assert not answering.rejections


def test_and_says_when_nothing_was_found(answering: AnthropicServer) -> None:
    assert "does not cover" in ask(settings_for(answering), question="Volcanoes of Iceland?").text
