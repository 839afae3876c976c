from __future__ import annotations

import dataclasses
import json
import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.config.settings import (
    DEFAULT_MODEL,
    LIMITS,
    Settings,
    adopt,
    load_settings,
    portable,
    rebased,
    save_settings,
    with_environment,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "settings.json"


def stored(path: Path, data: object) -> Settings:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return load_settings(path)


def test_without_a_file_the_defaults_hold(path: Path) -> None:
    settings = load_settings(path)
    assert settings == Settings()
    assert (settings.chunk_size, settings.chunk_overlap) == (800, 100)
    assert (settings.passages_per_search, settings.exchanges_remembered, settings.max_tokens) == (5, 2, 800)
    assert not path.parent.exists()


def test_what_was_saved_comes_back(path: Path) -> None:
    settings = Settings(
        base_url="http://127.0.0.1:8080",
        model="größer-1",
        effort="high",
        passages_per_search=7,
        exchanges_remembered=0,
        chunk_size=1000,
        chunk_overlap=0,
        sync_folders=False,
        recognize_text=False,
        theme="dark",
    )
    save_settings(settings, path)
    assert load_settings(path) == settings
    save_settings(Settings(), path)
    assert load_settings(path) == Settings()
    assert [item.name for item in path.parent.iterdir()] == ["settings.json"]


def test_only_what_was_changed_replaces_what_another_program_has_saved(path: Path) -> None:
    before = Settings(text_size=110)
    assert rebased(replace(before, theme="dark"), before, path) == replace(before, theme="dark"), "no file"
    elsewhere = Settings(provider="local", model="qwen3-4b", short_prompts=True, notify=False)
    save_settings(elsewhere, path)
    assert rebased(replace(before, theme="dark"), before, path) == replace(elsewhere, theme="dark")
    other_model = replace(before, model="claude-haiku-4-5")
    assert rebased(other_model, before, path) == replace(Settings(notify=False), model="claude-haiku-4-5")
    path.write_text("{", encoding="utf-8")
    assert rebased(before, before, path) == before


def test_the_file_holds_no_key(path: Path) -> None:
    save_settings(Settings(), path)
    assert "key" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "5", b"\xff\xfe\x00"])
def test_a_broken_file_gives_the_defaults(
    path: Path, content: str | bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert load_settings(path) == Settings()
    assert "defaults" in caplog.text


def test_a_deeply_nested_file_gives_the_defaults(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    path.write_text('{"future": ' + "[" * 50_000 + "]" * 50_000 + "}", encoding="utf-8")
    settings = load_settings(path)
    assert settings == Settings()
    assert "defaults" in caplog.text
    save_settings(settings, path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no special files")
def test_a_pipe_gives_the_defaults(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path.parent.mkdir()
    os.mkfifo(path)
    assert load_settings(path) == Settings()
    assert "Not a regular file" in caplog.text
    path.unlink()
    path.symlink_to("/dev/zero")
    assert load_settings(path) == Settings()


def test_a_file_edited_by_hand(path: Path) -> None:
    path.parent.mkdir()
    path.write_text('\ufeff{"max_tokens": 900}\n', encoding="utf-8")
    assert load_settings(path).max_tokens == 900


def test_a_folder_in_its_place_gives_the_defaults(path: Path) -> None:
    path.mkdir(parents=True)
    assert load_settings(path) == Settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("chunk_size", "800"),
        ("chunk_size", 800.5),
        ("chunk_size", True),
        ("model", None),
        ("theme", ["dark"]),
    ],
)
def test_a_value_of_the_wrong_kind_gives_its_default_alone(
    path: Path, name: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings = stored(path, {name: value, "max_tokens": 900})
    assert getattr(settings, name) == getattr(Settings(), name)
    assert settings.max_tokens == 900
    assert name in caplog.text


@pytest.mark.parametrize("name", LIMITS)
def test_numbers_are_brought_into_their_limits(path: Path, name: str) -> None:
    low, high = LIMITS[name]
    other = {"chunk_size": 4000} if name == "chunk_overlap" else {}
    assert getattr(stored(path, {**other, name: -(10**9)}), name) == low
    assert getattr(stored(path, {**other, name: 10**9}), name) == high


def test_the_overlap_stays_below_half_of_the_size(path: Path) -> None:
    settings = stored(path, {"chunk_size": 300, "chunk_overlap": 299})
    assert (settings.chunk_size, settings.chunk_overlap) == (300, 150)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"theme": "purple"}, {"theme": "system"}),
        ({"effort": "heroic"}, {"effort": "low"}),
        ({"provider": "openai"}, {"provider": "openai"}),
        ({"provider": "telegraph"}, {"provider": "anthropic"}),
        ({"model": "  "}, {"model": DEFAULT_MODEL}),
        ({"base_url": " https://example.org/ "}, {"base_url": "https://example.org"}),
    ],
)
def test_texts_are_made_valid(path: Path, given: dict[str, Any], kept: dict[str, Any]) -> None:
    settings = stored(path, given)
    assert {name: getattr(settings, name) for name in kept} == kept


def test_a_file_that_can_not_be_written_leaves_the_old_one(path: Path) -> None:
    save_settings(Settings(max_tokens=900), path)
    path.with_name(f".settings.json.{os.getpid()}.part").mkdir()
    with pytest.raises(OSError):
        save_settings(Settings(max_tokens=1000), path)
    assert load_settings(path).max_tokens == 900


def test_a_model_of_this_computer_stays_here() -> None:
    local = Settings(provider="local", model="/home/me/model.gguf", max_tokens=500)
    claude = Settings(model="claude-opus-5-5", max_tokens=300)
    assert "model" not in portable(local)
    assert adopt(claude, portable(local)) == replace(claude, max_tokens=500)
    assert adopt(local, portable(claude)) == replace(local, max_tokens=300)
    assert adopt(Settings(), portable(claude)) == claude


def test_the_environment_wins() -> None:
    settings = Settings(provider="openai", base_url="https://file.example", model="of-the-file")
    assert with_environment(settings, {}) == settings
    changed = with_environment(
        settings, {"ANTHROPIC_BASE_URL": "http://localhost:1/", "LECTERN_MODEL": "other"}
    )
    assert (changed.base_url, changed.model) == ("http://localhost:1", "other")
    assert changed.provider == "anthropic"
    assert with_environment(settings, {"ANTHROPIC_BASE_URL": "http://localhost:1"}).model == DEFAULT_MODEL
    assert with_environment(settings, {"ANTHROPIC_BASE_URL": "", "LECTERN_MODEL": ""}) == settings


def test_settings_can_not_be_changed_in_place() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().model = "other"  # type: ignore[misc]


def test_good_values_are_not_warned_about(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        stored(path, {"chunk_size": 500})
    assert caplog.text == ""
