"""Reads files as text: finds the format by name and content, and calls its reader.

A reader takes bytes and touches nothing else, so that :func:`read_document` can run in a child process. Only
children import this module, which imports all readers.
"""

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.formats import COMPOUND, FORMATS, TEXT, Format, expected_format, read_bytes
from app.core.documents.images import is_picture, read_picture
from app.core.documents.readers import ReaderError
from app.core.documents.readers.captions import has_times, is_captions, read_captions
from app.core.documents.readers.epub import read_epub
from app.core.documents.readers.html import has_tags, is_html, read_html
from app.core.documents.readers.latex import read_latex
from app.core.documents.readers.line_markup import read_asciidoc, read_org, read_rst
from app.core.documents.readers.markdown import is_pluto, read_markdown, read_notebook
from app.core.documents.readers.office.docx import read_docx, read_rtf
from app.core.documents.readers.office.opendocument import is_opendocument, read_odp, read_odt
from app.core.documents.readers.office.pptx import read_pptx
from app.core.documents.readers.office.spreadsheet import is_workbook, read_csv, read_spreadsheet
from app.core.documents.readers.pdf.reader import is_pdf, may_be_pdf, read_pdf
from app.core.documents.readers.plain import read_text
from app.core.documents.readers.safe_archive import is_archive_with
from app.core.documents.readers.source_code import read_source_code
from app.core.documents.text.passages import document_sentences
from app.domain.documents import DocumentText
from app.domain.errors import UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name

_SENTENCES = 500_000  # more than 32 MB of prose has; all are in memory while a document is stored
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

_log = logging.getLogger(__name__)


def _any(_: bytes) -> bool:
    return True


def _none(_: bytes) -> bool:
    return False


class Reader(NamedTuple):
    """Reads files of a format; raises ReaderError."""

    read: Callable[[bytes], DocumentText]
    is_it: Callable[[bytes], bool] = _none  # by the bytes alone
    accepts: Callable[[bytes], bool] = _none  # whether a file with one of the format's endings may be one


_READERS = {
    "text": Reader(read_text, accepts=_any),
    "markdown": Reader(read_markdown, accepts=_any),
    "rst": Reader(read_rst, accepts=_any),
    "org": Reader(read_org, accepts=_any),
    "asciidoc": Reader(read_asciidoc, accepts=_any),
    "latex": Reader(read_latex, accepts=_any),
    "code": Reader(read_source_code, accepts=_any),
    "html": Reader(read_html, is_html, has_tags),
    "captions": Reader(read_captions, is_captions, has_times),
    "notebook": Reader(read_notebook, is_pluto, lambda data: data.lstrip().startswith(b"{")),
    "rtf": Reader(read_rtf, lambda data: data.lstrip().startswith(b"{\\rtf")),
    "pdf": Reader(read_pdf, is_pdf, may_be_pdf),
    "docx": Reader(read_docx, partial(is_archive_with, part="word/document.xml")),
    "pptx": Reader(read_pptx, partial(is_archive_with, part="ppt/presentation.xml")),
    "odt": Reader(read_odt, partial(is_opendocument, kind="text")),
    "odp": Reader(read_odp, partial(is_opendocument, kind="presentation")),
    "spreadsheet": Reader(read_spreadsheet, is_workbook, lambda data: data.startswith(COMPOUND[:4])),
    "picture": Reader(read_picture, accepts=is_picture),
    "csv": Reader(read_csv, accepts=_any),
    "epub": Reader(read_epub, partial(is_archive_with, part="META-INF/container.xml")),
}
"""By the kind of a format, in the order of their table."""


def read_document(path: Path) -> DocumentText:
    """Read a file's whole text, newlines as LF, without byte-order mark and NUL, with its anchors.

    The name's ending says which files are read at all and what one is expected to be; the content decides
    what it is. A document is read as what it is, whatever its name; a web page or plain text with the name of
    another format is refused.

    Raises:
        UnreadableFile: with one sentence for a person, which names the file without its folders.
        FileNotOpened: it is not the file's content that is to blame.
    """
    found = expected = expected_format(path)
    name = shown_name(path)
    data = read_bytes(path, name, expected.max_bytes)
    try:
        if not data.strip():
            raise ReaderError("documents.empty")
        if data.startswith(COMPOUND) and _ENCRYPTED in data:
            raise ReaderError("documents.password")
        found = format_of_content(data, expected)
        document = _READERS[found.kind].read(data)
        if not document.text.strip("\ufeff\u200b \t\n") or document.text.isspace():
            raise ReaderError("documents.empty" if expected.is_plain else "documents.no_text")
        if len(document.text) > 2 * _SENTENCES:  # each has a character and what sets it apart
            parsed = DocumentProcessor().parse(document, name)
            # Lessons count as well: a line that begins one need not be part of any sentence.
            count = len(document_sentences(parsed)) + len(parsed.lessons)
            if count > _SENTENCES:
                raise ReaderError("documents.too_many_sentences", count=count, limit=_SENTENCES)
    except ReaderError as error:
        raise UnreadableFile(_refusal(error, data, name, found.label)) from error
    except MemoryError:
        raise
    except RecursionError as error:
        raise UnreadableFile(Message("documents.nested_too_deep", name=name)) from error
    except Exception as error:  # what a parser raises for damaged files has no limits
        _log.info("Reading %s failed", name, exc_info=True)
        raise UnreadableFile(Message("documents.damaged", name=name, format=found.label)) from error
    return replace(document, sha256=hashlib.sha256(data).hexdigest())


def read_content(data: bytes, expected: Format) -> DocumentText:
    """Read a file's content as what it is; whatever a parser raises for damaged files may come out."""
    return _READERS[format_of_content(data, expected).kind].read(data)


def format_of_content(data: bytes, expected: Format) -> Format:
    """Return the format to read a file as, by its content first; raise ReaderError if there is none."""
    for one in FORMATS:
        counts = one is expected or one.replaces is None or expected.kind in one.replaces
        if counts and _READERS[one.kind].is_it(data):
            return one
    if _READERS[expected.kind].accepts(data):
        return expected
    if expected.or_text:
        return TEXT
    raise ReaderError("documents.wrong_format")


def _refusal(error: ReaderError, data: bytes, name: str, label: str) -> Message:
    is_page = error.reason == "documents.wrong_format" and is_html(data)  # such as one to log in at
    reason = "documents.web_page" if is_page else error.reason
    return Message(reason, **{"name": name, "format": label, **error.arguments})
