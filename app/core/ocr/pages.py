"""The pages of a PDF that are pictures of text, and their text; runs in a child process."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from app.config.confinement import give_way
from app.core.documents.readers.pdf.blocks import Vocabulary, page_blocks
from app.core.documents.readers.pdf.lines import Run
from app.core.documents.readers.text_builder import clean
from app.core.ocr.networks import Networks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

    from app.core.ocr.text_lines import TextLine

_PER_INCH = 150
_POINTS_PER_INCH = 72
_LONGEST = 2600  # side of a page's picture; that of A4 is 1754
_FEW = 40  # characters that a stamp or a page number on a scanned page has
_LEAST = 3  # letters; fewer are marks
_LETTERS = 0.72  # of a line's height
_ALIKE = 0.75


def answer(request: bytes, _: Callable[[bytes], None]) -> bytes:
    """Return the digest of a PDF and the numbers of its scanned pages, or the text of one of them."""
    give_way()
    wanted = json.loads(request)
    path = Path(os.fsdecode(bytes.fromhex(wanted["path"])))
    if wanted["page"] is None:
        data = path.read_bytes()
        found: dict[str, object] = {"sha256": hashlib.sha256(data).hexdigest(), "pages": scanned_pages(data)}
    else:
        found = {"text": page_text(rendered(path, wanted["page"]))}
    return json.dumps(found).encode()


def scanned_pages(data: bytes) -> list[int]:
    """Return the numbers of the pages that show something, but have no text."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(data)) as document:
        return [number for number in range(1, len(document) + 1) if _is_scanned(document, number)]


def rendered(path: Path, number: int) -> Image:
    """Return a page of a PDF as a picture."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(path)) as document, closing(document[number - 1]) as page:
        scale = min(_PER_INCH / _POINTS_PER_INCH, _LONGEST / max(page.get_size()))
        picture: Image = page.render(scale=scale, may_draw_forms=False).to_pil()
        return picture.convert("RGB")


def page_text(picture: Image) -> str:
    """Return the text in a picture in reading order, its paragraphs apart; empty if there is none."""
    lines = _networks().lines(picture)
    if sum(character.isalpha() for _, text in lines for character in text) < _LEAST:
        return ""
    usual = median(line.height for line, _ in lines)
    runs = [_run(line, text, picture.height, usual) for line, text in lines]
    vocabulary = Vocabulary(run.text for run in runs)
    blocks = page_blocks(runs, vocabulary, median(run.height for run in runs))
    return "\n\n".join(clean(block.text) for block in blocks)


@lru_cache(maxsize=1)
def _networks() -> Networks:
    return Networks()


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


def _run(line: TextLine, text: str, height: float, usual: float) -> Run:
    """Return a line of text as one of a PDF page, whose origin is at the bottom left.

    Lines of about the ``usual`` height are all of it: what was found depends on their letters.
    """
    own = usual if _ALIKE < line.height / usual < 1 / _ALIKE else line.height
    half, margin = own * _LETTERS / 2, own * (1 - _LETTERS) / 2
    up = height - line.middle
    points = line.left + margin, up - half, line.right - margin, up + half
    left, bottom, right, top = (value * _POINTS_PER_INCH / _PER_INCH for value in points)
    return Run(text, left, bottom, right, top)
