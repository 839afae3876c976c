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
    return _Normaliser(keep_code).run(source.expandtabs(4).split("\n"))


class _Normaliser:
    """Walks through the lines with a stack of the columns of the open items' markers."""

    def __init__(self, keep_code: Callable[[str, str], str]) -> None:
        self._keep_code = keep_code
        self._items: list[int] = []
        self._out: list[str] = []
        self._code: list[str] = []
        self._fence: tuple[str, str] | None = None
        self._fence_indent = 0
        self._blank = False
        self._in_paragraph = False

    def run(self, lines: list[str]) -> str:
        for line in lines:
            self._take(line)
        if self._fence:
            self._end_code()
        return "\n".join(self._out)

    def _take(self, line: str) -> None:
        stripped, indent = line.strip(), indent_of(line)
        if self._fence:
            if closes_fence(stripped, self._fence[0]):
                self._end_code()
            else:
                self._code.append(line[min(indent, self._fence_indent) :])
            return
        if not stripped:
            self._out.append("")
            self._blank = True
            return
        marker = LIST_MARKER.match(stripped)
        if marker and not (indent < 2 and not self._items and self._blank):
            self._leave(indent)
            if self._in_paragraph:
                self._out.append("")  # without it the package sees no item after a paragraph
            self._in_paragraph = False
            self._take_item(marker.group(2), stripped[marker.end() :].strip(), indent)
        else:
            self._take_more(stripped, indent)
        self._blank = False

    def _leave(self, indent: int) -> None:
        """Close the items that a line at this column does not belong to."""
        while self._items and (indent < self._items[-1] + 2 or len(self._items) >= _DEEPEST):
            self._items.pop()

    def _take_item(self, number: str | None, content: str, indent: int) -> None:
        margin = " " * (4 * len(self._items))
        self._items.append(indent)
        opened = fence_of(content)
        # An item that opens with code needs some text: a zero-width space.
        text = "\u200b" if opened or not content else content
        if LIST_MARKER.match(text):
            text = f"\u200b{text}"  # "- - - a" would nest a list for each marker
        self._out.append(f"{margin}{f'{int(number)}.' if number else '-'} {text}")
        if opened:
            self._begin_code(opened, indent + 2)

    def _take_more(self, stripped: str, indent: int) -> None:
        """Add a line to an item: text, a new paragraph, code, or a quote."""
        opened = fence_of(stripped)
        if self._blank or opened:
            while len(self._items) > 1 and indent < self._items[-1] + 2:
                self._items.pop()
        if opened:
            self._begin_code(opened, indent)
            return
        margin = " " * (4 * len(self._items))
        deeper = indent - (self._items[-1] + 2 if self._items else 0)
        if self._blank and deeper >= 5:
            margin += "    "
        self._in_paragraph = self._in_paragraph or self._blank or stripped.startswith(">")
        if stripped.startswith(">") and not self._blank and not self._out[-1].lstrip().startswith(">"):
            self._out.append("")  # without it the package sees no quote after text
        self._out.append(margin + stripped)

    def _begin_code(self, opened: tuple[str, str], indent: int) -> None:
        self._fence, self._fence_indent = opened, indent
        self._code = []

    def _end_code(self) -> None:
        language = self._fence[1] if self._fence else ""
        margin = " " * (4 * len(self._items))
        self._out += ["", margin + self._keep_code("\n".join(self._code), language), ""]
        self._fence = None
