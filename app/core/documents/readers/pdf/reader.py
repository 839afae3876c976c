"""PDF documents to text: pages in reading order, without what repeats on every page."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.blocks import DocumentWords, PdfBlock, goes_on, page_blocks
from app.core.documents.readers.pdf.page_runs import read_page
from app.core.documents.readers.pdf.running_lines import body_height, without_repeated_lines
from app.core.documents.readers.text_builder import TextBuilder, unread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.documents.readers.pdf.page_runs import PdfPage
    from app.domain.documents import DocumentText
    from app.domain.messages import Message

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
