"""The API key is in nothing that could be shown, logged or reported."""

from __future__ import annotations

import asyncio
import logging
import pickle
import traceback
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.server_memory import ServerMemory
from app.domain.errors import LecternError
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.scripted_turns import Cut, ErrorReply, Malformed, Reply, StreamError, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

KEY = "sk-planted-4f1c9a7e"
ECHO = f"invalid key {KEY} given"


@pytest.fixture(params=["anthropic", "openai"])
def keyed(request: pytest.FixtureRequest) -> Iterator[AnthropicServer]:
    with AnthropicServer(key=KEY, provider=request.param) as running:
        yield running


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(ErrorReply(400, "invalid_request_error", ECHO), id="400"),
        pytest.param(ErrorReply(401, "authentication_error", ECHO), id="401"),
        pytest.param(ErrorReply(403, "permission_error", ECHO), id="403"),
        pytest.param(ErrorReply(404, body=ECHO), id="404"),
        pytest.param(ErrorReply(429, "rate_limit_error", ECHO), id="429"),
        pytest.param(ErrorReply(500, "api_error", ECHO), id="500"),
        pytest.param(Turn(Text("Hello "), StreamError("invalid_request_error", ECHO)), id="in mid-stream"),
        pytest.param(Turn(Text("Hello "), Malformed(ECHO)), id="malformed"),
        pytest.param(Turn(Text("Hello "), Cut()), id="cut"),
        pytest.param(Turn(Text("Hello.")), id="no failure"),
    ],
)
def test_no_failure_tells_the_key(
    keyed: AnthropicServer, reply: Reply, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    keyed.answer_with(lambda body: reply)
    outcome = ask(settings_for(keyed))
    said = [caplog.text, repr(outcome)]
    if outcome.error:
        said += [str(outcome.error), repr(outcome.error), *traceback.format_exception(outcome.error)]
        assert outcome.error.__cause__ is None
        assert outcome.error.__context__ is None
        assert KEY.encode() not in pickle.dumps(outcome.error)
    said += capfd.readouterr()
    assert caplog.text, "something was logged at all"
    assert not [text for text in said if KEY in text]


@pytest.mark.parametrize("echo", [KEY[:-1], KEY[1:], f"{KEY[:10]} {KEY[10:]}", " ".join(KEY)])
def test_a_key_that_is_told_altered_is_hidden(
    keyed: AnthropicServer, caplog: pytest.LogCaptureFixture, echo: str
) -> None:
    caplog.set_level(logging.DEBUG)
    reply = ErrorReply(400, "invalid_request_error", f"invalid key {echo} given")
    keyed.answer_with(lambda body: reply)
    error = str(ask(settings_for(keyed)).error)
    assert "invalid key [key hidden] given" in error
    assert echo not in caplog.text


def test_a_wrong_key_is_not_told(keyed: AnthropicServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    outcome = ask(settings_for(keyed, api_key="sk-wrong-71aa"))
    assert outcome.error is not None
    assert "sk-wrong-71aa" not in caplog.text + str(outcome.error) + repr(outcome)


def test_an_unusable_key_is_not_told(keyed: AnthropicServer) -> None:
    key = "sk-wröng-71aa"
    error = ask(settings_for(keyed, api_key=key)).error
    assert key not in "".join(traceback.format_exception(error or LecternError("")))


def test_settings_and_generator_do_not_show_it(keyed: AnthropicServer) -> None:
    settings = ModelSettings("claude-sonnet-5-5", keyed.url, KEY)
    assert KEY not in repr(settings) + str(settings) + repr(AnthropicProvider(settings, ServerMemory()))
    assert [item.name for item in fields(settings) if not item.repr] == ["api_key"]


def test_the_key_goes_to_the_server_in_a_header_and_nowhere_else(keyed: AnthropicServer) -> None:
    keyed.script(
        Turn(ToolUse("search_course_content", {"query": "prompt"}), stop_reason="tool_use"),
        Turn(Text("Yes.")),
    )
    ask(settings_for(keyed))
    for request in keyed.requests:
        holding = [name for name, value in request.headers.items() if KEY in value]
        assert [name.lower() for name in holding] in (["authorization"], ["x-api-key"])
        assert KEY not in str(request.body)
        assert KEY not in request.path


def test_listing_models_does_not_tell_it(keyed: AnthropicServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def run() -> LecternError:
        provider = AnthropicProvider(settings_for(keyed, api_key="sk-wrong-71aa"), ServerMemory())
        with pytest.raises(LecternError) as caught:
            await provider.list_models()
        await provider.aclose()
        return caught.value

    error = asyncio.run(run())
    assert error.__context__ is None
    assert "sk-wrong-71aa" not in caplog.text + "".join(traceback.format_exception(error))


def test_the_environments_key_is_not_used_in_place_of_the_settings(
    keyed: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    ask(settings_for(keyed, api_key=""))
    assert keyed.requests
    assert not [request for request in keyed.requests if KEY in str(request.headers)]


class EchoingModel(Model):
    """Names the key among the levels of effort."""

    def as_dict(self) -> dict[str, Any]:
        entry = super().as_dict()
        entry["capabilities"]["effort"][KEY] = {"supported": True}
        return entry


def test_what_is_kept_of_a_server_does_not_hold_it(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    with AnthropicServer(key=KEY, models=(EchoingModel("claude-sonnet-5-5", "Sonnet"),)) as server:
        server.script(Turn(Text("Yes.")))
        ask(settings_for(server), memory=ServerMemory(path))
    assert "low" in path.read_text(encoding="utf-8")
    assert KEY not in path.read_text(encoding="utf-8")


def test_a_key_of_digits_breaks_no_call() -> None:
    key = "123456789012345"
    with AnthropicServer(key=key) as server:
        search = ToolUse("search_course_content", {"query": "prompt", "lesson_number": int(key)})
        server.script(Turn(search, stop_reason="tool_use"), Turn(Text("Yes.")))
        outcome = ask(settings_for(server))
    assert outcome.text == "Yes."
    assert key not in repr(outcome)
