"""Recordings on the command line: what could be heard, and hearing it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.support.speech import SPEECH, small_model

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.commands import Commands


pytestmark = pytest.mark.slow


@pytest.fixture
def recording(run: Commands, tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "Bees"
    folder.mkdir()
    (folder / "01 Bees.txt").write_text("Bees live in hives.", encoding="utf-8")
    path = folder / "02 Finding home.opus"
    shutil.copy(SPEECH / "speech.opus", path)
    assert "can be transcribed, or read from captions" in run("ingest", folder).out
    return path


def test_what_could_be_heard_is_listed(run: Commands, recording: Path) -> None:
    shown = run("hear")
    assert shown.code == 0, shown.err
    assert f"{recording}: 0 min" in shown.out
    assert "base: Whisper base, MIT, 148 MB to download, about 1 min for all of them" in shown.out
    listed = run("hear", "--json").json
    assert [(round(one["seconds"]), one["heard_until"]) for one in listed["recordings"]] == [(12, 0)]
    assert listed["recommended"] in [model["id"] for model in listed["models"]]
    refused = run("hear", recording, "--model", recording.parent)
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert "There is no Whisper model" in refused.err


def test_a_recording_is_heard_found_and_gets_captions(run: Commands, recording: Path) -> None:
    heard = run("hear", recording, "--model", small_model(), "--language", "en", "--captions", "--json")
    assert heard.code == 0, heard.err
    assert f"hearing {recording}: 0 of 1 min" in heard.err
    assert heard.json["files"][0]["status"] == "added"
    captions = recording.with_suffix(".vtt")
    assert heard.json["captions"] == [str(captions)]
    assert "covered with" in captions.read_text("utf-8")
    found = run("search", "What covers the sky?", "--limit", "1", "--json").json["hits"][0]
    assert found["path"] == str(recording)
    assert found["anchor"]["seconds"] < 12
    assert "There is no recording" in run("hear").out
    again = run("hear", recording, "--again", "--model", small_model(), "--captions", "--json").json
    assert [file["status"] for file in again["files"]] == ["unchanged"]
    assert again["captions"] == [str(captions)]
