"""Whatever a model writes takes time in proportion to its length, comes in short turns and loses no word."""

from __future__ import annotations

import html
import re
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from app.domain.events import AnswerDone, AnswerText
from app.ui.chat.answer_stream import AnswerStream
from app.ui.chat.transcript import Transcript
from app.ui.markup.code_style import highlighted
from app.ui.markup.qt_html import qt_html
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.chat_builders import citation, exchange, started
from tests.support.hostile_markdown import mixture, nested, pairs, repeated, units
from tests.support.pace import slowness

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

# Coverage slows down what is timed here, and so do collections of garbage.
pytestmark = [pytest.mark.slow, pytest.mark.no_cover, pytest.mark.usefixtures("no_collections")]


_LONGEST_TURN = 0.05  # seconds
_GROWTH = 2.5  # of the time where the text is twice as long
_AT_ONCE = 0.02  # seconds that need not be looked at more closely
_SHORT = 5_000  # characters
_SHORT_NEST = 2_000
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
        parts += [qt_html(part, theme) for part in (*update.finished, update.tail or "")]
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
    if turn > _LONGEST_TURN:
        turn = min(turn, *(rendered(long)[2] for _ in range(2)))
        if turn > _LONGEST_TURN * slowness():
            found.append(f"a turn of {turn:.3f} s")
    if taken > _AT_ONCE and taken > _GROWTH * rendered(short)[1] + _AT_ONCE:
        taken = min(taken, *(rendered(long)[1] for _ in range(2)))
        before = min(rendered(short)[1] for _ in range(3))
        if taken > _GROWTH * before + _AT_ONCE:
            found.append(f"{before:.3f} s, twice as long {taken:.3f} s")
    return found


def all_faults(repeats: Iterator[tuple[str, str]], length: int) -> str:
    found = ((name, faults_of(partial(repeated, unit), length)) for name, unit in repeats)
    return "\n".join(f"{name}: {', '.join(faults)}" for name, faults in found if faults)


def test_no_repetition_of_a_construct_takes_long() -> None:
    assert not all_faults(units(), _SHORT)


def test_no_construct_nested_in_another_takes_long() -> None:
    assert not all_faults(pairs(), _SHORT_NEST)


@pytest.mark.parametrize("seed", range(8))
def test_no_mixture_takes_long(seed: int) -> None:
    assert not faults_of(lambda length: mixture(seed, length), _SHORT)


def test_no_two_constructs_nested_ever_deeper_take_long() -> None:
    limit = _LONGEST_TURN * slowness()
    found = {}
    for name, unit in pairs():
        text = nested(unit.removesuffix("w"), "", 3_000)
        turn = rendered(text)[2]
        if turn > limit and (turn := min(turn, *(rendered(text)[2] for _ in range(2)))) > limit:
            found[name] = turn
    assert not found


def test_many_marks_that_change_take_as_long_in_proportion() -> None:
    def seconds(count: int) -> float:
        text = "A claim.\n\n" * count
        marks = [citation(1, 10 * number + 8) for number in range(count)]
        stream = AnswerStream(text, marks)
        began = time.thread_time()
        while not stream.update(final=True).complete:
            pass
        stream.examine([replace(one, verified=False) for one in marks], ())
        changed = 0
        while not (update := stream.update(final=True)).complete:
            changed += len(update.changed)
        assert changed + len(update.changed) == count
        return time.thread_time() - began

    seconds(100)
    short = min(seconds(600) for _ in range(3))
    assert min(seconds(1200) for _ in range(3)) <= _GROWTH * short + _AT_ONCE


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("bash", "$'" + "\\\\" * 40),
        ("make", "a:\n\techo $'" + "\\\\" * 40),
        ("perl", "s!" + "\\\\" * 40),
        ("scala", '"' + "\\\\ " * 40),
        ("php", "<?php <<<'" + "é" * 40),
        ("fortran", "'" + "\\00" * 40),
        ("ini", "\t \t" * 2_000),
        ("c", "$" + "\n" * 6_000),
        ("js", "/*" * 3_000),
        ("python", "1+" * 3_000),
    ],
)
def test_no_code_takes_long_to_colour(language: str, code: str) -> None:
    highlighted("pass", language, dark=False)

    def seconds() -> float:
        began = time.thread_time()
        highlighted(code, language, dark=False)
        return time.thread_time() - began

    # The program gives up on code once it has taken a turn as long as that.
    assert min(seconds() for _ in range(3)) <= 2 * _LONGEST_TURN * slowness()
    coloured = highlighted(code, language, dark=False)
    assert html.unescape(re.sub(r"<[^>]*>", "", coloured)) == code


# ---- drawn by Qt ----


@pytest.fixture
def transcript(qtbot: QtBot, qapp: QApplication) -> Transcript:
    apply_theme(qapp, Theme.light())
    widget = Transcript()
    qtbot.addWidget(widget)
    widget.resize(640, 480)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def longest_turn(transcript: Transcript) -> float:
    """Return the most processor seconds of a turn of the event loop until all is drawn."""
    turns = [0.0]
    while transcript.is_building or transcript.toPlainText().endswith("Writing…"):
        began = time.thread_time()
        QApplication.processEvents()
        turns.append(time.thread_time() - began)
        assert sum(turns) < 120
    return max(turns)


def opening(transcript: Transcript, *answers: str) -> float:
    transcript.show_exchanges([exchange(number, answer=one) for number, one in enumerate(answers, 1)])
    return longest_turn(transcript)


def drawn_slowly(transcript: Transcript, texts: dict[str, str]) -> dict[str, float]:
    limit = _LONGEST_TURN * slowness()
    opening(transcript, "```python\nwarm = True\n```")
    found = {}
    for name, text in texts.items():
        turn = opening(transcript, text)
        if turn > limit and (turn := min(turn, *(opening(transcript, text) for _ in range(2)))) > limit:
            found[name] = turn
    return found


def test_every_construct_is_drawn_in_short_turns(transcript: Transcript) -> None:
    assert not drawn_slowly(transcript, {name: repeated(unit, 6_000) for name, unit in units()})


def test_every_nesting_is_drawn_in_short_turns(transcript: Transcript) -> None:
    texts = {name: nested(unit.removesuffix("w"), "", 3_000) for name, unit in pairs()}
    assert not drawn_slowly(transcript, texts)


def test_the_longest_answers_are_drawn_in_short_turns(transcript: Transcript) -> None:
    texts = {
        "words": repeated("w ", 200_000),
        "one word": "w" * 200_000,
        "quotes": "> " * 100_000,
        "brackets": "![a" * 66_000,
        "cells": "| w | w |\n|-|-|\n" + "| w | w |\n" * 6_000,
    }
    assert not drawn_slowly(transcript, texts)


def test_a_long_piece_of_a_running_answer_is_drawn_in_short_turns(transcript: Transcript) -> None:
    answer = mixture(1, 60_000)
    opening(transcript, "```python\nwarm = True\n```")
    transcript.handle(started(2))
    began = time.thread_time()
    transcript.handle(AnswerText(answer))
    transcript.flush()
    turns = [time.thread_time() - began, longest_turn(transcript)]
    began = time.thread_time()
    transcript.handle(AnswerDone(exchange(2, answer=answer)))
    turns += [time.thread_time() - began, longest_turn(transcript)]
    assert max(turns) <= 2 * _LONGEST_TURN * slowness(), turns
