"""A PDF with figures: bars with a caption below them, prose around, and a page of prose alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.format_samples import pdf, text_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.format_samples import Line

BARS = (90, 470, 220, 120)
"""From the left, from the bottom, width and height, in points, of the bars of the first page."""
CAPTION = "Figure 3: Height of the tide at Aberdeen over one day."
WINTER = "Abb. 4: Das Eis der Ostsee im Winter."
_PROSE = (
    "Harbours keep long tables of the height of the water, since every ship",
    "that enters has to know how much of it there is below its keel. Figure 3",
    "shows that two high waters follow each other within a single day.",
)
_REST = (
    "Whoever reads such a table sees at once that the two are not alike: the",
    "one at night is lower, because the moon then stands far from the equator.",
)


def bars(left: int, bottom: int, width: int, height: int) -> bytes:
    """Return five bars of growing height on an axis."""
    step = width // 5
    drawn = [
        b"%d %d %d %d re f" % (left + step * at, bottom, step - 8, height * (at + 1) // 5) for at in range(5)
    ]
    axis = b"%d %d m %d %d l S" % (left, bottom, left + width, bottom)
    return b"\n".join([b"0.2 0.4 0.8 rg 0 0 0 RG", *drawn, axis, b"0 g"]) + b"\n"


def set_lines(lines: Sequence[str], left: float, top: float) -> list[Line]:
    return [(left, top - 14 * at, line) for at, line in enumerate(lines)]


def tides() -> bytes:
    """Return the pages: a figure amid prose, prose that names it, a German figure, and prose alone."""
    first = [
        *set_lines(_PROSE, 72, 720),
        (100, 455, "0 h"),
        (290, 455, "24 h"),
        *set_lines([CAPTION], 72, 435),
        *set_lines(_REST, 72, 380),
    ]
    second = set_lines(("As Figure 3 has shown, the water rises twice. " + _REST[0], *_REST), 72, 720)
    third = [*set_lines(("Im Winter friert die See zu.",), 72, 720), *set_lines([WINTER], 72, 435)]
    fourth = set_lines(("Nothing is drawn here.", *_PROSE[:1], *_REST), 72, 720)
    pages = [bars(*BARS) + text_page(first), text_page(second), bars(*BARS) + text_page(third)]
    return pdf([*pages, text_page(fourth)])
