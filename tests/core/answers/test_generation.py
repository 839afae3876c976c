from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.citations import GenerationEnd
from app.core.answers.providers.server_memory import ServerMemory
from app.domain.conversations import ChatMessage, StopReason
from app.domain.errors import ConnectionTrouble
from app.domain.events import AnswerCitation, AnswerText, SearchStarted, SourcesFound
from app.domain.scope import Scope
from tests.support.answering import EVERY_PROVIDER, QUESTION, ask, settings_for
from tests.support.scripted_turns import (
    Cite,
    Cut,
    ErrorReply,
    Malformed,
    RawBlock,
    Text,
    Thinking,
    ToolUse,
    Turn,
)

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.small_library import SmallLibrary

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})
CACHED = {"type": "ephemeral"}


def results_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for block in body["messages"][-1]["content"] if block["type"] == "tool_result"]


def test_an_answer_without_a_search_streams_word_by_word(server: AnthropicServer) -> None:
    server.script(Turn(Text("Seven times six is forty-two.")))
    outcome = ask(settings_for(server))
    assert [event.text for event in outcome.events if isinstance(event, AnswerText)] == [
        "Seven ",
        "times ",
        "six ",
        "is ",
        "forty-two.",
    ]
    assert outcome.end == GenerationEnd("end_turn", "claude-sonnet-5-5", None)
    assert len(server.message_requests) == 1


def test_a_search_is_announced_run_and_answered_from(server: AnthropicServer, library: SmallLibrary) -> None:
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("It stores the beginning of a prompt", citations=(Cite(0, 0, 1),)), Text(".")),
    )
    outcome = ask(settings_for(server), library=library)
    kinds = [type(event) for event in outcome.events if type(event).__name__ != "AnswerUsage"]
    order = list(dict.fromkeys(kinds))
    assert order == [SearchStarted, SourcesFound, AnswerText, AnswerCitation, GenerationEnd]
    assert outcome.searches == [SearchStarted("prompt caching")]
    assert [source.n for source in outcome.sources] == [1]
    assert outcome.text == "It stores the beginning of a prompt."
    assert library.searches_by_model == [("prompt caching", None, None)]
    assert not server.rejections


def test_passages_are_sent_as_search_results_one_block_a_sentence(server: AnthropicServer) -> None:
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Yes.")))
    outcome = ask(settings_for(server))
    (result,) = results_of(server.message_requests[1])
    (block,) = result["content"]
    assert block["type"] == "search_result"
    assert block["title"] == "Computer Use - Lesson 1"
    assert block["source"] == outcome.sources[0].ref
    assert block["citations"] == {"enabled": True}
    assert [part["text"] for part in block["content"]] == [
        "Prompt caching stores the beginning of a prompt on the server.",
        "A cached prompt is read at a tenth of the usual price.",
        "The cache lives for five minutes after each use.",
    ]


def test_several_calls_of_one_turn_are_answered_in_one_message(server: AnthropicServer) -> None:
    server.script(
        Turn(
            ToolUse("search_course_content", {"query": "prompt"}, id="toolu_a"),
            ToolUse("get_course_outline", {"course_name": "computer"}, id="toolu_b"),
            ToolUse("search_course_content", {"query": "galls"}, id="toolu_c"),
            stop_reason="tool_use",
        ),
        Turn(Text("Done.")),
    )
    outcome = ask(settings_for(server))
    assert outcome.text == "Done."
    results = results_of(server.message_requests[1])
    assert [result["tool_use_id"] for result in results] == ["toolu_a", "toolu_b", "toolu_c"]
    assert "Lesson 0: Part 0" in str(results[1]["content"][0])
    assert [source.n for source in outcome.sources] == [1, 2, 3]
    assert [search.query for search in outcome.searches] == ["prompt", "computer", "galls"]


def test_ten_calls_in_one_turn_are_all_answered_but_not_all_run(
    server: AnthropicServer, library: SmallLibrary
) -> None:
    calls = [ToolUse("search_course_content", {"query": f"prompt {n}"}) for n in range(10)]
    server.script(Turn(*calls, stop_reason="tool_use"), Turn(Text("Done.")))
    ask(settings_for(server), library=library)
    results = results_of(server.message_requests[1])
    assert len(results) == 10
    assert [result.get("is_error", False) for result in results] == [False] * 8 + [True] * 2
    assert len(library.searches_by_model) == 8


