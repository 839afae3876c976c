r"""Finds formulas in Markdown: ``$…$``, ``$$…$$``, ``\(…\)``, ``\[…\]`` and environments such as ``align``.

The rules for ``$`` are Pandoc's, and stricter where money is meant: the first sign touches what follows it,
the second what comes before it, and no digit follows that.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from html.entities import html5
from itertools import chain, zip_longest
from typing import NamedTuple

from app.domain.figures import Formula

LONGEST_FORMULA = 1_000
"""Characters; what is longer stays text."""

_LONGEST_OPEN = 300  # characters of an unfinished one that are held back
_ENVIRONMENT = (
    r"\\begin\{((?:equation|align(?:ed|at)?|gather(?:ed)?|multline|eqnarray|flalign|split|cases|array"
    r"|[pbBvV]?matrix)\*?)\}"
)
_OPENING = re.compile(rf"(`+)|{_ENVIRONMENT}|\\.|\$\$?|\\$", re.DOTALL)
_TICKS = re.compile("`+")
_DISPLAY = re.compile(rf"(?:\$\$|\\\[|{_ENVIRONMENT})")
_CLOSING = {"$$": "$$", "$": "$", r"\(": r"\)", r"\[": r"\]"}
_END_OF_PARAGRAPH = re.compile(r"\n[ \t>]*\n")
# An amount, then words: "$5, or 10$".
_MONEY = re.compile(r"\d[^\\^_=]*[a-z]{2}[^\\^_=]*")


class FoundFormula(NamedTuple):
    """A formula in a text, from ``start`` to ``end`` with its signs."""

    start: int
    end: int
    formula: Formula


def formulas_in(text: str) -> list[FoundFormula]:
    return _scan(text)[0]


def open_formula(text: str) -> int | None:
    """Return where a formula begins that more text may finish, if the text ends in one."""
    return _scan(text)[1]


def closing_of(line: str) -> str:
    """Return the signs that end the displayed formula at the beginning of a line; empty without one."""
    opening = _DISPLAY.match(line)
    return _closing(opening) if opening else ""


def _scan(text: str) -> tuple[list[FoundFormula], int | None]:
    found: list[FoundFormula] = []
    runs: dict[int, list[int]] = {}
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if ticks := opening.group(1):
            runs = runs or _runs_of_ticks(text)
            ends = runs.get(len(ticks), [])
            after = bisect_right(ends, at)
            at = ends[after] if after < len(ends) else at
            continue
        closing = _closing(opening)
        if not closing:
            if opening.group() == "\\":  # may become "\("
                return found, opening.start()
            continue
        paragraph = _END_OF_PARAGRAPH.search(text, at, at + LONGEST_FORMULA)
        limit = paragraph.start() if paragraph else min(len(text), at + LONGEST_FORMULA)
        end = _end_of(text, opening, closing, limit)
        if end is not None:
            found.append(FoundFormula(opening.start(), end, _formula(text, opening, closing, end)))
            at = end
        elif limit == len(text) and _may_go_on(text, opening):
            return found, opening.start()
    return found, None


def _runs_of_ticks(text: str) -> dict[int, list[int]]:
    """Return where the runs of backticks end, by their length: code ends with as many as it begins with."""
    runs: dict[int, list[int]] = {}
    for run in _TICKS.finditer(text):
        runs.setdefault(len(run.group()), []).append(run.end())
    return runs


def _closing(opening: re.Match[str]) -> str:
    # The environment is the last group of both patterns.
    name = opening.group(opening.re.groups)
    return rf"\end{{{name}}}" if name else _CLOSING.get(opening.group(), "")


def _formula(text: str, opening: re.Match[str], closing: str, end: int) -> Formula:
    if closing.startswith(r"\end"):
        return Formula(text[opening.start() : end], display=True)
    latex = text[opening.end() : end - len(closing)].strip()
    return Formula(latex, display=opening.group() in ("$$", r"\["))


def _end_of(text: str, opening: re.Match[str], closing: str, limit: int) -> int | None:
    """Return the end of the formula that opens there, with its closing signs; None if there is no formula."""
    start = opening.end()
    end = text.find(closing, start, limit)
    while end > 0 and text[end - 1] == "\\" and closing != r"\]":
        end = text.find(closing, end + 1, limit)
    if end < 0 or not text[start:end].strip():
        return None
    if closing == "$":
        inner = text[start:end]
        before, after = text[opening.start() - 1 : opening.start()], text[end + 1 : end + 2]
        spaced = inner[0].isspace() or inner[-1].isspace()
        if spaced or before.isalnum() or after.isdigit() or _MONEY.fullmatch(inner):
            return None
    return end + len(closing)


def _may_go_on(text: str, opening: re.Match[str]) -> bool:
    rest = text[opening.end() :]
    if opening.group() == "$":
        first = rest[:1]
        return len(rest) <= _LONGEST_OPEN and "$" not in rest and not (first.isspace() or first.isdigit())
    return True


_HOLE = "\ufffc"  # where a formula stands, whose signs are its own
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|(?<!`)`++|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def without_signs(line: str) -> str:
    """Return a line with links as their text, and without the signs of emphasis and code."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", line))


