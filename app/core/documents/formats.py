"""The table of the formats Lectern reads; docs/contributing.md says how to add one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.core.documents.images import is_picture, read_picture
from app.core.documents.libreoffice import CONVERTED
from app.core.documents.readers import ReaderError
from app.core.documents.readers.captions import has_times, is_captions, read_captions
from app.core.documents.readers.epub import read_epub
from app.core.documents.readers.html import has_tags, is_html, read_html
from app.core.documents.readers.latex import read_latex
from app.core.documents.readers.line_markup import read_asciidoc, read_org
from app.core.documents.readers.markdown import read_markdown
from app.core.documents.readers.notebook import read_notebook
from app.core.documents.readers.office.docx import read_docx, read_rtf
from app.core.documents.readers.office.opendocument import is_opendocument, read_odp, read_odt
from app.core.documents.readers.office.pptx import read_pptx
from app.core.documents.readers.office.spreadsheet import is_workbook, read_csv, read_spreadsheet
from app.core.documents.readers.pdf.reader import is_pdf, may_be_pdf, read_pdf
from app.core.documents.readers.plain import read_text
from app.core.documents.readers.rst import read_rst
from app.core.documents.readers.safe_archive import is_archive_with
from app.core.documents.readers.source_code import read_source_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.documents import AnchorKind, DocumentText


_PLAIN = frozenset(("text", "markdown", "rst", "org", "asciidoc", "latex", "code", "csv"))
_CODE_ENDINGS = (
    ".py", ".r", ".jl", ".m", ".java", ".kt", ".scala", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cs",
    ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".rb", ".php", ".swift", ".hs", ".ml", ".lua", ".pl",
    ".sh", ".ps1", ".sql", ".f90", ".v", ".sv", ".vhd", ".lean", ".ex", ".exs", ".clj", ".lisp", ".scm",
    ".asm", ".s",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A format: which files are of it, and what reads them."""

    kind: str
    endings: tuple[str, ...]  # in lower case with their dot, the usual one first
    label: str  # in sentences: "the … file"
    read: Callable[[bytes], DocumentText]  # raises ReaderError
    anchor: AnchorKind | None = None  # the kind of its anchors
    is_it: Callable[[bytes], bool] = lambda _: False  # by the bytes alone
    replaces: tuple[str, ...] | None = None  # kinds whose endings count less than that; None for all
    accepts: Callable[[bytes], bool] = lambda _: False  # whether a file with one of the endings may be one

    @property
    def is_plain(self) -> bool:
        return self.kind in _PLAIN

    @property
    def or_text(self) -> bool:
        """Whether a file with one of the endings that is not accepted is read as text."""
        return bool(self.replaces)

    @property
    def max_bytes(self) -> int:
        """Larger files are refused; formats other than text hold pictures and fonts beside it."""
        return 32 * 2**20 if self.is_plain or self.or_text else 256 * 2**20


PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif")
_COMPOUND = b"\xd0\xcf\x11\xe0"  # of old Office documents


def _any(_: bytes) -> bool:
    return True


TEXT = Format("text", (".txt", ".text"), "text", read_text, accepts=_any)

FORMATS = (
    TEXT,
    Format(
        "markdown",
        (".md", ".markdown", ".mdx", ".qmd", ".rmd"),
        "Markdown",
        read_markdown,
        "heading",
        accepts=_any,
    ),
    Format("rst", (".rst", ".rest"), "reStructuredText", read_rst, "heading", accepts=_any),
    Format("org", (".org",), "Org", read_org, "heading", accepts=_any),
    Format(*("asciidoc", (".adoc", ".asciidoc"), "AsciiDoc", read_asciidoc, "heading"), accepts=_any),
    Format(*("latex", (".tex", ".ltx"), "LaTeX", read_latex, "heading"), accepts=_any),
    Format(*("code", _CODE_ENDINGS, "source code", read_source_code, "heading"), accepts=_any),
    Format(
        "html",
        (".html", ".htm"),
        "HTML",
        read_html,
        "heading",
        is_html,
        replaces=("text", "markdown", "captions"),
        accepts=has_tags,
    ),
    Format(
        "captions",
        (".srt", ".vtt", ".sbv", ".ass", ".ssa"),
        "caption",
        read_captions,
        "seconds",
        is_captions,
        replaces=("text",),
        accepts=has_times,
    ),
    Format(
        "notebook",
        (".ipynb",),
        "notebook",
        read_notebook,
        "cell",
        accepts=lambda data: data.lstrip().startswith(b"{"),
    ),
    Format("rtf", (".rtf",), "RTF", read_rtf, None, lambda data: data.lstrip().startswith(b"{\\rtf")),
    Format("pdf", (".pdf",), "PDF", read_pdf, "page", is_pdf, accepts=may_be_pdf),
    Format(
        "docx", (".docx",), "Word", read_docx, "heading", partial(is_archive_with, part="word/document.xml")
    ),
    Format(
        "pptx",
        (".pptx", ".ppsx", ".pptm"),
        "PowerPoint",
        read_pptx,
        "slide",
        partial(is_archive_with, part="ppt/presentation.xml"),
    ),
    Format("odt", (".odt",), "OpenDocument", read_odt, "heading", partial(is_opendocument, kind="text")),
    Format(
        "odp", (".odp",), "OpenDocument", read_odp, "slide", partial(is_opendocument, kind="presentation")
    ),
    Format(
        "spreadsheet",
        (".xlsx", ".xlsm", ".xls", ".ods"),
        "spreadsheet",
        read_spreadsheet,
        "heading",
        is_workbook,
        accepts=lambda data: data.startswith(_COMPOUND),
    ),
    Format("picture", PICTURE_ENDINGS, "picture", read_picture, "scan", accepts=is_picture),
    Format("csv", (".csv", ".tsv"), "table", read_csv, accepts=_any),
    Format(
        "epub",
        (".epub",),
        "EPUB",
        read_epub,
        "heading",
        partial(is_archive_with, part="META-INF/container.xml"),
    ),
)

_BY_ENDING = {ending: one for one in FORMATS for ending in one.endings}

ENDINGS = frozenset(_BY_ENDING)  # of files that are read, in lower case with their dot
UNREAD_ENDINGS = frozenset((".pages", ".key", ".mobi", ".azw3", ".djvu", ".xhtml"))
"""Endings of course material that is recognised and refused, so that it can be listed."""
COURSE_ENDINGS = ENDINGS | UNREAD_ENDINGS | CONVERTED.keys()


def format_of_name(path: Path) -> Format | None:
    """Return the format that a file's ending promises, once converted; None for endings that are not read.

    A file without an ending may be of any format, which its content tells.
    """
    ending = path.suffix.lower()
    return _BY_ENDING.get(CONVERTED.get(ending, ending)) if ending else TEXT


def format_of_content(data: bytes, expected: Format) -> Format:
    """Return the format to read a file as, by its content first; raise ReaderError if there is none."""
    for one in FORMATS:
        counts = one is expected or one.replaces is None or expected.kind in one.replaces
        if counts and one.is_it(data):
            return one
    if expected.accepts(data):
        return expected
    if expected.or_text:
        return TEXT
    raise ReaderError("documents.wrong_format")


def is_source_code(path: Path) -> bool:
    return path.suffix.lower() in _CODE_ENDINGS
