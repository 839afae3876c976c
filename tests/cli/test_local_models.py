"""Models that answer on this computer, on the command line: from the choice to an answer with sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.config.settings import Settings, load_settings
from app.core.local_models import service
from tests.support.small_gguf import write_gguf

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.support.commands import Commands

ANSWER = "A starter that doubles within six hours is ready to raise a loaf [1]."


def chosen(tmp_path: Path) -> tuple[str, str]:
    settings = load_settings(tmp_path / "config" / "settings.json")
    return settings.provider, settings.model


def test_a_file_is_chosen_answers_and_is_named(run: Commands, tmp_path: Path) -> None:
    model = write_gguf(tmp_path / "small.gguf", ANSWER)
    shown = run("model", "local", "use", "--json", model)
    assert shown.code == 0, shown.err
    assert shown.json["chosen"] == str(model)
    assert min(shown.json["speed"]) > 0
    assert chosen(tmp_path) == ("local", str(model))
    asked = run("ask", "When is a sourdough starter ready?", "--json")
    assert asked.code == 0, asked.err
    assert "Loading the model" in asked.err
    assert (asked.json["state"], asked.json["model"]) == ("done", "small")
    assert asked.json["citations"]
    assert "Answers are written by small." in run("model", "local", "show").out
    examined = run("doctor")
    assert "answers by small, run by llama.cpp: reads" in examined.out
    model.unlink()
    missing = run("doctor")
    assert missing.code == 1
    assert "There is no file" in missing.out


def test_a_file_that_is_no_model_is_not_chosen(run: Commands, tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF" + bytes(1000))
    refused = run("model", "local", "use", other)
    assert (refused.code, refused.out) == (1, "")
    assert "other.gguf cannot be used" in refused.err
    assert chosen(tmp_path) == ("anthropic", Settings().model)


def test_the_list_shows_what_a_download_and_an_answer_take(run: Commands) -> None:
    shown = run("model", "local", "show")
    assert "qwen3-1.7b: Qwen3 1.7B, Apache-2.0, 1.1 GB to download, about " in shown.out
    assert "None of them writes the answers." in shown.out
    refused = run("model", "local", "download", "gpt-7")
    assert refused.code == 1
    assert "There is no model “gpt-7” for this computer, but: qwen3-4b, qwen3-1.7b." in refused.err


def test_removing_what_is_chosen_returns_to_the_default(run: Commands, tmp_path: Path) -> None:
    file = tmp_path / "config" / "settings.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"provider": "local", "model": "qwen3-1.7b"}', encoding="utf-8")
    assert run("model", "local", "remove", "qwen3-1.7b").code == 0
    assert chosen(tmp_path) == ("anthropic", Settings().model)


def test_too_little_memory_is_said(run: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "total_memory", lambda: 4 * 10**9)
    assert "too little memory" in run("model", "local", "show").out
    refused = run("model", "local", "use")
    assert (refused.code, refused.out) == (1, "")
    assert "6 GB are needed" in refused.err
