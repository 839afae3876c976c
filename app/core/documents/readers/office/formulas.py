"""Formulas of office documents as TeX, which people and models read well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SIGNS = {
    "∑": r"\sum",
    "∏": r"\prod",
    "∫": r"\int",
    "∬": r"\iint",
    "∮": r"\oint",
    "⋃": r"\bigcup",
    "⋂": r"\bigcap",
}
_ACCENTS = {
    "\u0302": "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u20d7": "vec",
}
_FUNCTION = re.compile(
    r"(?<![\\A-Za-z])(sin|cos|tan|cot|sec|csc|log|ln|exp|lim|max|min|sup|inf|det|gcd|arg)(?![A-Za-z])\s*"
)
_APPLY = "\u2061"  # the invisible sign between a function and its argument


def formula(element: _Element) -> str:
    """Return an ``m:oMath`` or ``m:oMathPara`` as TeX between dollar signs; empty if it holds nothing."""
    tex = _FUNCTION.sub(r"\\\1 ", _children(element).replace(_APPLY, " "))
    tex = " ".join(tex.split()).replace(" ^", "^").replace(" _", "_")
    return f"${tex}$" if tex else ""


def _children(element: _Element | None) -> str:
    return "".join(_tex(child) for child in element) if element is not None else ""


def _part(element: _Element, name: str) -> str:
    return _children(element.find(_M + name)).strip()


def _tex(element: _Element) -> str:
    if not isinstance(element.tag, str):
        return ""
    name = element.tag.removeprefix(_M)
    if name == "t":
        return element.text or ""
    if name in ("sSup", "sSub", "sSubSup"):
        lower = f"_{_group(_part(element, 'sub'))}" if name != "sSup" else ""
        upper = f"^{_group(_part(element, 'sup'))}" if name != "sSub" else ""
        return f"{_base(_part(element, 'e'))}{lower}{upper}"
    if name == "f":
        return rf"\frac{{{_part(element, 'num')}}}{{{_part(element, 'den')}}}"
    if name == "rad":
        degree = _part(element, "deg")
        return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e')}}}"
    if name == "nary":
        return _nary(element)
    if name == "d":
        parts = _value(element, "dPr", "sepChr", "|").join(
            _children(part).strip() for part in element.findall(_M + "e")
        )
        return f"{_value(element, 'dPr', 'begChr', '(')}{parts}{_value(element, 'dPr', 'endChr', ')')}"
    if name == "func":
        return f"{_part(element, 'fName')} {_part(element, 'e')}"
    if name in ("limLow", "limUpp"):
        return f"{_part(element, 'e')}{'_' if name == 'limLow' else '^'}{_group(_part(element, 'lim'))}"
    if name == "acc":
        accent = _ACCENTS.get(_value(element, "accPr", "chr", "\u0302"), "hat")
        return rf"\{accent}{{{_part(element, 'e')}}}"
    if name == "m":
        rows = (
            " & ".join(_children(cell).strip() for cell in row.findall(_M + "e"))
            for row in element.findall(_M + "mr")
        )
        return r"\begin{matrix} " + r" \\ ".join(rows) + r" \end{matrix}"
    if name == "eqArr":
        return r" \\ ".join(_children(row).strip() for row in element.findall(_M + "e"))
    if name == "bar":
        return rf"\overline{{{_part(element, 'e')}}}"
    return "" if name.endswith("Pr") else _children(element)


def _nary(element: _Element) -> str:
    sign = _value(element, "naryPr", "chr", "∫")
    lower, upper = _part(element, "sub"), _part(element, "sup")
    limits = (f"_{_group(lower)}" if lower else "") + (f"^{_group(upper)}" if upper else "")
    return f"{_SIGNS.get(sign, sign)}{limits} {_part(element, 'e')}"


def _value(element: _Element, properties: str, name: str, default: str) -> str:
    entry = element.find(f"{_M}{properties}/{_M}{name}")
    return default if entry is None else (entry.get(_M + "val") or "")


def _group(tex: str) -> str:
    return tex if len(tex) == 1 else f"{{{tex}}}"


def _base(tex: str) -> str:
    return tex if len(tex) < 2 or tex.isalnum() or tex[0] in "(\\[|" else f"{{{tex}}}"
