"""What matters of Markdown here: which lines are code, and which are headings.

A line scanner by the CommonMark rules, not a parser: it gives positions in the source, in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from app.core.documents.text.display import one_line, shorten
from app.domain.documents import Anchor, AnchorMark

HEADING_SEPARATOR = " › "
_HEADING_LIMIT = 160
_LINE_LOOKED_AT = 600

_FENCE = re.compile(r"^ {0,3}(?:(`{3,})([^`\n]*)|(~{3,})([^\n]*))$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$", re.MULTILINE)
_UNDERLINE = re.compile(r"^ {0,3}(?:(=++)|-++)[ \t]*+$", re.MULTILINE)
# A line that cannot be a heading's text although it stands above an underline.
_NO_HEADING_TEXT = re.compile(
    r"\s*$| {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>|[-+*][ \t]|\d{1,9}[.)][ \t]|\||=+\s*$)"
)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:(?!---)[^\n]*\n){0,100}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|(?<!`)`++|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block of code, from the start of its opening line to the end of its closing line."""

    start: int
    end: int


def fences(text: str, start: int = 0, end: int | None = None, *, unclosed: bool = False) -> list[Fence]:
    """Find the fenced blocks of code in ``text[start:end]``, in order.

    ``start`` must be the beginning of a line. With ``unclosed`` a fence that is never closed extends to the
    end, as in CommonMark; in a text that may not be Markdown at all it is an ordinary line.
    """
    end = len(text) if end is None else end
    lines = list(_FENCE.finditer(text, start, end))
    found: list[Fence] = []
    hopeless: dict[str, int] = {}  # a fence this long or longer has no closing line from here on
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        sign = line.group(1) or line.group(3)
        if len(sign) >= hopeless.get(sign[0], len(sign) + 1):
            continue
        closing = index
        while closing < len(lines) and not _closes(lines[closing], sign):
            closing += 1
        if closing < len(lines):
            found.append(Fence(line.start(), lines[closing].end()))
            index = closing + 1
        elif unclosed:
            found.append(Fence(line.start(), end))
            break
        else:
            hopeless[sign[0]] = len(sign)
    return found


def _closes(line: re.Match[str], sign: str) -> bool:
    own, rest = (line.group(1), line.group(2)) if line.group(1) else (line.group(3), line.group(4))
    return own[0] == sign[0] and len(own) >= len(sign) and not rest.strip()


def heading_marks(text: str) -> tuple[AnchorMark, ...]:
    """Return an anchor at each heading of a Markdown text: the path of headings leading to it.

    ATX (``## Title``) and one-line setext (underlined) headings count; code and front matter do not.
    """
    begin = front_matter_end(text)
    code = fences(text, begin, unclosed=True)
    starts = [fence.start for fence in code]
    headings = [*_atx_headings(text, begin), *_setext_headings(text, begin)]
    path: list[tuple[int, str]] = []
    marks = []
    for position, level, title in sorted(headings):
        block = bisect_right(starts, position) - 1
        if block >= 0 and position < code[block].end:
            continue
        path = [(upper, name) for upper, name in path if upper < level]
        path.append((level, shorten(title, _HEADING_LIMIT)))
        value = HEADING_SEPARATOR.join(name for _, name in path)
        marks.append(AnchorMark(position, Anchor("heading", value)))
    return tuple(marks)


def _atx_headings(text: str, begin: int) -> list[tuple[int, int, str]]:
    headings = []
    for match in _ATX.finditer(text, begin):
        title = plain_inline(without_closing_hashes(match.group(2) or ""))
        if title:
            headings.append((match.start(), len(match.group(1)), title))
    return headings


def _setext_headings(text: str, begin: int) -> list[tuple[int, int, str]]:
    headings = []
    for match in _UNDERLINE.finditer(text, begin):
        line_end = match.start() - 1
        if line_end <= begin:
            continue
        line_start = max(text.rfind("\n", begin, line_end) + 1, begin)
        above_start = max(text.rfind("\n", begin, max(line_start - 1, begin)) + 1, begin)
        above = text[above_start : max(line_start - 1, above_start)]
        line = text[line_start:line_end]
        # CommonMark allows titles of several lines, but under a paragraph people mean a rule far more often.
        if _NO_HEADING_TEXT.match(line) or (above.strip() and not _ends_block(above)):
            continue
        title = plain_inline(line)
        if title:
            headings.append((line_start, 1 if match.group(1) else 2, title))
    return headings


def _ends_block(line: str) -> bool:
    return bool(_ATX.match(line) or _FENCE.match(line) or _UNDERLINE.match(line))


def front_matter_end(text: str) -> int:
    """Return where a YAML block between ``---`` lines at the top ends; 0 if there is none."""
    matter = _FRONT_MATTER.match(text)
    return matter.end() if matter else 0


def without_closing_hashes(heading: str) -> str:
    """Return a heading's text without a closing "##"; the "#" of "C#" stays."""
    return _CLOSING_HASHES.sub("", heading)


def plain_inline(line: str) -> str:
    """Return the start of a line as one reads it: links as their text, no signs of emphasis or code."""
    line = _LINK.sub(r"\1", line[:_LINE_LOOKED_AT])
    return one_line(_EMPHASIS.sub(r"\2", line))
