from __future__ import annotations

import re
import socket
import threading
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
    UserError,
)
from tests.support.answering import ask, settings_for
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.anthropic_server import AnthropicServer

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})


def check_sentence(error: LecternError | None) -> str:
    """One or more whole sentences for a person, without the words of a programmer."""
    said = str(error)
    assert re.fullmatch(r"[A-Z“0-9a-z].*[.!?]", said), said
    for technical in ("Error", "Exception", "Traceback", "None", "{", "httpx", "anthropic."):
        assert technical not in said, said
    return said


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
        (500, "api_error", TemporaryError, "problem of its own (500)"),
        (502, "api_error", TemporaryError, "problem of its own"),
        (503, "api_error", ServerBusy, "overloaded"),
        (504, "timeout_error", TemporaryError, "problem of its own"),
        (529, "overloaded_error", ServerBusy, "overloaded"),
    ],
)
def test_every_status_has_its_sentence(
    server: AnthropicServer, status: int, kind: str, expected: type[LecternError], words: str
) -> None:
    server.script(*[ErrorReply(status, kind, "Something about it")] * 3)
    outcome = ask(settings_for(server))
    assert type(outcome.error) is expected
    assert words in check_sentence(outcome.error)
    assert outcome.events == []


def test_a_refused_request_says_what_the_server_said(server: AnthropicServer) -> None:
    server.script(ErrorReply(400, "invalid_request_error", "max_tokens: 2800 is more than 1024"))
    assert "max_tokens: 2800 is more than 1024." in str(ask(settings_for(server)).error)


def test_a_prompt_that_is_too_long_says_to_start_a_new_chat(server: AnthropicServer) -> None:
    server.script(
        ErrorReply(400, "invalid_request_error", "prompt is too long: 201000 tokens > 200000 maximum")
    )
    assert "Start a new chat" in str(ask(settings_for(server)).error)


def test_a_long_explanation_is_cut(server: AnthropicServer) -> None:
    server.script(ErrorReply(400, "invalid_request_error", "word " * 500))
    assert len(str(ask(settings_for(server)).error)) < 400


def test_a_page_instead_of_an_error_object_is_not_shown(server: AnthropicServer) -> None:
    server.script(*[ErrorReply(502, body="<html><h1>Bad gateway</h1></html>")] * 3)
    assert "html" not in check_sentence(ask(settings_for(server)).error)


def test_a_404_that_is_no_answer_of_the_api_points_at_the_base_url(server: AnthropicServer) -> None:
    server.script(ErrorReply(404, body="<html>Not here</html>"))
    assert "base URL" in check_sentence(ask(settings_for(server)).error)


def test_a_model_the_server_does_not_know(server: AnthropicServer) -> None:
    error = ask(settings_for(server, model="claude-sonnet-4-20250514")).error
    assert isinstance(error, RequestRefused)
    assert "does not know the model “claude-sonnet-4-20250514”" in check_sentence(error)


def test_a_wrong_key(server: AnthropicServer) -> None:
    error = ask(settings_for(server, api_key="another-key")).error
    assert isinstance(error, KeyProblem)
    assert "Check it in the settings" in check_sentence(error)


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7.0), ("0.5", 0.5), ("soon", None), ("-3", None), ("nan", None)]
)
def test_a_rate_limit_tells_when_to_come_back(
    server: AnthropicServer, header: str, seconds: float | None
) -> None:
    server.script(ErrorReply(429, "rate_limit_error", "Slow down", {"retry-after": header}))
    error = ask(settings_for(server)).error
    assert isinstance(error, ServerBusy)
    assert error.retry_after == seconds
    assert ("7 seconds" in check_sentence(error)) == (header == "7")


def test_a_date_in_retry_after_is_understood(server: AnthropicServer) -> None:
    headers = {"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}
    server.script(ErrorReply(429, "rate_limit_error", "Slow down", headers))
    error = ask(settings_for(server)).error
    assert isinstance(error, ServerBusy)
    assert error.retry_after == 24 * 3600


def test_a_short_failure_is_tried_again(server: AnthropicServer) -> None:
    server.script(ErrorReply(529, "overloaded_error"), ErrorReply(500), Turn(Text("There.")))
    assert ask(settings_for(server)).text == "There."
    assert len(server.message_requests) == 3


def test_a_server_that_says_when_to_come_back_is_not_pressed(server: AnthropicServer) -> None:
    server.script(
        ErrorReply(529, "overloaded_error", headers={"retry-after": "30"}), Turn(Text("Not reached."))
    )
    error = ask(settings_for(server)).error
    assert isinstance(error, ServerBusy)
    assert error.retry_after == 30
    assert len(server.message_requests) == 1


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 429])
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
def test_a_cut_connection_keeps_the_text(server: AnthropicServer, turn: Turn, text: str) -> None:
    server.script(turn)
    outcome = ask(settings_for(server))
    assert outcome.text == text
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "broke off" in check_sentence(outcome.error)
    assert outcome.searches == []


def test_a_connection_cut_at_any_byte_is_never_taken_for_a_whole_answer(server: AnthropicServer) -> None:
    whole = "It stores the beginning."
    for count in range(0, 1000, 90):
        server.script(Turn(Text(whole), cut_after_bytes=count))
        outcome = ask(settings_for(server))
        assert isinstance(outcome.error, ConnectionTrouble), count
        assert whole.startswith(outcome.text)


def test_a_malformed_event_keeps_the_text(server: AnthropicServer) -> None:
    server.script(Turn(Text("It stores", Malformed(), " it.")))
    outcome = ask(settings_for(server))
    assert outcome.text == "It stores"
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "not an answer" in check_sentence(outcome.error)


