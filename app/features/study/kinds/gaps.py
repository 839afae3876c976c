"""Sentences with gaps, such as ``The {{c1::median}} is the middle value``."""

import re
from collections.abc import Callable

GAP = "[…]"
# A brace before the two that end a gap belongs to it, as in ``{{c1::x^{2}}}``.
_GAP = re.compile(r"\{\{c[0-9]{1,3}+::((?:[^{}]|\{(?!\{c[0-9])|\}(?!\})|\}(?=\}\}))*+)\}\}")


def gaps(text: str) -> tuple[str, ...]:
    """Return what the gaps hold, in order; nothing for a text without any."""
    return tuple(match[1].strip() for match in _GAP.finditer(text))


def with_gaps(text: str, show: Callable[[str], str] = lambda _: GAP) -> str:
    """Return the text with something in place of each gap; ``show`` is given what the gap holds.

    All gaps of a text are asked at once, whatever their numbers.
    """
    return _GAP.sub(lambda match: show(match[1].strip()), text)


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the text around gaps and what they hold, in order; the flag says which of them is a gap."""
    parts = _GAP.split(text)
    return [(part.strip() if at % 2 else part, bool(at % 2)) for at, part in enumerate(parts)]


def filled(text: str) -> str:
    """Return the whole sentence."""
    return with_gaps(text, lambda gap: gap)
