"""Sets one formula with ziamath; runs in a child process."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING

from app.core.formulas.ruled_arrays import draw_lines, with_lines, with_marked_lines
from app.domain.formulas import Formula, SetFormula

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_EM = 20.0
_MARGIN = 0.5  # for the edges of letters that slant
_VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
# ziamath sets a script at a matrix only if the matrix is in braces.
_MATRIX = re.compile(
    r"(\\begin\{([a-zA-Z]?matrix)\}(?:(?!\\begin|\\end).)*+\\end\{\2\})(?=\s*+[_^])", re.DOTALL
)
_TAG = re.compile(r"\\tag\*?\{([^{}]*+)\}")
_DROPPED = re.compile(
    r"\\(?:label\{[^{}]*+\}|nonumber\b|notag\b)|(?:(?<=n\{aligned\})|(?<=n\{gathered\}))\[[tbc]\]"
)
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(align(?:at)?|flalign|eqnarray|equation|gather(?:ed)?|multline)\*?\}(?:\{\d\})?"
)
# What latex2mathml knows instead; all others are "align*", since each formula would count from 1 anew.
_INSTEAD = {
    "eqnarray": "array",
    "gather": "displaylines",
    "gathered": "displaylines",
    "multline": "displaylines",
}
_UNKNOWN = re.compile(r">\s*+\\[A-Za-z]")


def answer(request: bytes, _note: Callable[[bytes], None]) -> bytes:
    """Answer a request of :class:`FormulaService`: a formula in, its picture or nothing out."""
    latex, display = json.loads(request)
    return json.dumps(set_formula(Formula(latex, display))).encode()


def set_formula(formula: Formula) -> SetFormula | None:
    """Return the picture of a formula; None if it cannot be set."""
    from ziamath.tex import tex2mml

    try:
        mathml = with_lines(tex2mml(_prepared(formula.latex), inline=not formula.display))
        if _UNKNOWN.search(mathml):
            return None
        svg = _package().Math(mathml, size=_EM, margin=_MARGIN).svg()
        _, top, width, height = map(float, _VIEW_BOX.search(svg).group(1).split())  # type: ignore[union-attr]
        if height <= 0:  # it draws nothing
            return None
        return SetFormula(svg, width / _EM, -top / _EM, (top + height) / _EM)  # the baseline lies at 0
    except Exception:  # whatever the packages raise: they assert that LaTeX is complete
        return None


def _prepared(latex: str) -> str:
    latex = _TAG.sub(r"\\qquad(\1)", _DROPPED.sub("", latex))
    return _MATRIX.sub(r"{\1}", with_marked_lines(_ENVIRONMENT.sub(_instead, latex)))


def _instead(found: re.Match[str]) -> str:
    if found[2] == "equation":
        return ""
    name = _INSTEAD.get(found[2], "align*")
    columns = "{rcl}" if (found[1], name) == ("begin", "array") else ""
    return rf"\{found[1]}{{{name}}}{columns}"


@cache
def _package() -> ModuleType:
    import ziamath
    from ziamath.config import config

    config.svg2 = False  # Qt draws no <use>
    draw_lines()
    return ziamath
