"""What the palette can find, and which of it comes first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from app.domain.words import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QIcon

# What each word of a query costs an entry, from the start of its name to letters here and there in it.
_FIRST, _START, _INSIDE, _ELSEWHERE, _SCATTERED = 0, 10, 20, 30, 40
_SPREAD = 3  # scattered letters may stretch over so many times their number
_LONGEST, _LONG = 80, 20  # of two names, both with the word, the shorter one comes first


class EntryKind(IntEnum):
    """Kinds of entries; the value is what one costs beside a command that matches as well."""

    COMMAND = 0
    COURSE = 1
    LESSON = 3
    CHAT = 4
    QUESTION = 5


@dataclass(slots=True)
class PaletteEntry:
    """Something to choose."""

    kind: EntryKind
    title: str
    detail: str
    choose: Callable[[], object]
    more: str = ""
    icon: QIcon | None = None
    _key: str = field(init=False)
    _other: str = field(init=False)

    def __post_init__(self) -> None:
        self._key, self._other = in_words(self.title), in_words(self.more)

    def cost(self, words: Iterable[str]) -> int | None:
        """Return how far the entry is from the words, in any order; None if one is not in it."""
        total = int(self.kind) + min(len(self._key), _LONGEST) // _LONG
        for word in words:
            price = _price(word, self._key)
            if price is None:
                if f" {word}" not in f" {self._other}":
                    return None
                price = _ELSEWHERE
            total += price
        return total


def best(entries: Iterable[PaletteEntry], typed: str, most: int) -> list[PaletteEntry]:
    """Return the entries that match what was typed, the best first; equal ones stay in their order."""
    words = in_words(typed).split()
    found = ((cost, at, entry) for at, entry in enumerate(entries) if (cost := entry.cost(words)) is not None)
    return [entry for _, _, entry in heapq.nsmallest(most, found)]


def _price(word: str, key: str) -> int | None:
    at = key.find(word)
    if at == 0:
        return _FIRST
    if at > 0:
        return _START if f" {word}" in key else _INSIDE
    return _SCATTERED if _has_initials(word, key) or _has_scattered(word, key) else None


def _has_initials(letters: str, key: str) -> bool:
    return len(letters) > 1 and letters in "".join(word[0] for word in key.split())


def _has_scattered(letters: str, key: str) -> bool:
    """Return whether the letters follow each other closely, from the start of a word on: "exlib"."""
    key, first = f" {key}", f" {letters[0]}"
    begin = key.find(first) if len(letters) > 1 else -1
    while begin >= 0:
        at, end = begin + 1, begin + 1 + _SPREAD * len(letters)
        for letter in letters[1:]:
            at = key.find(letter, at + 1, end)
            if at < 0:
                break
        else:
            return True
        begin = key.find(first, begin + 1)
    return False
