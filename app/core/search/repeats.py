"""Text that was shown already, word for word or nearly: the same lecture as a PDF and as subtitles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_RUN = 3  # words that follow each other
_SHARE = 0.7  # of a text's runs, from which it says again what was said


class ShownText:
    """Remembers what is shown, and tells what would only repeat it."""

    def __init__(self) -> None:
        self._runs: set[tuple[str, ...]] = set()
        self._numbers: set[str] = set()

    def add(self, text: str) -> None:
        """Remember a text."""
        words = _words(text)
        self._runs.update(_runs(words))
        self._numbers.update(_numbers(words))

    def repeats(self, text: str) -> bool:
        """Whether a text would repeat what is shown. One with another number in it says something else."""
        words = _words(text)
        runs = _runs(words)
        if len(runs & self._runs) < _SHARE * len(runs):
            return False
        return _numbers(words) <= self._numbers


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold()) or [text]


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[start : start + _RUN]) for start in range(max(len(words) - _RUN + 1, 1))}


def _numbers(words: Sequence[str]) -> set[str]:
    return {word for word in words if any(char.isdigit() for char in word)}
