"""Pictures of the ways to a model, in all their states."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers import found_servers
from app.core.local_models import service
from app.domain.model_servers import PROGRAM_PORTS
from tests.support.hub_server import HubServer
from tests.support.model_programs import ModelProgram
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures


def way_states(pictures: Pictures) -> None:
    """Take the welcome and the settings with each way in each of its states."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        patch.setenv("LECTERN_CACHE_DIR", str(folder / "cache"))
        patch.setattr(service, "total_memory", lambda: 4 * 10**9)
        patch.setattr(found_servers, "_SECONDS", 10.0)  # drawing keeps the doubles waiting
        (folder / "published").mkdir()
        (folder / "published" / "small.gguf").write_bytes(bytes(30_000_000))
        hub = stack.enter_context(HubServer(folder / "published"))
        programs = [stack.enter_context(ModelProgram(name)) for name in PROGRAM_PORTS]
        running, _ = stack.enter_context(pictures.window(is_ready=False))
        running.wait_until_ready(samples=False)
        _take(pictures, running, "little-memory")
        patch.setattr(service, "total_memory", lambda: 16 * 10**9)
        _take(pictures, running, "none-running")
        hub.offer(patch)
        running.workers.answers.ports = {program.name: program.port for program in programs}
        _take(pictures, running, "no-models")
        _downloads(pictures, running, programs[0], hub)
        _in_use(pictures, running, programs, hub)


def _downloads(pictures: Pictures, running: RunningWindow, ollama: ModelProgram, hub: HubServer) -> None:
    """Take downloads that have failed, go on, and were cancelled."""
    tiles = running.window.settings_controller.tiles.tiles
    local, pulled = tiles["local"], tiles["Ollama"]
    ollama.fails, hub.status = "pull model manifest: no such host", 503
    local.button.click()
    pulled.button.click()
    running.wait_for(lambda: "503" in local.line.text() and "host" in pulled.line.text(), "the failures")
    _take(pictures, running, "failed")
    ollama.fails, hub.status = "", 0
    ollama.hold_after, hub.hold_after = 800_000_000, 12_000_000
    local.button.click()
    pulled.button.click()
    running.wait_for(lambda: "/s" in local.line.text() and "/s" in pulled.line.text(), "the rates")
    _take(pictures, running, "downloading")
    local.button.click()
    pulled.button.click()
    running.wait_for(ollama.ended.is_set, "the end of the download")
    running.wait_for(lambda: "/s" not in local.line.text() + pulled.line.text(), "the tiles to say so")
    _take(pictures, running, "cancelled")


def _in_use(
    pictures: Pictures, running: RunningWindow, programs: Sequence[ModelProgram], hub: HubServer
) -> None:
    """Take ways that are ready, in use, and in use but not running."""
    ollama, studio, llama = programs
    ollama.models = [("qwen3:4b-instruct", 2_497_000_000), ("gemma3:1b", 815_000_000)]
    studio.models = [(f"publisher/some-model-with-a-long-name-{n}b", n * 10**9) for n in range(1, 6)]
    llama.models = [("Qwen3-1.7B-Q4_K_M.gguf", 1_107_000_000)]
    _take(pictures, running, "ready")
    hub.hold_after = None
    hub.go_on.set()
    running.window.settings_controller.tiles.tiles["local"].button.click()
    running.wait_for(lambda: running.window.settings.provider == "local", "the model to be used")
    _take_settings(pictures, running, "local-in-use")
    menu = running.window.settings_controller.model_button.menu()
    next(action for action in menu.actions() if action.text() == "Ollama").trigger()
    running.wait_for(lambda: running.window.settings.base_url != "", "Ollama to be used")
    _take_settings(pictures, running, "ollama-in-use")
    ollama.body = b""
    _take_settings(pictures, running, "stopped")


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
