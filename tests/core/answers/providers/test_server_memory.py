"""What was learned of model servers, kept on the disk."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.server_memory import Capabilities, ServerMemory, ServerTraits
from tests.support.answering import ask, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.scripted_turns import Text, Turn

if TYPE_CHECKING:
    from pathlib import Path

SERVER = "http://student:secret@localhost:8080"
DAY = 86_400.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "model-servers.json"


def learned(file: Path, now: float = 1e9) -> ServerMemory:
    memory = ServerMemory(file, lambda: now)
    traits = memory.of(SERVER, "qwen")
    traits.searches, traits.cites, traits.thinks = True, False, None
    traits.lacking.add("stream")
    traits.capabilities = Capabilities(frozenset({"low"}), max_tokens=4096, citations=False)
    memory.save()
    return memory


def test_what_was_learned_is_known_to_the_next_program(file: Path) -> None:
    before = learned(file).of(SERVER, "qwen")
    again = ServerMemory(file, lambda: 1e9 + DAY)
    assert again.of(SERVER, "qwen") == before
    assert again.of(SERVER, "llama") == ServerTraits()
    assert again.of("http://localhost:9999", "qwen") == ServerTraits()


def test_the_file_is_the_users_alone_and_names_nobody(file: Path) -> None:
    learned(file)
    text = file.read_text(encoding="utf-8")
    assert "secret" not in text
    assert "localhost" not in text
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("days", [31, -1])
def test_it_is_learned_anew_after_a_month_or_with_a_wrong_clock(file: Path, days: int) -> None:
    learned(file)
    assert ServerMemory(file, lambda: 1e9 + days * DAY).of(SERVER, "qwen") == ServerTraits()


def test_nothing_is_written_while_nothing_is_known(file: Path) -> None:
    memory = ServerMemory(file)
    memory.of(SERVER, "qwen")
    memory.save()
    assert not file.exists()


@pytest.mark.parametrize(
    "rubbish",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"7",
        b'{"version": 1}',
        b'{"version": 1, "models": []}',
        b'{"version": 1, "models": {"KEY": 3}}',
        b'{"version": 1, "models": {"KEY": {"since": "now"}}}',
        b'{"version": 1, "models": {"KEY": {"since": NaN}}}',
        b'{"version": 2, "models": {"KEY": {"since": 1e9, "searches": false}}}',
        b'{"version": 1, "models": {"KEY": {"since": 1e9, "searches": "no", "lacking": [3, {}], '
        b'"capabilities": {"efforts": {"low": 1}, "max_tokens": true, "thinks": 7}, "probes_left": -4}}}',
        b"[" * 100_000,
        b'{"version": ' + b"9" * 6000 + b"}",
        b" " * (2 << 20) + b'{"version": 1}',
    ],
)
def test_rubbish_is_as_good_as_nothing(file: Path, rubbish: bytes) -> None:
    learned(file)
    (key,) = json.loads(file.read_text(encoding="utf-8"))["models"]
    file.write_bytes(rubbish.replace(b"KEY", key.encode()))
    memory = ServerMemory(file, lambda: 1e9)
    traits = memory.of(SERVER, "qwen")
    assert (traits.searches, traits.lacking, traits.probes_left) == (None, set(), 3)
    assert traits.capabilities in (None, Capabilities())
    traits.searches = True
    memory.save()
    assert ServerMemory(file, lambda: 1e9).of(SERVER, "qwen").searches is True


def test_a_place_that_cannot_be_written_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    for file in (tmp_path, tmp_path / "taken" / "file", tmp_path / "none" / "file"):
        memory = ServerMemory(file)
        memory.of(SERVER, "qwen").searches = True
        memory.save()
        assert memory.of(SERVER, "qwen").searches is True


def test_a_refusal_is_remembered_by_the_next_program(file: Path) -> None:
    model = Model("claude-sonnet-5-5", "Sonnet", lacks=frozenset({"effort"}))
    with AnthropicServer(models=(model,)) as server:
        server.script(*[Turn(Text("Yes."))] * 2)
        for _ in range(2):
            assert ask(settings_for(server), memory=ServerMemory(file)).text == "Yes."
        assert len(server.rejections) == 1
        assert [item.method for item in server.requests] == ["GET", "POST", "POST", "POST"]
