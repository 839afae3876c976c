"""Splits growing Markdown into its top-level blocks, line by line.

An answer arrives in pieces. A finished block never changes, so it is rendered once; only the open block
at the end is rendered again. Complete lines alone decide where a block ends, so the blocks do not depend
on the pieces.

The rules follow CommonMark where the ``markdown`` package is stricter than what models write: a list,
heading, quote, table or fence may follow a paragraph without an empty line. They are looser than
CommonMark where models are: two columns of indentation continue any list item.

Whatever the text, a block takes only so long to draw: one that grows too long goes on as another of its
kind, and so does a line that is too long.
"""

import copy
import re
from typing import Literal, NamedTuple

from app.markup.formulas import LONGEST_FORMULA, closing_of, open_formula

BlockKind = Literal["paragraph", "heading", "rule", "fence", "code", "quote", "list", "table", "formula"]

LIST_MARKER = re.compile(r"([-*+]|(\d{1,9})[.)])(?:[ \t]+|$)")
FENCE = re.compile(r"(`{3,}+)([^`]*)$|(~{3,}+)(.*)$")
TABLE_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*+(?:\|[ \t]*:?-+:?[ \t]*+)*+\|?[ \t]*$")
FOOTNOTE = r"\[\^([A-Za-z]{0,9}[0-9]{1,3})\]"  # its label has a number: "[^a-z]" is no footnote
_NOTE = re.compile(rf"{FOOTNOTE}:(?:[ \t]|$)")
_HEADING = re.compile(r"#{1,6}(?:[ \t]+|$)")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*$")
# What draws a box of its own: code, a rule, a quote in a quote or in a list.
_BOXED = re.compile(r"```|~~~|[-_*][ \t]*[-_*][ \t]*[-_*]|>[ \t]*(?:[-*+][ \t]*)*>|[-*+.)][ \t]+>")
_LONGEST_INFO = 100  # characters behind a fence
_LONGEST_LINE = 4_000  # characters
_LONGEST_HEAD = 500  # characters
# What a block may weigh before it goes on as another one.
_HEAVIEST = 10_000
_HEAVIEST_CODE = 7_000
_HEAVIEST_QUOTE = 4_000  # Qt lays out a box in a box again and again
_LINE, _SIGN, _ITEM, _CELL, _BOX = 20, 4, 20, 20, 400
_SIGNS = "*_~`[&<\\$"
# A last line of signs alone is not shown yet: "-" may become a list or a rule.
_ONLY_SIGNS = re.compile(r"[\s>*+\-=_#|`~:.)\d]*$")


class Block(NamedTuple):
    """A top-level block; ``source[start:end]`` is its Markdown without the last line break.

    Attributes:
        head: what comes before it if it goes on with another one: the head of a table, the fence of code.
        weight: about how much work it makes; prose weighs one a character.
        goes_on: the next block is another part of it.
    """

    kind: BlockKind
    start: int
    end: int
    head: str = ""
    weight: int = 0
    goes_on: bool = False


