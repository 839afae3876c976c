"""Figures, tables, pictures and formulas: how a text names them, where they stand, and how they are shown."""

import re
from typing import Literal, NamedTuple

from app.domain.pages import Box

FIGURE_WORDS = (
    "figure",
    "fig",
    "figura",
    "abbildung",
    "abb",
    "bild",
    "illustration",
    "ilustración",
    "gráfico",
)
TABLE_WORDS = ("table", "tab", "tabla", "tabelle", "tableau", "tabella", "cuadro")

_NAME = (
    rf"(?:(?P<figure>{'|'.join(FIGURE_WORDS)})|(?P<table>{'|'.join(TABLE_WORDS)}))"
    r"\.?[ \u00a0]{1,2}(?P<number>(?:[A-Z]\.?)?\d{1,3}(?:[.-]\d{1,3}){0,2})[a-h]?\b"
)
_MENTION = re.compile(rf"\b{_NAME}", re.IGNORECASE)
# "Figure 3 shows" begins a sentence, "Figure 3: Tides" or "Figure 3 Tides" a caption.
_CAPTION = re.compile(
    rf"^[ \t*_]{{0,4}}{_NAME}(?:[*_]{{0,2}}[ \t]?[.:|)–—]|[ \t]{{1,3}}(?-i:[A-ZÄÖÜÉ(])|[ \t]{{0,3}}$)",
    re.IGNORECASE | re.MULTILINE,
)


class FigureLabel(NamedTuple):
    """What a figure is called, in any language."""

    kind: Literal["figure", "table"]
    number: str


class Figure(NamedTuple):
    """A figure on a page: the box holds what is drawn and its caption."""

    label: FigureLabel
    caption: str
    page: int
    box: Box


class FigurePicture(NamedTuple):
    """A figure as it looks; each pixel has four bytes: blue, green, red, and one without a meaning."""

    figure: Figure
    width: int
    height: int
    pixels: bytes


def caption_label(line: str) -> FigureLabel | None:
    """Return what a line is the caption of; None if it does not begin one."""
    found = _CAPTION.match(line)
    return _label(found) if found else None


def labels_in(text: str) -> tuple[FigureLabel, ...]:
    """Return the figures and tables that a text has the captions of, then those that it mentions."""
    return tuple(dict.fromkeys((*captions_in(text), *map(_label, _MENTION.finditer(text)))))


def captions_in(text: str) -> tuple[FigureLabel, ...]:
    """Return the figures and tables that a text has the captions of."""
    return tuple(map(_label, _CAPTION.finditer(text)))


def _label(found: re.Match[str]) -> FigureLabel:
    return FigureLabel("figure" if found["figure"] else "table", found["number"].upper().rstrip("."))


class FileVersion(NamedTuple):
    path: str
    sha256: str


class PlacedPicture(NamedTuple):
    """A picture, between two characters of a text.

    Attributes:
        n: its number in the document.
        position: in the text that was asked about.
        width: in which it is shown where there is room, in device-independent pixels.
        height: likewise.
        alt: its description; may be empty.
        slide: that it stands on, in a presentation.
    """

    n: int
    position: int
    width: int
    height: int
    alt: str = ""
    slide: int | None = None


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
