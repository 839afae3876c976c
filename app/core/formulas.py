"""Sets formulas with ziamath, in a sandbox, since a hostile one may take long."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from app.core.sandbox import ChildFailed
from app.domain.figures import Formula, SetFormula

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from xml.etree.ElementTree import Element

    from app.core.sandbox import Sandbox
    from app.domain.cancel import CancelToken


_PART = re.compile(
    r"\\begin\{array\}(?:\s*+\[[tbc]\])?+\s*+\{(?P<columns>(?:[^{}]|\{[^{}]*+\})*+)\}"
    r"|(?P<begin>\\begin\{[a-zA-Z]++\*?\})|(?P<end>\\end\{[a-zA-Z]++\*?\})|(?P<row>\\\\)"
    r"|(?P<line>\\h(?:dash)?line(?![a-zA-Z]))"
)
_REPEATED = re.compile(r"\*\{(\d{1,2})\}\{([^{}]*+)\}")
_COLUMN = re.compile(r"[lcr]|[pmb]\{[^{}]*+\}|\|")
_MARKED = re.compile(r"<mtable([^<>]*+)>(<mtr><mtd[^<>]*+>)<mtext>rules:([\d/]*+);([\d/]*+)</mtext>")
_SPACING = 'columnspacing="0.8em" rowspacing="0.4em"'


@dataclass
class _Array:
    """An environment that has begun: where its first cell does, and its lines between columns and rows."""

    first_cell: int
    columns: set[int] = field(default_factory=set)
    rows: set[int] = field(default_factory=set)
    row: int = 0


def with_marked_lines(latex: str) -> str:
    """Return LaTeX whose arrays have no lines, but say in a text where they were."""
    parts: list[str] = []
    arrays: list[_Array] = []
    done = 0
    for found in _PART.finditer(latex):
        parts.append(latex[done : found.start()])
        done = found.end()
        if found["begin"] or found["columns"] is not None:
            letters, lines = _columns(found["columns"] or "")
            parts += [found["begin"] or rf"\begin{{array}}{{{letters}}}", ""]
            arrays.append(_Array(len(parts) - 1, lines))
        elif not arrays:
            parts.append(found.group())
        elif found["line"]:
            arrays[-1].rows.add(arrays[-1].row)
        else:
            parts.append(found.group())
            arrays[-1].row += 1
            if found["end"]:
                array = arrays.pop()
                if array.columns or array.rows:
                    parts[array.first_cell] = (
                        rf"\text{{rules:{_joined(array.columns)};{_joined(array.rows)}}}"
                    )
    return "".join([*parts, latex[done:]])


def with_lines(mathml: str) -> str:
    """Return MathML whose tables have attributes for the lines that texts in their first cells describe."""
    return _MARKED.sub(rf'<mtable\1 {_SPACING} columnrules="\3" rowrules="\4">\2', mathml)


def _columns(preamble: str) -> tuple[str, set[int]]:
    """Return the letters of an array's columns, and before which of them a line stands."""
    letters = ""
    lines = set()
    for part in _COLUMN.findall(_REPEATED.sub(lambda found: int(found[1]) * found[2], preamble)):
        if part == "|":
            lines.add(len(letters))
        else:
            letters += part if len(part) == 1 else "l"
    return letters, lines


def _joined(lines: set[int]) -> str:
    return "/".join(map(str, sorted(lines)))


def _numbers(element: Element, name: str) -> list[int]:
    return [int(number) for number in element.get(name, "").split("/") if number]


@cache
def draw_lines() -> None:
    from ziafont.fonttypes import BBox
    from ziamath.drawable import HLine, VLine
    from ziamath.nodes.mtable import Mtable

    class RuledTable(Mtable, tag="mtable"):  # takes the place of the package's own
        def _setup(self, **kwargs: object) -> None:
            super()._setup(**kwargs)
            columns, rows = _numbers(self.element, "columnrules"), _numbers(self.element, "rowrules")
            if columns or rows:
                self._rule(columns, rows)

        def _rule(self, columns: list[int], rows: list[int]) -> None:
            cells = [(row, column) for row, one in enumerate(self.element) for column in range(len(one))]
            wide: dict[int, list[tuple[float, float]]] = {}
            high: dict[int, list[tuple[float, float]]] = {}
            for (row, column), (x, y), node in zip(cells, self.nodexy, self.nodes, strict=True):
                wide.setdefault(column, []).append((x + node.bbox.xmin, x + node.bbox.xmax))
                high.setdefault(row, []).append((y - node.bbox.ymax, y - node.bbox.ymin))
            margin = self.size_px("0.3em")
            xs, ys = _edges(wide, margin), _edges(high, margin)
            width, height = xs[-1] - xs[0], ys[-1] - ys[0]
            thickness = self.units_to_points(self.font.math.consts.fractionRuleThickness)
            self.nodexy = [(x - xs[0], y) for x, y in self.nodexy]
            for column in columns:
                self.nodes.append(VLine(height, thickness, style=self.style))
                self.nodexy.append((xs[column] - xs[0], ys[0]))
            for row in rows:
                self.nodes.append(HLine(width, thickness, style=self.style))
                self.nodexy.append((0.0, ys[row] - thickness / 2))
            self.bbox = BBox(0, width, -ys[-1], -ys[0])


def _edges(spans: dict[int, list[tuple[float, float]]], margin: float) -> list[float]:
    """Return where lines belong before, between and after cells, given their edges."""
    lows = [min(low for low, _ in spans[index]) for index in range(len(spans))]
    highs = [max(high for _, high in spans[index]) for index in range(len(spans))]
    inner = [(high + low) / 2 for high, low in zip(highs, lows[1:], strict=False)]
    return [lows[0] - margin, *inner, highs[-1] + margin]


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
