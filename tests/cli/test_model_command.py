"""The embedding model on the command line: shown, chosen, killed in the middle, refused."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.config.settings import load_settings
from tests.support.hub_server import HubServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import OtherModel
    from tests.support.commands import Commands

pytestmark = pytest.mark.slow

NAME = "multilingual"


@pytest.fixture
def server(other_model: OtherModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    with HubServer(other_model.folder) as running:
        shutil.rmtree(other_model.cache / "models" / "hub", ignore_errors=True)
        running.stand_in(monkeypatch)
        monkeypatch.setenv("LECTERN_CACHE_DIR", str(other_model.cache))
        yield running


def chosen(tmp_path: Path) -> str:
    return load_settings(tmp_path / "config" / "settings.json").embedding_model


def test_a_model_is_chosen_shown_and_given_up(run: Commands, server: HubServer, tmp_path: Path) -> None:
    assert run("model", "show", "--json").json["chosen"] == "default"
    used = run("model", "use", NAME, "--json")
    assert used.code == 0, used.err
    assert (used.json["chosen"], used.json["current"]) == (NAME, True)
    assert used.json["used"].startswith("multilingual-e5-small@")
    assert "Downloading model" in used.err
    assert chosen(tmp_path) == NAME
    assert run("search", "sourdough starter", "--json").json["hits"]
    assert run("model", "use", "default").out.startswith("all-MiniLM-L6-v2@")
    assert chosen(tmp_path) == ""


def test_one_that_does_not_exist_is_not_kept(run: Commands, tmp_path: Path) -> None:
    refused = run("model", "use", tmp_path / "nowhere")
    assert (refused.code, refused.out) == (1, "")
    assert "does not exist" in refused.err
    assert chosen(tmp_path) == ""
    assert run("model", "show", "--json").json["current"] is True


def test_a_busy_hub_is_asked_again_by_the_same_command(
    run: Commands, server: HubServer, tmp_path: Path
) -> None:
    server.status = 503
    refused = run("model", "use", NAME)
    assert refused.code == 1
    assert "Try again later; the download will resume." in refused.err
    assert chosen(tmp_path) == NAME
    shown = run("model", "show").out
    assert "The library is not yet embedded with it; “lectern model use multilingual” does that." in shown
    server.status = 0
    assert run("model", "use", NAME).code == 0