def test_wrong_arguments_and_unknown_tools_come_back_as_errors_in_words(server: AnthropicServer) -> None:
    server.script(
        Turn(
            ToolUse("search_course_content", {"query": 7}),
            ToolUse("search_course_content", ["caching"]),
            ToolUse("delete_everything", {}),
            stop_reason="tool_use",
        ),
        Turn(Text("Sorry.")),
    )
    outcome = ask(settings_for(server))
    results = results_of(server.message_requests[1])
    assert all(result["is_error"] for result in results)
    texts = [result["content"][0]["text"] for result in results]
    assert "query must be text" in texts[0]
    assert "object" in texts[1]
    assert "no tool named 'delete_everything'" in texts[2]
    assert outcome.searches == []
    assert outcome.text == "Sorry."


@EVERY_PROVIDER
def test_the_last_request_offers_no_tools(server: AnthropicServer) -> None:
    server.script(*[Turn(SEARCH, stop_reason="tool_use")] * 2, Turn(Text("Enough.")))
    outcome = ask(settings_for(server, max_rounds=2))
    first, second, last = server.message_requests
    assert first["tools"] == second["tools"]
    assert not last.keys() & {"tools", "tool_choice"}
    assert outcome.end.stop_reason == "end_turn"


@EVERY_PROVIDER
def test_a_server_that_insists_on_tools_is_shown_them(server: AnthropicServer) -> None:
    memory = ServerMemory()
    refusal = "Requests which include `tool_use` or `tool_result` blocks must define tools"
    server.script(
        Turn(SEARCH, stop_reason="tool_use"),
        ErrorReply(400, "invalid_request_error", refusal),
        Turn(Text("Enough.")),
    )
    assert ask(settings_for(server, max_rounds=1), memory=memory).text == "Enough."
    assert server.message_requests[-1]["tool_choice"] == {"type": "none"}


@EVERY_PROVIDER
def test_a_model_that_calls_tools_forever_is_stopped(server: AnthropicServer, library: SmallLibrary) -> None:
    server.answer_with(lambda body: Turn(SEARCH, stop_reason="tool_use"))
    outcome = ask(settings_for(server, max_rounds=3), library=library)
    assert len(server.message_requests) == 4
    assert len(library.searches_by_model) == 3
    assert outcome.end.stop_reason == "tool_use"
    assert "kept searching" in str(outcome.end.note)


def test_the_same_search_again_sends_no_passage_twice(server: AnthropicServer) -> None:
    server.script(*[Turn(SEARCH, stop_reason="tool_use")] * 3, Turn(Text("Yes.")))
    outcome = ask(settings_for(server))
    assert len(outcome.sources) == 1
    (again,) = results_of(server.message_requests[2])
    assert [block["type"] for block in again["content"]] == ["text"]
    assert "[1] Computer Use - Lesson 1" in again["content"][0]["text"]


def test_every_block_goes_back_unchanged(server: AnthropicServer) -> None:
    odd = {"type": "future_block", "payload": {"deep": [1, None, "ü"]}}
    hidden = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
    server.script(
        Turn(
            Thinking("Where would that be?"),
            RawBlock(hidden),
            RawBlock(odd),
            ToolUse("search_course_content", {"query": "prompt"}, id="toolu_x"),
            stop_reason="tool_use",
        ),
        Turn(Text("There.")),
    )
    outcome = ask(settings_for(server))
    assert outcome.text == "There."
    assert server.message_requests[1]["messages"][1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Where would that be?", "signature": "c2lnbmF0dXJl"},
            hidden,
            odd,
            {
                "type": "tool_use",
                "id": "toolu_x",
                "name": "search_course_content",
                "input": {"query": "prompt"},
            },
        ],
    }


@EVERY_PROVIDER
def test_thinking_is_never_shown(server: AnthropicServer) -> None:
    server.script(Turn(Thinking("The user is a student."), Text("Hello.")))
    assert ask(settings_for(server)).text == "Hello."


