"""What drawings of Office documents say of their pictures, in DrawingML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.readers.pictures import PART, picture

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
