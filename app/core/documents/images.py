"""Decodes pictures of unknown origin so that they cannot fill up memory, and shows them as pages."""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.safe_archive import parse_xml
from app.domain.pages import PagedFile, PageLink, PageText, Strip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element
    from PIL.Image import Image

    from app.domain.documents import DocumentText
    from app.domain.figures import Figure


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


_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
_SIGNATURES = (b"\x89PNG", b"\xff\xd8\xff", b"II*\x00", b"MM\x00*", b"BM", b"GIF8")
_MOST = 50_000_000  # pixels; a page of A4 at 600 dpi has 35 million
_FRAMES = 1000  # of a TIFF file, whose frames are pages
_ORIENTATION = 0x0112  # in Exif; from 5 on the picture lies on its side
_SEEN, _LONGEST_SEEN = 1_150_000, 8_000  # pixels that a model sees; servers make larger pictures smaller
_QUALITY = 85  # of JPEG


def is_picture(data: bytes) -> bool:
    return data.startswith(_SIGNATURES) or (data.startswith(b"RIFF") and data[8:12] == b"WEBP")


def frame_sizes(data: bytes) -> list[tuple[int, int]]:
    """Return width and height of each page in pixels; only TIFF files have more than one."""
    sizes = []
    with _opened(data) as picture:
        count = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
        for frame in range(min(count, _FRAMES)):
            picture.seek(frame)
            width, height = picture.size
            is_on_side = picture.getexif().get(_ORIENTATION, 1) >= 5
            sizes.append((height, width) if is_on_side else (width, height))
    return sizes


def decoded(data: bytes, longest: int, frame: int = 0) -> Image:
    """Return a picture as RGB on white and the right way up, its longer side at most ``longest`` pixels."""
    from PIL.Image import Resampling, new
    from PIL.ImageOps import exif_transpose

    with _opened(data) as picture:
        picture.seek(frame)
        picture.draft("RGB", (longest, longest))  # decodes less of a large JPEG
        pixels = picture.width * picture.height
        if pixels > _MOST:
            limit = _MOST // 1_000_000
            raise ReaderError("documents.too_many_pixels", count=round(pixels / 1e6), limit=limit)
        exif_transpose(picture, in_place=True)
        small = _resizable(picture)
        small.thumbnail((longest, longest), Resampling.BICUBIC, reducing_gap=2)
        if small.has_transparency_data:
            layer = small.convert("RGBA")
            small = new("RGB", layer.size, "white")
            small.paste(layer, mask=layer)
        return small.convert("RGB")


def _resizable(picture: Image) -> Image:
    """Return a picture with values between which there are others; the same one, if it has these."""
    if picture.mode.startswith(("I", "F")):  # 16 bits a pixel
        return picture.point(lambda value: value / 256).convert("L")
    if picture.mode in ("P", "PA"):
        return picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    return picture.convert("L") if picture.mode == "1" else picture


def size_seen(width: float, height: float) -> tuple[int, int]:
    scale = min((_SEEN / (width * height)) ** 0.5, _LONGEST_SEEN / max(width, height))
    return max(int(width * scale), 1), max(int(height * scale), 1)


def jpeg_seen(picture: Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()


@contextmanager
def _opened(data: bytes) -> Iterator[Image]:
    import PIL.Image  # heavy, and needed for pictures only

    PIL.Image.MAX_IMAGE_PIXELS = None  # it counts pixels that a draft leaves out
    try:
        with PIL.Image.open(io.BytesIO(data), formats=_FORMATS) as picture:
            yield picture
    except (ReaderError, MemoryError):
        raise
    except Exception as error:  # what a parser raises for damaged files has no limits
        raise ReaderError from error


_SMALL = 64  # pixels; enough to find out whether it can be decoded


def read_picture(data: bytes) -> DocumentText:
    """Raise the reason why a picture has no text yet, or why it never will have any."""
    decoded(data, _SMALL)
    raise ReaderError("documents.picture")


POINTS_PER_PIXEL = 72 / 150  # as if all were scanned at 150 dpi; what they say of themselves is rarely true

_SHARPEST = 4000  # pixels of the longer side that is shown
_LARGEST = 8 * 2**20  # pixels of a strip


class PicturePages:
    """An open picture, used like :class:`app.core.documents.readers.pdf.pages.PdfPages`."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._sizes = frame_sizes(data)
        self._shown: tuple[int, Image] | None = None
        self.count = len(self._sizes)

    def close(self) -> None:
        self._shown = None

    def describe(self) -> PagedFile:
        sizes = ((width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL) for width, height in self._sizes)
        return PagedFile(tuple(sizes), ())

    def picture(self, strip: Strip) -> bytes:
        """Draw a strip; see :class:`app.domain.pages.PagePicture`."""
        from PIL.Image import Resampling

        if not 0 < strip.width * strip.height <= _LARGEST:
            raise ReaderError
        page = self._page(strip.page)
        scale = page.width / strip.width
        top = min(strip.top * scale, page.height - 1)
        box = (0, top, page.width, min(top + strip.height * scale, page.height))
        part = page.resize((strip.width, strip.height), Resampling.BILINEAR, box, reducing_gap=2)
        # Opaque, although it should not matter: Qt blends marks with what is there.
        return part.convert("RGBA").tobytes("raw", "BGRA")

    def text(self, number: int) -> PageText:
        """Return no characters: those of a picture are recognized elsewhere."""
        return PageText(number, "", ())

    def links(self, _number: int) -> tuple[PageLink, ...]:
        return ()

    def figures(self, _: int) -> list[Figure]:
        """Return no figures: there are no captions that name them."""
        return []

    def seen(self, number: int) -> bytes:
        longest = max(size_seen(*self._sizes[number - 1]))
        return jpeg_seen(decoded(self._data, longest, number - 1))

    def _page(self, number: int) -> Image:
        if self._shown is None or self._shown[0] != number:
            self._shown = number, decoded(self._data, _SHARPEST, number - 1)
        return self._shown[1]
