"""Pictures, charts and formulas of Office documents: descriptions, tables and TeX."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from app.core.documents.readers.text_builder import PART, TextBuilder, collapsed, picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element


_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
_BOX = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}txbxContent"
BLIP = f"{_A}blip"
_EMU_A_PIXEL = 9525
_WHOLE = 100_000  # of a side, in the measure of what is cut off


def drawn_picture(
    drawing: _Element, description: str, width: int, part_of: Callable[[str], str | None]
) -> str:
    """Return what stands for the picture of a drawing.

    Args:
        drawing: the element that holds everything about it.
        description: its alternative text.
        width: in EMU.
        part_of: returns the name of the part that a relation leads to; None without one.
    """
    around = next(drawing.iterancestors(_BOX), None)
    own = (blip for blip in drawing.iter(BLIP) if next(blip.iterancestors(_BOX), None) is around)
    blip = next(own, None)
    part = part_of(blip.get(EMBED) or "") if blip is not None else None
    if blip is None or part is None:
        return picture(description)
    cut = blip.getparent().find(f"{_A}srcRect")
    left, top, right, bottom = (_share(cut.get(side) if cut is not None else None) for side in "ltrb")
    return picture(
        description, PART + part.removeprefix("/"), width / _EMU_A_PIXEL, (left, top, right, bottom)
    )


def _share(value: str | None) -> float:
    try:
        return min(max(int(value or 0) / _WHOLE, 0), 0.95)
    except ValueError:
        return 0


_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_ROWS = 60
_SERIES = 20


def add_chart(builder: TextBuilder, chart: _Element) -> None:
    """Add the titles of a chart and its axes, and a table for all series over the same values.

    ``chart`` is a ``c:chartSpace`` with plots of any kind: bars, lines, pies, points, in three dimensions.
    """
    titles = [title for one in chart.iter(f"{_C}title") if (title := _words(one))]
    if chart.find(f"{_C}chart/{_C}title") is not None and titles:
        builder.block(titles.pop(0))
    builder.block(", ".join(titles))
    series = [(_points(one, "cat", "xVal"), one) for one in chart.iter(f"{_C}ser")][:_SERIES]
    for labels, group in groupby(series, key=lambda entry: entry[0]):
        ones = [one for _, one in group]
        columns = [_points(one, "val", "yVal") for one in ones]
        places = sorted({*labels, *(place for column in columns for place in column)})[:_ROWS]
        names = [collapsed("".join(v.text or "" for v in one.iterfind(f"{_C}tx//{_C}v"))) for one in ones]
        rows = [
            [labels.get(place, ""), *(_number(column.get(place, "")) for column in columns)]
            for place in places
        ]
        if rows:
            builder.table([["", *names], *rows])


def _words(title: _Element) -> str:
    paragraphs = ("".join(t.text or "" for t in one.iter(f"{_A}t")) for one in title.iter(f"{_A}p"))
    return collapsed(" ".join(paragraphs))


def _points(series: _Element, *names: str) -> dict[int, str]:
    """Return the values of a series by their place; of labels in several levels the innermost."""
    for values in (series.find(_C + name) for name in names):
        if values is not None:
            level = next(values.iter(f"{_C}lvl"), values)
            return {int(pt.get("idx") or 0): pt.findtext(f"{_C}v") or "" for pt in level.iter(f"{_C}pt")}
    return {}


def _number(value: str) -> str:
    try:
        return f"{float(value):g}"
    except ValueError:
        return value


_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SIGNS = dict(
    zip("∑∏∫∬∮⋃⋂", (r"\sum", r"\prod", r"\int", r"\iint", r"\oint", r"\bigcup", r"\bigcap"), strict=True)
)
_ACCENTS = dict(
    zip("\u0302\u0303\u0304\u0307\u0308\u20d7", ("hat", "tilde", "bar", "dot", "ddot", "vec"), strict=True)
)
_FUNCTION = re.compile(
    r"(?<![\\A-Za-z])(sin|cos|tan|cot|sec|csc|log|ln|exp|lim|max|min|sup|inf|det|gcd|arg)(?![A-Za-z])\s*"
)
_APPLY = "\u2061"  # the invisible sign between a function and its argument


def formula(element: _Element) -> str:
    """Return an ``m:oMath`` or ``m:oMathPara`` as TeX between dollar signs; empty if it holds nothing."""
    tex = _FUNCTION.sub(r"\\\1 ", _children(element).replace(_APPLY, " "))
    tex = " ".join(tex.split()).replace(" ^", "^").replace(" _", "_")
    return f"${tex}$" if tex else ""


def _children(element: _Element) -> str:
    return "".join(_tex(child) for child in element)


def _parts(element: _Element, name: str) -> list[str]:
    return [_children(part).strip() for part in element.findall(_M + name)]


def _part(element: _Element, name: str) -> str:
    return next(iter(_parts(element, name)), "")


def _tex(element: _Element) -> str:
    match element.tag.removeprefix(_M) if isinstance(element.tag, str) else "comment":
        case "t":
            return element.text or ""
        case "sSup" | "sSub" | "sSubSup" as name:
            lower = f"_{_group(_part(element, 'sub'))}" if name != "sSup" else ""
            upper = f"^{_group(_part(element, 'sup'))}" if name != "sSub" else ""
            base = _part(element, "e")
            is_whole = len(base) < 2 or base.isalnum() or base[0] in "(\\[|"
            return f"{base if is_whole else f'{{{base}}}'}{lower}{upper}"
        case "f":
            return rf"\frac{{{_part(element, 'num')}}}{{{_part(element, 'den')}}}"
        case "rad":
            degree = _part(element, "deg")
            return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"
        case "nary":
            sign = _value(element, "naryPr", "chr", "∫")
            lower, upper = _part(element, "sub"), _part(element, "sup")
            limits = (f"_{_group(lower)}" if lower else "") + (f"^{_group(upper)}" if upper else "")
            return f"{_SIGNS.get(sign, sign)}{limits} {_part(element, 'e')}"
        case "d":
            parts = _value(element, "dPr", "sepChr", "|").join(_parts(element, "e"))
            return f"{_value(element, 'dPr', 'begChr', '(')}{parts}{_value(element, 'dPr', 'endChr', ')')}"
        case "func":
            return f"{_part(element, 'fName')} {_part(element, 'e')}"
        case "limLow" | "limUpp" as name:
            return f"{_part(element, 'e')}{'_' if name == 'limLow' else '^'}{_group(_part(element, 'lim'))}"
        case "acc":
            accent = _ACCENTS.get(_value(element, "accPr", "chr", "\u0302"), "hat")
            return rf"\{accent}{{{_part(element, 'e')}}}"
        case "m":
            rows = (" & ".join(_parts(row, "e")) for row in element.findall(_M + "mr"))
            return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"
        case "eqArr":
            return r" \\ ".join(_parts(element, "e"))
        case "bar":
            return rf"\overline{{{_part(element, 'e')}}}"
        case "comment":
            return ""
        case name:
            return "" if name.endswith("Pr") else _children(element)


def _value(element: _Element, properties: str, name: str, default: str) -> str:
    entry = element.find(f"{_M}{properties}/{_M}{name}")
    return default if entry is None else (entry.get(_M + "val") or "")


def _group(tex: str) -> str:
    return tex if len(tex) == 1 else f"{{{tex}}}"
