"""The command that lists the programs on this computer that run models for answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.model_servers import PROGRAM_PORTS
from tests.support.commands import Commands
from tests.support.model_programs import ModelProgram

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def ports(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with ModelProgram("Ollama", ("qwen3:4b", 2_500_000_000)) as ollama, ModelProgram("LM Studio") as studio:
        for name, port in (("Ollama", ollama.port), ("LM Studio", studio.port), ("llama.cpp", 1)):
            monkeypatch.setitem(PROGRAM_PORTS, name, port)
        yield


@pytest.mark.usefixtures("ports")
def test_it_lists_them_with_their_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Commands(tmp_path / "data", capsys)("model", "servers")
    assert ran.code == 0
    ollama, studio, llama = ran.out.splitlines()
    assert ollama.split(maxsplit=1)[0] == "Ollama" and ollama.endswith("qwen3:4b (2.5 GB)")
    assert studio.startswith("LM Studio") and studio.endswith("running, without a model")
    assert llama.startswith("llama.cpp") and llama.endswith("not running")
    assert not (tmp_path / "data").exists(), "no library is opened"


@pytest.mark.usefixtures("ports")
def test_as_json_a_program_that_does_not_run_has_null_for_its_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = Commands(tmp_path / "data", capsys)("model", "servers", "--json").json
    assert [(one["name"], one["models"]) for one in listed] == [
        ("Ollama", [{"id": "qwen3:4b", "bytes": 2_500_000_000}]),
        ("LM Studio", []),
        ("llama.cpp", None),
    ]
    assert listed[2]["address"] == "http://localhost:1"
