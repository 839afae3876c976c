from __future__ import annotations

from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.base import Turn

CACHED = {"type": "ephemeral"}
FIELDS = {"model": "some-model", "max_tokens": 800, "cache_control": CACHED}


def test_the_end_of_the_system_prompt_is_marked_for_the_cache() -> None:
    body = request_body(Turn(("Why?",), system=("Be brief.", "Cite.")), FIELDS)
    assert body["cache_control"] == CACHED
    assert body["system"] == [
        {"type": "text", "text": "Be brief."},
        {"type": "text", "text": "Cite.", "cache_control": CACHED},
    ]


def test_without_a_system_prompt_the_field_is_left_out() -> None:
    body = request_body(Turn(("Why?",)), FIELDS)
    assert "system" not in body
    assert body["cache_control"] == CACHED
