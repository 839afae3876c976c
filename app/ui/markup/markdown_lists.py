"""Rewrites lists as models write them to the form that the ``markdown`` package reads.

The package wants four columns a level and knows no fenced code inside an item; models indent by two or
three columns and often put code there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.markup.markdown_blocks import LIST_MARKER, closes_fence, fence_of, indent_of

if TYPE_CHECKING:
    from collections.abc import Callable

_DEEPEST = 8


def normalise_list(source: str, keep_code: Callable[[str, str], str]) -> str:
    """Return the Markdown of one list with four columns a level and tokens for its fenced code.

    Args:
        source: the Markdown of the list.
        keep_code: takes code and language, returns the token that replaces it.
    """
    normaliser = _Normaliser(keep_code)
    for line in source.expandtabs(4).split("\n"):
        normaliser.take(line)
    normaliser.end_code()
    return "\n".join(normaliser.out)


class _Normaliser:
    """Walks through the lines with a stack of the columns of the open items' markers."""

    def __init__(self, keep_code: Callable[[str, str], str]) -> None:
        self.out: list[str] = []
        self._keep_code = keep_code
        self._items: list[int] = []
        self._code: list[str] = []
        self._fence = self._language = ""
        self._fence_indent = 0
        self._blank = False
        self._in_paragraph = False

    def take(self, line: str) -> None:
        stripped, indent = line.strip(), indent_of(line)
        if self._fence:
            if closes_fence(stripped, self._fence):
                self.end_code()
            else:
                self._code.append(line[min(indent, self._fence_indent) :])
            return
        if not stripped:
            self.out.append("")
            self._blank = True
            return
        marker = LIST_MARKER.match(stripped)
        if marker and not (indent < 2 and not self._items and self._blank):
            # Close the items that the line does not belong to.
            while self._items and (indent < self._items[-1] + 2 or len(self._items) >= _DEEPEST):
                self._items.pop()
            if self._in_paragraph:
                self.out.append("")  # without it the package sees no item after a paragraph
            self._in_paragraph = False
            self._take_item(marker.group(2), stripped[marker.end() :].strip(), indent)
        else:
            self._take_more(stripped, indent)
        self._blank = False

    def end_code(self) -> None:
        if self._fence:
            token = self._keep_code("\n".join(self._code), self._language)
            self.out += ["", self._margin() + token, ""]
        self._fence, self._code = "", []

    def _margin(self) -> str:
        return "    " * len(self._items)

    def _take_item(self, number: str | None, content: str, indent: int) -> None:
        margin = self._margin()
        self._items.append(indent)
        self._fence, self._language = fence_of(content)
        self._fence_indent = indent + 2
        # An item that opens with code needs some text: a zero-width space.
        text = "\u200b" if self._fence or not content else content
        if LIST_MARKER.match(text):
            text = f"\u200b{text}"  # "- - - a" would nest a list for each marker
        self.out.append(f"{margin}{f'{int(number)}.' if number else '-'} {text}")

    def _take_more(self, stripped: str, indent: int) -> None:
        """Add a line to an item: text, a new paragraph, code, or a quote."""
        self._fence, self._language = fence_of(stripped)
        if self._blank or self._fence:
            while len(self._items) > 1 and indent < self._items[-1] + 2:
                self._items.pop()
        if self._fence:
            self._fence_indent = indent
            return
        margin = self._margin()
        deeper = indent - (self._items[-1] + 2 if self._items else 0)
        if self._blank and deeper >= 5:
            margin += "    "
        quoted = stripped.startswith(">")
        self._in_paragraph = self._in_paragraph or self._blank or quoted
        if quoted and not self._blank and not self.out[-1].lstrip().startswith(">"):
            self.out.append("")  # without it the package sees no quote after text
        self.out.append(margin + stripped)
