"""The table of the formats Lectern reads; docs/contributing.md says how to add one."""

from dataclasses import dataclass
from pathlib import Path

from app.core.documents.libreoffice import CONVERTED
from app.domain.documents import AnchorKind

_PLAIN = frozenset(("text", "markdown", "rst", "org", "asciidoc", "latex", "code", "csv"))
_CODE_ENDINGS = (
    ".py", ".r", ".jl", ".m", ".java", ".kt", ".scala", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cs",
    ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".rb", ".php", ".swift", ".hs", ".ml", ".lua", ".pl",
    ".sh", ".ps1", ".sql", ".f90", ".v", ".sv", ".vhd", ".lean", ".ex", ".exs", ".clj", ".lisp", ".scm",
    ".asm", ".s",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Format:
    """A format, and which files are of it; :mod:`app.core.documents.document_reader` says what reads them."""

    kind: str
    endings: tuple[str, ...]  # in lower case with their dot, the usual one first
    label: str  # in sentences: "the … file"
    anchor: AnchorKind | None = None  # the kind of its anchors
    replaces: tuple[str, ...] | None = None  # kinds whose endings count less than its signs; None for all

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

TEXT = Format("text", (".txt", ".text"), "text")

FORMATS = (
    TEXT,
    Format("markdown", (".md", ".markdown", ".mdx", ".qmd", ".rmd"), "Markdown", "heading"),
    Format("rst", (".rst", ".rest"), "reStructuredText", "heading"),
    Format("org", (".org",), "Org", "heading"),
    Format("asciidoc", (".adoc", ".asciidoc"), "AsciiDoc", "heading"),
    Format("latex", (".tex", ".ltx"), "LaTeX", "heading"),
    Format("code", _CODE_ENDINGS, "source code", "heading"),
    Format("html", (".html", ".htm"), "HTML", "heading", ("text", "markdown", "captions")),
    Format("captions", (".srt", ".vtt", ".sbv", ".ass", ".ssa"), "caption", "seconds", ("text",)),
    Format("notebook", (".ipynb",), "notebook", "cell"),
    Format("rtf", (".rtf",), "RTF"),
    Format("pdf", (".pdf",), "PDF", "page"),
    Format("docx", (".docx",), "Word", "heading"),
    Format("pptx", (".pptx", ".ppsx", ".pptm"), "PowerPoint", "slide"),
    Format("odt", (".odt",), "OpenDocument", "heading"),
    Format("odp", (".odp",), "OpenDocument", "slide"),
    Format("spreadsheet", (".xlsx", ".xlsm", ".xls", ".ods"), "spreadsheet", "heading"),
    Format("picture", PICTURE_ENDINGS, "picture", "scan"),
    Format("csv", (".csv", ".tsv"), "table"),
    Format("epub", (".epub",), "EPUB", "heading"),
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


def is_source_code(path: Path) -> bool:
    return path.suffix.lower() in _CODE_ENDINGS
