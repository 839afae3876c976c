"""Thoughts and tool calls that a model writes into its text, whole and in pieces."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, ToolCall, Unseen
from app.core.answers.providers.openai.chat_reader import ChatReader
from app.core.answers.providers.reply_text import ReplyText, Rewritten
from tests.support.pace import slowness

if TYPE_CHECKING:
    from collections.abc import Iterable

SEARCH = "search_course_content"
TOOLS = (SEARCH, "get_course_outline")
CALL = f'{{"name": "{SEARCH}", "arguments": {{"query": "prompt caching"}}}}'
GIVEN = {"query": "prompt caching"}


def read(pieces: Iterable[str], *, cut: bool = False) -> tuple[str, list[tuple[str, object]], ReplyText]:
    """Return the visible text, the calls, and the reader."""
    reader = ReplyText(TOOLS)
    seen: list[ReplyEvent] = []
    for piece in pieces:
        seen += reader.take(TextDelta(piece))
    seen += [*reader.take(BlockEnd()), *reader.finish(cut=cut)]
    text = "".join(event.text for event in seen if isinstance(event, TextDelta))
    return text, [(call.name, call.arguments) for call in seen if isinstance(call, ToolCall)], reader


def every_way(text: str) -> Iterable[list[str]]:
    """Yield the text whole, by the character, cut in two anywhere, and in random pieces."""
    yield [text]
    yield list(text)
    yield from ([text[:at], text[at:]] for at in range(1, len(text)))
    chance = random.Random(text)
    for _ in range(20):
        cuts = sorted(chance.sample(range(len(text) + 1), min(5, len(text))))
        yield [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]


@pytest.mark.parametrize(
    "written",
    [
        CALL,
        f"\n\n  {CALL}\n",
        CALL.replace("arguments", "parameters"),
        CALL.replace("arguments", "input"),
        json.dumps({"name": SEARCH, "arguments": json.dumps(GIVEN)}),
        json.dumps({"arguments": GIVEN, "name": SEARCH}),
        json.dumps({"name": SEARCH, "arguments": GIVEN}, indent=2),
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"<tool_call>{CALL}",
        CALL[:-1],
        CALL + "\n\nThe results say that it is made of cheese.",
    ],
)
def test_a_written_call_is_a_call_and_never_seen(written: str) -> None:
    for pieces in every_way(written):
        text, calls, _ = read(pieces)
        assert not text.strip(), pieces
        assert calls == [(SEARCH, GIVEN)], pieces


@pytest.mark.parametrize(
    "written",
    [
        CALL,
        f"<tool_call>\n{CALL}\n</tool_call>",
        f"{CALL}\nIt says that caching is expensive.",
    ],
)
def test_what_stands_before_a_call_is_seen(written: str) -> None:
    for pieces in every_way("Let me look that up.\n\n" + written):
        text, calls, _ = read(pieces)
        assert text.strip() == "Let me look that up.", pieces
        assert calls == [(SEARCH, GIVEN)], pieces


def test_several_calls_in_a_row() -> None:
    other = CALL.replace("prompt caching", "tools")
    for written in (
        f"{CALL}\n{other}",
        f"<tool_call>{CALL}</tool_call>\n<tool_call>{other}",
    ):
        for pieces in every_way(written):
            text, calls, _ = read(pieces)
            assert not text.strip()
            assert calls == [(SEARCH, GIVEN), (SEARCH, {"query": "tools"})], pieces


def test_a_call_after_one_whose_result_is_made_up_is_none() -> None:
    assert read([f"{CALL}\nIt found nothing.\n{CALL}"])[1] == [(SEARCH, GIVEN)]


@pytest.mark.parametrize(
    "written",
    [
        f"A tool call looks like this:\n\n```json\n{CALL}\n```\n\nThe server runs it.",
        '```json\n{"name": "Ada", "age": 36}\n```',
        f"```json\n{CALL}\n```",
        '{"name": "get_weather", "arguments": {"city": "Riga"}}',
        f"The model writes `{CALL}` in its text.",
        f"- {CALL}",
        "[1] says that, and [2](https://example.org) too.\n[3]\n[a](b)\n[ ] a task",
        "{x | x > 0} is a set.\n{",
        "<b>bold</b>\n<!-- a comment -->\n<",
        "```python\nprint('<think>')\n{}\n```\n",
        "```python\n<think>\nhm\n</think>\n```\nThat was XML.",
        "Search first.\nsearch_course_content is the name of a tool.\ns\ng\nget",
        "Models write <think> before they answer.",
        "A tag opens like this:\n<think>\nand never closes.",
        "~~~\n```\n~~~\n``",
        "\n",
        " \n\t",
        "",
    ],
)
def test_text_that_only_looks_like_it_stays_as_it_is(written: str) -> None:
    for pieces in every_way(written):
        text, calls, _ = read(pieces)
        assert text == written, pieces
        assert not calls


def test_without_tools_an_object_is_no_call() -> None:
    reader = ReplyText()
    assert reader.take(TextDelta(CALL + "\n")) + reader.finish() == [TextDelta(CALL + "\n")]


def test_what_is_marked_as_a_call_is_never_seen_even_without_tools() -> None:
    reader = ReplyText()
    seen = [*reader.take(TextDelta(f"<tool_call>\n{CALL}\n</tool_call>")), *reader.finish()]
    assert not [event for event in seen if isinstance(event, TextDelta)]
    assert [event.name for event in seen if isinstance(event, ToolCall)] == [SEARCH]


@pytest.mark.parametrize("tag", ["think", "thinking", "THINK", "reasoning"])
def test_thoughts_are_not_seen(tag: str) -> None:
    written = f"<{tag}>\nHm, <b>x</b> < 3.\n{CALL}\n</{tag}>\n\nIt is nine."
    for pieces in every_way(written):
        text, calls, reader = read(pieces)
        assert text.strip() == "It is nine.", pieces
        assert not calls
        assert reader.has_thoughts


def test_a_thought_that_was_cut_is_not_seen() -> None:
    for pieces in every_way("<think>\nHm. I could say that it is"):
        text, _, reader = read(pieces, cut=True)
        assert text == ""
        assert reader.has_thoughts


def test_an_answer_that_begins_with_the_tag_itself_is_seen_at_the_end() -> None:
    written = "<Thinking> is a tag between which Claude thinks aloud.\n\nIt is closed by a second one."
    for pieces in every_way(written):
        text, calls, reader = read(pieces)
        assert text == written
        assert not calls
        assert not reader.has_thoughts


def test_a_call_in_a_thought_that_never_ends_is_run() -> None:
    for pieces in every_way(f"<think>\nI must search.\n<tool_call>\n{CALL}\n</tool_call>"):
        text, calls, _ = read(pieces)
        assert calls == [(SEARCH, GIVEN)]
        assert not text


def test_a_thought_and_then_a_call() -> None:
    for pieces in every_way(f"<think>I must search.</think>\n\n<tool_call>\n{CALL}\n</tool_call>"):
        text, calls, _ = read(pieces)
        assert not text.strip()
        assert calls == [(SEARCH, GIVEN)]


def test_thoughts_are_counted() -> None:
    reader = ReplyText(TOOLS)
    seen = reader.take(TextDelta("<think>" + "hm " * 1000))
    assert sum(event.characters for event in seen if isinstance(event, Unseen)) > 2900


def test_broken_arguments_reach_the_tool_which_says_so() -> None:
    text, calls, _ = read([f'{{"name": "{SEARCH}", "arguments": {{query: caching}}}}'])
    assert not text
    ((name, arguments),) = calls
    assert name == SEARCH
    assert isinstance(arguments, str)


def test_text_comes_as_it_is_written() -> None:
    reader = ReplyText(TOOLS)
    for piece in ("Caching", " stores [1].", "\n", "1. one", "\n> quoted", "\n```python\n", "x = {}\n"):
        assert "".join(event.text for event in reader.take(TextDelta(piece)) if isinstance(event, TextDelta))


def test_the_reply_goes_back_with_real_calls_and_without_thoughts() -> None:
    written = f"<think>Hm.</think>\nI search.\n{CALL}\nIt found nothing."
    reader = ReplyText(TOOLS)
    seen = [*reader.take(TextDelta(written)), *reader.finish()]
    (call,) = (event for event in seen if isinstance(event, ToolCall))
    rewritten = reader.rewritten
    assert rewritten == Rewritten("I search.", (call,))
    assert ReplyText(TOOLS).rewritten is None

    blocks = MessageReader()
    thought = {"type": "thinking", "thinking": "…", "signature": "abc"}
    block = {"type": "text", "text": written}
    blocks.feed({"type": "content_block_start", "index": 0, "content_block": block})
    blocks.feed({"type": "content_block_start", "index": 1, "content_block": thought})
    assert blocks.sent_back(rewritten) == [
        thought,
        {"type": "text", "text": "I search."},
        {"type": "tool_use", "id": call.id, "name": SEARCH, "input": GIVEN},
    ]
    chat = ChatReader()
    chat.feed({"choices": [{"delta": {"content": written}}]})
    assert chat.sent_back(rewritten) == {
        "role": "assistant",
        "content": "I search.",
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": SEARCH, "arguments": json.dumps(GIVEN)}}
        ],
    }


@pytest.mark.parametrize(
    "hostile",
    [
        "\n" * 200_000,
        "{\n" * 100_000,
        '{"name": "search_course_content"\n' * 6000,
        "[" * 200_000,
        "<think>\n" * 25_000,
        "a\n<think>\n" * 20_000,
        "```json\n{" * 20_000,
        '{"name": "search_course_content", "arguments": ' + "[" * 7000,
        '{"name": "search_course_content", "arguments": ' + "9" * 6000 + "}",
        "<tool_call>" * 20_000,
    ],
)
@pytest.mark.slow
def test_hostile_text_costs_little_and_harms_nothing(hostile: str) -> None:
    began = time.thread_time()
    read([hostile])
    read([hostile[at : at + 400] for at in range(0, len(hostile), 400)])
    assert time.thread_time() - began < 3 * slowness()


def test_white_space_without_end_is_not_held_back() -> None:
    began = time.thread_time()
    text, _, _ = read(" " * 40_000 + CALL)
    assert text.isspace()
    assert len(text) > 39_000
    assert time.thread_time() - began < 3 * slowness()
