"""Sets formulas with ziamath, in a sandbox, since a hostile one may take long."""

import logging
import re
from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import Any

from app.core.sandbox import ChildFailed, Sandbox
from app.domain.cancel import CancelToken
from app.domain.figures import Formula, SetFormula

# latex2mathml knows columns of one letter alone, and counts the lines to the left of an array and above it
# among those within it: whether they are drawn stands before two more columns, which have no cells.
_ARRAY = re.compile(
    r"\\begin\{array\}(?:\s*+\[[tbc]\])?+\s*+\{(?P<columns>(?:[^{}]|\{[^{}]*+\})*+)\}(?:\s*+\\hline)*+"
)
_LINES_BEFORE = re.compile(r"\\hline\s*+(?=\\hline)")
_REPEATED = re.compile(r"\*\{(\d{1,2})\}\{([^{}]*+)\}")
_COLUMN = re.compile(r"[lcr]|[pmb]\{[^{}]*+\}|\|++")


def _array(found: re.Match[str]) -> str:
    columns = _COLUMN.findall(_REPEATED.sub(lambda found: int(found[1]) * found[2], found["columns"]))
    letters = "".join(part[0] if part[0] in "lcr|" else "l" for part in columns)
    left, top = "|" * letters.startswith("|"), "|" * found[0].endswith(r"\hline")
    if top or "|" in letters:
        letters = f"{letters.lstrip('|')}c{left}c{top}c"
    return rf"\begin{{array}}{{{letters}}}"


def _edge(before: list[float], after: list[float], first: float, last: float) -> float:
    """Return the middle between cells, or the first or last edge of a table with no cells on that side."""
    return first if not before else last if not after else (max(before) + min(after)) / 2


@cache
def draw_lines() -> None:
    from ziafont.fonttypes import BBox
    from ziamath.drawable import HLine, VLine
    from ziamath.nodes.mtable import Mtable

    class RuledTable(Mtable, tag="mtable"):  # takes the place of the package's own
        def _setup(self, **kwargs: object) -> None:
            *columns, left, top = self._lines("columnlines") or [False, False]
            columns, rows = [left, *columns], [top, *self._lines("rowlines")]
            if any(columns + rows):
                self.element.set("columnspacing", "0.8em")
                self.element.set("rowspacing", "0.4em")
            super()._setup(**kwargs)
            across, down = max(map(len, self.element)), len(self.element)
            is_framed = left or top or any(columns[across:]) or any(rows[down:])
            margin = self.size_px("0.4em") if is_framed else 0.0
            self.nodexy = [(x + margin, y) for x, y in self.nodexy]
            box = self.bbox
            box = self.bbox = BBox(box.xmin, box.xmax + 2 * margin, box.ymin - margin, box.ymax + margin)
            thickness = self.units_to_points(self.font.math.consts.fractionRuleThickness)
            cells = [(row, column) for row, one in enumerate(self.element) for column in range(len(one))]
            placed = list(zip(cells, self.nodexy, self.nodes, strict=True))
            for at in [at for at, line in enumerate(columns[: across + 1]) if line]:
                ends = [x + node.bbox.xmax for (_, column), (x, _), node in placed if column == at - 1]
                starts = [x + node.bbox.xmin for (_, column), (x, _), node in placed if column == at]
                self.nodes.append(VLine(box.ymax - box.ymin, thickness, style=self.style))
                self.nodexy.append((_edge(ends, starts, box.xmin, box.xmax), -box.ymax))
            for at in [at for at, line in enumerate(rows[: down + 1]) if line]:
                above = [y - node.bbox.ymin for (row, _), (_, y), node in placed if row == at - 1]
                below = [y - node.bbox.ymax for (row, _), (_, y), node in placed if row == at]
                self.nodes.append(HLine(box.xmax - box.xmin, thickness, style=self.style))
                self.nodexy.append((0.0, _edge(above, below, -box.ymax, -box.ymin) - thickness / 2))

        def _lines(self, name: str) -> list[bool]:
            return [line != "none" for line in self.element.get(name, "").split()]


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


def set_formula(formula: Formula) -> SetFormula | None:
    """Return the picture of a formula; None if it cannot be set."""
    from ziamath.tex import tex2mml

    try:
        mathml = tex2mml(_prepared(formula.latex), inline=not formula.display)
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
    latex = _TAG.sub(r"\\qquad(\1)", _DROPPED.sub("", latex)).replace(r"\hdashline", r"\hline")
    latex = _LINES_BEFORE.sub("", _ARRAY.sub(_array, _ENVIRONMENT.sub(_instead, latex)))
    return _MATRIX.sub(r"{\1}", latex)


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


_SECONDS = 2.0  # of processor time for one formula; usual ones take 0.01
_LONGEST_PICTURE = 500_000  # characters

_log = logging.getLogger(__name__)


class FormulaService:
    """Sets formulas; the first takes a second longer. Thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def set(self, formula: Formula, token: CancelToken) -> SetFormula | None:
        """Return the picture of a formula; None if it cannot be set, or not within bounds.

        Raises:
            Cancelled: the token was cancelled.
        """
        try:
            return self._sandbox.call(_picture, set_formula, formula, seconds=_SECONDS, token=token)
        except (ChildFailed, OSError) as error:
            _log.warning("A formula was not set: %s", error)
            return None


def _picture(found: Sequence[Any] | None) -> SetFormula | None:
    return SetFormula(*found) if found and len(found[0]) <= _LONGEST_PICTURE else None
