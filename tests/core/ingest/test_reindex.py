"""The version of the index and its stored form."""

from __future__ import annotations

import pytest

from app.core.ingest.reindex import IndexVersion


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("sha256:53aa|800|100", IndexVersion("sha256:53aa", 800, 100)),
        ("sha256:53aa|", IndexVersion("sha256:53aa")),  # unfinished reindex with the same model
        ("|", IndexVersion("")),  # unfinished reindex with another model
    ],
)
def test_versions_are_parsed_and_formatted_alike(text: str, version: IndexVersion) -> None:
    assert IndexVersion.parse(text) == version
    assert str(version) == text


@pytest.mark.parametrize("text", ["", "model", "model|800", "model|a|b"])
def test_malformed_text_is_an_unfinished_index(text: str) -> None:
    assert IndexVersion.parse(text).size == 0
