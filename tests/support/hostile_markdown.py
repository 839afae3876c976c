"""Markdown that makes a reader of it work as hard as it can: every construct, repeated, nested and mixed.

Each word of the texts is a number of its own, so that a test can tell what became of it.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# ``w`` becomes a word of its own.
UNITS = (
    *("w ", "w\n", "w\n\n", "w  \n", "w\\\n", "\n", " ", "\t", "w\t", "\xe9 w ", "\u200b", "\ud800"),
    *("\x02w\x03", "\ue000w", "# w\n", "###### w #\n", "w\n===\n", "w\n---\n", "#", "# ", "=\n"),
    *("---\n", "* * *\n", "_ _ _\n", ">", "> ", "> w\n", ">w\n\n", "> > w\n", "> w\n>\n", "> w\nw\n"),
    *("> - w\n", "> # w\n", "> ```\n", "> ---\n", "> > w\n>\n", "- w\n", "- ", "* w\n\n", "+ w\n"),
    *("- w\n  w\n", "- w\n\n  w\n", "- w\n  - w\n", "- w\n    - w\n", "- > w\n", "- > > w\n"),
    *("- [ ] w\n", "- [x] w\n", "1. w\n", "1) w\n", "999999999. w\n", "- w\n1. w\n", "- ```\n"),
    *("- ```\n  w\n  ```\n", "-\n", "- # w\n", "- w\n\n          w\n", "- ---\n", "w\n- w\n"),
    *("- | w | w |\n  |-|-|\n", "    w\n", "    w\n\n", "\tw\n", "```\n", "```x\nw\n```\n"),
    *("```python\nw = 1\n```\n", "~~~\nw\n~~~\n", "````\n```\n", "``` x\n", "|", "| w ", "| w | w |\n"),
    *("|-", "|-|-|\n", "| w | w |\n|-|-|\n| w | w |\n", "w | w\n-|-\n", "| `w | w` |\n", ":-:|", "*"),
    *("**", "_", "__", "***", "*w", "w*", "**w", "**w ", "_w", "*w*", "**w**", "***w***", "*w **w "),
    *("_*w*_", "*_w", "w**w*w", "~~", "~~w ", "~~w~~", "~w~", "`", "``", "`w`", "``w`", "`w"),
    *("w`` w```", "\\", "\\*", "\\w", "\\`", "[", "]", "![", "[w", "![w", "[w]", "[w](x)", "[w](x "),
    *("![w](x ", "[w](<x", "[w](x 'x ", '[w](x "x ', "[w](http://w)", "![w](http://w)", "[](", "]( "),
    *("[w][", "[w][w] ", "[w]: http://w\n", "[^w]", "[^w]: w\n", "[[w](x)](x)", "[w](x(", "(", ")"),
    *("[![w](http://w)](http://w)", "<", "<w", "<w>", "</w>", "<!--", "<!-- w -->", "<b>w</b>"),
    *("<http://w>", "<http://w ", "<w@w>", "<w@", "http://w ", "<br>", "<![CDATA[", "&", "&amp;"),
    *("&w;", "&#119;", "&#x77;", "&#", "$w$", "$$\nw\n$$\n", "\\(w\\)", "w: w\n: w\n", "==w==", "^w^"),
    *("H~w~O", "*[w]: w\n"),
)
"""What each text repeats."""

_OPENERS = (
    "> ",
    "- ",
    "1. ",
    "    ",
    "# ",
    "```\n",
    "| ",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "[",
    "![",
    "](",
    "<",
    "&",
    "\\",
    "(",
    '"',
)
"""Beginnings that are never closed, to be nested in each other."""


def repeated(unit: str, length: int) -> str:
    """Return a unit again and again, about so many characters, each word different."""
    numbers = itertools.count(1)
    made: list[str] = []
    size = 0
    while size < length:
        made.append("".join(f"w{next(numbers)}w" if sign == "w" else sign for sign in unit))
        size += len(made[-1])
    return "".join(made)


def units() -> Iterator[tuple[str, str]]:
    """Yield each unit with its name."""
    for unit in UNITS:
        yield unit.encode("unicode_escape").decode("ascii"), unit


def pairs() -> Iterator[tuple[str, str]]:
    """Yield each construct nested in each, on one line, and as lines."""
    for outer, inner in itertools.product(_OPENERS, repeat=2):
        yield f"{outer!r} in {inner!r}", f"{outer}{inner}w"


def nested(outer: str, inner: str, length: int) -> str:
    """Return lines in each of which two constructs are nested one level deeper."""
    lines = []
    size = depth = 0
    while size < length:
        depth += 1
        lines.append(f"{(outer + inner) * depth}w{depth}w")
        size += len(lines[-1]) + 1
    return "\n".join(lines)


def mixture(seed: int, length: int) -> str:
    """Return a random mixture of constructs and beginnings of constructs."""
    chance = random.Random(seed)
    numbers = itertools.count(1)
    made: list[str] = []
    size = 0
    while size < length:
        unit = chance.choice(UNITS if chance.random() < 0.7 else _OPENERS)
        piece = unit * chance.choice((1, 1, 1, 2, 5, 40))
        made.append("".join(f"w{next(numbers)}w" if sign == "w" else sign for sign in piece))
        size += len(made[-1])
    return "".join(made)
