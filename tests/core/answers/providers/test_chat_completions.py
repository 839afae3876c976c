"""What servers of chat completions do each in their own way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.providers.base import ModelSettings, ReplyEvent, TextDelta, ToolCall
from app.core.answers.providers.openai.chat_reader import ChatReader
from app.core.answers.providers.server_memory import ServerMemory
from app.domain.conversations import StopReason
from app.domain.errors import KeyProblem, RequestRefused, ServerBusy
from app.domain.model_servers import Usage
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import ErrorReply, Text, Thinking, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator


SEARCH = "search_course_content"
SIGNED = {"google": {"thought_signature": "c2lnbmF0dXJl"}}


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer(provider="openai") as running:
        yield running


def read(*deltas: dict[str, Any], reason: str | None = "stop") -> tuple[ChatReader, list[ReplyEvent]]:
    reader = ChatReader()
    seen = [event for delta in deltas for event in reader.feed({"choices": [{"delta": delta}]})]
    return reader, seen + reader.feed({"choices": [{"delta": {}, "finish_reason": reason}]})


def calls_of(events: list[ReplyEvent]) -> list[tuple[str, object]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolCall)]


def piece(arguments: object, name: str = "", **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**fields, "type": "function", "function": {"name": name or None, "arguments": arguments}}


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param(
            [
                piece("", "a", index=0, id="1"),
                piece('{"q"', index=0),
                piece("", "b", index=1, id="2"),
                piece(": 1}", index=0),
                piece("{}", index=1),
            ],
            id="OpenAI's, in turns",
        ),
        pytest.param([piece('{"q": 1}', "a", id="1"), piece("{}", "b", id="2")], id="Gemini's"),
        pytest.param([piece('{"q": 1}', "a"), piece("{}", "b")], id="without ids"),
        pytest.param(
            [piece('{"q": 1}', "a", index=0, id="1"), piece("{}", "b", index=0, id="2")], id="all of index 0"
        ),
        pytest.param([piece('{"q"', "a", id="1"), piece(": 1}"), piece("", "b", id="2")], id="cut, no index"),
        pytest.param([piece({"q": 1}, "a", index=0), piece({}, "b", index=1)], id="as objects"),
    ],
)
def test_calls_are_put_together(pieces: list[dict[str, Any]]) -> None:
    reader, apart = read(*({"tool_calls": [one]} for one in pieces))
    _, together = read({"tool_calls": pieces})
    assert calls_of(apart) == calls_of(together) == [("a", {"q": 1}), ("b", {})]
    sent = reader.sent_back(None)["tool_calls"]
    assert len({call["id"] for call in sent}) == 2
    assert [json.loads(call["function"]["arguments"]) for call in sent] == [{"q": 1}, {}]


def test_what_a_server_adds_to_a_call_goes_back_with_it() -> None:
    reader, _ = read({"tool_calls": [piece("{}", "a", id="1")]}, {"tool_calls": [{"extra_content": SIGNED}]})
    assert reader.sent_back(None)["tool_calls"][0]["extra_content"] == SIGNED


def test_broken_arguments_reach_the_tool_and_go_back_as_json() -> None:
    reader, seen = read({"tool_calls": [piece('{"q": ', "a", index=0)]})
    assert calls_of(seen) == [("a", '{"q": ')]
    assert reader.sent_back(None)["tool_calls"][0]["function"]["arguments"] == "{}"


@pytest.mark.parametrize(
    "delta",
    [
        {"reasoning_content": "Hm."},
        {"reasoning": "Hm."},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]},
    ],
)
def test_thoughts_are_not_shown(delta: dict[str, Any]) -> None:
    reader, seen = read(delta, {"content": [{"type": "text", "text": "Yes."}]})
    assert [event.text for event in seen if isinstance(event, TextDelta)] == ["Yes."]
    assert reader.thinks


def test_thoughts_go_back_only_in_the_form_that_servers_ask_for() -> None:
    said = {"content": "Yes."}
    assert read({"reasoning_content": "Hm."}, said)[0].sent_back(None)["reasoning_content"] == "Hm."
    assert read({"reasoning": "Hm."}, said)[0].sent_back(None) == {"role": "assistant", "content": "Yes."}


def test_half_a_character_waits_for_its_other_half() -> None:
    _, seen = read({"content": "Ink \ud83d"}, {"content": "\ude00"})
    assert "".join(event.text for event in seen if isinstance(event, TextDelta)) == "Ink 😀"


@pytest.mark.parametrize(
    ("reason", "stored"),
    [("stop", StopReason.END), ("length", StopReason.LENGTH), ("content_filter", StopReason.REFUSED)],
)
def test_why_it_stopped(reason: str, stored: str) -> None:
    reader, seen = read({"tool_calls": [piece("{}", "a", index=0)]}, reason=reason)
    assert reader.stop_reason == stored
    assert len(calls_of(seen)) == (0 if reason == "length" else 1)


def test_usage_comes_behind_the_end_and_counts_thoughts() -> None:
    reader, _ = read({"content": "Yes."})
    counted = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 135}
    cached = {"prompt_tokens_details": {"cached_tokens": 80}}
    assert reader.feed({"choices": [], "usage": {**counted, **cached}}) == [Usage(20, 35, 80)]
    assert reader.thinks


@pytest.mark.parametrize(
    ("lacks", "said", "without", "has"),
    [
        (
            "max_tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("effort", "Unrecognized request argument supplied: reasoning_effort", "reasoning_effort", "model"),
        ("effort", '"qwen3" does not support thinking', "reasoning_effort", "model"),
        (
            "usage",
            '{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"]}]}',
            "stream_options",
            "model",
        ),
        ("tools", "Failed to call a function. Please adjust your prompt.", "tools", "model"),
    ],
)
def test_what_a_server_refuses_is_left_out_from_then_on(
    server: AnthropicServer, lacks: str, said: str, without: str, has: str
) -> None:
    memory = ServerMemory()
    server.script(ErrorReply(400, "invalid_request_error", said), *[Turn(Text("Yes."))] * 2)
    assert ask(settings_for(server), memory=memory).text == "Yes."
    assert ask(settings_for(server), memory=memory).text == "Yes."
    first, *others = server.sent_bodies
    assert without in first
    assert len(others) == 2
    assert all(without not in body and has in body for body in others)


@pytest.mark.parametrize(
    ("status", "body", "expected", "says"),
    [
        (
            400,
            [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}],
            KeyProblem,
            "",
        ),
        (401, {"message": "Unauthorized", "request_id": "1"}, KeyProblem, ""),
        (404, {"detail": "Not Found"}, RequestRefused, "is not a model server"),
        (
            404,
            {"error": {"code": 404, "message": "no such model", "status": "NOT_FOUND"}},
            RequestRefused,
            "know the model",
        ),
        (
            429,
            {
                "error": {
                    "message": "You exceeded your current quota, please check your plan.",
                    "type": "insufficient_quota",
                }
            },
            RequestRefused,
            "no credit",
        ),
        (
            429,
            {"error": {"message": "Rate limit exceeded: free-models-per-day."}},
            RequestRefused,
            "free-models-per-day",
        ),
        (
            429,
            [
                {
                    "error": {
                        "code": 429,
                        "message": "You exceeded your current quota. Please retry in 34s.",
                        "details": [{"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]}],
                    }
                }
            ],
            RequestRefused,
            "PerDay",
        ),
        (
            429,
            {"error": {"message": "Daily limit reached. Try again in 24 hours."}},
            RequestRefused,
            "24 hours",
        ),
        (
            429,
            {"error": {"message": "Rate limit reached. Please try again in 7m12.5s."}},
            ServerBusy,
            "7 minutes",
        ),
        (400, {"error": "the model has crashed"}, RequestRefused, "the model has crashed"),
    ],
)
def test_errors_of_every_form(
    server: AnthropicServer, status: int, body: object, expected: type[Exception], says: str
) -> None:
    server.script(ErrorReply(status, body=json.dumps(body), content_type="application/json"))
    error = ask(settings_for(server)).error
    assert type(error) is expected
    assert says in str(error)


def test_a_limit_of_the_minute_is_waited_for(server: AnthropicServer) -> None:
    said = [
        {"error": {"message": "You exceeded your current quota, plan and billing. Please retry in 2.5s."}}
    ]
    busy = ErrorReply(429, body=json.dumps(said), content_type="application/json")
    server.script(busy, Turn(Text("Yes.")))
    assert ask(settings_for(server)).text == "Yes."


def test_thoughts_and_calls_go_back_and_forth(server: AnthropicServer) -> None:
    call = ToolUse(SEARCH, {"query": "prompt caching"})
    server.script(Turn(Thinking("Where?"), call, stop_reason="tool_use"), Turn(Text("It is cheap [1].")))
    outcome = ask(settings_for(server))
    assert outcome.text == "It is cheap."
    assert outcome.citations[0].source_n == 1
    assert not server.rejections
    assert outcome.usage.output_tokens > 0


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("https://api.openai.com", "https://api.openai.com/v1"),
        ("https://api.openai.com/v1/", "https://api.openai.com/v1"),
        ("https://llm.uni.example/api/v1/chat/completions", "https://llm.uni.example/api/v1"),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai",
        ),
        ("http://localhost:11434", "http://localhost:11434/v1"),
    ],
)
def test_addresses(given: str, used: str) -> None:
    assert ModelSettings("m", given, provider="openai").address == used


def test_a_service_needs_a_key_before_anything_is_sent() -> None:
    settings = ModelSettings("m", "https://api.groq.com/openai/v1", provider="openai")
    assert isinstance(ask(settings).error, KeyProblem)
