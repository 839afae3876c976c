"""Formulas of office documents as TeX, which people and models read well."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

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
