"""The scripted server refuses what the real one refuses; checked with the SDK."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anthropic
import pytest

from tests.support.scripted_turns import Cite, Text, Thinking, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.anthropic_server import AnthropicServer

HELLO: list[Any] = [{"role": "user", "content": "Hello"}]
TOOL: Any = {"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}
CALL: Any = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]}


def result(identity: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identity, "content": "found"}


def passage(*, cited: bool) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": "s",
        "title": "t",
        "content": [{"type": "text", "text": "One. "}, {"type": "text", "text": "Two."}],
        "citations": {"enabled": cited},
    }


@pytest.fixture
def client(server: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(base_url=server.url, api_key=server.key, max_retries=0) as made:
        yield made


def create(client: anthropic.Anthropic, **changes: Any) -> anthropic.types.Message:  # noqa: ANN401
    request: dict[str, Any] = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": HELLO}
    message: anthropic.types.Message = client.messages.create(**{**request, **changes})
    return message


@pytest.mark.parametrize(
    "changes",
    [
        {"extra_body": {"temperature": 1}},
        {"extra_body": {"top_p": 1}},
        {"extra_body": {"top_k": 5}},
        {"extra_body": {"surprise": 1}},
        {"max_tokens": 0},
        {"thinking": {"type": "disabled"}},
        {"thinking": {"type": "enabled", "budget_tokens": 2000}},
        {"output_config": {"effort": "heroic"}},
        {"tools": [TOOL], "tool_choice": {"type": "any"}},
        {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "look"}},
        {"tool_choice": {"type": "none"}},
        {"messages": []},
        {"messages": [{"role": "assistant", "content": "I"}]},
        {"messages": [*HELLO, *HELLO]},
        {"messages": [*HELLO, {"role": "assistant", "content": "I"}]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]},
        {"messages": [*HELLO, CALL, {"role": "user", "content": "no result"}]},
        {"messages": [*HELLO, CALL, {"role": "user", "content": [result("t2")]}]},
        {"messages": [*HELLO, CALL, {"role": "user", "content": [result("t1"), result("t1")]}]},
        {
            "messages": [
                *HELLO,
                CALL,
                {"role": "user", "content": [{"type": "text", "text": "a"}, result("t1")]},
            ]
        },
        {"messages": [{"role": "user", "content": [passage(cited=True), passage(cited=False)]}]},
        {"messages": [{"role": "user", "content": [{**passage(cited=True), "content": []}]}]},
        {"system": [{"type": "text", "text": ""}]},
    ],
)
def test_what_the_api_refuses_is_refused(client: anthropic.Anthropic, changes: dict[str, Any]) -> None:
    with pytest.raises(anthropic.BadRequestError):
        create(client, **changes)


def test_a_whole_answer_without_streaming(client: anthropic.Anthropic, server: AnthropicServer) -> None:
    server.script(
        Turn(Thinking("Hm."), Text("Look: "), ToolUse("look", {"where": "there"}), stop_reason="tool_use")
    )
    message = create(client, tools=[TOOL])
    assert [block.type for block in message.content] == ["thinking", "text", "tool_use"]
    assert message.content[2].to_dict()["input"] == {"where": "there"}
    assert message.stop_reason == "tool_use"
    assert message.usage.output_tokens > 0


def test_the_same_answer_streamed(client: anthropic.Anthropic, server: AnthropicServer) -> None:
    question = [{"role": "user", "content": [passage(cited=True), {"type": "text", "text": "What?"}]}]
    server.script(Turn(Text("One and two.", citations=(Cite(0, 0, 2),))))
    with client.messages.stream(
        model="claude-sonnet-5-5",
        max_tokens=100,
        messages=question,  # type: ignore[arg-type]
    ) as stream:
        kinds = [event.type for event in stream]
        message = stream.get_final_message()
    assert "citation" in kinds
    (block,) = message.content
    assert block.type == "text"
    assert block.text == "One and two."
    assert block.citations is not None
    assert block.citations[0].cited_text == "One. Two."


def test_keys_models_and_tokens(client: anthropic.Anthropic, server: AnthropicServer) -> None:
    with pytest.raises(anthropic.NotFoundError):
        create(client, model="claude-of-nowhere")
    with pytest.raises(anthropic.AuthenticationError):
        create(client.with_options(api_key="wrong"))
    models = list(client.models.list(limit=2))
    assert [model.lifecycle for model in models] == ["active", "active", "deprecated", "retired"]
    assert models[0].capabilities is not None
    assert models[0].capabilities.thinking.types.between_tools.supported
    assert client.models.retrieve("claude-haiku-5").max_input_tokens == 200_000
    counted = client.messages.count_tokens(model="claude-sonnet-5-5", messages=HELLO)
    assert counted.input_tokens > 0


def test_thinking_that_comes_back_changed_is_refused(
    client: anthropic.Anthropic, server: AnthropicServer
) -> None:
    server.script(
        Turn(Thinking("Hm."), ToolUse("look", {}, id="t1"), stop_reason="tool_use"), Turn(Text("Yes."))
    )
    message = create(client, tools=[TOOL])
    content: list[Any] = [block.to_dict() for block in message.content]
    answers = {"role": "user", "content": [result("t1")]}
    with pytest.raises(anthropic.BadRequestError, match="missing"):
        create(
            client, tools=[TOOL], messages=[*HELLO, {"role": "assistant", "content": content[1:]}, answers]
        )
    changed = [{**content[0], "thinking": "Ha."}, content[1]]
    with pytest.raises(anthropic.BadRequestError, match="modified"):
        create(client, tools=[TOOL], messages=[*HELLO, {"role": "assistant", "content": changed}, answers])
    same = create(client, tools=[TOOL], messages=[*HELLO, {"role": "assistant", "content": content}, answers])
    assert same.stop_reason == "end_turn"
