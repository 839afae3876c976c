"""Text that was shown already, word for word or nearly: the same lecture as a PDF and as subtitles."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RUN = 3  # words that follow each other
_SHARE = 0.7  # of a text's runs, from which it says again what was said


@dataclass(frozen=True, slots=True)
class Wording:
    """What texts are compared by: their runs of words, and the words that are not made of letters."""

    runs: frozenset[tuple[str, ...]]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Wording:
        """Return the wording of a text, without regard to case, punctuation and white space."""
        words = re.findall(r"\w+", text.casefold()) or [text]
        if len(words) < _RUN:
            runs = frozenset([tuple(words)])
        else:
            runs = frozenset(zip(*(words[start:] for start in range(_RUN)), strict=False))
        return cls(runs, frozenset(word for word in words if not word.isalpha()))


class ShownText:
    """Remembers what is shown, and tells what would only repeat it."""

    def __init__(self) -> None:
        self._runs: set[tuple[str, ...]] = set()
        self._numbers: set[str] = set()

    def add(self, text: Wording) -> None:
        """Remember a text."""
        self._runs |= text.runs
        self._numbers |= text.numbers

    def repeats(self, text: Wording) -> bool:
        """Whether a text would repeat what is shown. One with another number in it says something else."""
        return len(text.runs & self._runs) >= _SHARE * len(text.runs) and text.numbers <= self._numbers
