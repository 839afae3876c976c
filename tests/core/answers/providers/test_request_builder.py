from __future__ import annotations

import pytest

from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.base import Step, ToolDefinition, ToolOutcome, Turn
from app.domain.conversations import ChatMessage
from app.domain.search import SearchHit
from app.domain.sources import Source

CACHED = {"type": "ephemeral"}
FIELDS = {"model": "some-model", "max_tokens": 800, "cache_control": CACHED}


TOOL = ToolDefinition("look_up", "Looks up.", {"type": "object"})


def test_the_end_of_the_system_prompt_is_marked_for_the_cache() -> None:
    body = request_body(Turn(("Why?",), system=("Be brief.", "Cite."), tools=(TOOL,)), FIELDS)
    assert body["cache_control"] == CACHED
    assert body["system"] == [
        {"type": "text", "text": "Be brief."},
        {"type": "text", "text": "Cite.", "cache_control": CACHED},
    ]


def test_without_a_system_prompt_the_field_is_left_out() -> None:
    assert "system" not in request_body(Turn(("Why?",)), FIELDS)


def test_what_comes_first_is_cached_and_stays_first() -> None:
    history = (ChatMessage("user", "Who?"), ChatMessage("assistant", "Ada."))
    for turn in (Turn(("Why?",), preface="(Courses.)"), Turn(("Why?",), "(Courses.)", history)):
        body = request_body(turn, FIELDS)
        assert body["messages"][0]["content"][0] == {
            "type": "text",
            "text": "(Courses.)",
            "cache_control": CACHED,
        }


@pytest.mark.parametrize(
    ("turn", "goes_on"),
    [
        (Turn(("Why?",), tools=(TOOL,)), True),
        (Turn(("Why?",)), False),
        (Turn(("Why?",), tools=(TOOL,), given=ToolOutcome("Nothing.")), False),
        (Turn(("Why?",), tools=(TOOL,), steps=[Step([])]), False),
    ],
)
def test_a_whole_request_is_cached_where_another_one_is_likely_to_follow(turn: Turn, goes_on: bool) -> None:
    assert ("cache_control" in request_body(turn, FIELDS)) is goes_on


def test_what_the_first_request_has_cached_is_read_by_those_after_it() -> None:
    history = (ChatMessage("user", "Who?"), ChatMessage("assistant", "Ada."))
    turn = Turn(("Ink", "Why?"), "(Courses.)", history, (TOOL,), steps=[Step([])])
    asked = request_body(turn, FIELDS)["messages"][2]["content"]
    assert [block.get("cache_control") for block in asked] == [None, CACHED]


def test_the_title_of_a_passage_holds_that_of_its_lesson() -> None:
    hit = SearchHit(1, 1.0, "Ink", 2, "Oak galls", 1, "It darkens.", "/ink.md", 0, 11, None, None, 1)
    given = ToolOutcome(sources=(Source(1, "ref", hit, ((0, 11),), "hash"),))
    (message,) = request_body(Turn(("Why?",), given=given), FIELDS)["messages"]
    assert message["content"][0]["title"] == "Ink - Lesson 2: Oak galls"
    (plain,) = request_body(Turn(("Why?",), given=given, cites=False), FIELDS)["messages"]
    assert plain["content"][0]["text"] == "Passage [1]\n[Ink - Lesson 2: Oak galls]\nIt darkens."
