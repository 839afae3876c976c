"""Places the marks of citations in an answer's Markdown.

A mark travels through Markdown as a token of private-use characters, which mean nothing there, and
becomes a link only after the HTML is sanitised. Such characters in the model's own text are replaced
beforehand, so that it cannot forge a mark.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
_MOST_MARKS = 200  # of a block at places of their own
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})(?:[ \t]+|$))?[ \t>]*")


def token_of(citation: Citation) -> str:
    """Return the form in which a citation's mark travels through Markdown."""
    return f"\ue000{citation.source_n}{'v' if citation.verified else 'u'}\ue001"


def without_tokens(text: str) -> str:
    """Return text of the same length without anything that looks like one of our tokens."""
    return _FORGED.sub("\ufffd", text).replace("\r", " ")


def replace_tokens(text: str, mark: Callable[[int, bool], str]) -> str:
    """Return ``text`` with each token replaced by ``mark(n, verified)``."""
    return _TOKEN.sub(lambda match: mark(int(match.group(1)), match.group(2) == "v"), text)


def owner_of(position: int, blocks: Sequence[Block]) -> int:
    """Return the index of the block that shows a mark at ``position``: the last that starts before it."""
    return max(0, bisect_left(blocks, position, key=lambda block: block.start) - 1)


def with_marks(source: str, block: Block, citations: Sequence[Citation]) -> tuple[str, str]:
    """Return a block's Markdown with the tokens of its marks, and tokens to show after the block.

    Marks in code go after the block, the others to the nearest place that leaves the Markdown intact.
    Equal marks at one place are shown once. Too many go after the block as well.
    """
    text = source[block.start : block.end]
    if block.kind in ("fence", "code", "rule"):
        return text, "".join(dict.fromkeys(map(token_of, citations)))
    atoms = [atom.span() for atom in _ATOMS.finditer(text)] if citations else []
    lines = _text_lines(text, block) if citations else []
    places: dict[int, dict[str, None]] = {}
    for citation in citations[:_MOST_MARKS]:
        place = _safe_place(text, block, atoms, lines, citation.answer_end - block.start)
        places.setdefault(place, {})[token_of(citation)] = None
    for place in sorted(places, reverse=True):
        text = text[:place] + "".join(places[place]) + text[place:]
    return text, "".join(dict.fromkeys(map(token_of, citations[_MOST_MARKS:])))


def _safe_place(
    text: str, block: Block, atoms: list[tuple[int, int]], lines: list[tuple[int, int]], place: int
) -> int:
    """Return where in a block's text a token can stand for a mark at ``place``.

    Args:
        text: of the block.
        block: its kind.
        atoms: spans of the text that a token must not divide.
        lines: spans of the text that can carry a token.
        place: in the text, or outside it.
    """
    place = max(0, min(place, len(text)))
    before = bisect_left(atoms, (place,)) - 1
    if before >= 0 and place < atoms[before][1]:
        place = atoms[before][1]
    place = _behind_run(text, place)
    first, end = lines[max(0, bisect_left(lines, (place,)) - 1)]
    # The mark touches the word before it.
    place = first + len(text[first : min(place, end)].rstrip(" \t"))
    if block.kind == "table":
        # Inside the cell: neither after the bar that closes the row nor before the one that opens it.
        if place > first + 1 and text[place - 1] == "|":
            place = first + len(text[first : place - 1].rstrip(" \t"))
        if text.startswith("|", first):
            place = max(place, first + 1)
    return place


def _text_lines(text: str, block: Block) -> list[tuple[int, int]]:
    """Return the lines that can carry a token, from after their markers: no fenced code, no rules."""
    spans: list[tuple[int, int]] = []
    fence = ""
    end = -1
    for index, line in enumerate(text.split("\n")):
        end += 1 + len(line)
        stripped = line.strip()
        if block.kind == "quote":
            stripped = stripped.lstrip("> ")
        if fence:
            fence = "" if closes_fence(stripped, fence) else fence
            continue
        marker = LIST_MARKER.match(stripped)
        if block.kind in ("list", "quote"):
            fence, _ = fence_of(stripped[marker.end() :] if marker else stripped)
        if (
            not fence
            and stripped.strip("=-> ")
            and not (block.kind == "table" and index == 1 and not block.head)
        ):
            spans.append((end - len(_LEAD.sub("", line, count=1)), end))
    return spans or [(len(text), len(text))]


def _behind_run(text: str, place: int) -> int:
    """Split neither a run of emphasis signs nor a backslash from the character it escapes."""
    if 0 < place < len(text) and text[place - 1] == "\\":
        place += 1
    while 0 < place < len(text) and text[place] == text[place - 1] and text[place] in "*_~`":
        place += 1
    return place
