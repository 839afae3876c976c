"""A server that sends back the key it was given: the key is in no output and in no export."""

from __future__ import annotations

import asyncio
import base64
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from app.core.conversations.markdown_export import conversation_markdown
from app.domain.conversations import OpenedConversation
from tests.support.anthropic_server import AnthropicServer
from tests.support.commands import Commands
from tests.support.courses import library
from tests.support.scripted_turns import ErrorReply, Reply, StreamError, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

KEYS = ["sk-ant-planted-0123456789abcdef", "planted+token/of.another=make.0123"]


@pytest.fixture(
    params=[
        pytest.param(KEYS[0], id="Anthropic's"),
        pytest.param(KEYS[1], id="another's", marks=pytest.mark.slow),
    ]
)
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(key: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with AnthropicServer(key=key) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
        yield server


@pytest.fixture
def run(
    data_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    embedder: KeptEmbedder,
) -> Commands:
    monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)
    return Commands(data_dir, capsys)


def spellings(key: str) -> list[str]:
    encoded = base64.b64encode(key.encode()).decode()
    return [key, quote(key, safe=""), encoded, encoded.rstrip("="), key.encode().hex()]


def replies(key: str) -> list[tuple[Reply, ...]]:
    """Return what a server says to one question, for several questions."""
    said = [(Turn(Text(f"Your key is {spelling}.")),) for spelling in spellings(key)]
    split: list[tuple[Reply, ...]] = [(Turn(Text("Your key is ", *key, ".")),)]
    half = len(key) // 2
    split.append((Turn(Text(f"It begins {key[:half]}", key[half:], " and ends."), Text(" So.")),))
    search = ToolUse("search_course_content", {"query": f"what is {key}"})
    split.append((Turn(search, stop_reason="tool_use"), Turn(Text("Nothing."))))
    failed: list[tuple[Reply, ...]] = [
        (ErrorReply(status, "invalid_request_error", f"Not with {key}"),) * 4 for status in (400, 401, 403)
    ]
    failed.append((Turn(Text("Yes "), StreamError("invalid_request_error", f"bad key {key}")),))
    return [*said, *split, *failed]


def holds(text: str, key: str) -> list[str]:
    return [spelling for spelling in spellings(key) if spelling in text]


def test_no_output_holds_it(run: Commands, server: AnthropicServer, key: str) -> None:
    hidden = 0
    for reply in replies(key):
        for options in ((), ("--json",)):
            server.forget()
            server.script(*reply, *reply[-1:] * 3)  # an answer without a search is asked for again
            ran = run("ask", "What are neap tides?", *options)
            assert not holds(ran.out + ran.err, key), (reply, options)
            assert ran.code in (0, 1)
            hidden += "[key hidden]" in ran.out + ran.err
    assert hidden >= 2 * len(spellings(key)), "it was sent back at all"


def test_no_export_holds_it(
    run: Commands, server: AnthropicServer, key: str, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    with library(run.data_dir, embedder, index=False) as rag:
        conversation = rag.conversations.create_session()

        async def ask() -> None:
            connection = rag.answers.connection(key)
            question = "What are neap tides?"
            async for _ in rag.answers.query(question, connection, conversation_id=conversation):
                pass
            await rag.answers.disconnect()

        rag.settings = replace(rag.settings, base_url=server.url)
        for reply in replies(key):
            server.forget()
            server.script(*reply, *reply[-1:] * 3)
            asyncio.run(ask())
        listed = rag.conversations.conversation(conversation)
        assert listed is not None
        exchanges = rag.conversations.exchanges(conversation)
        assert len(exchanges) == len(replies(key))
        exported = conversation_markdown(OpenedConversation(listed, exchanges))
        assert not holds(exported, key)
        assert exported.count("key hidden") >= len(spellings(key))
    archive = tmp_path / "library.lectern"
    assert run("export", archive).code == 0
    assert zipfile.is_zipfile(archive)
    with zipfile.ZipFile(archive) as packed:
        for name in packed.namelist():
            assert not holds(packed.read(name).decode("latin-1"), key), name
    for path in run.data_dir.rglob("*"):
        if path.is_file():
            assert not holds(path.read_bytes().decode("latin-1"), key), path
