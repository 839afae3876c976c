"""Texts that make a regular expression work as hard as it can.

Made from the expression itself: what leads to one of its parts, that part again and again, and an end
that does not fit, so that every way to divide the repetition is tried.
"""

from __future__ import annotations

import importlib
import itertools
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_parser: Any = importlib.import_module(
    "re._parser"
)  # private, but nothing else says what a pattern is made of

_ENDS = ("", "\x00", "\n\x00")
_SAMPLES = 3  # of each part of a pattern
_SPARE = " \n\ta0A.-_\xe9\x01"  # characters beside those of the pattern
_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}

_SLOWLY = 24  # repetitions up to which they become two more at a time: exponential time shows there
_SMALL, _LARGE = 1_000, 4_000  # characters
_AT_ONCE = 0.001  # seconds of a match that need not be looked at more closely
_TOO_LONG = 0.1  # seconds of a match after which no longer text is tried
_GROWTH = 9  # of the time where the text is four times as long: 4 if it is linear, 16 if quadratic


def slow_text(pattern: re.Pattern[Any], use: str, longest: int | None = None) -> str | None:
    """Return a text that takes a pattern superlinear time, shown by its parts; None if none is found.

    Args:
        pattern: to be tried.
        use: the method it is called by.
        longest: characters of the longest text it is ever given, which only must not take long.
    """
    if not _repeats(_parser.parse(pattern.pattern, pattern.flags)):
        return None  # each place takes no more than the pattern is long
    call = getattr(pattern, use)
    for before, pump, end in hostile_parts(pattern):
        if _is_slow(call, _Growing(before, pump, end, isinstance(pattern.pattern, bytes)), longest):
            return f".{use}({before!r} + {pump!r} * n + {end!r})"
    return None


@dataclass(frozen=True, slots=True)
class _Growing:
    """A text with a part that is repeated."""

    before: str
    pump: str
    end: str
    is_bytes: bool

    def times(self, number: int) -> str | bytes:
        text = self.before + self.pump * number + self.end
        return text.encode("latin-1", "replace") if self.is_bytes else text

    def most(self, characters: int) -> int:
        """Return how often the part fits into a text so long."""
        return max((characters - len(self.before) - len(self.end)) // len(self.pump), 1)


def hostile_parts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (what comes first, what is repeated, what comes last), each once."""
    tree = _parser.parse(pattern.pattern, pattern.flags)
    alphabet = "".join(dict.fromkeys((*_literals(tree), *_SPARE)))
    seen = set()
    for before, pump in _pumps(list(tree), "", alphabet):
        for lead, end in itertools.product((before, ""), _ENDS):
            found = lead, pump, end
            if pump and found not in seen:
                seen.add(found)
                yield found


# How long it takes


def _is_slow(call: Callable[[Any], object], text: _Growing, longest: int | None) -> bool:
    most = text.most(_LARGE if longest is None else longest)
    number = 1
    while number < most:
        if _takes_too_long(call, text.times(number)):
            return True
        number = number + 2 if number < _SLOWLY else number * 4
    large = text.times(most)
    if longest is not None:
        return _takes_too_long(call, large)
    if _seconds(call, large) < _AT_ONCE:
        return False
    return _least(call, large) > _GROWTH * _least(call, text.times(text.most(_SMALL))) + _AT_ONCE


def _takes_too_long(call: Callable[[Any], object], text: str | bytes) -> bool:
    return _seconds(call, text) > _TOO_LONG and _least(call, text) > _TOO_LONG


def _least(call: Callable[[Any], object], text: str | bytes) -> float:
    return min(_seconds(call, text) for _ in range(3))


def _seconds(call: Callable[[Any], object], text: str | bytes) -> float:
    began = time.thread_time()
    call(text)
    return time.thread_time() - began


# What a pattern is made of


def _repeats(tree: Any) -> bool:  # noqa: ANN401
    """Whether something in a pattern may stand there more than once, or again."""
    if isinstance(tree, tuple) and tree and str(tree[0]).endswith("_REPEAT") and tree[1][1] > 1:
        return True
    if isinstance(tree, (list, tuple, _parser.SubPattern)):
        return any(map(_repeats, tree))
    return False


def _literals(tree: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the characters that stand in a pattern, ends of ranges included."""
    if isinstance(tree, tuple) and len(tree) == 2 and str(tree[0]) in ("LITERAL", "NOT_LITERAL"):
        yield chr(tree[1])
    elif isinstance(tree, tuple) and len(tree) == 2 and str(tree[0]) == "RANGE":
        yield from map(chr, tree[1])
    elif isinstance(tree, (list, tuple, _parser.SubPattern)):
        for part in tree:
            yield from _literals(part)


def _pumps(nodes: list[Any], before: str, alphabet: str) -> Iterator[tuple[str, str]]:
    """Yield (what leads there, what to repeat) for each part of a sequence and each of its beginnings."""
    lead = before
    for index, node in enumerate(nodes):
        for sample in _samples_of(node, alphabet):
            yield lead, sample
        for sample in _samples(nodes[: index + 1], alphabet):
            yield before, sample
        for inner in _inside(node):
            yield from _pumps(inner, lead, alphabet)
        lead += next(iter(_samples_of(node, alphabet)), "")


def _inside(node: Any) -> list[list[Any]]:  # noqa: ANN401
    """Return the sequences within a part."""
    name, value = str(node[0]), node[1]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return [list(value[2])]
    if name == "SUBPATTERN":
        return [list(value[3])]
    if name == "ATOMIC_GROUP":
        return [list(value)]
    if name == "BRANCH":
        return [list(choice) for choice in value[1]]
    return []


def _samples(nodes: list[Any], alphabet: str) -> list[str]:
    """Return a few texts that fit a sequence, as far as they can be made part by part."""
    choices = [_samples_of(node, alphabet) or [""] for node in nodes]
    count = min(_SAMPLES, max(map(len, choices), default=0))
    made = ("".join(choice[number % len(choice)] for choice in choices) for number in range(count))
    return list(dict.fromkeys(made))


def _samples_of(node: Any, alphabet: str) -> list[str]:  # noqa: ANN401
    name, value = str(node[0]), node[1]
    if name == "LITERAL":
        return [chr(value)]
    if name in ("NOT_LITERAL", "IN", "ANY"):
        return [character for character in alphabet if _fits(node, character)][:_SAMPLES]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = value
        counts = [count for count in (max(least, 1), least, least + 1) if count <= most]
        found = [sample * count for count in counts for sample in _samples(list(body), alphabet)]
        return list(dict.fromkeys(found))[: _SAMPLES + 1]
    if name == "BRANCH":
        return [sample for choice in _inside(node) for sample in _samples(choice, alphabet)[:1]]
    return [sample for inner in _inside(node) for sample in _samples(inner, alphabet)]


def _fits(node: Any, character: str) -> bool:  # noqa: ANN401
    """Whether a character is of a set."""
    name, value = str(node[0]), node[1]
    if name == "ANY":
        return character != "\n"
    if name == "NOT_LITERAL":
        return bool(ord(character) != value)
    negated = str(value[0][0]) == "NEGATE"
    return any(_is_item(item, character) for item in value[negated:]) != negated


def _is_item(item: Any, character: str) -> bool:  # noqa: ANN401
    name, value = str(item[0]), item[1]
    if name == "RANGE":
        return bool(value[0] <= ord(character) <= value[1])
    if name == "LITERAL":
        return bool(ord(character) == value)
    category = str(value).removeprefix("CATEGORY_")
    found = re.fullmatch(_CATEGORIES[category.removeprefix("NOT_")], character) is not None
    return found != category.startswith("NOT_")
