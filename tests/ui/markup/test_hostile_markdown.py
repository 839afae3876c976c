"""Whatever a model writes takes time in proportion to its length, comes in short turns and loses no word."""

from __future__ import annotations

import html
import re
import time
from functools import partial
from typing import TYPE_CHECKING

import pytest

from app.ui.chat.answer_stream import AnswerStream
from app.ui.markup.qt_html import qt_html
from app.ui.widgets.theme import Theme
from tests.support.hostile_markdown import mixture, nested, pairs, repeated, units
from tests.support.pace import slowness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_LONGEST_TURN = 0.05  # seconds
_GROWTH = 2.5  # of the time where the text is twice as long
_AT_ONCE = 0.02  # seconds that need not be looked at more closely
_SHORT = 8_000  # characters
_SHORT_NEST = 2_500
_WORD = re.compile(r"w\d+w")
_FENCE = re.compile(r"(?:```|~~~).*")  # the language of code is not shown


def rendered(text: str) -> tuple[str, float, float]:
    """Return the HTML of an answer, the seconds that took and those of the longest turn."""
    theme, stream = Theme.light(), AnswerStream(text)
    parts: list[str] = []
    turns: list[float] = []
    complete = False
    while not complete:
        began = time.thread_time()
        update = stream.update(final=True)
        parts += [qt_html(part, theme, lambda n, verified: "") for part in (*update.finished, update.tail)]
        turns.append(time.thread_time() - began)
        complete = update.complete
    return "".join(parts), sum(turns), max(turns)


def words_of(page: str) -> set[str]:
    """Return the words of text and addresses, also those that tags or a new line divide."""
    joined = html.unescape(re.sub(r"<[^>]*>|\s+", "", page))
    return {*_WORD.findall(html.unescape(page)), *_WORD.findall(joined)}


def faults_of(made: Callable[[int], str], length: int) -> list[str]:
    """Return what is wrong with how texts are rendered that are so long and twice as long."""
    short, long = made(length), made(2 * length)
    page, taken, turn = rendered(long)
    found = []
    if lost := set(_WORD.findall(_FENCE.sub("", long))) - words_of(page):
        found.append(f"{len(lost)} words lost, {min(lost)} is one")
    if turn > _LONGEST_TURN * slowness():
        turn = min(turn, *(rendered(long)[2] for _ in range(2)))
    if turn > _LONGEST_TURN * slowness():
        found.append(f"a turn of {turn:.3f} s")
    if taken > _AT_ONCE:
        taken = min(taken, *(rendered(long)[1] for _ in range(2)))
        before = min(rendered(short)[1] for _ in range(3))
        if taken > _GROWTH * before + _AT_ONCE * slowness():
            found.append(f"{before:.3f} s, twice as long {taken:.3f} s")
    return found


def all_faults(repeats: Iterator[tuple[str, str]], length: int) -> str:
    found = ((name, faults_of(partial(repeated, unit), length)) for name, unit in repeats)
    return "\n".join(f"{name}: {', '.join(faults)}" for name, faults in found if faults)


def test_no_repetition_of_a_construct_takes_long() -> None:
    assert not all_faults(units(), _SHORT)


def test_no_construct_nested_in_another_takes_long() -> None:
    assert not all_faults(pairs(), _SHORT_NEST)


@pytest.mark.parametrize("seed", range(20))
def test_no_mixture_takes_long(seed: int) -> None:
    assert not faults_of(lambda length: mixture(seed, length), _SHORT)


def test_no_two_constructs_nested_ever_deeper_take_long() -> None:
    found = {}
    for name, unit in pairs():
        page, _, turn = rendered(nested(unit.removesuffix("w"), "", 4_000))
        if turn > _LONGEST_TURN * slowness():
            found[name] = turn
    assert not found
