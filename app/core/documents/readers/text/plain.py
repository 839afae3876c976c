"""Plain text and Markdown, which are read as they stand."""

from __future__ import annotations

from app.core.documents.readers.text.encoding import decode
from app.core.documents.text.markdown_structure import heading_marks
from app.domain.documents import DocumentText

_HEAD = 4096


def decoded(data: bytes) -> str:
    """Return a file's text with LF as newline; raise ReaderError if it has none."""
    return decode(data).replace("\r\n", "\n").replace("\r", "\n")


def head(data: bytes) -> str:
    """Return a file's first characters, good enough to look for signs that are ASCII in every encoding."""
    return data[:_HEAD].decode("latin-1").replace("\x00", "").lstrip("\xff\xfe\xef\xbb\xbf")


def read_text(data: bytes) -> DocumentText:
    return DocumentText(decoded(data))


def read_markdown(data: bytes) -> DocumentText:
    """Read Markdown; each heading with the path that leads to it is an anchor."""
    text = decoded(data)
    return DocumentText(text, heading_marks(text))
