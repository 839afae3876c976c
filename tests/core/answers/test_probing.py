"""When the program finds out what a model can do: beside the answers, and once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from app.config.settings import Settings
from app.domain.events import AnswerDone, AnswerEvent, AnswerInterrupted
from tests.support import other_models
from tests.support.commands import Commands
from tests.support.other_models import MODEL, other_server
from tests.support.scripted_turns import ErrorReply

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    import pytest

    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder

FILE = "model-servers.json"


def is_probe(body: dict[str, Any]) -> bool:
    return "Alder Street" in str(body)


def probes(server: AnthropicServer) -> int:
    return sum(map(is_probe, server.message_requests))


async def ask(rag: RAGSystem, server: AnthropicServer) -> AnswerEvent:
    rag.settings = Settings(base_url=server.url, model=MODEL)
    rag.answers.limits = replace(rag.answers.limits, second=0.01)
    *_, last = [
        event async for event in rag.answers.query("Why do tides rise?", rag.answers.connection(server.key))
    ]
    return last


def nothing_runs() -> bool:
    return asyncio.all_tasks() == {asyncio.current_task()}


async def until(condition: Any) -> None:  # noqa: ANN401
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.01)


def test_a_model_is_tried_once_after_its_first_answer(rag: RAGSystem, data_dir: Path) -> None:
    with other_server(other_models.follows_everything) as server:

        async def run() -> None:
            assert isinstance(await ask(rag, server), AnswerDone)
            assert not is_probe(server.message_requests[0]), "the first answer does not wait for it"
            await until((data_dir / FILE).exists)
            await until(lambda: probes(server) == 2)
            await until(nothing_runs)
            await ask(rag, server)
            await until(nothing_runs)
            await rag.answers.disconnect()

        asyncio.run(run())
        assert probes(server) == 2


def test_a_question_stops_it(rag: RAGSystem) -> None:
    with other_server(
        lambda body: (other_models.pings if is_probe(body) else other_models.ignores_tools)(body)
    ) as server:

        async def run() -> None:
            await ask(rag, server)
            await until(lambda: probes(server) == 1)
            began = asyncio.get_running_loop().time()
            assert isinstance(await ask(rag, server), AnswerDone)
            assert asyncio.get_running_loop().time() - began < 5
            await until(lambda: probes(server) == 2)
            await rag.answers.disconnect()
            assert nothing_runs()

        asyncio.run(run())


def test_after_a_failure_nothing_is_tried(rag: RAGSystem) -> None:
    with other_server(lambda _: ErrorReply(401, "authentication_error", "no")) as server:

        async def run() -> None:
            assert isinstance(await ask(rag, server), AnswerInterrupted)
            await until(nothing_runs)
            await rag.answers.disconnect()

        asyncio.run(run())
        assert probes(server) == 0


def test_anthropics_own_models_are_never_tried(rag: RAGSystem, server: AnthropicServer) -> None:
    async def run() -> None:
        rag.settings = Settings(base_url=server.url)
        rag.answers.limits = replace(rag.answers.limits, second=0.01)
        connection = rag.answers.connection(server.key)
        async for _ in rag.answers.query("Why do tides rise?", connection):
            pass
        await until(nothing_runs)
        await rag.answers.disconnect()

    asyncio.run(run())
    assert probes(server) == 0


def test_a_command_finds_out_before_it_asks_and_the_next_one_knows(
    data_dir: Path,
    embedder: KeptEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
    with other_server(other_models.writes_calls) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", server.key)
        monkeypatch.setenv("LECTERN_MODEL", MODEL)
        run = Commands(data_dir, capsys)
        first = run("ask", "Why do tides rise?", "--json")
        assert (first.code, probes(server)) == (0, 2)
        assert f"Finding out once what {MODEL} can do." in first.err
        assert first.json["sources"]
        assert "search_course_content" not in first.json["answer"]
        second = run("ask", "Why do tides rise?", "--json")
        assert (second.code, probes(server)) == (0, 2)
        assert "Finding out" not in second.err
