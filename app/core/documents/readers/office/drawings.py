"""What drawings of Office documents say of their pictures, in DrawingML."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from app.core.documents.readers.pictures import PART, picture
from app.core.documents.readers.text_builder import collapsed

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

    from app.core.documents.readers.text_builder import TextBuilder


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
