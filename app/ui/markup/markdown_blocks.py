"""Splits growing Markdown into its top-level blocks, line by line.

An answer arrives in pieces. A finished block never changes, so it is rendered once; only the open block
at the end is rendered again. Complete lines alone decide where a block ends, so the blocks do not depend
on the pieces.

The rules follow CommonMark where the ``markdown`` package is stricter than what models write: a list,
heading, quote, table or fence may follow a paragraph without an empty line. They are looser than
CommonMark where models are: two columns of indentation continue any list item.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["paragraph", "heading", "rule", "fence", "code", "quote", "list", "table"]

LIST_MARKER = re.compile(r"([-*+]|(\d{1,9})[.)])(?:[ \t]+|$)")
FENCE = re.compile(r"(`{3,}+)([^`]*)$|(~{3,}+)(.*)$")
TABLE_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*+(?:\|[ \t]*:?-+:?[ \t]*+)*+\|?[ \t]*$")
_HEADING = re.compile(r"#{1,6}(?:[ \t]+|$)")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*$")
# A last line of signs alone is not shown yet: "-" may become a list or a rule.
_ONLY_SIGNS = re.compile(r"[\s>*+\-=_#|`~:.)\d]*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A top-level block; ``source[start:end]`` is its Markdown without the last line break."""

    kind: BlockKind
    start: int
    end: int


def indent_of(line: str) -> int:
    """Return the width of a line's indentation; tabs advance to the next multiple of 4."""
    width = 0
    for char in line:
        if char == " ":
            width += 1
        elif char == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def fence_of(stripped: str) -> tuple[str, str] | None:
    """Return the fence and the language of a line that opens code, or None."""
    match = FENCE.match(stripped)
    if match is None:
        return None
    words = (match.group(2) or match.group(4) or "").split()
    return match.group(1) or match.group(3), words[0].lower() if words else ""


def closes_fence(stripped: str, fence: str) -> bool:
    signs = stripped.rstrip()
    return len(signs) >= len(fence) and set(signs) == {fence[0]}


