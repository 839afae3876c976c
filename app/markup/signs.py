"""Text of Markdown without the signs that stand within a line."""

from __future__ import annotations

import re
from itertools import chain, zip_longest

from app.markup.formulas import formulas_in

_HOLE = "\ufffc"  # where a formula stands, whose signs are its own
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|(?<!`)`++|~~)(?=\S)(.+?)(?<=\S)\1(?!\w)")


def without_signs(line: str) -> str:
    """Return a line with links as their text, and without the signs of emphasis and code."""
    return _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", line))


def plain_text(markdown: str) -> str:
    """Return a text as it is read, without signs within its lines; a formula is its LaTeX."""
    markdown = markdown.replace(_HOLE, "")
    parts, formulas, done = [], [], 0
    for start, end, formula in formulas_in(markdown):
        parts.append(markdown[done:start])
        formulas.append(formula.latex)
        done = end
    text = without_signs(_HOLE.join([*parts, markdown[done:]]))
    return "".join(chain.from_iterable(zip_longest(text.split(_HOLE), formulas, fillvalue="")))
