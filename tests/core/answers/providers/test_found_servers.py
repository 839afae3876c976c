"""The programs on this computer that run models are found by what they answer, and by nothing else."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from contextlib import aclosing

import pytest

from app.core.answers.providers.found_servers import find_servers, pull
from app.domain.errors import LecternError
from app.domain.model_servers import PROGRAM_PORTS, FoundModel, FoundServer, Transferred
from tests.support.model_programs import ModelProgram


def found(program: ModelProgram) -> tuple[FoundModel, ...] | None:
    (server,) = asyncio.run(find_servers({program.name: program.port}))
    return server.models


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_each_program_is_found_with_its_models_and_their_sizes() -> None:
    with (
        ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000), ("gemma3:1b", 815_000_000)) as ollama,
        ModelProgram("LM Studio", ("qwen/qwen3-4b-2507", 2_280_000_000)) as studio,
        ModelProgram("llama.cpp", ("qwen.gguf", 990_000_000)) as llama,
    ):
        ports = {program.name: program.port for program in (ollama, studio, llama)}
        assert asyncio.run(find_servers(ports)) == (
            FoundServer(
                "Ollama",
                ollama.port,
                (FoundModel("qwen3:4b", 2_500_000_000), FoundModel("gemma3:1b", 815_000_000)),
            ),
            FoundServer(
                "LM Studio",
                studio.port,
                (FoundModel("qwen/qwen3-4b-2507", 2_280_000_000),),
            ),
            FoundServer("llama.cpp", llama.port, (FoundModel("qwen.gguf", 990_000_000),)),
        )


def test_the_ports_are_those_of_the_programs() -> None:
    assert PROGRAM_PORTS == {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080}


def test_a_program_that_does_not_run_has_no_models() -> None:
    (server,) = asyncio.run(find_servers({"Ollama": free_port()}))
    assert server.models is None


def test_a_program_without_models_runs() -> None:
    with ModelProgram("Ollama") as ollama:
        assert found(ollama) == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!DOCTYPE html><title>My project</title>",
        b"[]",
        b"null",
        b'{"models": {"a": 1}}',
        b'{"data": [{"id": "gpt-4o", "owned_by": "library"}]}',
        b'{"models": [',
        b"\xff\xfe" * 100,
        b"[" * 100_000,
        b" " * 2_000_000,
    ],
)
@pytest.mark.parametrize("name", PROGRAM_PORTS)
def test_something_else_at_the_port_is_not_taken_for_the_program(name: str, body: bytes) -> None:
    with ModelProgram(name, body=body) as other:
        assert found(other) is None


def test_strange_entries_are_left_out() -> None:
    entries = [
        None,
        7,
        {"name": ["x"]},
        {"name": ""},
        {"name": "a\nb", "size": "big"},
        {"name": "c", "size": -1},
    ]
    body = json.dumps({"models": entries}).encode()
    with ModelProgram("Ollama", body=body) as ollama:
        assert found(ollama) == (FoundModel("ab"), FoundModel("c"))


def test_models_that_only_embed_or_run_elsewhere_are_left_out() -> None:
    body = json.dumps(
        {
            "models": [
                {"name": "nomic-embed-text", "details": {"family": "nomic-bert"}},
                {"name": "all-minilm", "details": {"family": "bert"}},
                {"name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com"},
                {"name": "llama3.2", "details": {"family": "llama"}, "size": 5},
            ]
        }
    ).encode()
    with ModelProgram("Ollama", body=body) as ollama:
        assert found(ollama) == (FoundModel("llama3.2", 5),)


def test_a_slow_program_keeps_nobody_waiting() -> None:
    with ModelProgram("LM Studio", ("a", 1)) as slow, ModelProgram("Ollama", ("b", 2)) as quick:
        slow.answers.clear()
        began = time.monotonic()
        servers = asyncio.run(find_servers({"LM Studio": slow.port, "Ollama": quick.port}))
        assert time.monotonic() - began < 2, "0.3 s, on a busy computer a little more"
        assert [server.models for server in servers] == [None, (FoundModel("b", 2),)]


def test_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    with ModelProgram("Ollama", ("a", 1)) as ollama:
        assert found(ollama) == (FoundModel("a", 1),)


def pulled(program: ModelProgram) -> list[Transferred]:
    async def collect() -> list[Transferred]:
        return [progress async for progress in pull("qwen3:1.7b", program.port)]

    return asyncio.run(collect())


def test_a_model_is_pulled_with_progress_in_bytes() -> None:
    with ModelProgram("Ollama") as ollama:
        progress = pulled(ollama)
        assert progress[0] == Transferred(0, 2_400_000_000)
        assert ollama.pulled == ["qwen3:1.7b"]
        assert found(ollama) == (FoundModel("qwen3:1.7b", 2_400_001_000),)


def test_a_pull_that_is_closed_ends_and_goes_on_the_next_time() -> None:
    with ModelProgram("Ollama") as ollama:
        ollama.hold_after = 1_200_000_000

        async def cancel() -> list[Transferred]:
            seen = []
            async with aclosing(pull("m", ollama.port)) as events:
                async for progress in events:
                    seen.append(progress)
                    if progress.done:
                        break
            return seen

        assert asyncio.run(cancel())[-1] == Transferred(1_200_000_000, 2_400_000_000)
        assert ollama.ended.wait(30), "Ollama sees that nobody waits any more"
        assert found(ollama) == ()
        ollama.hold_after = None
        assert pulled(ollama)[0].done == 1_200_000_000
        assert found(ollama) == (FoundModel("qwen3:1.7b", 2_400_001_000),)


def test_why_a_pull_failed_is_said() -> None:
    with ModelProgram("Ollama") as ollama:
        ollama.fails = "pull model manifest: no such host"
        with pytest.raises(LecternError, match="no such host"):
            pulled(ollama)


def test_a_pull_from_nobody_fails() -> None:
    async def collect() -> None:
        async for _ in pull("m", free_port()):
            pass

    with pytest.raises(LecternError, match="m could not be downloaded"):
        asyncio.run(collect())
