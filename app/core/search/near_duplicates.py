"""Recognises text that was already shown, such as the same lecture as a PDF and as subtitles."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RUN = 3  # consecutive words
_SHARE = 0.7  # of its runs shown already make a text a repeat


@dataclass(frozen=True, slots=True)
class Wording:
    """What texts are compared by: runs of words, and words that are not only letters."""

    runs: frozenset[tuple[str, ...]]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Wording:
        words = re.findall(r"\w+", text.casefold()) or [text]
        if len(words) < _RUN:
            runs = frozenset([tuple(words)])
        else:
            runs = frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))
        return cls(runs, frozenset(word for word in words if not word.isalpha()))


class ShownText:
    """Remembers the text shown so far and recognises repeats."""

    def __init__(self) -> None:
        self._runs: set[tuple[str, ...]] = set()
        self._numbers: set[str] = set()

    def add(self, text: Wording) -> None:
        self._runs |= text.runs
        self._numbers |= text.numbers

    def repeats(self, text: Wording) -> bool:
        """Whether a text repeats what is shown; another number in it makes it a different statement."""
        return len(text.runs & self._runs) >= _SHARE * len(text.runs) and text.numbers <= self._numbers
