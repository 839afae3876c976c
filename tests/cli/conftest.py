"""Commands on a library of the three tiny courses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.commands import Commands

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.courses import KeptEmbedder


@pytest.fixture
def kept_model(monkeypatch: pytest.MonkeyPatch, embedder: KeptEmbedder) -> None:
    """Load the model once for all commands of this process, not for each."""
    monkeypatch.setattr("app.cli.commands.Embedder", lambda model_dir, cache_dir: embedder)


@pytest.fixture
def run(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(data_dir, capsys)
