"""Recognizes the text of scanned pages, of slides that are pictures and of image files in a child process."""

from __future__ import annotations

import hashlib
import logging
import re
from contextlib import AbstractContextManager, closing
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING, Any, TypeVar

from app.config.confinement import give_way
from app.core.documents.images import POINTS_PER_PIXEL, decoded, frame_sizes
from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.pptx import picture_slides
from app.core.documents.readers.pdf.blocks import DocumentWords, page_blocks
from app.core.documents.readers.pdf.lines import Run, regions
from app.core.documents.readers.pdf.reader import may_be_pdf
from app.core.documents.readers.safe_archive import Archive
from app.core.documents.readers.text_builder import clean
from app.core.ocr.kept_texts import ScannedPages
from app.core.ocr.networks import Networks, ReadPicture, TextLine
from app.core.sandbox import ChildFailed, ChildKilled, ChildTimedOut, Sandbox
from app.domain.pages import RecognizedLine, recognized_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PIL.Image import Image

    from app.domain.cancel import CancelToken


_PER_POINT = 150 / 72  # pixels
_LONGEST = 2600  # side of a page's picture; that of A4 is 1754
_FEW = 40  # characters that a stamp or a page number on a scanned page has
_SIGNATURES = 1024  # bytes at a file's beginning that tell what it is
_ZIP = b"PK\x03\x04"

_log = logging.getLogger(__name__)

R = TypeVar("R")


def page_numbers(data: bytes) -> list[int]:
    """Return the numbers of the pages or slides of a file that have content but no text."""
    if data.startswith(_ZIP):
        return list(picture_slides(data))
    if may_be_pdf(data):
        return _scanned_pages(data)
    return list(range(1, len(frame_sizes(data)) + 1))


def pictures_of(path: Path, number: int) -> Iterator[tuple[Image, float]]:
    """Yield the pictures of a page or slide, each with its pixels per point of the page.

    That is 0 for slides, which are not shown as pages.
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
            width, height = page.get_size()
            if not width * height:
                return False
            with closing(page.get_textpage()) as text_page:
                text = "".join(text_page.get_text_bounded().split())
            if not text:
                return next(page.get_objects(), None) is not None
            if len(text) > _FEW:
                return False
            boxes = [one.get_bounds() for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])]
    except pypdfium2.PdfiumError:
        return False  # a damaged page
    return any((right - left) * (top - bottom) > width * height / 2 for left, bottom, right, top in boxes)


_PER_INCH = 150
_POINTS_PER_INCH = 72
_LEAST = 3  # letters; fewer are marks
_LETTERS = 0.72  # of a line's height
_ALIKE = 0.75


def look_at(path: Path, page: int | None) -> dict[str, object] | None:
    """Return the digest of a file and the numbers of its scanned pages, or the text of one of them.

    None, if the file or the page cannot be read.
    """
    give_way()
    try:
        return _found(path, page)
    except MemoryError:
        raise
    except Exception:  # what parsers raise for damaged files has no limits
        _log.info("A file or page cannot be recognized", exc_info=True)
        return None


def _found(path: Path, page: int | None) -> dict[str, object]:
    if page is None:
        data = path.read_bytes()
        return {"sha256": hashlib.sha256(data).hexdigest(), "pages": page_numbers(data)}
    texts, lines = [], []
    for picture, per_point in pictures_of(path, page):
        text, placed = page_text(picture, per_point)
        texts.append(text)
        lines += placed
    return {"text": "\n\n".join(filter(None, texts)), "lines": lines}


def page_text(picture: Image, per_point: float = 0.0) -> tuple[str, list[RecognizedLine]]:
    """Return the text in a picture in reading order, its paragraphs apart; empty if there is none.

    With it come its lines, if ``per_point`` gives the picture's pixels per point of the page.
    """
    read = _networks().read(picture)
    if sum(character.isalpha() for one in read.lines for character in one.text) < _LEAST:
        return "", []
    usual = median(one.line.height for one in read.lines)
    runs = [_run(one.line, one.text, read.size[1], usual) for one in read.lines]
    vocabulary = DocumentWords(run.text for run in runs)
    blocks = page_blocks(runs, vocabulary, median(run.height for run in runs))
    lines = _placed(read, runs, per_point) if per_point else []
    return "\n\n".join(clean(block.text) for block in blocks), lines


@lru_cache(maxsize=1)
def _networks() -> Networks:
    return Networks()


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


def _placed(read: ReadPicture, runs: list[Run], per_point: float) -> list[RecognizedLine]:
    """Return the lines in the order in which they are read, where they stand on the page."""
    owners = {id(run): one for run, one in zip(runs, read.lines, strict=True)}
    ordered = (owners[id(run)] for region in regions(runs) for row in region.rows for run in row.runs)
    lines = []
    for one in ordered:
        line = one.line
        ends = ((x, line.middle + line.slope * (x - line.centre)) for x in (line.left, line.right))
        begin, end = ((x / per_point, y / per_point) for x, y in (read.place(*point) for point in ends))
        height = round(line.height / per_point, 1)
        lines.append(RecognizedLine(one.text, _rounded(begin), _rounded(end), height, one.words))
    return lines


def _rounded(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)


_SECONDS = 60.0  # of processor time for one page, or for looking through one file
_CLOCK_SECONDS = 600.0
_DIGEST = re.compile("[0-9a-f]{64}")
_PAGES = 20  # after which a child is replaced: OpenVINO keeps some megabytes for each size of a picture
_MEMORY = 3 * 2**30  # of address space; OpenVINO reserves more than it uses


class NotRecognized(Exception):
    """A page or file cannot be looked at."""


class NotFinished(Exception):
    """The child was ended from outside, or waited: the page or file may be looked at later."""


class Recognizer(AbstractContextManager["Recognizer"]):
    """Finds and recognizes scanned pages in a child process, started by the first. For one thread."""

    def __init__(self) -> None:
        self._sandbox = Sandbox("ocr", seconds=_CLOCK_SECONDS, memory=_MEMORY, most_calls=_PAGES)

    def __exit__(self, *_: object) -> None:
        self._sandbox.close()

    def scanned_pages(self, path: Path, token: CancelToken) -> ScannedPages:
        """Look through a file; raises as :meth:`page_text`."""
        return self._ask(_scanned, path, None, token)

    def page_text(self, path: Path, page: int, token: CancelToken) -> tuple[str, list[RecognizedLine]]:
        """Return the text of a page and the places of its lines; no lines for a slide.

        Raises NotRecognized, NotFinished or Cancelled.
        """
        return self._ask(_page, path, page, token)

    def _ask(self, made: Callable[[Any], R], path: Path, page: int | None, token: CancelToken) -> R:
        """Ask the child; if it fails, ask a fresh one."""
        for attempt in (1, 2):
            try:
                return self._sandbox.call(made, look_at, path, page, seconds=_SECONDS, token=token)
            except (ChildKilled, ChildTimedOut) as error:
                raise NotFinished(path.name) from error
            except ChildFailed as error:
                self._sandbox.close()
                if attempt == 2:
                    raise NotRecognized(path.name) from error
        raise AssertionError  # the second attempt returns or raises


def _scanned(found: dict[str, Any]) -> ScannedPages:
    if not _DIGEST.fullmatch(found["sha256"]):  # it becomes the name of a file
        raise ValueError("no digest")
    return ScannedPages(found["sha256"], tuple(map(int, found["pages"])))


def _page(found: dict[str, Any]) -> tuple[str, list[RecognizedLine]]:
    return str(found["text"]), [recognized_line(*line) for line in found["lines"]]
