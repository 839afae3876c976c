"""Small models are asked in a short way, and slow computers are given time to read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


@pytest.mark.parametrize(
    ("address", "short", "silence"),
    [
        ("", False, 60),
        ("https://models.example.org", False, 60),
        ("https://models.example.org", True, 300),
        ("http://localhost:11434", False, 300),
        ("http://127.0.0.1:8080", False, 300),
    ],
)
def test_a_small_computer_may_take_minutes_to_read(
    rag: RAGSystem, address: str, short: bool, silence: int
) -> None:
    settings = replace(rag.settings, base_url=address, short_prompts=short)
    connection = rag.answers.connection("key", settings)
    assert connection is not None
    assert connection.short == short
    assert connection.timeout_read == silence
    assert connection.timeout_content >= silence
