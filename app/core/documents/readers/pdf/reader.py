"""PDF documents to text: pages in reading order, without what repeats on every page.

The characters of a page become runs, turned upright; typed notes and values of forms are included.
"""

import ctypes
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from statistics import median
from typing import Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.blocks import DocumentWords, PdfBlock, goes_on, page_blocks
from app.core.documents.readers.pdf.lines import (
    RIGHT_TO_LEFT,
    Glyph,
    PdfPage,
    Run,
    joined_run,
    reads_backwards,
)
from app.core.documents.readers.pdf.right_to_left import runs_in_order
from app.core.documents.readers.pdf.running_lines import body_height, without_repeated_lines
from app.core.documents.readers.pdf.tables import Ruling, ruling_of
from app.core.documents.readers.text_builder import TextBuilder, is_symbol_font, readable, unread
from app.domain.documents import DocumentText
from app.domain.messages import Message

HYPHENS = frozenset((2, 0xAD, 0xFFFE))  # what PDFium reports for a hyphen at a line's end
_MONOSPACED = re.compile(r"mono|courier|consol|typewriter|cmtt|sltt|menlo|inconsolata|code", re.IGNORECASE)
_SYMBOLS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "‣", 0xF02D: "-", 0xF0FC: "✓", 0xF0E0: "→", 0xF0E8: "→"}
_SKEW = math.radians(12)  # text counts as level up to this: scanned pages are never quite straight


def read_page(document: Any, index: int) -> PdfPage:  # noqa: ANN401 - pypdfium2 is not typed
    import pypdfium2  # heavy, and needed for this format only

    try:
        with closing(document[index]) as page, closing(page.get_textpage()) as text_page:
            width, height = page.get_size()
            ruling = ruling_of(page.raw)
            runs = list(_runs(text_page, ruling))
            notes = list(_notes(page.raw))
        runs = [(angle, replace(run, ruled=_is_ruled(run, ruling))) for angle, run in runs]
        return _levelled(runs, notes, is_wide=width > height)
    except pypdfium2.PdfiumError:
        return PdfPage([], is_damaged=True)  # among good ones


def _is_ruled(run: Run, ruling: Ruling) -> bool:
    return ruling.divides(run.left - run.height, run.left + 1, run.bottom, run.top)


