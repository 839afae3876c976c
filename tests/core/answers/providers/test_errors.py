from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
)
from app.domain.events import AnswerWaiting
from tests.support.answering import EVERY_PROVIDER, ask, settings_for
from tests.support.scripted_turns import (
    Cut,
    ErrorReply,
    Gate,
    Malformed,
    StreamError,
    Text,
    ToolUse,
    Turn,
    Wait,
)
from tests.support.sentences import check_sentence
from tests.support.small_library import SmallLibrary

if TYPE_CHECKING:
    from tests.support.anthropic_server import AnthropicServer

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})


@pytest.mark.parametrize(
    ("status", "kind", "expected", "words"),
    [
        (400, "invalid_request_error", RequestRefused, "settings"),
        (401, "authentication_error", KeyProblem, "does not accept this API key"),
        (402, "billing_error", RequestRefused, "no credit"),
        (403, "permission_error", KeyProblem, "may not use claude-sonnet-5-5"),
        (404, "not_found_error", RequestRefused, "does not know the model “claude-sonnet-5-5”"),
        (413, "request_too_large", RequestRefused, "too long"),
        (429, "rate_limit_error", ServerBusy, "Too many requests"),
        (500, "api_error", TemporaryError, "has a problem (500)"),
        (502, "api_error", TemporaryError, "has a problem"),
        (503, "api_error", ServerBusy, "overloaded"),
        (504, "timeout_error", TemporaryError, "has a problem"),
        (529, "overloaded_error", ServerBusy, "overloaded"),
    ],
)
@EVERY_PROVIDER
def test_every_status_has_its_sentence(
    server: AnthropicServer, status: int, kind: str, expected: type[LecternError], words: str
) -> None:
    server.script(*[ErrorReply(status, kind, "Something about it")] * 3)
    outcome = ask(settings_for(server))
    assert type(outcome.error) is expected
    assert words in check_sentence(outcome.error)
    assert all(isinstance(event, AnswerWaiting) for event in outcome.events)


@EVERY_PROVIDER
def test_a_refused_request_says_what_the_server_said(server: AnthropicServer) -> None:
    server.script(ErrorReply(400, "invalid_request_error", "max_tokens: 2800 is more than 1024"))
    assert "max_tokens: 2800 is more than 1024." in str(ask(settings_for(server)).error)


@EVERY_PROVIDER
def test_a_prompt_that_is_too_long_says_to_start_a_new_chat(server: AnthropicServer) -> None:
    server.script(
        ErrorReply(400, "invalid_request_error", "prompt is too long: 201000 tokens > 200000 maximum")
    )
    assert "Start a new chat" in str(ask(settings_for(server)).error)


@EVERY_PROVIDER
def test_a_long_explanation_is_cut(server: AnthropicServer) -> None:
    server.script(ErrorReply(400, "invalid_request_error", "word " * 500))
    assert len(str(ask(settings_for(server)).error)) < 400


@EVERY_PROVIDER
def test_a_page_instead_of_an_error_object_is_not_shown(server: AnthropicServer) -> None:
    server.script(*[ErrorReply(502, body="<html><h1>Bad gateway</h1></html>")] * 3)
    assert "html" not in check_sentence(ask(settings_for(server)).error)


@EVERY_PROVIDER
def test_a_404_that_is_no_answer_of_the_api_points_at_the_base_url(server: AnthropicServer) -> None:
    server.script(ErrorReply(404, body="<html>Not here</html>"))
    assert "address" in check_sentence(ask(settings_for(server)).error)


@EVERY_PROVIDER
def test_a_model_the_server_does_not_know(server: AnthropicServer) -> None:
    error = ask(settings_for(server, model="claude-sonnet-4-20250514")).error
    assert isinstance(error, RequestRefused)
    assert "does not know the model “claude-sonnet-4-20250514”" in check_sentence(error)


@EVERY_PROVIDER
def test_a_wrong_key(server: AnthropicServer) -> None:
    error = ask(settings_for(server, api_key="another-key")).error
    assert isinstance(error, KeyProblem)
    assert "Check it in the settings" in check_sentence(error)


def busy(status: int, wait: str | None = None) -> ErrorReply:
    kind = "rate_limit_error" if status == 429 else "overloaded_error"
    return ErrorReply(status, kind, "Slow down", {"retry-after": wait} if wait else {})


@pytest.mark.parametrize(("status", "words"), [(429, "Too many requests"), (529, "overloaded")])
@EVERY_PROVIDER
def test_a_busy_server_that_says_when_is_asked_again_then(
    server: AnthropicServer, status: int, words: str
) -> None:
    server.script(busy(status, "3"), Turn(Text("There.")))
    outcome = ask(settings_for(server))
    assert outcome.text == "There."
    waits = [event for event in outcome.events if isinstance(event, AnswerWaiting)]
    assert [wait.seconds for wait in waits] == [3, 2, 1, 0]
    assert all(words in str(wait.reason) and "Ask again" not in str(wait.reason) for wait in waits)


@EVERY_PROVIDER
def test_waiting_after_a_search_does_not_search_again(server: AnthropicServer) -> None:
    library = SmallLibrary()
    server.script(Turn(SEARCH, stop_reason="tool_use"), busy(429, "1"), Turn(Text("There.")))
    assert ask(settings_for(server), library=library).text == "There."
    assert len(library.searches_by_model) == 1


@EVERY_PROVIDER
def test_a_server_that_is_always_busy_is_given_up(server: AnthropicServer) -> None:
    server.script(*[busy(429, "1")] * 20)
    outcome = ask(settings_for(server))
    assert isinstance(outcome.error, ServerBusy)
    assert len(server.message_requests) == 6
    check_sentence(outcome.error)