@pytest.mark.parametrize(
    "data", ["[1, 2]", "7", "null", '"text"', '{"type": "content_block_delta"}', '{"type": 5, "index": {}}']
)
def test_an_event_of_the_wrong_shape_does_no_harm(server: AnthropicServer, data: str) -> None:
    server.script(Turn(Text("It stores", Malformed(data), " it.")))
    assert ask(settings_for(server)).text == "It stores it."


def test_silence_in_the_middle_ends_after_the_time_allowed(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("It stores", Wait(gate))))
    outcome = ask(settings_for(server, timeout_read=0.2))
    gate.open()
    assert outcome.text == "It stores"
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "said nothing for 0.2 seconds" in check_sentence(outcome.error)


def test_silence_before_the_answer_ends_after_the_time_allowed(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("Never."), hold=gate))
    outcome = ask(settings_for(server, timeout_read=0.2))
    gate.open()
    assert isinstance(outcome.error, ConnectionTrouble)
    assert "said nothing" in check_sentence(outcome.error)
    assert len(server.message_requests) == 1


def test_a_slow_answer_is_not_silence(server: AnthropicServer) -> None:
    words = " ".join(["word"] * 8)
    server.script(Turn(Text(words), word_delay=0.1))
    assert ask(settings_for(server, timeout_read=0.4)).text == words


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_nothing_listening(server: AnthropicServer) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    error = ask(settings_for(server, base_url=url)).error
    assert isinstance(error, ConnectionTrouble)
    said = check_sentence(error)
    assert said.startswith("Nothing answers at 127.0.0.1:")
    assert "Start the model server" in said


def test_an_address_that_is_not_found(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[object] = []

    def lookup(*args: Any, **named: Any) -> Any:  # noqa: ANN401
        lookups.append(args)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    error = ask(settings_for(server, base_url="http://models.example.org")).error
    assert isinstance(error, ConnectionTrouble)
    assert "The address models.example.org was not found" in check_sentence(error)
    assert len(lookups) == 1, "an address that is not found is not looked for again"


def test_no_secure_connection(server: AnthropicServer) -> None:
    error = ask(settings_for(server, base_url=server.url.replace("http:", "https:"))).error
    assert isinstance(error, ConnectionTrouble)
    assert "No secure connection" in check_sentence(error)


def test_a_proxy_that_refuses(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", server.url)
    error = ask(settings_for(server, base_url="https://models.example.org")).error
    assert isinstance(error, ConnectionTrouble)
    assert "proxy" in check_sentence(error)


@pytest.mark.parametrize("scheme", ["socks5", "nonsense"])
def test_a_proxy_setting_that_can_not_be_used(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", f"{scheme}://127.0.0.1:1")
    error = ask(settings_for(server)).error
    assert isinstance(error, RequestRefused | ConnectionTrouble)
    assert "proxy" in check_sentence(error)


def test_a_server_on_this_computer_is_reached_without_the_proxy(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed_port()}")
    server.script(Turn(Text("Yes.")))
    assert ask(settings_for(server)).text == "Yes."


@pytest.fixture
def babbling_port() -> Iterator[int]:
    """A server of another kind: it answers every connection with something that is not HTTP."""
    listener = socket.create_server(("127.0.0.1", 0))

    def babble() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(b"220 mail.example.org ESMTP\r\n")

    thread = threading.Thread(target=babble)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_a_server_that_speaks_something_else(server: AnthropicServer, babbling_port: int) -> None:
    error = ask(settings_for(server, base_url=f"http://127.0.0.1:{babbling_port}")).error
    assert isinstance(error, ConnectionTrouble)
    check_sentence(error)


def test_a_page_instead_of_an_answer(server: AnthropicServer) -> None:
    server.script(ErrorReply(200, body="<html>Please log in to the network</html>"))
    error = ask(settings_for(server)).error
    assert isinstance(error, ConnectionTrouble)
    assert "not an answer" in check_sentence(error)


@pytest.mark.parametrize(
    "address",
    ["localhost:11434", "ftp://example.org", "http://", "http://[::1", "http://host:port", "not an address"],
)
def test_a_base_url_that_is_none(server: AnthropicServer, address: str) -> None:
    error = ask(settings_for(server, base_url=address)).error
    assert isinstance(error, RequestRefused)
    assert "base URL" in check_sentence(error)


@pytest.mark.parametrize("address", ["http://a..b", "http://exa mple.org", "http://" + "x" * 70 + ".org"])
def test_a_host_name_that_can_not_exist(server: AnthropicServer, address: str) -> None:
    error = ask(settings_for(server, base_url=address)).error
    assert isinstance(error, LecternError)
    check_sentence(error)


def test_the_v1_of_a_copied_base_url_does_no_harm(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")))
    assert ask(settings_for(server, base_url=server.url + "/v1/")).text == "Yes."


def test_no_key_for_anthropic_asks_for_one_without_connecting(server: AnthropicServer) -> None:
    error = ask(settings_for(server, api_key="", base_url=None)).error
    assert isinstance(error, KeyProblem)
    assert "no API key" in check_sentence(error)
    assert server.requests == []


@pytest.mark.parametrize("key", ["sk-…", "two words", "line\nbreak", "ключ"])
def test_a_key_that_can_be_none(server: AnthropicServer, key: str) -> None:
    error = ask(settings_for(server, api_key=key)).error
    assert isinstance(error, KeyProblem)
    assert key not in check_sentence(error)


def test_permanent_and_temporary_are_told_apart() -> None:
    assert issubclass(KeyProblem, UserError)
    assert issubclass(RequestRefused, UserError)
    assert issubclass(ServerBusy, TemporaryError)
    assert issubclass(ConnectionTrouble, TemporaryError)