@EVERY_PROVIDER
def test_text_before_a_search_and_after_it_are_two_paragraphs(server: AnthropicServer) -> None:
    server.script(Turn(Text("One moment."), SEARCH, stop_reason="tool_use"), Turn(Text("It is cheap.")))
    assert ask(settings_for(server)).text == "One moment.\n\nIt is cheap."


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        ("end_turn", None),
        ("stop_sequence", None),
        ("max_tokens", "length limit"),
        ("refusal", "declined"),
        ("model_context_window_exceeded", "new chat"),
        ("a_reason_of_tomorrow", None),
    ],
)
@EVERY_PROVIDER
def test_every_stop_reason_ends_the_answer_with_its_note(
    server: AnthropicServer, reason: str, note: str | None
) -> None:
    server.script(Turn(Text("Some text."), stop_reason=reason))
    outcome = ask(settings_for(server))
    assert outcome.text == "Some text."
    assert outcome.end.stop_reason == reason
    if note is None:
        assert outcome.end.note is None
    else:
        assert note in str(outcome.end.note)


@EVERY_PROVIDER
def test_a_call_cut_off_by_max_tokens_is_dropped(server: AnthropicServer, library: SmallLibrary) -> None:
    cut = ToolUse("search_course_content", {"query": "prompt caching"}, cut_after=12)
    server.script(Turn(Text("Let me see."), cut, stop_reason="max_tokens"))
    outcome = ask(settings_for(server), library=library)
    assert outcome.end.stop_reason == "max_tokens"
    assert library.searches_by_model == []
    assert outcome.text == "Let me see."


def test_a_paused_turn_is_sent_back_unchanged_and_goes_on(server: AnthropicServer) -> None:
    server.script(Turn(Text("First half, "), stop_reason="pause_turn"), Turn(Text("second half.")))
    outcome = ask(settings_for(server))
    assert outcome.text == "First half, second half."
    assert server.message_requests[1]["messages"][-1] == {
        "role": "assistant",
        "content": [{"type": "text", "text": "First half, "}],
    }
    assert not server.rejections


def test_a_model_that_only_pauses_is_stopped(server: AnthropicServer) -> None:
    pauses = [Turn(Thinking(f"Pause {n}."), stop_reason="pause_turn") for n in range(7)]
    server.script(*pauses)
    outcome = ask(settings_for(server))
    assert outcome.end.stop_reason == "pause_turn"
    assert "paused" in str(outcome.end.note)


def test_a_tool_call_after_a_pause_is_run(server: AnthropicServer, library: SmallLibrary) -> None:
    server.script(
        Turn(Thinking("Hm."), stop_reason="pause_turn"),
        Turn(SEARCH, stop_reason="tool_use"),
        Turn(Text("It is cheap.")),
    )
    assert ask(settings_for(server), library=library).text == "It is cheap."
    assert len(library.searches_by_model) == 1


@EVERY_PROVIDER
def test_a_stream_that_ends_without_a_stop_reason_is_a_broken_connection(server: AnthropicServer) -> None:
    server.script(Turn(Text("It stores the begin", Cut(clean=True))))
    outcome = ask(settings_for(server))
    assert outcome.text == "It stores the begin"
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "was lost" in str(outcome.error)


@EVERY_PROVIDER
def test_an_empty_answer_says_so(server: AnthropicServer) -> None:
    server.script(Turn())
    outcome = ask(settings_for(server))
    assert outcome.end.stop_reason == "end_turn"
    assert "wrote nothing" in str(outcome.end.note)


@EVERY_PROVIDER
def test_an_endless_answer_is_cut(server: AnthropicServer) -> None:
    server.script(Turn(Text("again and " * 20_000)))
    outcome = ask(settings_for(server, longest_answer=5_000))
    assert outcome.end.stop_reason == StopReason.ENDLESS
    assert len(outcome.text) == 5_000


@EVERY_PROVIDER
def test_endless_thinking_is_cut_too(server: AnthropicServer) -> None:
    server.script(Turn(Thinking("round and " * 20_000)))
    assert ask(settings_for(server, longest_answer=5_000)).end.stop_reason == StopReason.ENDLESS