def indent_of(line: str) -> int:
    """Return the width of a line's indentation; tabs advance to the next multiple of 4."""
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def fence_of(stripped: str) -> tuple[str, str]:
    """Return the fence and the language of a line that opens code; both are empty for other lines."""
    match = FENCE.match(stripped)
    info = (match.group(2) or match.group(4) or "") if match else ""
    if match is None or len(info) > _LONGEST_INFO:  # it is not shown
        return "", ""
    words = info.split()
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
        self._weight = 0
        self._head = ""
        self._next_head = ""  # the head of a part that follows
        self._last_line = 0
        self._blank = False
        self._fence = ""
        self._ordered = False
        self._no_formula_before = 0  # one that was begun earlier has no end

    def feed(self, text: str) -> list[Block]:
        """Add text and return the blocks that its complete lines have finished."""
        self.source += text
        while (end := self._line_end()) >= 0:
            self._take(end)
        return self._drain()

    def open_blocks(self) -> list[Block]:
        """Return what :meth:`finish` would return now, without a last line of signs alone.

        Nor is there a formula at the end that may go on.
        """
        last = self.source[self._next_line :]
        says_little = not self._fence and _ONLY_SIGNS.match(last) is not None
        blocks = copy.copy(self).close(with_last_line=not says_little)
        if blocks and blocks[-1].kind not in ("fence", "code"):
            *others, block = blocks
            begun = open_formula(self.source[block.start : block.end])
            if begun is not None:
                end = block.start + len(self.source[block.start : block.start + begun].rstrip())
                return [*others, block._replace(end=end)] if end > block.start else others
        return blocks

    def finish(self) -> list[Block]:
        """Return the remaining blocks; nothing may be fed afterwards."""
        blocks: list[Block] = []
        while self._next_line < len(self.source) or self._kind == "formula":
            if self._next_line == len(self.source):
                self._give_up_formula()
            else:
                end = self._line_end()
                self._take(end if end >= 0 else len(self.source))
            blocks += self._drain()
        return blocks + self.close(with_last_line=False)

    def close(self, *, with_last_line: bool) -> list[Block]:
        """Close the open block as it is and return what remains; nothing may be fed afterwards."""
        self._finished = []  # empty between calls; a copy must not share the list
        if with_last_line and self._next_line < len(self.source):
            self._take(len(self.source))
        self._close()
        return self._drain()

    # ---- internals ----

    def _line_end(self) -> int:
        """Return where the next line ends, or where one that is too long is cut; -1 if it is incomplete."""
        start, longest = self._next_line, self._next_line + _LONGEST_LINE
        end = self.source.find("\n", start, longest + 1)
        if end < 0 and len(self.source) > longest:
            end = self.source.rfind(" ", start + _LONGEST_LINE // 2, longest)
            return end if end >= 0 else longest
        return end

    def _drain(self) -> list[Block]:
        done, self._finished = self._finished, []
        return done

    def _take(self, end: int) -> None:
        """Take the next line, which ends at ``end``."""
        text = self.source[self._next_line : end]
        line = _Line(self._next_line, end, indent_of(text), text.strip())
        self._next_line = end + self.source[end : end + 1].isspace()
        head = self._next_head
        if self._kind == "fence":
            self._grow(line, head)
            if line.indent < 4 and closes_fence(line.text, self._fence):
                self._close()
        elif self._kind == "formula" and (not line.text or line.end - self._start > LONGEST_FORMULA):
            self._give_up_formula()
            return
        elif self._kind == "formula":
            self._grow(line, head)
            if self._fence in line.text:
                self._close()
        elif not line.text and self._kind == "list" and self._fence:
            self._grow(line, head)
        elif not line.text and self._kind in ("list", "code"):
            self._blank = True
            self._weight += _LINE
        elif not line.text:
            self._close()
        elif self._belongs(line):
            self._grow(line, head)
        else:
            self._open(line)
        is_cut = self.source[end : end + 1] not in ("", "\n")
        if self._kind in ("heading", "rule") or (is_cut and not self._fence):
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
                self._fence = self._next_head = ""
            return True
        if line.indent >= 2:
            self._find_fence(line, line.text)
            return True
        marker = LIST_MARKER.match(line.text)
        if marker and not _RULE.match(line.text):
            if bool(marker.group(2)) != self._ordered:
                return False
            self._take_item(line, marker)
            return True
        return not self._blank and not _starts_block(line)

    def _continues_paragraph(self, line: _Line) -> bool:
        if line.indent < 4 and _SETEXT.match(line.text):
            self._kind = "heading"
        elif TABLE_DELIMITER.match(line.text) and "|" in self.source[self._last_line : self._end]:
            self._become_table(line)
        else:
            return not _starts_block(line, in_paragraph=True)
        return True

    def _become_table(self, line: _Line) -> None:
        """Turn the paragraph's last line into a table's head; the lines before stay a paragraph."""
        if self._lines > 1:
            head, end = self._last_line, self._end
            self._end = len(self.source[:head].rstrip())
            self._close()
            self._start, self._end, self._last_line, self._lines = head, end, head, 1
            self._weight = _LINE + end - head
        self._kind = "table"
        self._repeat(self.source[self._start : line.end])

    def _open(self, line: _Line) -> None:
        """Close the open block and start one with this line."""
        self._close()
        self._start = line.start
        if line.indent >= 4:
            self._kind = "code"
        elif fence := fence_of(line.text)[0]:
            self._kind, self._fence = "fence", fence
            self._repeat(self.source[line.start : line.end], fence[:3])
        elif closing := self._closing_of(line):
            self._kind, self._fence = "formula", closing
        elif _HEADING.match(line.text):
            self._kind = "heading"
        elif _RULE.match(line.text):
            self._kind = "rule"
        elif line.text.startswith(">"):
            self._kind = "quote"
        elif marker := LIST_MARKER.match(line.text):
            self._kind = "list"
            self._take_item(line, marker)
        else:
            self._kind = "paragraph"
        self._extend(line, self._weight_of(line))

    def _closing_of(self, line: _Line) -> str:
        """Return what ends the formula that begins with a line and goes on after it; empty if none does."""
        closing = closing_of(line.text) if line.start >= self._no_formula_before else ""
        is_short = line.end - line.start <= LONGEST_FORMULA
        return closing if is_short and closing not in line.text[2:] else ""

    def _give_up_formula(self) -> None:
        """Read the open formula again, as text: it has no end."""
        self._no_formula_before = self._next_line
        end = self.source.find("\n", self._start)
        self._end, self._next_line = (end, end + 1) if end >= 0 else (len(self.source), len(self.source))
        self._kind, self._fence = "paragraph", ""
        self._last_line, self._lines, self._weight = self._start, 1, _LINE + self._end - self._start

    def _take_item(self, line: _Line, marker: re.Match[str]) -> None:
        """Note an item's kind, and a fence that opens on its first line."""
        self._ordered = bool(marker.group(2))
        self._find_fence(line, marker.string[marker.end() :].strip())

    def _find_fence(self, line: _Line, text: str) -> None:
        """Note the fence that opens in an item."""
        self._fence, _ = fence_of(text)
        if self._fence:
            self._repeat(" " * line.indent + text, self._fence[:3])

    def _grow(self, line: _Line, head: str) -> None:
        """Add a line to the open block; if that grows too heavy, it goes on as another one with a head."""
        weight = self._weight_of(line)
        heaviest = self._heaviest()
        if self._kind == "list" and not head and line.indent < 2 and LIST_MARKER.match(line.text):
            heaviest -= heaviest // 4  # better between two items than within one
        if self._weight + weight > heaviest:
            self._finish_part(goes_on=True)
            self._start, self._head = line.start, head
            weight += len(head)
        self._extend(line, weight)

    def _extend(self, line: _Line, weight: int) -> None:
        self._end, self._last_line, self._blank = line.end, line.start, False
        self._lines += 1
        self._weight += weight

    def _heaviest(self) -> int:
        if self._kind in ("fence", "code"):
            return _HEAVIEST_CODE
        return _HEAVIEST_QUOTE if self._kind == "quote" else _HEAVIEST

    def _weight_of(self, line: _Line) -> int:
        """Return about how much work a line of the open block makes."""
        weight = _LINE + line.end - line.start
        if self._kind in ("fence", "code"):
            return weight
        weight += _SIGN * sum(map(line.text.count, _SIGNS))
        if self._kind == "table":
            weight += _CELL * line.text.count("|")
        elif self._kind in ("list", "quote"):
            weight += _BOX if _BOXED.search(line.text) else _ITEM
        return weight

    def _repeat(self, head: str, short: str = "") -> None:
        """Note what a further part of the open block begins with, or what if that is too long."""
        head = head if len(head) <= _LONGEST_HEAD else short
        self._next_head = f"{head}\n" if head else ""

    def _finish_part(self, *, goes_on: bool = False) -> None:
        if self._kind is not None:
            block = Block(self._kind, self._start, self._end, self._head, self._weight, goes_on)
            self._finished.append(block)
        self._lines = self._weight = 0

    def _close(self) -> None:
        self._finish_part()
        self._kind, self._fence, self._blank = None, "", False
        self._head = self._next_head = ""


def _starts_block(line: _Line, *, in_paragraph: bool = False) -> bool:
    """Return whether a line starts a block even without an empty line before it."""
    text = line.text
    if line.indent >= 4:
        return False
    if text.startswith(">") or fence_of(text)[0] or _HEADING.match(text) or _RULE.match(text):
        return True
    if closing_of(text):
        return True
    if _NOTE.match(text):
        return True
    marker = LIST_MARKER.match(text)
    if marker is None or not in_paragraph:
        return marker is not None
    # In a paragraph only an unambiguous marker counts: "1986." at the start of a line is a year.
    return marker.group(2) in (None, "1") and marker.end() < len(text)


def split_blocks(source: str) -> list[Block]:
    splitter = BlockSplitter()
    return splitter.feed(source) + splitter.finish()