class BlockSplitter:
    """Takes text and returns finished blocks; :meth:`open_blocks` returns the growing ones.

    Attributes:
        source: all text so far, to which the offsets of blocks refer.
    """

    def __init__(self) -> None:
        self.source = ""
        self._next_line = 0
        self._finished: list[Block] = []
        self._kind: BlockKind | None = None
        self._start = 0
        self._end = 0
        self._lines = 0
        self._last_line = 0
        self._blank = False
        self._fence: str | None = None
        self._ordered = False

    def feed(self, text: str) -> list[Block]:
        """Add text and return the blocks that its complete lines have finished."""
        self.source += text
        while (end := self.source.find("\n", self._next_line)) >= 0:
            self._take(self._next_line, end)
            self._next_line = end + 1
        return self._drain()

    def open_blocks(self) -> list[Block]:
        """Return what :meth:`finish` would return now, without a last line of signs alone."""
        last = self.source[self._next_line :]
        says_little = self._fence is None and _ONLY_SIGNS.match(last) is not None
        return copy.copy(self).finish(with_last_line=not says_little)

    def finish(self, *, with_last_line: bool = True) -> list[Block]:
        """Return the remaining blocks; nothing may be fed afterwards."""
        self._finished = []  # empty between calls; a copy must not share the list
        if with_last_line and self._next_line < len(self.source):
            self._take(self._next_line, len(self.source))
            self._next_line = len(self.source)
        self._close()
        return self._drain()

    # ---- internals ----

    def _drain(self) -> list[Block]:
        done, self._finished = self._finished, []
        return done

    def _take(self, start: int, end: int) -> None:
        line = self.source[start:end]
        if self._kind == "fence":
            self._extend(start, end)
            if self._fence and indent_of(line) < 4 and closes_fence(line.strip(), self._fence):
                self._close()
        elif not line.strip():
            self._take_blank(end)
        elif not self._continues(line, start, end):
            self._open(line, start, end)

    def _take_blank(self, end: int) -> None:
        if self._kind == "list" and self._fence:
            self._end = end
        elif self._kind in ("list", "code"):
            self._blank = True
        else:
            self._close()

    def _continues(self, line: str, start: int, end: int) -> bool:
        """Add the line to the open block if it belongs there."""
        kind, indent, stripped = self._kind, indent_of(line), line.strip()
        belongs = False
        if kind == "list":
            belongs = self._continues_list(indent, stripped)
        elif kind == "code":
            belongs = indent >= 4
        elif kind == "quote":
            belongs = stripped.startswith(">") or not self._starts_block(indent, stripped)
        elif kind == "table":
            belongs = "|" in stripped
        elif kind == "paragraph":
            return self._continues_paragraph(indent, stripped, start, end)
        if belongs:
            self._extend(start, end)
        return belongs

    def _continues_list(self, indent: int, stripped: str) -> bool:
        if self._fence:
            if closes_fence(stripped, self._fence):
                self._fence = None
            return True
        if indent >= 2:
            opened = fence_of(stripped)
            self._fence = opened[0] if opened else None
            return True
        marker = LIST_MARKER.match(stripped)
        if marker and not _RULE.match(stripped):
            if bool(marker.group(2)) != self._ordered:
                return False
            self._note_item(stripped[marker.end() :])
            return True
        return not self._blank and not self._starts_block(indent, stripped)

    def _continues_paragraph(self, indent: int, stripped: str, start: int, end: int) -> bool:
        if indent < 4 and _SETEXT.match(stripped):
            self._extend(start, end)
            self._kind = "heading"
            self._close()
            return True
        if TABLE_DELIMITER.match(stripped) and "|" in self.source[self._last_line : self._end]:
            self._become_table()
        elif indent < 4 and self._starts_block(indent, stripped, in_paragraph=True):
            return False
        self._extend(start, end)
        return True

    def _become_table(self) -> None:
        """Turn the paragraph's last line into a table's head; the lines before stay a paragraph."""
        if self._lines > 1:
            head, end = self._last_line, self._end
            self._end = len(self.source[:head].rstrip())
            self._close()
            self._start, self._end, self._last_line, self._lines = head, end, head, 1
        self._kind = "table"

    def _starts_block(self, indent: int, stripped: str, *, in_paragraph: bool = False) -> bool:
        """Return whether a line starts a block even without an empty line before it."""
        if indent >= 4:
            return False
        if (
            stripped.startswith(">")
            or fence_of(stripped)
            or _HEADING.match(stripped)
            or _RULE.match(stripped)
        ):
            return True
        marker = LIST_MARKER.match(stripped)
        if marker is None or not in_paragraph:
            return marker is not None
        # In a paragraph only an unambiguous marker counts: "1986." at the start of a line is a year.
        return marker.group(2) in (None, "1") and marker.end() < len(stripped)

    def _open(self, line: str, start: int, end: int) -> None:
        """Close the open block and start one with this line."""
        self._close()
        indent, stripped = indent_of(line), line.strip()
        self._start, self._lines = start, 0
        self._extend(start, end)
        if indent >= 4:
            self._kind = "code"
        elif opened := fence_of(stripped):
            self._kind, self._fence = "fence", opened[0]
        elif _HEADING.match(stripped):
            self._kind = "heading"
            self._close()
        elif _RULE.match(stripped):
            self._kind = "rule"
            self._close()
        elif stripped.startswith(">"):
            self._kind = "quote"
        elif marker := LIST_MARKER.match(stripped):
            self._kind, self._ordered = "list", bool(marker.group(2))
            self._note_item(stripped[marker.end() :])
        else:
            self._kind = "paragraph"

    def _note_item(self, content: str) -> None:
        """Note a fence that opens on the list marker's line."""
        opened = fence_of(content.strip())
        self._fence = opened[0] if opened else None

    def _extend(self, start: int, end: int) -> None:
        self._end, self._last_line, self._blank = end, start, False
        self._lines += 1

    def _close(self) -> None:
        if self._kind is not None:
            self._finished.append(Block(self._kind, self._start, self._end))
        self._kind, self._fence, self._blank, self._lines = None, None, False, 0


def split_blocks(source: str) -> list[Block]:
    splitter = BlockSplitter()
    return splitter.feed(source) + splitter.finish()
