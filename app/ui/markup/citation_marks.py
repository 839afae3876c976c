"""Places the marks of citations in an answer's Markdown.

A mark travels through Markdown as a token of private-use characters, which mean nothing there, and
becomes a link only after the HTML is sanitised. Such characters in the model's own text are replaced
beforehand, so that it cannot forge a mark.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.ui.markup.markdown_blocks import LIST_MARKER, Block, closes_fence, fence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.sources import Citation

# Also Qt's own characters in a document, line breaks that are none to us, and lone surrogates.
_FORGED = re.compile(
    "[\ue000-\ue003\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029\ufdd0-\ufdef\ufffc\ud800-\udfff]"
)
_TOKEN = re.compile("\ue000([0-9]+)([vu])\ue001")
_ATOMS = re.compile(
    r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|!?\[[^\[\]\n]*\]\((?:[^()\n]|\([^()\n]*\))*+\)|<https?://[^<>\s]*>",
    re.DOTALL,
)
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]+|$))?[ \t>]*")


@dataclass(frozen=True, slots=True)
class Mark:
    """A citation's mark: its source, its position in the answer, and whether it is verified."""

    n: int
    position: int
    verified: bool

    @property
    def token(self) -> str:
        """The form in which a mark travels through Markdown."""
        return f"\ue000{self.n}{'v' if self.verified else 'u'}\ue001"


def mark_of(citation: Citation) -> Mark:
    """Return the mark of a citation, placed at the end of the claim."""
    return Mark(citation.source_n, citation.answer_end, citation.verified)


def without_tokens(text: str) -> str:
    """Return text of the same length without anything that looks like one of our tokens."""
    return _FORGED.sub("\ufffd", text).replace("\r", " ")


def replace_tokens(text: str, mark: Callable[[int, bool], str]) -> str:
    """Return ``text`` with each token replaced by ``mark(n, verified)``."""
    return _TOKEN.sub(lambda match: mark(int(match.group(1)), match.group(2) == "v"), text)


def owner_of(position: int, blocks: Sequence[Block]) -> int:
    """Return the index of the block that shows a mark at ``position``: the last that starts before it."""
    return max(0, bisect_left(blocks, position, key=lambda block: block.start) - 1)


def with_marks(source: str, block: Block, marks: Sequence[Mark]) -> tuple[str, str]:
    """Return a block's Markdown with the tokens of its marks, and tokens to show after the block.

    Marks in code go after the block, the others to the nearest place that leaves the Markdown intact.
    Equal marks at one place are shown once.
    """
    text = source[block.start : block.end]
    if block.kind in ("fence", "code", "rule"):
        return text, "".join(dict.fromkeys(mark.token for mark in marks))
    places: dict[int, list[str]] = {}
    for mark in marks:
        tokens = places.setdefault(_safe_place(text, block, mark.position - block.start), [])
        if mark.token not in tokens:
            tokens.append(mark.token)
    for place in sorted(places, reverse=True):
        text = text[:place] + "".join(places[place]) + text[place:]
    return text, ""


def _safe_place(text: str, block: Block, place: int) -> int:
    """Return where in a block's text a token can stand for a mark at ``place``."""
    place = max(0, min(place, len(text)))
    for atom in _ATOMS.finditer(text):
        if atom.start() < place < atom.end():
            place = atom.end()
            break
    place = _behind_run(text, place)
    lines = _text_lines(text, block)
    for start, end in reversed(lines):
        first = start + _lead(text[start:end])
        if place > first or (start, end) == lines[0]:
            place = min(max(place, first), end)
            return (
                _before_last_bar(text, start, place) if block.kind == "table" else _back(text, first, place)
            )
    return len(text)


def _lead(line: str) -> int:
    """Return the length of a line's indentation, marker and quote signs."""
    match = _LEAD.match(line)
    return match.end() if match else 0


def _text_lines(text: str, block: Block) -> list[tuple[int, int]]:
    """Return the spans of lines that can carry a token: no fenced code, no rules."""
    spans: list[tuple[int, int]] = []
    fence: str | None = None
    start = 0
    for index, line in enumerate(text.split("\n")):
        span, stripped = (start, start + len(line)), line.strip()
        if block.kind == "quote":
            stripped = stripped.lstrip("> ")
        start += len(line) + 1
        if fence:
            fence = None if closes_fence(stripped, fence) else fence
            continue
        marker = LIST_MARKER.match(stripped)
        opened = fence_of(stripped[marker.end() :] if marker else stripped)
        if opened and block.kind in ("list", "quote"):
            fence = opened[0]
        elif stripped.strip("=-> ") and not (block.kind == "table" and index == 1):
            spans.append(span)
    return spans or [(len(text), len(text))]


def _behind_run(text: str, place: int) -> int:
    """Split neither a run of emphasis signs nor a backslash from the character it escapes."""
    if 0 < place < len(text) and text[place - 1] == "\\":
        place += 1
    while 0 < place < len(text) and text[place] == text[place - 1] and text[place] in "*_~`":
        place += 1
    return place


def _back(text: str, first: int, place: int) -> int:
    """Step back over white space, so that the mark touches the word."""
    while place > first and text[place - 1] in " \t\n":
        place -= 1
    return place


def _before_last_bar(text: str, start: int, place: int) -> int:
    """Keep a mark inside its table cell, not after the bar that closes the row."""
    place = _back(text, start, place)
    if place > start + 1 and text[place - 1] == "|":
        place = _back(text, start, place - 1)
    return max(place, start + 1) if text[start : start + 1] == "|" else place
