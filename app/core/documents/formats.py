"""The table of the formats Lectern reads (docs/contributing.md says how to add one), and opening files."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from app.core.documents.libreoffice import CONVERTED, find_libreoffice
from app.domain.documents import AnchorKind
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name, shown_size

_PLAIN = frozenset(("text", "markdown", "rst", "org", "asciidoc", "latex", "code", "csv"))
_CODE_ENDINGS = (
    ".py", ".r", ".jl", ".m", ".java", ".kt", ".scala", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".cs",
    ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".rb", ".php", ".swift", ".hs", ".ml", ".lua", ".pl",
    ".sh", ".ps1", ".sql", ".f90", ".v", ".sv", ".vhd", ".lean", ".ex", ".exs", ".clj", ".lisp", ".scm",
    ".asm", ".s",
)  # fmt: skip


class Format(NamedTuple):
    """A format and its files; :mod:`app.core.documents.document_reader` has its reader."""

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


COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What old Office files begin with, and encrypted ones."""

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
"""Endings of course material that is recognized and refused, so that it can be listed."""
COURSE_ENDINGS = ENDINGS | UNREAD_ENDINGS | CONVERTED.keys()


def format_of_name(path: Path) -> Format | None:
    """Return the format of a file's ending, after conversion; None for endings that are not read.

    A file without an ending may have any format, which its content decides.
    """
    ending = path.suffix.lower()
    return _BY_ENDING.get(CONVERTED.get(ending, ending)) if ending else TEXT


def is_source_code(path: Path) -> bool:
    return path.suffix.lower() in _CODE_ENDINGS


def why_not_read(path: Path, size: int) -> Message | None:
    """Return why a file of this name and size is not read; None for one that is."""
    try:
        expected = expected_format(path)
    except UnreadableFile as error:
        return error.message
    return _too_large(shown_name(path), size, expected.max_bytes) if size > expected.max_bytes else None


def why_not_opened(error: OSError, name: str) -> Message:
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return Message("documents.gone", name=name)
        case PermissionError():
            return Message("documents.no_permission", name=name)
        case IsADirectoryError():
            return Message("documents.is_folder", name=name)
    reason = error.strerror or "unknown error"
    return Message("documents.cannot_be_read", name=name, reason=reason[:1].lower() + reason[1:])


def expected_format(path: Path) -> Format:
    """Return the format that a file's name promises; raise UnreadableFile if it is not read."""
    ending, name = path.suffix.lower(), shown_name(path)
    expected = format_of_name(path)
    if ending in CONVERTED and find_libreoffice() is None:
        raise UnreadableFile(Message("documents.not_convertible", ending=ending, better=CONVERTED[ending]))
    if expected is not None:
        return expected
    if ending in UNREAD_ENDINGS:
        raise UnreadableFile(Message("documents.not_yet_read", ending=ending))
    endings = ", ".join(one.endings[0] for one in FORMATS)
    raise UnreadableFile(Message("documents.unknown_ending", name=name, endings=endings))


def read_bytes(path: Path, name: str, max_bytes: int) -> bytes:
    """Read a file whole, once more if it was written to meanwhile. Raises UnreadableFile."""
    try:
        for _ in range(2):
            before = path.stat()
            # Checked before opening, since opening a pipe would wait for ever.
            if stat.S_ISDIR(before.st_mode):
                raise UnreadableFile(Message("documents.is_folder", name=name))
            if not stat.S_ISREG(before.st_mode):
                raise UnreadableFile(Message("documents.not_a_regular_file", name=name))
            if before.st_size > max_bytes:
                raise UnreadableFile(_too_large(name, before.st_size, max_bytes))
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = os.fstat(file.fileno())
            if before.st_mtime_ns == after.st_mtime_ns and before.st_size == after.st_size == len(data):
                return data
    except OSError as error:
        raise FileNotOpened(why_not_opened(error, name)) from error
    except ValueError as error:  # a NUL or an undecodable character in the path
        raise UnreadableFile(Message("documents.name_not_openable", name=name)) from error
    raise UnreadableFile(Message("documents.being_written", name=name))


def _too_large(name: str, size: int, limit: int) -> Message:
    return Message("documents.too_large", name=name, size=shown_size(size), limit=shown_size(limit))
