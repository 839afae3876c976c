"""Where the characters of Markdown stand in the rich text made of it."""

from __future__ import annotations

import re
from bisect import bisect_left

# What rich text has no letter for, and what it has instead of one: pictures, ends of paragraphs and cells.
_BLANK = re.compile("[\\s\u200b\u2060\ufffc\ufdd0\ufdd1]+")
_SIGNS = frozenset("*_~`#>|\\[]()!<-+=:&$")
# How far to look for the next characters where the text goes on differently: how many, how far.
_LOOKS = ((8, 1_000), (3, 60))


class Places:
    """Finds spans of ``source`` in ``shown``, which has the same characters without most of the signs.

    Positions in ``shown`` count UTF-16 code units, as Qt does.
    """

    def __init__(self, source: str, shown: str) -> None:
        self._starts = [at for at, sign in enumerate(source) if not _BLANK.match(sign)]
        self._shown = shown
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

    Where both differ, signs are skipped first; then the next characters are looked for further on, as after a
    number of a list or the address of a link.
    """
    text = "".join(source)
    found = [-1] * len(source)
    at = 0
    for index, letter in enumerate(shown):
        ahead = at
        while ahead < len(text) and text[ahead] != letter and text[ahead] in _SIGNS:
            ahead += 1
        if ahead == len(text) or text[ahead] != letter:
            ahead = -1
            for length, distance in _LOOKS:
                wanted = "".join(shown[index : index + length])
                ahead = text.find(wanted, at, at + distance)
                if ahead >= 0:
                    break
        if ahead >= 0:
            found[ahead] = index
            at = ahead + 1
    return found
