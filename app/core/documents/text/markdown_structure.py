"""Lines of a text, and what matters of Markdown here: which of them are code, and which are headings.

A line scanner by the CommonMark rules, not a parser: it gives positions in the source, in linear time.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from app.domain.documents import Anchor, AnchorMark
from app.domain.plain_text import one_line, shorten
from app.markup.formulas import without_signs

Span = tuple[int, int]

_HEADING_LIMIT = 160
_LINE_LIMIT = 600

_NOT_SPACE = re.compile(r"\S")
# Also in a quotation or a list item, where its indentation counts from the item's.
_FENCE = re.compile(
    r"^(?P<indent>[ \t>]*+(?:(?:[-*+]|\d{1,3}[.)])[ \t]++)?)"
    r"(?P<sign>`{3,}+(?=[^`\n]*$)|~{3,}+)(?P<info>[^\n]*)$",
    re.MULTILINE,
)
_ATX = re.compile(r"^ {0,3}(#{1,6})(?:[ \t]+([^\n]*))?$", re.MULTILINE)
_UNDERLINE = re.compile(r"^ {0,3}(?:(=++)|-++)[ \t]*+$", re.MULTILINE)
# A line that cannot be a heading's text although it stands above an underline.
_NO_HEADING_TEXT = re.compile(
    r"\s*$| {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>|[-+*][ \t]|\d{1,9}[.)][ \t]|\||=+\s*$)"
)
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:(?!---)[^\n]*\n){0,100}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+[ \t]*$")


def lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the lines of ``text[start:end]``, without their newlines."""
    while start < end:
        line_end = text.find("\n", start, end)
        line_end = end if line_end < 0 else line_end
        yield start, line_end
        start = line_end + 1


def skip_space(text: str, start: int, end: int) -> int:
    """Return where the first character stands that is not white space; ``end`` without one."""
    found = _NOT_SPACE.search(text, start, end)
    return found.start() if found else end


def trimmed(text: str, start: int, end: int) -> Span:
    """Return the span without the white space around its text."""
    start = skip_space(text, start, end)
    return start, start + len(text[start:end].rstrip())


def is_within(spans: Sequence[Span], position: int) -> bool:
    index = bisect_right(spans, position, key=lambda span: span[0]) - 1
    return index >= 0 and position < spans[index][1]


def fences(text: str, start: int = 0, end: int | None = None, *, unclosed: bool = False) -> list[Span]:
    """Find the fenced blocks of code in ``text[start:end]``, in order, with their fences.

    ``start`` must be the beginning of a line. With ``unclosed`` a fence that is never closed extends to the
    end, as in CommonMark; in a text that may not be Markdown at all it is an ordinary line.
    """
    end = len(text) if end is None else end
    found: list[Span] = []
    candidates = list(_FENCE.finditer(text, start, end))
    hopeless: dict[str, int] = {}  # a fence this long or longer has no closing line from here on
    index = 0
    while index < len(candidates):
        line = candidates[index]
        index += 1
        sign = line.group("sign")
        if len(sign) >= hopeless.get(sign[0], len(sign) + 1):
            continue
        closing = next((n for n in range(index, len(candidates)) if _closes(candidates[n], line)), None)
        if closing is not None:
            found.append((line.start(), candidates[closing].end()))
            index = closing + 1
        elif unclosed and not line.group("indent")[3:]:
            return [*found, (line.start(), end)]
        else:
            hopeless[sign[0]] = len(sign)
    return found


def _closes(line: re.Match[str], opening: re.Match[str]) -> bool:
    """Whether a line closes a fence: it is at least as long, and not indented deeper."""
    indent = len(line.group("indent").expandtabs(4)) - len(opening.group("indent").expandtabs(4))
    return (
        line.group("sign").startswith(opening.group("sign")) and indent < 4 and not line.group("info").strip()
    )


class HeadingPath:
    """The headings that lead to a place in a document read from its beginning."""

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> Anchor:
        """Go on below this heading; return the path to it."""
        self._path = [(upper, name) for upper, name in self._path if upper < level]
        self._path.append((level, shorten(title, _HEADING_LIMIT)))
        return Anchor("heading", " › ".join(name for _, name in self._path))


def heading_marks(text: str) -> tuple[AnchorMark, ...]:
    """Return an anchor at each heading (``## Title`` or an underlined line) outside code and front matter."""
    begin = front_matter_end(text)
    code = fences(text, begin, unclosed=True)
    path = HeadingPath()
    return tuple(
        AnchorMark(position, path.enter(level, title))
        for position, level, title in sorted([*_atx_headings(text, begin), *_setext_headings(text, begin)])
        if title and not is_within(code, position)
    )


def _atx_headings(text: str, begin: int) -> Iterator[tuple[int, int, str]]:
    for match in _ATX.finditer(text, begin):
        title = plain_inline(without_closing_hashes(match.group(2) or ""))
        yield match.start(), len(match.group(1)), title


def _setext_headings(text: str, begin: int) -> Iterator[tuple[int, int, str]]:
    for match in _UNDERLINE.finditer(text, begin):
        line_end = match.start() - 1
        if line_end <= begin:
            continue
        line_start = max(text.rfind("\n", begin, line_end) + 1, begin)
        above_start = max(text.rfind("\n", begin, max(line_start - 1, begin)) + 1, begin)
        above = text[above_start : max(line_start - 1, above_start)]
        line = text[line_start:line_end]
        # CommonMark allows titles of several lines, but under a paragraph people mean a rule far more often.
        follows_block = not above.strip() or any(form.match(above) for form in (_ATX, _FENCE, _UNDERLINE))
        if follows_block and not _NO_HEADING_TEXT.match(line):
            yield line_start, 1 if match.group(1) else 2, plain_inline(line)


def front_matter_end(text: str) -> int:
    """Return where a YAML block between ``---`` lines at the top ends; 0 if there is none."""
    matter = _FRONT_MATTER.match(text)
    return matter.end() if matter else 0


def without_closing_hashes(heading: str) -> str:
    """Return a heading's text without a closing "##"; the "#" of "C#" stays."""
    return _CLOSING_HASHES.sub("", heading)


def plain_inline(line: str) -> str:
    """Return the start of a line as one reads it: links as their text, no signs of emphasis or code."""
    return one_line(without_signs(line[:_LINE_LIMIT]))
