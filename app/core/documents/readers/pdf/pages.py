"""The pages of a PDF as they look: pictures of them, and the boxes of their characters."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from app.core.documents.images import jpeg_seen, size_seen
from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.figures import drawn_boxes, find_figures, is_worth_seeing
from app.core.documents.readers.pdf.reader import HYPHENS, codes_of
from app.domain.figures import Figure
from app.domain.pages import HYPHEN, NOWHERE, Box, OutlineEntry, PagedFile, PageLink, PageText, Strip

_MOST = 1_000  # of a page
_MOST_TARGETS = 64  # pages that are looked at for where on them a page's links lead
_LONGEST_ADDRESS = 2_000  # bytes of an address


def links_of(document: Any, number: int, shown: Callable[[Any], Callable[[Any], Box]]) -> Iterator[PageLink]:  # noqa: ANN401
    """Yield the links of a page; ``shown`` returns what turns a rectangle of a page into its box."""
    import pypdfium2.raw as pdfium

    ways: dict[int, Callable[[Any], Box]] = {}
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    with closing(document[number - 1]) as page:
        here = shown(page)
        for _ in range(_MOST):
            if not pdfium.FPDFLink_Enumerate(page, position, link):
                return
            if not pdfium.FPDFLink_GetAnnotRect(link, rectangle):
                continue
            box, target = here(rectangle), _target(document, link)
            if isinstance(target, str):
                yield PageLink(box, address=target)
            elif target is not None:
                index = pdfium.FPDFDest_GetDestPageIndex(document, target)
                if not 0 <= index < len(document):
                    continue
                if index not in ways and len(ways) < _MOST_TARGETS:
                    with closing(document[index]) as there:
                        ways[index] = shown(there)
                yield PageLink(box, page=index + 1, y=_height(target, ways.get(index)))


def _target(document: Any, link: Any) -> Any:  # noqa: ANN401 - an address, or a place of PDFium's
    """Return a web address or a place of the file; None for programs, other files and scripts."""
    import pypdfium2.raw as pdfium

    action = pdfium.FPDFLink_GetAction(link)
    if not action:
        return pdfium.FPDFLink_GetDest(document, link) or None
    kind = pdfium.FPDFAction_GetType(action)
    if kind == pdfium.PDFACTION_GOTO:
        return pdfium.FPDFAction_GetDest(document, action) or None
    if kind != pdfium.PDFACTION_URI:
        return None
    length = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 0 < length <= _LONGEST_ADDRESS:
        return None
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, length)
    address = buffer.value.decode("utf-8", "replace").strip()
    return address if address.lower().startswith(("http://", "https://")) else None


def _height(place: Any, way: Callable[[Any], Box] | None) -> float:  # noqa: ANN401
    """Return how far below a page's upper edge a place is; 0 if it names the page only."""
    import pypdfium2.raw as pdfium

    has_x, has_y, has_zoom = (pdfium.FPDF_BOOL() for _ in range(3))
    x, y, zoom = (pdfium.FS_FLOAT() for _ in range(3))
    pdfium.FPDFDest_GetLocationInPage(place, has_x, has_y, has_zoom, x, y, zoom)
    if way is None or not has_y:
        return 0.0
    spot = pdfium.FS_RECTF(x.value, y.value, x.value, y.value)
    return max(way(spot).top, 0.0)


_LARGEST = 8 * 2**20  # pixels of a picture
_FINE = 64  # PDFium gives places in whole pixels; this many a point are exact enough
_ENTRIES = 5_000  # of an outline
_A4 = (595.0, 842.0)  # for pages that cannot be read
_LONGEST = 14_400.0  # points; the format allows no longer page


