"""Searches a text for words, some of it in each turn of the event loop."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.words import occurrences
from app.ui.widgets.building import one_shot

if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int]
_TURN = 0.012  # seconds
_PIECE, _LONGEST_PIECE = 2_000, 4_000  # characters that are searched together, up to the end of a paragraph
_BEYOND = 300  # characters in which words may end that begin in a piece
# What Markdown says and readers do not see: the targets of links, the fences of code, the rules of tables.
_NOT_SHOWN = re.compile(
    r"!?\[(?=[^\[\]\n]*+\]\()|\]\([^()\n]*+\)|^ {0,3}(?:`{3,}|~{3,})[^`\n]*+$|^[ |:-]++$", re.MULTILINE
)
_HIDDEN = "\x00"
_SIGNS = frozenset("*_`\\")


class TextSearch(QObject):
    """Collects where words stand; ``moved`` says that there are more, or that the search has ended."""

    moved = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[Span] = []
        self.is_running = False
        self._spans: Iterator[Span] = iter(())
        self._go_on_soon = one_shot(self, 0, self._go_on)

    def begin(self, text: str, words: str, *, is_markdown: bool) -> None:
        """Search a text; in Markdown, what is typeset of it."""
        self.found = []
        self.is_running = bool(words)
        if self.is_running:
            unseen = _SIGNS - set(words) | {_HIDDEN} if is_markdown else frozenset[str]()
            self._spans = _places(text, words, unseen)
            self._go_on_soon.start()
        else:
            self._go_on_soon.stop()

    def _go_on(self) -> None:
        until = time.monotonic() + _TURN
        for span in self._spans:
            if span[0] < span[1]:
                self.found.append(span)
            if time.monotonic() > until:
                self._go_on_soon.start()
                break
        else:
            self.is_running = False
        self.moved.emit()


def _places(text: str, words: str, unseen: frozenset[str]) -> Iterator[Span]:
    """Yield where words stand, and an empty span after each piece of the text."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start + _PIECE, start + _LONGEST_PIECE)
        if end < 0:
            end = text.rfind(" ", start + _PIECE, start + _LONGEST_PIECE) + 1 or start + _LONGEST_PIECE
        piece = text[start : end + _BEYOND]
        if unseen:
            piece = _NOT_SHOWN.sub(lambda match: _HIDDEN * len(match.group()), piece)
        for first, last in occurrences(piece, words, unseen):
            if first < end - start:  # else the next piece has it
                yield start + first, start + last
        yield end, end
        start = end
