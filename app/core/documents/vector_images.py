"""SVG drawings of unknown origin: how large they are, and as pixels. For child processes."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.safe_archive import parse_xml

if TYPE_CHECKING:
    from lxml.etree import _Element

_START = re.compile(rb"<svg[\s>]")
_HEAD = 4_000  # bytes in which a drawing begins, behind comments and declarations
_MOST_BYTES = 4 * 2**20
_LENGTH = re.compile(r"\s*+(\d{1,6}(?:\.\d{0,6})?+)(px|pt|mm|cm|in|pc|)\s*+")
_PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54}
_HERE = re.compile(r"#|data:image/(?:png|jpeg|gif|webp)[;,]")
_FONT = "DejaVu Sans"
_USUAL = (300, 150)  # pixels of a drawing that does not say its size, as in browsers


def is_svg(data: bytes) -> bool:
    return _START.search(data, 0, _HEAD) is not None


def size_of(data: bytes) -> tuple[int, int]:
    """Return width and height in pixels. Raises ReaderError."""
    root = _root(data)
    own = _pixels(root.get("width")), _pixels(root.get("height"))
    box = [float(part) for part in re.findall(r"-?\d{1,6}(?:\.\d{0,6})?", root.get("viewBox") or "")]
    width, height = own if all(own) else (box[2], box[3]) if len(box) == 4 else _USUAL
    if width < 1 or height < 1:
        raise ReaderError
    return round(width), round(height)


def as_png(data: bytes, width: int, height: int) -> bytes:
    """Draw it on white; scripts do not run, and what it wants loaded is left out. Raises ReaderError."""
    import resvg_py  # loads a library
    from lxml import etree

    root = _root(data)
    for element in root.iter():
        for name, value in element.attrib.items():
            if name.rpartition("}")[2] == "href" and not _HERE.match(value.strip()):
                del element.attrib[name]
    try:
        return resvg_py.svg_to_bytes(
            svg_string=etree.tostring(root, encoding="unicode"),
            width=width,
            height=height,
            background="white",
            dpi=96,
            # Words in a font that is not installed would be left out.
            font_files=[str(files("ziafont") / "fonts" / "DejaVuSans.ttf")],
            font_family=_FONT,
            serif_family=_FONT,
            sans_serif_family=_FONT,
            monospace_family=_FONT,
        )
    except ValueError as error:
        raise ReaderError from error


def _root(data: bytes) -> _Element:
    from lxml import etree

    if len(data) > _MOST_BYTES:
        raise ReaderError
    try:
        return parse_xml(data)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ReaderError from error


def _pixels(length: str | None) -> float:
    match = _LENGTH.fullmatch(length or "")
    return float(match.group(1)) * _PIXELS[match.group(2)] if match else 0
