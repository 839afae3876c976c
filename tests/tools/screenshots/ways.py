"""Pictures of the ways to a model, in all their states."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.local_models import service
from tests.support.hub_server import HubServer
from tests.support.model_programs import ModelProgram
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures


def way_states(pictures: Pictures) -> None:
    """Take the welcome and the settings with each way in each of its states."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        cache = stack.enter_context(tempfile.TemporaryDirectory())
        patch.setenv("LECTERN_CACHE_DIR", cache)
        patch.setattr(service, "total_memory", lambda: 4 * 10**9)
        ollama, studio, llama = (
            stack.enter_context(ModelProgram(name)) for name in ("Ollama", "LM Studio", "llama.cpp")
        )
        programs = {program.name: program for program in (ollama, studio, llama)}
        running, _ = stack.enter_context(pictures.window(is_ready=False))
        running.wait_until_ready(samples=False)
        _take(pictures, running, "little-memory")
        patch.setattr(service, "total_memory", lambda: 16 * 10**9)
        _take(pictures, running, "none-running")
        running.workers.answers.ports = {name: program.port for name, program in programs.items()}
        _take(pictures, running, "no-models")
        _downloads(pictures, running, ollama)
        ollama.models = [("qwen3:4b-instruct", 2_497_000_000), ("gemma3:1b", 815_000_000)]
        studio.models = [(f"publisher/some-model-with-a-long-name-{n}b", n * 10**9) for n in range(1, 6)]
        llama.models = [("Qwen3-1.7B-Q4_K_M.gguf", 1_107_000_000)]
        _take(pictures, running, "ready")
        tiles = running.window.settings_controller.tiles.tiles
        tiles["Ollama"].button.click()
        running.wait_for(lambda: running.window.settings.base_url != "", "the choice")
        _take_settings(pictures, running, "in-use")
        ollama.body = b""
        _take_settings(pictures, running, "stopped")


def _downloads(pictures: Pictures, running: RunningWindow, ollama: ModelProgram) -> None:
    """Take downloads that go on, were cancelled, and have failed."""
    tiles = running.window.settings_controller.tiles.tiles
    ollama.hold_after = 800_000_000
    with HubServer(Path(), hold_after=0) as hub, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", hub.url)
        tiles["Ollama"].button.click()
        running.wait_for(lambda: "/s" in tiles["Ollama"].line.text(), "the rate")
        hub.status = 503
        tiles["local"].button.click()
        running.wait_for(lambda: "503" in tiles["local"].line.text(), "the failure")
        _take(pictures, running, "downloading")
        tiles["Ollama"].button.click()
        running.wait_for(ollama.ended.is_set, "the end of the download")


def _take(pictures: Pictures, running: RunningWindow, name: str) -> None:
    _look(running)
    pictures.take(running, f"ways-welcome-{name}")
    _take_settings(pictures, running, name)


def _take_settings(pictures: Pictures, running: RunningWindow, name: str) -> None:
    running.window.open_settings()
    _look(running)
    pictures.take(running, f"ways-settings-{name}")
    dialog = running.window.settings_controller.dialog
    assert dialog is not None
    dialog.reject()
    settle()


def _look(running: RunningWindow) -> None:
    found: list[bool] = []
    ways = running.window.settings_controller.ways
    ways.changed.connect(lambda: found.append(True))
    ways.look()
    running.wait_for(lambda: bool(found), "what there is")