class PdfPages:
    """An open PDF. Raises ReaderError for one that cannot be opened, and for pages that cannot be drawn."""

    def __init__(self, data: bytes) -> None:
        import pypdfium2  # heavy, and needed for this format only

        try:
            self._document = pypdfium2.PdfDocument(data)
            self._document.init_forms()  # else what was filled in is not drawn
        except pypdfium2.PdfiumError as error:
            raise ReaderError from error
        self.count = len(self._document)

    def close(self) -> None:
        self._document.close()

    def describe(self) -> PagedFile:
        sizes = (self._document.get_page_size(index) for index in range(self.count))
        return PagedFile(
            tuple((_side(width), _side(height)) if width * height > 0 else _A4 for width, height in sizes),
            tuple(self._outline()),
        )

    def _outline(self) -> Iterator[OutlineEntry]:
        for count, entry in enumerate(self._document.get_toc()):
            if count == _ENTRIES:
                return
            target, title = entry.get_dest(), " ".join((entry.get_title() or "").split())
            index = target.get_index() if target is not None else None
            if title and index is not None and 0 <= index < self.count:
                yield OutlineEntry(entry.level, title, index + 1)

    def picture(self, strip: Strip) -> bytes:
        """Draw a strip on white, at most some million pixels; see :class:`app.domain.pages.PagePicture`."""
        import pypdfium2
        import pypdfium2.raw as pdfium

        if not (0 < strip.width * strip.height <= _LARGEST):
            raise ReaderError
        bitmap = pypdfium2.PdfBitmap.new_native(strip.width, strip.height, pdfium.FPDFBitmap_BGRx)
        try:
            with closing(bitmap), closing(self._document[strip.page - 1]) as page:
                bitmap.fill_rect((255, 255, 255, 255), 0, 0, strip.width, strip.height)
                width, height = page.get_size()
                place = (0, -strip.top, strip.width, round(strip.width * height / width), 0)
                pdfium.FPDF_RenderPageBitmap(bitmap, page, *place, pdfium.FPDF_ANNOT)
                if self._document.formenv:
                    pdfium.FPDF_FFLDraw(self._document.formenv, bitmap, page, *place, pdfium.FPDF_ANNOT)
                return bytes(bitmap.buffer)
        except pypdfium2.PdfiumError as error:
            raise ReaderError from error

    def text(self, number: int) -> PageText:
        """Return the characters of a page; one that cannot be read has none."""
        import pypdfium2

        try:
            with closing(self._document[number - 1]) as page, closing(page.get_textpage()) as text_page:
                text, boxes = _characters(text_page, _shown(page))
        except pypdfium2.PdfiumError:
            return PageText(number, "", ())
        return PageText(number, text, boxes)

    def links(self, number: int) -> tuple[PageLink, ...]:
        import pypdfium2

        try:
            return tuple(links_of(self._document, number, _shown))
        except pypdfium2.PdfiumError:
            return ()

    def figures(self, number: int) -> list[Figure]:
        text, drawn, size = self._drawn(number)
        return list(find_figures(text, drawn, size))

    def seen(self, number: int) -> bytes:
        """Return a page as a JPEG; nothing for one that shows no more than its text."""
        text, drawn, size = self._drawn(number)
        if not is_worth_seeing(text, drawn, size):
            return b""
        from PIL import Image  # heavy, and only for models that see

        width, height = size_seen(*size)
        pixels = self.picture(Strip(number, width, 0, height))
        return jpeg_seen(Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", 0, 1))

    def _drawn(self, number: int) -> tuple[PageText, list[Box], tuple[float, float]]:
        """Return the characters of a page, what is drawn on it, and its size."""
        import pypdfium2

        try:
            with closing(self._document[number - 1]) as page:
                return self.text(number), drawn_boxes(page.raw, _shown(page)), page.get_size()
        except pypdfium2.PdfiumError as error:
            raise ReaderError from error


def _side(points: float) -> float:
    return min(max(points, 1.0), _LONGEST)


def _characters(text_page: Any, shown: Callable[[Any], Box]) -> tuple[str, tuple[Box, ...]]:  # noqa: ANN401
    import pypdfium2.raw as pdfium

    raw = text_page.raw
    rectangle = pdfium.FS_RECTF()
    characters, boxes = [], []
    for index, code in codes_of(raw):
        character = HYPHEN if code in HYPHENS else chr(code) if 0 < code < 0x110000 else "\ufffd"
        is_there = not character.isspace() and pdfium.FPDFText_GetLooseCharBox(raw, index, rectangle)
        characters.append(character)
        boxes.append(shown(rectangle) if is_there else NOWHERE)
    return "".join(characters), tuple(boxes)


def _shown(page: Any) -> Callable[[Any], Box]:  # noqa: ANN401
    """Return what turns a rectangle of a page into its box as the page is shown: turned and cropped."""
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    size = max(round(width * _FINE), 1), max(round(height * _FINE), 1)
    x, y = ctypes.c_int(), ctypes.c_int()

    def point(left: float, bottom: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(page, 0, 0, *size, 0, left, bottom, x, y)
        return x.value / _FINE, y.value / _FINE

    far = 1000.0
    (x0, y0), (x1, y1), (x2, y2) = point(0, 0), point(far, 0), point(0, far)
    a, b, c, d = (x1 - x0) / far, (x2 - x0) / far, (y1 - y0) / far, (y2 - y0) / far

    def shown(rectangle: Any) -> Box:  # noqa: ANN401
        left, bottom, right, top = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        xs = a * left + b * bottom + x0, a * right + b * top + x0
        ys = c * left + d * bottom + y0, c * right + d * top + y0
        return Box(min(xs), min(ys), max(xs), max(ys))

    return shown
