"""Formulas, written in LaTeX, and what is drawn for them."""

from __future__ import annotations

from typing import NamedTuple


class Formula(NamedTuple):
    """A formula to set.

    Attributes:
        latex: without the signs around it.
        display: it stands on a line of its own.
    """

    latex: str
    display: bool


class SetFormula(NamedTuple):
    """A formula as a picture.

    Attributes:
        svg: the picture, in black.
        width: in heights of the font (em), like the others.
        ascent: above the baseline of the text.
        descent: below it.
    """

    svg: str
    width: float
    ascent: float
    descent: float
