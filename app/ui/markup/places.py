"""Where the characters of Markdown stand in the rich text made of it."""

from __future__ import annotations

import re
from bisect import bisect_left

from app.ui.markup.asides import without_asides

# What rich text has no letter for, and what it has instead of one: pictures, ends of paragraphs and cells.
_BLANK = re.compile("[\\s\u200b\u2060\ufffc\ufdd0\ufdd1]+")
_SIGNS = frozenset("*_~`#>|\\[]()!<-+=:&$")
_MANY, _FEW = 8, 3  # letters that are looked for together
_NEAR, _FAR = 60, 1_000  # how far, in characters


class Places:
    """Finds spans of ``source`` in ``shown``, which has the same characters without most of the signs.

    Positions in ``shown`` count UTF-16 code units, as Qt does.
    """

    def __init__(self, source: str, shown: str) -> None:
        self._starts = [at for at, sign in enumerate(source) if not _BLANK.match(sign)]
        self._shown = shown
        shown = without_asides(shown)
        letters = [at for at, sign in enumerate(shown) if not _BLANK.match(sign)]
        matched = _matched([source[at] for at in self._starts], [shown[at] for at in letters])
        self._places = [letters[at] if at >= 0 else -1 for at in matched]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where a span of the source is shown; None if nothing of it is."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        found = [place for place in self._places[first:last] if place >= 0]
        if not found:
            return None
        begin, close = found[0], found[-1] + 1
        if self._shown[begin - 1 : begin] == "\ufffc":
            begin -= 1  # the picture of the formula whose source begins here
        return self._units(begin), self._units(close)

    def _units(self, position: int) -> int:
        return len(self._shown[:position].encode("utf-16-le", "surrogatepass")) // 2


def _matched(source: list[str], shown: list[str]) -> list[int]:
    """Return for each character of the source which of those shown it is, -1 if it is none.

    Where both differ, the next characters are looked for nearby, as after the language of code; then behind
    signs; then further on, as after the address of a link.
    """
    text = "".join(source)
    found = [-1] * len(source)
    at = 0
    for index, letter in enumerate(shown):
        ahead = at if text[at : at + 1] == letter else _ahead(text, at, shown[index : index + _MANY])
        if ahead >= 0:
            found[ahead] = index
            at = ahead + 1
    return found


def _ahead(text: str, at: int, letters: list[str]) -> int:
    """Return where the next letters go on from a position; -1 if they do not."""
    many, few = "".join(letters), "".join(letters[:_FEW])
    if (ahead := text.find(many, at, at + _NEAR)) >= 0:
        return ahead
    behind = at
    while behind < len(text) and text[behind] in _SIGNS and text[behind] != many[0]:
        behind += 1
    if text[behind : behind + 1] == many[0]:
        return behind
    ahead = text.find(many, at, at + _FAR)
    return ahead if ahead >= 0 else text.find(few, at, at + _NEAR)
