"""Models behind servers of another make: what is found out of them, how, and what an answer teaches."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.base import Abilities
from app.core.answers.providers.server_memory import ServerMemory
from tests.support import other_models
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.other_models import MODEL, other_server
from tests.support.scripted_turns import ErrorReply

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.answers.providers.base import ModelSettings


def probe(settings: ModelSettings, memory: ServerMemory | None = None) -> tuple[ServerMemory, Abilities]:
    """Probe in an event loop of its own; return what is known then."""
    memory = memory or ServerMemory()

    async def run() -> Abilities:
        async with aclosing(AnthropicProvider(settings, memory)) as provider:
            await provider.probe()
            return await provider.abilities()

    return memory, asyncio.run(run())


def for_model(server: AnthropicServer, **changes: Any) -> ModelSettings:  # noqa: ANN401
    return settings_for(server, model=MODEL, **{"timeout_probe": 5.0, **changes})


def test_a_model_that_follows_everything() -> None:
    with other_server(other_models.follows_everything) as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=True, citations=True, searches=True)
        traits = memory.of(server.url, MODEL)
        assert (traits.thinks, traits.probes_left) == (False, 0)
        assert len(server.message_requests) == 2
        assert all(body["max_tokens"] <= 300 for body in server.message_requests)
        assert not server.rejections


def test_a_server_without_tools_and_search_results() -> None:
    with other_server(other_models.follows_everything, "tools", "citations") as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=False, citations=False, searches=None)


def test_a_model_that_ignores_what_it_is_sent() -> None:
    with other_server(other_models.ignores_tools) as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=False, citations=False, searches=None)


def test_a_model_that_writes_its_calls() -> None:
    with other_server(other_models.writes_calls) as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=False, citations=False, searches=None)


def test_a_model_that_thinks_in_its_text() -> None:
    with other_server(other_models.thinks_aloud) as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=True, citations=True, searches=True)
        assert memory.of(server.url, MODEL).thinks is True


def test_a_model_that_only_thinks_is_not_taken_for_one_that_cannot() -> None:
    with other_server(other_models.only_thinks) as server:
        memory, abilities = probe(for_model(server))
        traits = memory.of(server.url, MODEL)
        assert abilities == Abilities(tools=True, citations=False, searches=None)
        assert (traits.thinks, traits.probes_left) == (True, 2)


def test_a_server_that_pings_for_ever_takes_a_bounded_time() -> None:
    with other_server(other_models.pings) as server:
        began = time.monotonic()
        settings = for_model(server, timeout_probe=0.2)
        memory, abilities = probe(settings)
        assert time.monotonic() - began < 15  # of the 180 that a reply without a word may take
        assert len(server.message_requests) == 1, "what is too slow for one question is not asked the next"
        assert abilities == Abilities(tools=True, citations=False, searches=None)
        for _ in range(4):
            probe(settings, memory)
        assert len(server.message_requests) == 3, "after three attempts it is left alone"


@pytest.mark.parametrize("status", [429, 529, 401, 403])
def test_trouble_says_nothing_of_the_model(status: int) -> None:
    with other_server(lambda _: ErrorReply(status)) as server:
        memory, abilities = probe(for_model(server))
        assert abilities == Abilities(tools=True, citations=False, searches=None)
        assert not memory.of(server.url, MODEL).lacking


def test_garbage_is_survived() -> None:
    with other_server(other_models.garbage) as server:
        probe(for_model(server))


def test_no_server() -> None:
    with other_server(other_models.pings) as server:
        settings = for_model(server)
    memory = ServerMemory()

    async def run() -> None:
        async with aclosing(AnthropicProvider(settings, memory)) as provider:
            await provider.probe()

    asyncio.run(run())
    assert memory.of(settings.address, MODEL).probes_left == 3


def test_a_server_is_probed_once_also_by_the_next_program(tmp_path: Path) -> None:
    file = tmp_path / "model-servers.json"
    with other_server(other_models.writes_calls) as server:
        _, first = probe(for_model(server), ServerMemory(file))
        asked = len(server.message_requests)
        _, second = probe(for_model(server), ServerMemory(file))
        assert (len(server.message_requests), second) == (asked, first)


def test_a_server_that_lists_abilities_as_anthropic_does_is_never_probed() -> None:
    with AnthropicServer() as server:
        _, abilities = probe(settings_for(server))
        assert abilities == Abilities(tools=True, citations=True, searches=True)
        assert not server.message_requests


def test_it_can_be_cancelled_at_once() -> None:
    with other_server(other_models.pings) as server:

        async def run() -> None:
            async with aclosing(AnthropicProvider(for_model(server), ServerMemory())) as provider:
                probing = asyncio.create_task(provider.probe())
                while not server.message_requests:
                    await asyncio.sleep(0.01)
                probing.cancel()
                done, _ = await asyncio.wait([probing], timeout=15)
                assert done

        asyncio.run(run())
        while server.open_connections:
            assert server.disconnects.acquire(timeout=60)


def test_a_model_that_writes_its_calls_gets_the_passages_instead() -> None:
    memory = ServerMemory()
    with other_server(other_models.writes_calls) as server:
        probe(for_model(server), memory)
        outcome = ask(for_model(server), memory=memory)
        assert outcome.text == "It opens at nine."
        assert outcome.sources


@pytest.mark.parametrize("script", [other_models.thinks_aloud, other_models.only_thinks])
def test_thoughts_are_not_part_of_the_answer(script: Any) -> None:  # noqa: ANN401
    memory = ServerMemory()
    with other_server(script) as server:
        probe(for_model(server), memory)
        outcome = ask(for_model(server), memory=memory)
        assert "think" not in outcome.text
        assert "The user" not in outcome.text
        assert "Hm." not in outcome.text
        assert memory.of(server.url, MODEL).thinks is True


def test_the_length_is_as_set_for_a_model_that_does_not_think() -> None:
    memory = ServerMemory()
    with other_server(other_models.follows_everything) as server:
        probe(for_model(server), memory)
        ask(for_model(server, max_tokens=500), memory=memory)
        assert server.message_requests[-1]["max_tokens"] == 500
