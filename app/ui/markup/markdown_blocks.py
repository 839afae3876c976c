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
from typing import Literal, NamedTuple

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
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def fence_of(stripped: str) -> tuple[str, str]:
    """Return the fence and the language of a line that opens code; both are empty for other lines."""
    match = FENCE.match(stripped)
    if match is None:
        return "", ""
    words = (match.group(2) or match.group(4) or "").split()
    return match.group(1) or match.group(3), words[0].lower() if words else ""


def closes_fence(stripped: str, fence: str) -> bool:
    signs = stripped.rstrip()
    return len(signs) >= len(fence) and set(signs) == {fence[0]}


class _Line(NamedTuple):
    """A line of the source with its indentation and its text without outer white space."""

    start: int
    end: int
    indent: int
    text: str


class BlockSplitter:
    """Takes text and returns finished blocks; :meth:`open_blocks` returns the growing ones."""

    def __init__(self) -> None:
        self.source = ""  # all text so far, to which the offsets of blocks refer
        self._next_line = 0
        self._finished: list[Block] = []
        self._kind: BlockKind | None = None
        self._start = 0
        self._end = 0
        self._lines = 0
        self._last_line = 0
        self._blank = False
        self._fence = ""
        self._ordered = False

    def feed(self, text: str) -> list[Block]:
        """Add text and return the blocks that its complete lines have finished."""
        self.source += text
        while (end := self.source.find("\n", self._next_line)) >= 0:
            self._take(end)
        return self._drain()

    def open_blocks(self) -> list[Block]:
        """Return what :meth:`finish` would return now, without a last line of signs alone."""
        last = self.source[self._next_line :]
        says_little = not self._fence and _ONLY_SIGNS.match(last) is not None
        return copy.copy(self).finish(with_last_line=not says_little)

    def finish(self, *, with_last_line: bool = True) -> list[Block]:
        """Return the remaining blocks; nothing may be fed afterwards."""
        self._finished = []  # empty between calls; a copy must not share the list
        if with_last_line and self._next_line < len(self.source):
            self._take(len(self.source))
        self._close()
        return self._drain()

    # ---- internals ----

    def _drain(self) -> list[Block]:
        done, self._finished = self._finished, []
        return done

    def _take(self, end: int) -> None:
        """Take the next line, which ends at ``end``."""
        text = self.source[self._next_line : end]
        line = _Line(self._next_line, end, indent_of(text), text.strip())
        self._next_line = end + 1
        if self._kind == "fence":
            self._extend(line)
            if line.indent < 4 and closes_fence(line.text, self._fence):
                self._close()
        elif not line.text and self._kind == "list" and self._fence:
            self._end = end
        elif not line.text and self._kind in ("list", "code"):
            self._blank = True
        elif not line.text:
            self._close()
        elif self._belongs(line):
            self._extend(line)
        else:
            self._open(line)
        if self._kind in ("heading", "rule"):
            self._close()

    def _belongs(self, line: _Line) -> bool:
        """Return whether a line continues the open block; a paragraph may turn out to be another kind."""
        match self._kind:
            case "list":
                return self._continues_list(line)
            case "code":
                return line.indent >= 4
            case "quote":
                return line.text.startswith(">") or not _starts_block(line)
            case "table":
                return "|" in line.text
            case "paragraph":
                return self._continues_paragraph(line)
        return False

    def _continues_list(self, line: _Line) -> bool:
        if self._fence:
            if closes_fence(line.text, self._fence):
                self._fence = ""
            return True
        if line.indent >= 2:
            self._fence, _ = fence_of(line.text)
            return True
        marker = LIST_MARKER.match(line.text)
        if marker and not _RULE.match(line.text):
            if bool(marker.group(2)) != self._ordered:
                return False
            self._take_item(marker)
            return True
        return not self._blank and not _starts_block(line)

    def _continues_paragraph(self, line: _Line) -> bool:
        if line.indent < 4 and _SETEXT.match(line.text):
            self._kind = "heading"
        elif TABLE_DELIMITER.match(line.text) and "|" in self.source[self._last_line : self._end]:
            self._become_table()
        else:
            return not _starts_block(line, in_paragraph=True)
        return True

    def _become_table(self) -> None:
        """Turn the paragraph's last line into a table's head; the lines before stay a paragraph."""
        if self._lines > 1:
            head, end = self._last_line, self._end
            self._end = len(self.source[:head].rstrip())
            self._close()
            self._start, self._end, self._last_line, self._lines = head, end, head, 1
        self._kind = "table"

    def _open(self, line: _Line) -> None:
        """Close the open block and start one with this line."""
        self._close()
        self._start = line.start
        self._extend(line)
        if line.indent >= 4:
            self._kind = "code"
        elif fence := fence_of(line.text)[0]:
            self._kind, self._fence = "fence", fence
        elif _HEADING.match(line.text):
            self._kind = "heading"
        elif _RULE.match(line.text):
            self._kind = "rule"
        elif line.text.startswith(">"):
            self._kind = "quote"
        elif marker := LIST_MARKER.match(line.text):
            self._kind = "list"
            self._take_item(marker)
        else:
            self._kind = "paragraph"

    def _take_item(self, marker: re.Match[str]) -> None:
        """Note an item's kind, and a fence that opens on its first line."""
        self._ordered = bool(marker.group(2))
        self._fence, _ = fence_of(marker.string[marker.end() :].strip())

    def _extend(self, line: _Line) -> None:
        self._end, self._last_line, self._blank = line.end, line.start, False
        self._lines += 1

    def _close(self) -> None:
        if self._kind is not None:
            self._finished.append(Block(self._kind, self._start, self._end))
        self._kind, self._fence, self._blank, self._lines = None, "", False, 0


def _starts_block(line: _Line, *, in_paragraph: bool = False) -> bool:
    """Return whether a line starts a block even without an empty line before it."""
    text = line.text
    if line.indent >= 4:
        return False
    if text.startswith(">") or fence_of(text)[0] or _HEADING.match(text) or _RULE.match(text):
        return True
    marker = LIST_MARKER.match(text)
    if marker is None or not in_paragraph:
        return marker is not None
    # In a paragraph only an unambiguous marker counts: "1986." at the start of a line is a year.
    return marker.group(2) in (None, "1") and marker.end() < len(text)


def split_blocks(source: str) -> list[Block]:
    splitter = BlockSplitter()
    return splitter.feed(source) + splitter.finish()
