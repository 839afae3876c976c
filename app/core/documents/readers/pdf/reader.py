"""PDF documents to text: pages in reading order, without what repeats on every page."""

from __future__ import annotations

import ctypes
import math
import re
import unicodedata
from collections import Counter
from contextlib import closing
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.blocks import Vocabulary, goes_on, page_blocks
from app.core.documents.readers.pdf.lines import Glyph, Run, joined_run
from app.core.documents.readers.pdf.running_lines import without_running_lines
from app.core.documents.readers.text_builder import TextBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.documents import DocumentText

_PAGE_LIMIT = 5000

_SIGNATURE = re.compile(rb"[\xef\xbb\xbf \t\r\n\x00]*+%PDF-[12]\.")
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_SECURITY_ERROR = 5  # FPDF_ERR_SECURITY: an unknown encryption scheme
_HYPHENS = frozenset((2, 0xAD, 0xFFFE))  # what PDFium reports for a hyphen at a line's end
_MONOSPACED = re.compile(r"mono|courier|consol|typewriter|cmtt|sltt|menlo|inconsolata|code", re.IGNORECASE)
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "‣", 0xF02D: "-", 0xF0FC: "✓", 0xF0E0: "→", 0xF0E8: "→"}
_SKEW = math.radians(12)  # text counts as level up to this: scanned pages are never quite straight


def is_pdf(data: bytes) -> bool:
    return _SIGNATURE.match(data) is not None


def read_pdf(data: bytes) -> DocumentText:
    """Read a PDF; each page with text is an anchor, counted from 1."""
    import pypdfium2  # heavy, and needed for this format only

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (_PASSWORD_ERROR, _SECURITY_ERROR) or "assword" in str(error):
            raise ReaderError("documents.password") from error
        raise ReaderError from error
    with closing(document):
        if len(document) > _PAGE_LIMIT:
            raise ReaderError("documents.too_many_pages", count=len(document), limit=_PAGE_LIMIT)
        pages = [_page_runs(document, index) for index in range(len(document))]
    text = _text_of(without_running_lines(pages))
    if not text.text.strip():
        raise ReaderError("documents.scanned")
    return text


def _text_of(pages: Sequence[Sequence[Run]]) -> DocumentText:
    vocabulary = Vocabulary(run.text for runs in pages for run in runs)
    heights = Counter[float]({1.0: 0})
    for run in chain.from_iterable(pages):
        heights[round(run.height, 1)] += len(run.text)
    body = heights.most_common(1)[0][0]
    builder = TextBuilder()
    open_end = ""  # the last words of a paragraph that may go on
    for number, runs in enumerate(pages, 1):
        builder.anchor("page", number)
        for block in page_blocks(runs, vocabulary, body):
            if block.kind == "code":
                builder.code(block.text)
            elif block.kind == "prose" and open_end and goes_on(open_end, block.text):
                builder.run_on(block.text)
            else:
                builder.block(block.text, tight=block.kind == "line")
            is_open = block.kind == "prose" and not block.text.endswith("-")
            open_end = block.text[-40:] if is_open else ""
    return builder.finish()


def _page_runs(document: Any, index: int) -> list[Run]:  # noqa: ANN401 - pypdfium2 is not typed
    import pypdfium2

    try:
        with closing(document[index]) as page, closing(page.get_textpage()) as text_page:
            return _levelled(list(_runs(text_page)))
    except pypdfium2.PdfiumError:
        return []  # a damaged page among good ones


def _runs(text_page: Any) -> Iterator[tuple[float, Run]]:  # noqa: ANN401
    """Yield a page's runs of characters on one line, each with its angle in radians."""
    import pypdfium2.raw as pdfium

    raw = text_page.raw  # a lecture has millions of characters: what is done for each must be quick
    code_of, box_of = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox
    box = pdfium.FS_RECTF()
    pointer = ctypes.byref(box)
    glyphs: list[Glyph] = []
    angle, fixed, space = 0.0, False, False
    high = 0  # the first half of a pair
    last: Glyph = ("", 0.0, 0.0, 0.0, 0.0)
    count = pdfium.FPDFText_CountChars(raw)
    for index in range(count + 1):
        code = code_of(raw, index) if index < count else 10
        if code in (10, 13):
            if glyphs:
                yield angle, joined_run(glyphs, fixed=fixed, vertical=_is_vertical(angle))
            glyphs, space = [], False
            continue
        if 0xD800 <= code < 0xE000:
            if code < 0xDC00:
                high = code
                continue
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
        high = 0
        character = _character(code)
        if not character or character.isspace():
            space = space or bool(character)
            continue
        if not box_of(raw, index, pointer):
            continue
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        glyph = (character, left, bottom, right, top)
        # Nearly every character stands beside the one before; only the others need the full test.
        beside = bottom == last[2] and top == last[4] and 0 <= left - last[3] < top - bottom
        if not beside and glyphs and _is_apart(last, glyph, angle):
            yield angle, joined_run(glyphs, fixed=fixed, vertical=_is_vertical(angle))
            glyphs, space = [], False
        last = glyph
        if not glyphs:
            angle = pdfium.FPDFText_GetCharAngle(raw, index)
            fixed = _is_fixed(raw, index)
        elif space:
            glyph = (" " + character, left, bottom, right, top)
        space = False
        glyphs.append(glyph)


def _is_fixed(raw: Any, index: int) -> bool:  # noqa: ANN401
    import pypdfium2.raw as pdfium

    flags = ctypes.c_int()
    font = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(raw, index, font, len(font), ctypes.byref(flags))
    return bool(flags.value & 1 or _MONOSPACED.search(font.value.decode("utf-8", "replace")))


def _is_vertical(angle: float) -> bool:
    return abs(math.sin(angle)) > 0.7


def _is_apart(before: Glyph, glyph: Glyph, angle: float) -> bool:
    """Whether a character stands on another line than the one before, or far from it on the same one."""
    _, left, bottom, right, top = before
    _, own_left, own_bottom, own_right, own_top = glyph
    if _is_vertical(angle):
        left, bottom, right, top = bottom, left, top, right
        own_left, own_bottom, own_right, own_top = own_bottom, own_left, own_top, own_right
    height, own = max(top - bottom, 1.0), max(own_top - own_bottom, 1.0)
    is_level = min(top, own_top) - max(bottom, own_bottom) >= 0.3 * min(height, own)
    return not is_level or max(own_left - right, left - own_right) > max(height, own)


@lru_cache(maxsize=4096)
def _character(code: int) -> str:
    """Return a character as text has it: ligatures and Arabic letter shapes as plain letters."""
    if code in _HYPHENS:
        return "-"
    if 0xE000 <= code < 0xF900:
        return _SYMBOLS.get(code, "")
    if code < 32 or code > 0x10FFFF:
        return ""
    character = chr(code)
    if 0xFB00 <= code < 0xFE00 or 0xFE70 <= code < 0xFF00:
        return unicodedata.normalize("NFKC", character)
    return character


def _levelled(runs: list[tuple[float, Run]]) -> list[Run]:
    """Turn a page upright by most of its text; drop what runs otherwise: stamps, labels of axes."""
    quarters = Counter({0: 0})
    for angle, run in runs:
        quarters[round(angle / (math.pi / 2)) % 4] += len(run.text)
    quarter = quarters.most_common(1)[0][0]
    main = quarter * math.pi / 2
    return [
        run.turned(-quarter % 4)  # PDFium gives angles clockwise
        for angle, run in runs
        if abs((angle - main + math.pi) % (2 * math.pi) - math.pi) <= _SKEW
    ]