def plain_text(markdown: str, shown: Callable[[str], str] = str) -> str:
    """Return a text as it is read, without signs within its lines; a formula is its LaTeX, as ``shown``."""
    markdown = markdown.replace(_HOLE, "")
    parts, formulas, done = [], [], 0
    for start, end, formula in formulas_in(markdown):
        parts.append(markdown[done:start])
        formulas.append(shown(formula.latex))
        done = end
    text = without_signs(_HOLE.join([*parts, markdown[done:]]))
    return "".join(chain.from_iterable(zip_longest(text.split(_HOLE), formulas, fillvalue="")))


_FENCE = re.compile(r"^[ \t]*+(?:```|~~~).*$", re.MULTILINE)
_COMMAND = re.compile(r"\\(?:begin|end)\{[^{}]*\}|\\(?![dt]?frac)([A-Za-z]+)|\\([^A-Za-z])|&")
_ACCENT = re.compile(r"([\u0300-\u036f\u20d7])\s*(?:\{\s*(\w)\s*\}|(\w))")
_PART = r"\s*(\w|\{(?:[^{}]++|\{[^{}]*+\})*+\})"
_FRACTION = re.compile(rf"\\[dt]?frac{_PART}{_PART}")
_GROUP = re.compile(r"\{(\w?)\}|(?<![\^_/√])\{([^{}]*)\}(?!/)")
_OWN_SIGNS = (  # for names that HTML lacks or uses for others
    "bar=\u0304 overline=\u0304 hat=\u0302 tilde=\u0303 vec=\u20d7 dot=\u0307 cdot=· circ=∘ infty=∞ neq=≠ "
    "partial=∂ sqrt=√ to=→ dots=… ldots=… cdots=… deg=deg lg=lg Pr=Pr sup=sup left= right= quad= "
    "displaystyle= operatorname= text= mathrm= mathbf= mathbb= mathcal= boldsymbol="
)
_SIGNS = {name: sign for name, _, sign in (pair.partition("=") for pair in _OWN_SIGNS.split())}
_BRACES = str.maketrans("{}\1\2", "(){}")  # the latter are those that are to be read


def one_line(markdown: str) -> str:
    """Return a text in one line as it is read, for places that draw no formulas."""
    return " ".join(plain_text(_FENCE.sub("", markdown), _in_signs).split())


def _in_signs(latex: str) -> str:
    r"""Return LaTeX in signs and letters, such as ``1/n ∑_i x_i`` for ``\frac{1}{n} \sum_i x_i``."""
    latex = _ACCENT.sub(r"\2\3\1", _COMMAND.sub(_sign, latex))
    return _GROUP.sub(r"\1\2", _FRACTION.sub(r"\1/\2", latex)).translate(_BRACES)


def _sign(command: re.Match[str]) -> str:
    """Return the sign of a command, most of which HTML names as TeX does, else its name."""
    name, other = command[1], command[2]
    if name:
        return _SIGNS.get(name, html5.get(f"{name};", name))
    return {"{": "\1", "}": "\2"}.get(other, other) if other and other in "{}%$#_|" else " "
