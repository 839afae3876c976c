"""Formulas become pictures, whatever a formula does to the packages that set it."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtSvg import QSvgRenderer

from app.core import formulas as formulas_module
from app.core.formulas import FormulaService
from app.core.sandbox import Sandbox
from app.domain.cancel import Cancelled, CancelToken
from app.domain.figures import Formula
from tests.support.hard_formulas import HARD


@pytest.fixture(scope="module")
def formulas(sandbox: Sandbox) -> FormulaService:
    return FormulaService(sandbox)


@pytest.mark.parametrize("display", [False, True])
@pytest.mark.parametrize("latex", HARD)
def test_is_set(formulas: FormulaService, latex: str, display: bool) -> None:
    picture = formulas.set(Formula(latex, display), CancelToken())
    assert picture is not None
    assert QSvgRenderer(QByteArray(picture.svg.encode())).isValid()
    assert "<use" not in picture.svg  # which Qt does not draw
    assert picture.width > 0.3
    assert picture.ascent > 0.4


@pytest.mark.parametrize(
    ("latex", "lines"),
    [
        (r"\begin{array}{cc|c}1&2&3\\4&5&6\end{array}", 1),
        (r"\begin{array}{|c|c|} \hline a & b \\ \hline c & d \\ \hline \end{array}", 6),
        (r"\begin{array}{c|c} a \end{array}", 1),
        (r"\begin{array}{c|c|c} a \\ b \end{array}", 1),
        (r"\begin{array}{r} 1 \\ 2 \\ \hline \end{array}", 1),
        (r"\begin{array}[t]{@{}l||*{2}{r}@{}} p & q & r \\ \hline T & F & \substack{T} \end{array}", 2),
        (r"\begin{array}{c} \begin{array}{c|c}1&2\end{array} \\ \hline\hline 3 \end{array} + x", 2),
        (r"\begin{array}{cc}1&2\\3&4\end{array}", 0),
    ],
)
def test_lines_of_an_array_are_drawn(formulas: FormulaService, latex: str, lines: int) -> None:
    picture = formulas.set(Formula(latex, display=True), CancelToken())
    assert picture is not None
    assert picture.svg.count("<rect") == lines
    assert QSvgRenderer(QByteArray(picture.svg.encode())).isValid()
    assert picture.width < 8  # nothing but the cells


def test_a_line_stands_where_its_column_ends(formulas: FormulaService) -> None:
    def drawn(columns: str) -> list[float]:
        latex = rf"\begin{{array}}{{{columns}}} 1 & 2 & 3 \end{{array}}"
        picture = formulas.set(Formula(latex, display=True), CancelToken())
        assert picture is not None
        return [float(x) for x in re.findall(r'<rect x="(-?[\d.]+)"', picture.svg)]

    (first,), (second,) = map(drawn, ("c|cc", "cc|c"))
    assert first < second
    left, right = drawn("|ccc|")
    assert left < first
    assert second < right


def test_what_is_indexed_by_t_keeps_it(formulas: FormulaService) -> None:
    whole, part = (
        formulas.set(Formula(f"x_{{delayed}}{t}", display=True), CancelToken()) for t in ("[t]", "")
    )
    assert whole is not None
    assert part is not None
    assert whole.width > part.width + 0.5


@pytest.mark.parametrize(
    "name", ["equation", "align", "gather", "multline", "flalign", "eqnarray", "alignat"]
)
def test_equations_are_not_numbered_each_from_1(formulas: FormulaService, name: str) -> None:
    columns = "{2}" if name == "alignat" else ""
    rows = (
        "a = b" if name == "equation" else r"a &=& b \\ c &=& d" if name == "eqnarray" else r"a = b \\ c = d"
    )
    starred, plain = (
        formulas.set(
            Formula(rf"\begin{{{name}{star}}}{columns} {rows} \end{{{name}{star}}}", display=True),
            CancelToken(),
        )
        for star in ("*", "")
    )
    assert plain is not None
    assert plain == starred


def test_the_baseline_is_that_of_the_letters(formulas: FormulaService) -> None:
    on, below, fraction = (
        formulas.set(Formula(latex, display=False), CancelToken()) for latex in ("x", "y", r"\frac{a}{b}")
    )
    assert on is not None
    assert below is not None
    assert fraction is not None
    assert abs(on.descent) < 0.06
    assert 0.15 < below.descent < 0.3
    assert fraction.descent > below.descent
    assert on.ascent == pytest.approx(below.ascent, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{a",
        r"\unknowncommand{x}",
        r"\ce{H2O}",
        "a & b",
        "{" * 300 + "}" * 300,
        r"\frac{" * 150 + "1" + "}{2}" * 150,
        r"\left(" * 100 + "x" + r"\right)" * 100,
        "\\begin{matrix}" + "a&" * 300 + "\\end{matrix}",
        "\x00",
        "\ud800",
        "",
        r"\frac{}{}",
        r"\begin{array}{c|c} & \\ \hline & \end{array}",
    ],
)
def test_what_cannot_be_set_is_nothing(formulas: FormulaService, latex: str) -> None:
    assert formulas.set(Formula(latex, display=True), CancelToken()) is None
    assert formulas.set(Formula("x^2", display=True), CancelToken()) is not None


def test_a_formula_that_takes_too_long_harms_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas_module, "_SECONDS", 0.5)
    with Sandbox("test") as sandbox:
        service = FormulaService(sandbox)
        assert service.set(Formula("x+" * 30_000, display=True), CancelToken()) is None


def test_can_be_given_up(formulas: FormulaService) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        formulas.set(Formula("x", display=True), token)
