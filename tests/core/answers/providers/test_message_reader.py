"""Sequences of streamed events, and what the reader makes of them."""

from __future__ import annotations

from typing import Any

import pytest

from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.base import (
    BlockEnd,
    CitedSentences,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Unseen,
)
from app.domain.model_servers import Usage

START = {"type": "message_start", "message": {"model": "sonnet", "usage": {"input_tokens": 5}}}
TEXT = {"type": "text", "text": ""}
LOCATION = {"source": "ref:1", "start_block_index": 0, "end_block_index": 2, "cited_text": "It is."}
CITED = CitedSentences("ref:1", 0, 2, "It is.")


def begin(block: object, index: object = 0) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(kind: str, index: object = 0, **fields: object) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def end(index: object = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def stopped(reason: object, **usage: int) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def read(*events: object) -> tuple[MessageReader, list[ReplyEvent]]:
    reader = MessageReader()
    return reader, [meant for event in events for meant in reader.feed(event)]


def test_text_with_a_citation_and_an_end() -> None:
    reader, seen = read(
        START,
        begin(TEXT),
        delta("text_delta", text="It "),
        delta("text_delta", text="is."),
        delta("citations_delta", citation=LOCATION),
        end(),
        stopped("end_turn", output_tokens=7),
        {"type": "message_stop"},
    )
    assert seen == [
        Usage(5),
        TextDelta("It "),
        TextDelta("is."),
        CITED,
        BlockEnd(),
        Usage(5, 7),
    ]
    assert (reader.model, reader.stop_reason, reader.complete) == ("sonnet", "end_turn", True)
    assert reader.content == [{"type": "text", "text": "It is.", "citations": [LOCATION]}]


def test_a_block_that_starts_with_text_and_citations_is_read_whole() -> None:
    _, seen = read(begin({"type": "text", "text": "It is.", "citations": [LOCATION]}), end())
    assert seen == [CITED, TextDelta("It is."), BlockEnd()]


def test_thoughts_are_kept_with_their_signature_and_not_shown() -> None:
    reader, seen = read(
        begin({"type": "thinking", "thinking": "", "signature": ""}),
        delta("thinking_delta", thinking="Hm"),
        delta("thinking_delta", thinking="m."),
        delta("signature_delta", signature="abc"),
        end(),
    )
    assert seen == [Unseen(), Unseen(2), Unseen(2)]
    assert reader.content == [{"type": "thinking", "thinking": "Hmm.", "signature": "abc"}]


def test_a_call_is_complete_when_its_block_ends() -> None:
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    reader, seen = read(
        begin(call),
        delta("input_json_delta", partial_json='{"query": '),
        delta("input_json_delta", partial_json='"ink"}'),
    )
    assert reader.content == [], "a call that was cut off would not be taken back"
    assert not any(isinstance(event, ToolCall) for event in seen)
    assert reader.feed(end()) == [ToolCall("t1", "look", {"query": "ink"})]
    assert reader.content == [{**call, "input": {"query": "ink"}}]
    assert reader.feed(end()) == [], "a block ends once"


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("", {}),
        ("  ", {}),
        ("[1]", [1]),
        ("null", None),
        ('{"query": ', '{"query": '),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_arguments_that_are_no_object_are_handed_on_but_not_sent_back(
    written: str, arguments: object
) -> None:
    call = {"type": "tool_use", "id": "t1", "name": "look", "input": {}}
    reader, seen = read(begin(call), delta("input_json_delta", partial_json=written), end())
    assert seen[-1] == ToolCall("t1", "look", arguments)
    assert reader.content == [call]


def test_blocks_go_back_in_the_order_of_their_numbers_with_what_nobody_knows() -> None:
    hologram = {"type": "hologram", "payload": {"deep": [1, None, "ü"]}}
    reader, seen = read(begin(hologram, 1), begin({"type": "text", "text": "Hi."}, 0), end(1), end(0))
    assert reader.content == [{"type": "text", "text": "Hi."}, hologram]
    assert seen == [Unseen(), TextDelta("Hi."), BlockEnd()]


def test_text_without_a_character_is_not_sent_back() -> None:
    assert read(begin(TEXT), delta("text_delta", text=" \n"), end())[0].content == []


def test_a_character_in_two_halves_is_put_together_and_a_lone_half_replaced() -> None:
    _, seen = read(
        begin(TEXT),
        delta("text_delta", text="Ink \ud83d"),
        delta("text_delta", text="\ude00!"),
        delta("text_delta", text="\ud83d"),
        delta("text_delta", text=" dries"),
    )
    assert seen == [
        TextDelta("Ink "),
        TextDelta("\N{GRINNING FACE}!"),
        TextDelta("\N{REPLACEMENT CHARACTER} dries"),
    ]


def test_later_counts_of_tokens_replace_earlier_ones() -> None:
    _, seen = read(
        {"type": "message_start", "message": {"usage": {"input_tokens": 9, "cache_read_input_tokens": 4}}},
        stopped(None, output_tokens=1),
        stopped("end_turn", output_tokens=3, cache_creation_input_tokens=2),
    )
    assert seen == [Usage(9, 0, 4), Usage(9, 1, 4), Usage(9, 3, 4, 2)]


@pytest.mark.parametrize(
    ("events", "reason", "complete"),
    [
        ([], None, False),
        ([START], None, False),
        ([START, {"type": "message_stop"}], None, True),
        ([START, stopped(None)], None, False),
        ([START, stopped(7)], None, False),
        ([START, stopped("refusal")], "refusal", True),
        ([START, stopped("refusal"), stopped(None)], "refusal", True),
    ],
)
def test_why_it_stopped_and_whether_the_server_ended_it(
    events: list[object], reason: str | None, complete: bool
) -> None:
    reader, _ = read(*events)
    assert (reader.stop_reason, reader.complete) == (reason, complete)
    assert reader.began == bool(events)


@pytest.mark.parametrize(
    "event",
    [
        None,
        7,
        "text",
        [],
        {},
        {"type": None},
        {"type": ["message_start"]},
        {"type": "ping"},
        {"type": "content_block_start"},
        begin("text"),
        begin({"type": 5}),
        delta("text_delta", text="lost"),
        delta("text_delta", index="0", text="lost"),
        end(),
        end(index=None),
        {"type": "content_block_delta", "index": 0, "delta": "text"},
        {"type": "message_delta", "delta": None, "usage": [1]},
        {"type": "message_start", "message": {"model": 5, "usage": {"input_tokens": "many"}}},
    ],
)
def test_malformed_events_say_nothing(event: object) -> None:
    reader, seen = read(event)
    assert [meant for meant in seen if meant != Unseen()] == []
    assert reader.model == ""
    assert reader.stop_reason is None


@pytest.mark.parametrize(
    "wrong",
    [
        delta("text_delta", text=None),
        delta("text_delta", text=7),
        delta("thinking_delta"),
        delta("input_json_delta", partial_json={}),
        delta("signature_delta", signature=None),
        delta("future_delta", data="x"),
    ],
)
def test_deltas_that_do_not_fit_their_block_leave_its_text_alone(wrong: dict[str, Any]) -> None:
    reader, _ = read(begin({"type": "text", "text": "Hi."}), wrong, end())
    assert reader.content[0]["text"] == "Hi."


@pytest.mark.parametrize(
    "location",
    [
        None,
        [],
        {},
        {"source": 7, "start_block_index": "0", "end_block_index": None, "cited_text": ["a"]},
    ],
)
def test_a_citation_that_says_nothing_names_nothing(location: object) -> None:
    _, seen = read(begin(TEXT), delta("citations_delta", citation=location))
    assert seen == [CitedSentences("", -1, -1, "")]


def test_citations_that_are_no_list_are_none() -> None:
    _, seen = read(begin({"type": "text", "text": "Hi.", "citations": {"source": "x"}}))
    assert seen == [TextDelta("Hi.")]
