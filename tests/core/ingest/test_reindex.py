"""The version of the index, and the text it is stored as."""

from __future__ import annotations

import pytest

from app.core.ingest.reindex import IndexVersion


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("sha256:53aa|800|100", IndexVersion("sha256:53aa", 800, 100)),
        ("sha256:53aa|", IndexVersion("sha256:53aa")),  # a reindex with the same model has not finished
        ("|", IndexVersion("")),  # nor one with another model
    ],
)
def test_the_stored_text_is_read_and_written_alike(text: str, version: IndexVersion) -> None:
    assert IndexVersion.parse(text) == version
    assert str(version) == text


@pytest.mark.parametrize("text", ["", "model", "model|800", "model|a|b"])
def test_any_other_text_is_no_finished_index(text: str) -> None:
    assert IndexVersion.parse(text).size == 0
