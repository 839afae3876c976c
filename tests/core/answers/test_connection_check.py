from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.server_memory import ServerMemory
from app.domain.model_servers import ConnectionCheck
from tests.support import other_models
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.other_models import MODEL, other_server
from tests.support.scripted_turns import Cite, ErrorReply, Gate, Text, ToolUse, Turn, search_results
from tests.support.sentences import check_sentence

if TYPE_CHECKING:
    from typing import Any

    from app.core.answers.providers.base import ModelSettings
    from app.domain.model_servers import ModelInfo

YES, NO = True, False


def capable(body: dict[str, Any]) -> Turn:
    """Answer as a model that can do everything."""
    if body.get("tools"):
        return Turn(ToolUse(body["tools"][0]["name"], {"word": "yes"}), stop_reason="tool_use")
    if search_results(body):
        return Turn(Text("At nine.", citations=(Cite(),)))
    return Turn(Text("yes"))


def plain(body: dict[str, Any]) -> Turn:
    """Answer as a model that only talks."""
    return Turn(Text("yes"))


def try_out(
    settings: ModelSettings, memory: ServerMemory | None = None
) -> tuple[dict[str, ConnectionCheck], tuple[ModelInfo, ...]]:
    """Return the findings by topic, and the models."""
    found: dict[str, ConnectionCheck] = {}
    models: tuple[ModelInfo, ...] = ()

    async def run() -> None:
        nonlocal models
        provider = AnthropicProvider(settings, memory or ServerMemory())
        async with aclosing(provider), aclosing(provider.check()) as items:
            async for item in items:
                if isinstance(item, ConnectionCheck):
                    found[item.topic] = item
                else:
                    models = item
            for _ in range(10):  # what is being closed comes to its end
                await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(run())
    for item in found.values():
        check_sentence(Exception(str(item.sentence)))  # type: ignore[arg-type]
    return found, models


def works(found: dict[str, ConnectionCheck]) -> dict[str, bool | None]:
    return {topic: item.works for topic, item in found.items()}


def test_a_server_that_can_do_everything() -> None:
    with AnthropicServer() as server:
        server.answer_with(capable)
        found, models = try_out(settings_for(server))
        assert list(found) == [
            "server", "key", "messages", "tools", "citations", "thinking"
        ]  # fmt: skip
        assert all(works(found).values())
        assert [model.id for model in models] == ["claude-sonnet-5-5", "claude-haiku-5", "claude-sonnet-4-5"]
        assert not server.rejections
        assert len(server.message_requests) == 3


def test_a_server_that_can_do_little_and_what_is_remembered_of_it() -> None:
    lacks = frozenset({"tools", "citations"})
    memory = ServerMemory()
    models = (Model("qwen3:8b", "Qwen", lacks=lacks),)
    with AnthropicServer(models=models, lists_models=False, key="no-key") as server:
        server.answer_with(plain)
        settings = settings_for(server, model="qwen3:8b", api_key="")
        found, listed = try_out(settings, memory)
        assert works(found) == {
            "server": YES,
            "messages": YES,
            "tools": NO,
            "citations": NO,
            "thinking": YES,
        }
        assert listed == ()
        asked = len(server.message_requests)
        rejected = len(server.rejections)
        assert ask(settings, memory=memory).text == "yes"
        assert len(server.message_requests) == asked + 1
        assert len(server.rejections) == rejected, "the next question works around it from the start"


def test_a_model_that_takes_tools_and_citations_but_does_not_use_them() -> None:
    memory = ServerMemory()
    with AnthropicServer() as server:
        server.answer_with(plain)
        settings = settings_for(server)
        found, _ = try_out(settings, memory)
        assert found["tools"].works is False
        assert "searches first" in str(found["tools"].sentence)
        assert found["citations"].works is False
        ask(settings, memory=memory)
        assert "tools" not in server.message_requests[-1]


def test_what_was_known_before_counts_for_nothing() -> None:
    memory = ServerMemory()
    with other_server(other_models.ignores_tools) as server:
        settings = settings_for(server, model=MODEL)
        assert works(try_out(settings, memory)[0])["tools"] is False
        server.answer_with(other_models.follows_everything)
        found, _ = try_out(settings, memory)
        assert found["tools"].works


def test_a_model_that_thinks_aloud() -> None:
    with other_server(other_models.thinks_aloud) as server:
        found, _ = try_out(settings_for(server, model=MODEL))
        assert "thinks before it answers" in str(found["thinking"].sentence)
        assert found["tools"].works


def test_a_server_that_only_pings_ends_too() -> None:
    with other_server(other_models.pings) as server:
        found, _ = try_out(settings_for(server, model=MODEL, timeout_read=0.3))
        assert works(found) == {"server": YES, "messages": NO}


def test_garbage_gets_a_sentence() -> None:
    with other_server(other_models.garbage) as server:
        assert works(try_out(settings_for(server, model=MODEL))[0])["server"] is YES


def test_nothing_answers() -> None:
    with AnthropicServer() as server:
        settings = settings_for(server)
    found, _ = try_out(settings)
    assert works(found) == {"server": NO}
    assert "Can't reach the server" in str(found["server"].sentence)


def test_a_wrong_key() -> None:
    with AnthropicServer() as server:
        found, _ = try_out(settings_for(server, api_key="wrong"))
        assert works(found) == {"server": YES, "key": NO}


def test_no_key_where_one_is_needed() -> None:
    with AnthropicServer() as server:
        found, _ = try_out(settings_for(server, api_key="", base_url=None))
        assert works(found) == {"key": NO}
        assert not server.requests


def test_no_address() -> None:
    with AnthropicServer() as server:
        assert works(try_out(settings_for(server, base_url="nonsense"))[0]) == {"server": NO}


def test_an_unknown_model_still_lists_the_others() -> None:
    with AnthropicServer() as server:
        found, models = try_out(settings_for(server, model="claude-sonnet-4-20250514"))
        assert works(found) == {"server": YES, "messages": NO}
        assert "does not know the model" in str(found["messages"].sentence)
        assert models


@pytest.mark.parametrize("status", [429, 500, 529])
def test_trouble_of_the_server_is_said(status: int) -> None:
    with AnthropicServer() as server:
        server.script(*[ErrorReply(status)] * 9)
        assert works(try_out(settings_for(server))[0]) == {"server": YES, "messages": NO}


def test_a_page_of_another_program() -> None:
    with AnthropicServer() as server:
        server.script(*[ErrorReply(200, body="<html>Router</html>")] * 9)
        found, _ = try_out(settings_for(server))
        assert found["messages"].works is False


def test_it_can_be_cancelled_at_once() -> None:
    with AnthropicServer() as server:
        gate = Gate()
        server.script(Turn(Text("never"), hold=gate))

        async def run() -> None:
            async def read() -> None:
                provider = AnthropicProvider(settings_for(server), ServerMemory())
                async with aclosing(provider), aclosing(provider.check()) as items:
                    async for _ in items:
                        pass

            task = asyncio.create_task(read())
            assert await asyncio.to_thread(gate.reached.wait, 60)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=15)
            assert done
            assert asyncio.all_tasks() == {asyncio.current_task()}

        asyncio.run(run())
        assert server.disconnects.acquire(timeout=60)