def _notes(page: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield what was typed on a page: as notes, and into the fields of a form."""
    import pypdfium2.raw as pdfium

    typed = (
        pdfium.FPDF_ANNOT_TEXT,
        pdfium.FPDF_ANNOT_FREETEXT,
        pdfium.FPDF_ANNOT_HIGHLIGHT,
        pdfium.FPDF_ANNOT_UNDERLINE,
        pdfium.FPDF_ANNOT_CARET,
    )
    for index in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        key = b"Contents" if kind in typed else b"V"
        is_text = pdfium.FPDFAnnot_GetValueType(annotation, key) == pdfium.FPDF_OBJECT_STRING
        if is_text and kind in (*typed, pdfium.FPDF_ANNOT_WIDGET):
            size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
            buffer = (ctypes.c_ushort * (size // 2 + 1))()
            pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
            yield bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
        pdfium.FPDFPage_CloseAnnot(annotation)


def _runs(text_page: Any, ruling: Ruling) -> Iterator[tuple[float, Run]]:  # noqa: ANN401
    """Yield a page's runs of characters on one line, each with its angle in radians."""
    import pypdfium2.raw as pdfium

    raw = text_page.raw  # a lecture has millions of characters: what is done for each must be quick
    box_of, box = pdfium.FPDFText_GetLooseCharBox, pdfium.FS_RECTF()
    pointer = ctypes.byref(box)
    glyphs: list[Glyph] = []
    angle, fixed, space = 0.0, False, False
    last: Glyph = ("", 0.0, 0.0, 0.0, 0.0)
    text = text_page.get_text_range()
    backwards = reads_backwards(text) if RIGHT_TO_LEFT.search(text) else None  # if anything is read
    for index, code in chain(codes_of(raw), [(-1, 10)]):
        if code in (10, 13):
            if glyphs:
                yield from _line(glyphs, angle, fixed=fixed, backwards=backwards)
            glyphs, space = [], False
            continue
        character = _sign(raw, index, code) if 0xE000 <= code < 0xF900 else _character(code)
        if not character or character.isspace():
            space = space or bool(character)
            continue
        if not box_of(raw, index, pointer):
            continue
        left, bottom, right, top = box.left, box.bottom, box.right, box.top
        glyph = (character, left, bottom, right, top)
        # Nearly every character stands beside the one before; only the others need the full test.
        beside = bottom == last[2] and top == last[4] and 0 <= left - last[3] < top - bottom
        ruled = space and ruling.divides(last[3] - 1, left + 1, bottom, top)
        if glyphs and (ruled or (not beside and _is_apart(last, glyph, angle, mixed=backwards is not None))):
            yield from _line(glyphs, angle, fixed=fixed, backwards=backwards)
            glyphs, space = [], False
        last = glyph
        if not glyphs:
            angle = pdfium.FPDFText_GetCharAngle(raw, index)
            fixed = _is_fixed(raw, index)
        elif space:
            glyph = (" " + character, left, bottom, right, top)
        space = False
        glyphs.append(glyph)


def codes_of(raw: Any) -> Iterator[tuple[int, int]]:  # noqa: ANN401
    """Yield the index and the code of each character of a page's text; pairs of codes are one."""
    import pypdfium2.raw as pdfium

    code_of = pdfium.FPDFText_GetUnicode
    high = 0  # the first half of a pair
    for index in range(pdfium.FPDFText_CountChars(raw)):
        code = code_of(raw, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
        high = 0
        yield index, code


def _line(
    glyphs: Sequence[Glyph], angle: float, *, fixed: bool, backwards: bool | None
) -> Iterator[tuple[float, Run]]:
    if backwards is None or _is_vertical(angle) or _is_across(angle):
        yield angle, joined_run(glyphs, fixed=fixed, vertical=_is_vertical(angle))
    else:
        for run in runs_in_order(glyphs, fixed=fixed, backwards=backwards):
            yield angle, run


def _is_fixed(raw: Any, index: int) -> bool:  # noqa: ANN401
    font, flags = _font(raw, index)
    return bool(flags & 1 or _MONOSPACED.search(font))


def _sign(raw: Any, index: int, code: int) -> str:  # noqa: ANN401
    """Return a sign of private use as its font means it; empty if nobody knows."""
    font, _ = _font(raw, index)
    if is_symbol_font(font) and ("dings" not in font.lower() or code not in _SYMBOLS):
        return readable(chr(code), font)
    return _SYMBOLS.get(code, "")


def _font(raw: Any, index: int) -> tuple[str, int]:  # noqa: ANN401
    """Return the name and the flags of a character's font."""
    import pypdfium2.raw as pdfium

    flags = ctypes.c_int()
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(raw, index, name, len(name), ctypes.byref(flags))
    return name.value.decode("utf-8", "replace"), flags.value


def _is_vertical(angle: float) -> bool:
    return abs(math.sin(angle)) > 0.7


def _is_apart(before: Glyph, glyph: Glyph, angle: float, *, mixed: bool) -> bool:
    """Whether a character is on another line than the previous one, or far from it on the same line.

    On a ``mixed`` page, which is read in both directions, a line is cut later.
    """
    _, left, bottom, right, top = before
    _, own_left, own_bottom, own_right, own_top = glyph
    if _is_across(angle):
        size = max(right - left, top - bottom, own_right - own_left, own_top - own_bottom)
        return (
            max(abs(own_left + own_right - left - right), abs(own_top + own_bottom - top - bottom)) > 3 * size
        )
    if _is_vertical(angle):
        left, bottom, right, top = bottom, left, top, right
        own_left, own_bottom, own_right, own_top = own_bottom, own_left, own_top, own_right
    height, own = max(top - bottom, 1.0), max(own_top - own_bottom, 1.0)
    is_level = min(top, own_top) - max(bottom, own_bottom) >= 0.3 * min(height, own)
    if is_level and mixed and not _is_vertical(angle):
        return False
    return not is_level or max(own_left - right, left - own_right) > max(height, own)


@lru_cache(maxsize=4096)
def _character(code: int) -> str:
    """Return a character as text has it: ligatures and Arabic letter shapes as plain letters."""
    if code in HYPHENS:
        return "-"
    if code < 32 or code > 0x10FFFF:
        return " " if code == 9 else ""
    character = chr(code)
    if 0xFB00 <= code < 0xFE00 or 0xFE70 <= code < 0xFF00:
        return unicodedata.normalize("NFKC", character)
    return character


def _levelled(runs: list[tuple[float, Run]], notes: list[str], *, is_wide: bool) -> PdfPage:
    """Turn all text upright; the direction of most of it is the page's."""
    directions: defaultdict[int, list[Run]] = defaultdict(list)
    across: list[str] = []
    for angle, run in runs:
        if _is_across(angle):
            across.append(run.text)
        else:
            quarter = round(angle / (math.pi / 2)) % 4
            directions[quarter].append(run.turned(-quarter % 4))  # PDFium gives angles clockwise
    sizes = {quarter: sum(len(run.text) for run in found) for quarter, found in directions.items()}
    main = max(sizes, key=sizes.__getitem__, default=0)
    upright = directions.pop(main, [])
    if across:
        # On a curve, each letter has a direction of its own.
        across = ["".join(across) if median(map(len, across)) < 3 else "\n".join(across)]
    known = _squeezed("".join(run.text for run in upright))
    typed = [f"[Note: {note.strip()}]" for note in notes if _squeezed(note) not in known]
    return PdfPage(upright, tuple(directions.values()), (*across, *typed), is_wide != (main % 2 == 1))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _is_across(angle: float) -> bool:
    quarter = math.pi / 2
    return abs(angle - round(angle / quarter) * quarter) > _SKEW


_PAGE_LIMIT = 5000

_SIGNATURE = re.compile(rb"[\xef\xbb\xbf \t\r\n\x00]*+%PDF-[12]\.")
_WITHIN = 1024  # bytes; mail programs and web servers leave their own lines before the signature
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_SECURITY_ERROR = 5  # FPDF_ERR_SECURITY: an unknown encryption scheme


def is_pdf(data: bytes) -> bool:
    return _SIGNATURE.match(data) is not None


def may_be_pdf(data: bytes) -> bool:
    """Whether a file that is called a PDF has the signature of one, if not at its beginning."""
    return b"%PDF-" in data[:_WITHIN]


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
        pages = [read_page(document, index) for index in range(len(document))]
    damaged = sum(page.is_damaged for page in pages)
    text = _text_of(without_repeated_lines(pages), unread("pages", damaged, len(pages)))
    if not text.text.strip():
        raise ReaderError("documents.damaged" if damaged == len(pages) else "documents.scanned")
    return text


def _text_of(pages: Sequence[PdfPage], unread: Message | None) -> DocumentText:
    runs = [run for page in pages for part in (page.runs, *page.sideways) for run in part]
    vocabulary = DocumentWords(run.text for run in runs)
    body = body_height(runs)
    builder = TextBuilder()
    open_end = ""  # the last words of a paragraph that may go on
    for number, page in enumerate(pages, 1):
        builder.anchor("page", number)
        for block in _blocks_of(page, vocabulary, body):
            if block.kind == "code":
                builder.code(block.text)
            elif block.kind == "prose" and open_end and goes_on(open_end, block.text):
                builder.run_on(block.text)
            else:
                builder.block(block.text, tight=block.kind == "line")
            is_open = block.kind == "prose" and not block.text.endswith("-")
            open_end = block.text[-40:] if is_open else ""
    return builder.finish(unread)


def _blocks_of(page: PdfPage, vocabulary: DocumentWords, body: float) -> list[PdfBlock]:
    blocks = page_blocks(page.runs, vocabulary, body)
    beside = [block for runs in page.sideways for block in page_blocks(runs, vocabulary, body)]
    beside += [PdfBlock("line", line) for line in page.lines]
    last = blocks[-1] if blocks else PdfBlock("line", "")
    is_open = last.kind == "prose" and len(last.text) > 40 and goes_on(last.text, "a")  # on the next page
    end = len(blocks) - is_open
    return [*blocks[:end], *beside, *blocks[end:]]
