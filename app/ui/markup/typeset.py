"""Course texts as HTML: the Markdown that readers make of files, by the rules and limits of answers.

A passage is a piece of such a text, so it may begin inside a table or inside code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from app.markup.citation_marks import without_tokens
from app.markup.markdown_blocks import TABLE_DELIMITER, Block, BlockSplitter, fence_of
from app.markup.markdown_html import block_to_html
from app.ui.markup.asides import TextWithAsides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.markup.asides import Aside

_FENCE_LINE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_ROW = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*")


class TypesetSource:
    """A text that is split into blocks part by part, each of which can be had as HTML."""

    def __init__(self, text: str, *, is_piece: bool, asides: Sequence[Aside] = ()) -> None:
        """Take a text; one that ``is_piece`` of a longer text may begin inside code."""
        given = without_tokens(text)
        begun = _code_before(given) if is_piece else ""
        self._given = TextWithAsides(given, asides)
        self._text = self._given.text
        if begun:
            self._text = f"{begun}\n{self._text}"
        self._shift = len(begun) + 1 if begun else 0
        self._splitter = BlockSplitter()
        self._fed = 0
        self._blocks: list[tuple[Block, bool]] = []  # and whether its head is made up
        self.is_split = False

    def __len__(self) -> int:
        return len(self._blocks)

    def split(self, characters: int) -> None:
        """Split so many more characters."""
        part = self._text[self._fed : self._fed + characters]
        self._fed += len(part)
        blocks = self._splitter.feed(part)
        if self._fed == len(self._text) and not self.is_split:
            blocks += self._splitter.finish()
            self.is_split = True
        for block in blocks:
            self._blocks += [(one, one.head != block.head) for one in _parts(self._text, block)]

    def split_all(self) -> None:
        self.split(len(self._text))

    def span(self, at: int) -> tuple[int, int]:
        """Return where a block stands in the text."""
        block, _ = self._blocks[at]
        start, end = (self._given.outside(max(one - self._shift, 0)) for one in (block.start, block.end))
        return start, end

    def html(self, at: int) -> str:
        """Return a block as harmless HTML."""
        block, is_headless = self._blocks[at]
        html = block_to_html(self._text, block, ())
        if not is_headless:
            return html
        before, _, rest = html.partition("<thead>")
        return before + rest.partition("</thead>")[2]

    def block_at(self, position: int) -> int:
        """Return the block at a position of the text, or the last one before it."""
        place = self._given.inside(position) + self._shift
        return max(bisect_right(self._blocks, place, key=lambda one: one[0].start) - 1, 0)


def _code_before(text: str) -> str:
    """Return the fence of code that the text begins inside of, empty if it does not.

    A fence that opens code mostly names its language, and one that closes code never does.
    """
    fences = [match.group().strip() for match in _FENCE_LINE.finditer(text)]
    return fences[0] if len(fences) % 2 and not fence_of(fences[0])[1] else ""


def _parts(source: str, block: Block) -> list[Block]:
    """Return a block, with its rows as tables of their own where the line below a head is missing."""
    if block.kind != "paragraph" or "|" not in source[block.start : block.end]:
        return [block]
    runs: list[tuple[bool, int, int]] = []
    start = block.start
    for line in source[block.start : block.end].split("\n"):
        is_row, end = _ROW.fullmatch(line) is not None, start + len(line)
        if runs and runs[-1][0] == is_row:
            runs[-1] = (is_row, runs[-1][1], end)
        else:
            runs.append((is_row, start, end))
        start = end + 1
    return [
        _table(source, start, end) if is_row else Block("paragraph", start, end)
        for is_row, start, end in runs
    ]


def _table(source: str, start: int, end: int) -> Block:
    """Return rows as a table whose head is empty."""
    first, _, rest = source[start:end].partition("\n")
    if TABLE_DELIMITER.match(first.strip()) and rest:  # its head stands in the passage before
        start += len(first) + 1
    columns = max(line.count("|") for line in source[start:end].split("\n")) - 1
    return Block("table", start, end, head="|" + "\u200b|" * columns + "\n|" + "-|" * columns + "\n")
