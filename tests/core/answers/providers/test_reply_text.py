"""Thoughts that a model writes into its text, whole and in pieces."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.base import BlockEnd, ReplyEvent, TextDelta, Unseen
from app.core.answers.providers.openai.chat_reader import ChatReader
from app.core.answers.providers.reply_text import ReplyText
from tests.support.pace import slowness

if TYPE_CHECKING:
    from collections.abc import Iterable


def read(pieces: Iterable[str], *, cut: bool = False) -> tuple[str, ReplyText]:
    """Return the visible text and the reader."""
    reader = ReplyText()
    seen: list[ReplyEvent] = []
    for piece in pieces:
        seen += reader.take(TextDelta(piece))
    seen += [*reader.take(BlockEnd()), *reader.finish(cut=cut)]
    return "".join(event.text for event in seen if isinstance(event, TextDelta)), reader


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
        '{"name": "search_course_content", "arguments": {}}',
        "```python\n<think>\nhm\n</think>\n```\nThat was XML.",
        "Models write <think> before they answer.",
        "A tag opens like this:\n<think>\nand never closes.",
        "<b>bold</b>",
        "<",
        "\n",
        " \n\t",
        "",
    ],
)
def test_text_stays_as_it_is(written: str) -> None:
    for pieces in every_way(written):
        text, reader = read(pieces)
        assert text == written, pieces
        assert reader.without_thoughts is None


@pytest.mark.parametrize("tag", ["think", "thinking", "THINK", "reasoning"])
def test_thoughts_are_not_seen(tag: str) -> None:
    written = f"\n<{tag}>\nHm, <b>x</b> < 3.\n</{tag}>\n\nIt is <think> nine."
    for pieces in every_way(written):
        text, reader = read(pieces)
        assert text.strip() == "It is <think> nine.", pieces
        assert reader.has_thoughts
        assert reader.without_thoughts == "It is <think> nine."


def test_a_thought_that_was_cut_is_not_seen() -> None:
    for pieces in every_way("<think>\nHm. I could say that it is"):
        text, reader = read(pieces, cut=True)
        assert text == ""
        assert reader.has_thoughts


def test_an_answer_that_begins_with_the_tag_itself_is_seen_at_the_end() -> None:
    written = "<Thinking> is a tag between which Claude thinks aloud.\n\nIt is closed by a second one."
    for pieces in every_way(written):
        text, reader = read(pieces)
        assert text == written
        assert not reader.has_thoughts


def test_thoughts_are_counted_and_text_comes_as_it_is_written() -> None:
    reader = ReplyText()
    seen = reader.take(TextDelta("<think>" + "hm " * 1000))
    assert sum(event.characters for event in seen if isinstance(event, Unseen)) > 2900
    assert reader.take(TextDelta("</think>Caching"))[-1] == TextDelta("Caching")
    assert reader.take(TextDelta(" stores <")) == [TextDelta(" stores <")]


def test_the_reply_goes_back_without_thoughts() -> None:
    written = "<think>Hm.</think>\nIt is nine."
    blocks, chat = MessageReader(), ChatReader()
    thought = {"type": "thinking", "thinking": "…", "signature": "abc"}
    for index, block in enumerate(({"type": "text", "text": written}, thought)):
        blocks.feed({"type": "content_block_start", "index": index, "content_block": block})
    assert blocks.sent_back("It is nine.") == [{"type": "text", "text": "It is nine."}, thought]
    chat.feed({"choices": [{"delta": {"content": written}}]})
    assert chat.sent_back("It is nine.") == {"role": "assistant", "content": "It is nine."}


@pytest.mark.parametrize("hostile", ["\n" * 200_000, "<think>\n" * 25_000, "a\n<think>\n" * 20_000])
def test_hostile_text_costs_little_and_harms_nothing(hostile: str) -> None:
    began = time.thread_time()
    read([hostile])
    read([hostile[at : at + 40] for at in range(0, len(hostile), 40)])
    assert time.thread_time() - began < 3 * slowness()


def test_white_space_without_end_is_not_held_back() -> None:
    reader = ReplyText()
    assert reader.take(TextDelta(" " * 4000)) == [TextDelta(" " * 4000)]