@pytest.mark.parametrize(
    ("header", "seconds"), [("301", 301.0), ("soon", None), ("-3", None), ("nan", None), (None, None)]
)
@EVERY_PROVIDER
def test_a_rate_limit_too_long_or_without_an_end_is_left_to_the_user(
    server: AnthropicServer, header: str | None, seconds: float | None
) -> None:
    server.script(busy(429, header))
    outcome = ask(settings_for(server))
    assert isinstance(outcome.error, ServerBusy)
    assert outcome.error.retry_after == seconds
    assert outcome.events == []
    assert len(server.message_requests) == 1
    assert "Ask again in" in check_sentence(outcome.error)


@EVERY_PROVIDER
def test_an_overloaded_server_without_a_time_is_tried_twice_more_and_then_left_to_the_user(
    server: AnthropicServer,
) -> None:
    server.script(*[busy(529)] * 5)
    error = ask(settings_for(server)).error
    assert isinstance(error, ServerBusy)
    assert len(server.message_requests) == 3
    assert "Ask again in a minute." in check_sentence(error)


@EVERY_PROVIDER
def test_a_short_failure_is_tried_again(server: AnthropicServer) -> None:
    server.script(ErrorReply(529, "overloaded_error"), ErrorReply(500), Turn(Text("There.")))
    assert ask(settings_for(server)).text == "There."
    assert len(server.message_requests) == 3


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 429])
@EVERY_PROVIDER
def test_what_can_not_get_better_is_not_tried_again(server: AnthropicServer, status: int) -> None:
    server.script(ErrorReply(status), Turn(Text("Not reached.")))
    assert ask(settings_for(server)).error is not None
    assert len(server.message_requests) == 1


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("overloaded_error", ServerBusy),
        ("rate_limit_error", ServerBusy),
        ("api_error", TemporaryError),
        ("authentication_error", KeyProblem),
        ("invalid_request_error", RequestRefused),
        ("something_new", TemporaryError),
    ],
)
@EVERY_PROVIDER
def test_an_error_event_in_the_middle_keeps_the_text(
    server: AnthropicServer, kind: str, expected: type[LecternError]
) -> None:
    server.script(Turn(Text("It stores the ", StreamError(kind), "beginning.")))
    outcome = ask(settings_for(server))
    assert outcome.text == "It stores the "
    assert type(outcome.error) is expected
    check_sentence(outcome.error)
    assert len(server.message_requests) == 1, "a stream that has begun is not tried again"


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        pytest.param(Turn(Cut(), Text("Never.")), "", id="before the first word"),
        pytest.param(Turn(Text("It sto", Cut())), "It sto", id="in a word"),
        pytest.param(Turn(Text("It stores."), Cut(), Text("More.")), "It stores.", id="between blocks"),
        pytest.param(Turn(Text("It stores."), Cut(clean=True)), "It stores.", id="cleanly"),
        pytest.param(Turn(Text("It stores."), SEARCH, Cut()), "It stores.", id="after a tool call"),
    ],
)
@EVERY_PROVIDER
def test_a_cut_connection_keeps_the_text(server: AnthropicServer, turn: Turn, text: str) -> None:
    server.answer_with(lambda body: turn)
    outcome = ask(settings_for(server))
    assert outcome.text == text
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "was lost" in check_sentence(outcome.error)
    assert outcome.searches == []


@EVERY_PROVIDER
def test_a_connection_cut_at_any_byte_is_never_taken_for_a_whole_answer(server: AnthropicServer) -> None:
    whole = "It stores the beginning."
    for count in range(0, 700, 60):
        turn = Turn(Text(whole), cut_after_bytes=count)
        server.answer_with(lambda body, turn=turn: turn)  # type: ignore[misc]
        outcome = ask(settings_for(server))
        assert isinstance(outcome.error, ConnectionTrouble), count
        assert whole.startswith(outcome.text)


@EVERY_PROVIDER
def test_a_malformed_event_keeps_the_text(server: AnthropicServer) -> None:
    server.script(Turn(Text("It stores", Malformed(), " it.")))
    outcome = ask(settings_for(server))
    assert outcome.text == "It stores"
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "not an answer" in check_sentence(outcome.error)


@pytest.mark.parametrize(
    "data", ["[1, 2]", "7", "null", '"text"', '{"type": "content_block_delta"}', '{"type": 5, "index": {}}']
)
@EVERY_PROVIDER
def test_an_event_of_the_wrong_shape_does_no_harm(server: AnthropicServer, data: str) -> None:
    server.script(Turn(Text("It stores", Malformed(data), " it.")))
    assert ask(settings_for(server)).text == "It stores it."


@EVERY_PROVIDER
def test_silence_in_the_middle_ends_after_the_time_allowed(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("It stores", Wait(gate))))
    outcome = ask(settings_for(server, timeout_read=0.2))
    gate.open()
    assert outcome.text == "It stores"
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "sent nothing for 1 second." in check_sentence(outcome.error)


@EVERY_PROVIDER
def test_silence_before_the_answer_ends_after_the_time_allowed(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("Never."), hold=gate))
    outcome = ask(settings_for(server, timeout_read=0.2))
    gate.open()
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "sent nothing" in check_sentence(outcome.error)
    assert len(server.message_requests) == 1


@EVERY_PROVIDER
def test_a_slow_answer_is_not_silence(server: AnthropicServer) -> None:
    words = " ".join(["word"] * 8)
    server.script(Turn(Text(words), word_delay=0.1))
    assert ask(settings_for(server, timeout_read=0.4)).text == words
