"""Formulas of Word and PowerPoint as TeX."""

from __future__ import annotations

import pytest
from lxml import etree

from app.core.documents.readers.office.drawings import formula

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def tex(inner: str) -> str:
    marked = inner.replace("</", "</m:").replace("<", "<m:").replace("<m:/m:", "</m:")
    marked = marked.replace(" val=", " m:val=")
    return formula(etree.fromstring(f'<m:oMath xmlns:m="{MATH}">{marked}</m:oMath>'))


def letter(text: str) -> str:
    return f"<r><t>{text}</t></r>"


X, Y, N = letter("x"), letter("y"), letter("n")


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (X + letter("+") + Y, "$x+y$"),
        ("", ""),
        (f"<sSup><e>{X}</e><sup>{letter('2')}</sup></sSup>", "$x^2$"),
        (f"<sSub><e>{X}</e><sub>{letter('10')}</sub></sSub>", "$x_{10}$"),
        (f"<sSubSup><e>{letter('x+y')}</e><sub>{N}</sub><sup>{letter('2')}</sup></sSubSup>", "${x+y}_n^2$"),
        (f"<f><num>{X}</num><den>{Y}</den></f>", r"$\frac{x}{y}$"),
        (f"<rad><deg/><e>{X}</e></rad>", r"$\sqrt{x}$"),
        (f"<rad><deg>{letter('3')}</deg><e>{X}</e></rad>", r"$\sqrt[3]{x}$"),
        (
            f'<nary><naryPr><chr val="∑"/></naryPr><sub>{letter("n=1")}</sub><sup>{letter("∞")}</sup>'
            f"<e>{X}</e></nary>",
            r"$\sum_{n=1}^∞ x$",
        ),
        (f"<nary><sub/><sup/><e>{X}</e></nary>", r"$\int x$"),
        (f"<d><e>{X}</e><e>{Y}</e></d>", "$(x|y)$"),
        (
            f'<d><dPr><begChr val="["/><sepChr val=","/><endChr val="]"/></dPr><e>{X}</e><e>{Y}</e></d>',
            "$[x,y]$",
        ),
        (f"<func><fName>{letter('sin')}</fName><e>{X}</e></func>", r"$\sin x$"),
        (
            f"<func><fName><limLow><e>{letter('lim')}</e><lim>{N}</lim></limLow></fName><e>{X}</e></func>",
            r"$\lim_n x$",
        ),
        (f"<limUpp><e>{X}</e><lim>{Y}</lim></limUpp>", "$x^y$"),
        (f'<acc><accPr><chr val="\u20d7"/></accPr><e>{X}</e></acc>', r"$\vec{x}$"),
        (f"<acc><e>{X}</e></acc>", r"$\hat{x}$"),
        (f"<bar><e>{X}</e></bar>", r"$\overline{x}$"),
        (
            f"<m><mPr/><mr><e>{X}</e><e>{Y}</e></mr><mr><e>{Y}</e><e>{X}</e></mr></m>",
            r"$\begin{matrix} x & y \\ y & x \end{matrix}$",
        ),
        (f"<eqArr><e>{X}</e><e>{Y}</e></eqArr>", r"$x \\ y$"),
        (f"<box><boxPr/><e>{X}</e></box>", "$x$"),
    ],
)
def test_tex(inner: str, expected: str) -> None:
    assert tex(inner) == expected
