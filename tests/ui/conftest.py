"""What tests of the window share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.ui.widgets.messages import install_translations
from tests.support import pseudo_language
from tests.support.running_window import Opener, RunningWindow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """The application, in English, whatever the system speaks."""
    install_translations(qapp, "en")
    return qapp


@pytest.fixture(scope="session")
def pseudo_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a packaged program holds, in a language of brackets instead of German."""
    return pseudo_language.make_package(tmp_path_factory.mktemp("package"))


@pytest.fixture
def open_window(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[Opener]:
    """Open windows on one library, one after the other."""
    opened: list[RunningWindow] = []

    def open_one(server: AnthropicServer | None = None) -> RunningWindow:
        for before in opened:
            before.window.close()
        running = RunningWindow(
            tmp_path,
            model_cache,
            base_url=server.url if server else "",
            key=server.key if server else "",
            embedder=embedder,
            data_dir=data_dir,
        )
        opened.append(running)
        running.open()
        running.wait_until_ready(samples=False)
        return running

    yield open_one
    for running in opened:
        running.close()
