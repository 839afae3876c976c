"""What is shown in a text without being part of it: pictures, and the numbers of slides.

In rich text, an aside stands between two signs that nobody sees, so that it is neither copied nor taken for
the text when sentences are looked for.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from app.markup.markdown_blocks import FENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EDGE = "\u2063"
ASIDE = re.compile(f"{EDGE}[^{EDGE}\n\u2029]*{EDGE}")
_TOKEN = re.compile("\ue002([pqs][0-9]+)\ue003")
_SPACE = re.compile(r"\s*+")
_SIGN = re.compile(r"[ \t>]*+(?:#{1,6}|[-*+]|\d{1,9}[.)])")  # of a heading or an item
_GAP = re.compile(r"[ \t]*+")
_ITEM = re.compile(r"[ \t]*+(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]{2,}\S")


class Aside(NamedTuple):
    """Stands between two characters of a text.

    Attributes:
        position: in the text.
        name: what it shows: "p", for a picture, or "s", for a slide, and its number.
        leads: it stands above what follows, not below what comes before.
    """

    position: int
    name: str
    leads: bool = False


def between_edges(text: str) -> str:
    """Return a text as part of an aside's HTML."""
    return f"{EDGE}{html.escape(text.replace(EDGE, ' '))}{EDGE}"


def without_asides(shown: str) -> str:
    """Return shown text of the same length with spaces in place of asides."""
    return ASIDE.sub(lambda match: " " * len(match.group()), shown) if EDGE in shown else shown


def has_asides(text: str) -> bool:
    return "\ue002" in text


def replace_asides(text: str, shown: Callable[[str], str]) -> str:
    """Replace the tokens of asides in HTML; the name of a picture within a line begins with "q"."""
    return _TOKEN.sub(lambda match: shown(match.group(1)), text)


class TextWithAsides:
    """Markdown with tokens for asides, and which of its positions is which of the text given."""

    def __init__(self, text: str, asides: Sequence[Aside]) -> None:
        parts: list[str] = []
        done = 0
        asides = [_behind_sign(text, aside) for aside in asides]
        tokens = [_token(text, aside) for aside in asides]
        for aside, token in zip(asides, tokens, strict=True):
            parts += [text[done : aside.position], token]
            done = aside.position
        self.text = "".join([*parts, text[done:]])
        self._given = [aside.position for aside in asides]
        self._added = [0, *accumulate(map(len, tokens))]
        self._starts = [at + added for at, added in zip(self._given, self._added, strict=False)]

    def inside(self, position: int) -> int:
        """Return where a position of the text given is now."""
        return position + self._added[bisect_right(self._given, position)]

    def outside(self, position: int) -> int:
        """Return which position of the text given is at a place."""
        before = bisect_left(self._starts, position)
        least = self._given[before - 1] if before else 0
        return max(position - self._added[before], least)


def _behind_sign(text: str, aside: Aside) -> Aside:
    """Return an aside that does not part the sign of a heading or an item from the space it needs."""
    at = aside.position
    if aside.leads or not _SIGN.fullmatch(text, text.rfind("\n", 0, at) + 1, at):
        return aside
    gap = _GAP.match(text, at)
    assert gap is not None
    return aside._replace(position=gap.end())


def _token(text: str, aside: Aside) -> str:
    """Return what to insert: within a line, or as a paragraph where one ends anyway; slides have a band."""
    token = f"\ue002{aside.name}\ue003"
    at = aside.position
    if aside.name.startswith("s"):
        return f"> {token}\n\n" if aside.leads or at == 0 else f"\n\n> {token}"
    if aside.leads or at == 0:
        return f"{token}\n\n"
    line_start = text.rfind("\n", 0, at) + 1
    space = _SPACE.match(text, at)
    assert space is not None
    if FENCE.match(text[line_start:at].strip()):
        return f"\n\n{token}\n\n"
    next_start = text.rfind("\n", at, space.end()) + 1
    is_in_list = _ITEM.match(text, line_start) and _ITEM.match(text, next_start)
    is_between = space.group().count("\n") > 1 or space.end() == len(text)
    return f"\n\n{token}" if is_between and not is_in_list else token.replace("p", "q")
