from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.server_memory import ServerMemory
from app.core.answers.providers.server_provider import read_model_list
from app.domain.errors import ConnectionTrouble, LecternError
from app.domain.model_servers import ModelInfo
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import Text, Turn


def listed(server: AnthropicServer, memory: ServerMemory | None = None) -> tuple[ModelInfo, ...]:
    async def run() -> tuple[ModelInfo, ...]:
        async with aclosing(AnthropicProvider(settings_for(server), memory or ServerMemory())) as provider:
            return await provider.list_models()

    return asyncio.run(run())


def test_retired_ones_are_left_out_and_deprecated_ones_marked(server: AnthropicServer) -> None:
    models = listed(server)
    assert [model.id for model in models] == ["claude-sonnet-5-5", "claude-haiku-5", "claude-sonnet-4-5"]
    assert [model.deprecated for model in models] == [False, False, True]
    assert models[0] == ModelInfo("claude-sonnet-5-5", "Claude Sonnet 5.5")
    assert models[2].retires == "2026-11-30"


def test_what_the_list_tells_is_not_asked_again(server: AnthropicServer) -> None:
    memory = ServerMemory()
    listed(server, memory)
    server.script(Turn(Text("Yes.")))
    ask(settings_for(server), memory=memory)
    assert [item.path for item in server.requests] == ["/v1/models", "/v1/messages"]


def test_a_server_without_a_list_says_so() -> None:
    with AnthropicServer(lists_models=False) as server, pytest.raises(LecternError):
        listed(server)


def test_a_server_that_is_not_there() -> None:
    with AnthropicServer() as server:
        settings = settings_for(server)

    async def run() -> None:
        async with aclosing(AnthropicProvider(settings, ServerMemory())) as provider:
            await provider.list_models()

    with pytest.raises(ConnectionTrouble, match="Can't reach the server"):
        asyncio.run(run())


def test_lists_of_other_servers_are_read_as_far_as_they_go() -> None:
    entries = [
        {"id": "qwen3:8b", "object": "model", "created": 1_750_000_000},
        {"id": "llama", "object": "model", "created": 1_760_000_000, "display_name": ""},
        {"id": "undated", "created_at": "yesterday"},
        {"id": ""},
        {"name": "nameless"},
        "text",
        None,
        {"id": "qwen3:8b"},
        {"id": "huge", "created": 10**40},
    ]
    assert [model.id for model in read_model_list(entries)] == ["qwen3:8b", "llama", "undated", "huge"]
    assert read_model_list([{"id": "a"}]) == (ModelInfo("a", "a"),)
