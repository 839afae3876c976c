"""Finds the pictures of text in a file: scanned pages of a PDF, slides that are pictures, image files."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from app.core.documents.images import decoded, frame_sizes
from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.pptx import picture_slides
from app.core.documents.readers.pdf.reader import may_be_pdf
from app.core.documents.readers.picture.pages import POINTS_PER_PIXEL
from app.core.documents.readers.safe_archive import Archive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PIL.Image import Image

_PER_POINT = 150 / 72  # pixels
_LONGEST = 2600  # side of a page's picture; that of A4 is 1754
_FEW = 40  # characters that a stamp or a page number on a scanned page has
_SIGNATURES = 1024  # bytes at a file's beginning that tell what it is
_ZIP = b"PK\x03\x04"


def page_numbers(data: bytes) -> list[int]:
    """Return the numbers of the pages or slides of a file that show something, but have no text."""
    if data.startswith(_ZIP):
        return list(picture_slides(data))
    if may_be_pdf(data):
        return _scanned_pages(data)
    return list(range(1, len(frame_sizes(data)) + 1))


def pictures_of(path: Path, number: int) -> Iterator[tuple[Image, float]]:
    """Yield the pictures of a page or slide, each with how many of its points are one of the page's.

    0 for those of slides, which are not shown as pages.
    """
    with path.open("rb") as file:
        begin = file.read(_SIGNATURES)
    if may_be_pdf(begin):
        yield _rendered(path, number)
        return
    data = path.read_bytes()
    if begin.startswith(_ZIP):
        archive = Archive(data)
        for part in picture_slides(data)[number]:
            try:
                picture = decoded(archive.read(part), _LONGEST)
            except ReaderError:  # a drawing, or damaged
                continue
            yield picture, 0.0
    else:
        picture, sizes = decoded(data, _LONGEST, number - 1), frame_sizes(data)
        yield picture, picture.width / (sizes[number - 1][0] * POINTS_PER_PIXEL)


def _rendered(path: Path, number: int) -> tuple[Image, float]:
    import pypdfium2

    with closing(pypdfium2.PdfDocument(path)) as document, closing(document[number - 1]) as page:
        scale = min(_PER_POINT, _LONGEST / max(page.get_size()))
        picture: Image = page.render(scale=scale, may_draw_forms=False).to_pil()
        return picture.convert("RGB"), scale


def _scanned_pages(data: bytes) -> list[int]:
    import pypdfium2

    with closing(pypdfium2.PdfDocument(data)) as document:
        return [number for number in range(1, len(document) + 1) if _is_scanned(document, number)]


def _is_scanned(document: Any, number: int) -> bool:  # noqa: ANN401 - pypdfium2 is not typed
    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        with closing(document[number - 1]) as page:
            with closing(page.get_textpage()) as text_page:
                text = "".join(text_page.get_text_bounded().split())
            if not text:
                return next(page.get_objects(), None) is not None
            if len(text) > _FEW:
                return False
            width, height = page.get_size()
            boxes = [one.get_bounds() for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])]
    except pypdfium2.PdfiumError:
        return False  # a damaged page
    return any((right - left) * (top - bottom) > width * height / 2 for left, bottom, right, top in boxes)