def test_earlier_exchanges_go_as_turns_of_their_own(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")))
    history = [ChatMessage("user", "Who invented ink?"), ChatMessage("assistant", "Nobody knows.")]
    ask(settings_for(server), history=history)
    (body,) = server.message_requests
    preface, *said = [block["text"] for turn in body["messages"] for block in turn["content"]]
    assert [turn["role"] for turn in body["messages"]] == ["user", "assistant", "user"]
    assert said == ["Who invented ink?", "Nobody knows.", QUESTION]
    assert preface.startswith("(The courses in the student's library")
    assert "Who invented ink?" not in str(body["system"])


def test_the_scope_is_told_in_the_users_turn_and_not_in_the_system_prompt(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")))
    scope = Scope(courses=("Computer Use",), up_to=(("Computer Use", 1),))
    ask(settings_for(server), scope=scope)
    (body,) = server.message_requests
    _, note, question = body["messages"][-1]["content"]
    assert "“Computer Use” up to lesson 1" in note["text"]
    assert question["text"] == QUESTION
    assert "Computer Use" not in str(body["system"])


def test_the_scope_holds_whatever_the_model_asks_for(server: AnthropicServer) -> None:
    anywhere = ToolUse("search_course_content", {"query": "prompt model galls", "course_name": "Computer"})
    server.script(Turn(anywhere, stop_reason="tool_use"), Turn(Text("No.")))
    outcome = ask(settings_for(server), scope=Scope(courses=("History of Writing",)))
    assert outcome.sources == []
    (result,) = results_of(server.message_requests[1])
    assert "No passage was found" in result["content"][0]["text"]


def test_what_can_be_cached_is_marked_and_does_not_change(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")), Turn(Text("No.")))
    first = ask(settings_for(server))
    second = ask(
        settings_for(server), question="And what is ink?", scope=Scope(courses=("History of Writing",))
    )
    one, two = server.message_requests
    assert one["cache_control"] == CACHED
    assert one["system"][-1]["cache_control"] == CACHED
    assert one["messages"][0]["content"][0]["cache_control"] == CACHED
    assert (one["system"], one["tools"]) == (two["system"], two["tools"])
    assert one["messages"][0]["content"][0] == two["messages"][0]["content"][0], "the list of courses"
    assert first.usage.cache_write_tokens > 0
    assert second.usage.cache_read_tokens == first.usage.cache_write_tokens


def test_no_cache_is_written_that_nobody_reads(server: AnthropicServer) -> None:
    """Passages are not sent again with the next question; only the beginning is the same."""
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Yes.")), Turn(Text("Yes.")))
    ask(settings_for(server))
    ask(settings_for(server, send_passages=True))
    assert [body.get("cache_control") for body in server.message_requests] == [CACHED, None, None]
    for body in server.message_requests:
        assert body["system"][-1]["cache_control"] == CACHED
        assert body["messages"][0]["content"][0]["cache_control"] == CACHED


@EVERY_PROVIDER
def test_tokens_are_summed_over_the_requests_of_an_answer(server: AnthropicServer) -> None:
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Yes.")))
    both = ask(settings_for(server)).usage
    server.script(Turn(Text("Yes.")))
    single = ask(settings_for(server)).usage
    assert both.input_tokens > single.input_tokens
    assert both.output_tokens > single.output_tokens > 0


def test_the_request_holds_what_the_model_is_known_to_take(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")))
    ask(settings_for(server, max_tokens=500, thinking_room=1000, effort="medium"))
    (body,) = server.message_requests
    assert body["max_tokens"] == 1500
    assert body["output_config"] == {"effort": "medium"}
    assert body["thinking"] == {"type": "between_tools"}
    assert "temperature" not in body


@EVERY_PROVIDER
def test_a_blank_question_is_not_a_bad_request(server: AnthropicServer) -> None:
    server.script(Turn(Text("What would you like to know?")))
    assert ask(settings_for(server), question="  ").text
    assert not server.rejections


def test_a_character_cut_in_two_between_events_is_put_together(server: AnthropicServer) -> None:
    halves = [
        '{"type": "text_delta", "text": "Ink \\ud83d"}',
        '{"type": "text_delta", "text": "\\ude00 dries."}',
    ]
    events = [f'{{"type": "content_block_delta", "index": 0, "delta": {half}}}' for half in halves]
    server.script(Turn(Text(*[Malformed(event) for event in events])))
    assert ask(settings_for(server)).text == "Ink \N{GRINNING FACE} dries."


def test_half_a_character_in_a_tool_call_does_not_stop_the_answer(server: AnthropicServer) -> None:
    call = ToolUse("search_course_content", {"query": "prompt \ud83d"})
    server.script(Turn(call, stop_reason="tool_use"), Turn(Text("Yes.")))
    assert ask(settings_for(server), question="What is \ud83d it?").text == "Yes."
    assert (
        server.message_requests[1]["messages"][0]["content"][-1]["text"]
        == "What is \N{REPLACEMENT CHARACTER} it?"
    )
