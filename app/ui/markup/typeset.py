"""Course texts as HTML: the Markdown that readers make of files, by the rules and limits of answers.

A passage is a piece of such a text, so it may begin inside a table or inside code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from app.ui.markup.citation_marks import without_tokens
from app.ui.markup.markdown_blocks import TABLE_DELIMITER, Block, fence_of, split_blocks
from app.ui.markup.markdown_html import block_to_html

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE_LINE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_ROW = re.compile(r"[ \t]*\|[^\n]*\|[ \t]*")


class TypesetBlock(NamedTuple):
    """A block of a text, from ``start`` to ``end``, as harmless HTML."""

    start: int
    end: int
    html: str


def typeset_blocks(text: str) -> Iterator[TypesetBlock]:
    """Yield the blocks of a text in order."""
    text = without_tokens(text)
    begun = _code_before(text)
    source = f"{begun}\n{text}" if begun else text
    shift = len(source) - len(text)
    for block in split_blocks(source):
        for part in _parts(source, block):
            html = block_to_html(source, part, ())
            if part.head != block.head:
                before, _, rest = html.partition("<thead>")
                html = before + rest.partition("</thead>")[2]
            yield TypesetBlock(max(part.start - shift, 0), max(part.end - shift, 0), html)


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
