"""Files to text: one function, one reader a format.

A reader takes the bytes of a file and returns its text with anchors. It touches nothing else, so
:func:`read_document` can run in a child process: what goes in and what comes out can be pickled.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.documents.file_kinds import HEAD, Kind, decide_kind, found_kind, looks_like
from app.core.documents.readers.media.captions import read_captions
from app.core.documents.readers.office.docx import read_docx
from app.core.documents.readers.office.pptx import read_pptx
from app.core.documents.readers.pdf.reader import read_pdf
from app.core.documents.readers.text.encoding import NotTextError, decode
from app.core.documents.readers.text.notebook import read_notebook
from app.core.documents.readers.web.epub import read_epub
from app.core.documents.readers.web.html import read_html
from app.core.documents.text.display import shown_name, shown_size
from app.core.documents.text.markdown_structure import heading_marks
from app.domain.documents import DocumentText
from app.domain.errors import FileNotOpened, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEFAULT_MAX_BYTES = 32 * 2**20

MAX_CONTAINER_BYTES = 256 * 2**20
"""Of formats that hold pictures and fonts beside their text."""

KNOWN_BUT_UNREAD: frozenset[str] = frozenset(
    {
        *(".doc", ".odt", ".rtf", ".pages", ".ppt", ".odp", ".key"),
        *(".mobi", ".azw3", ".djvu", ".tex", ".rst", ".xhtml"),
    }
)
"""Endings of course material that is recognised and refused, so that it can be listed."""

_SizeAndTime = tuple[int, int]


def read_document(path: Path, *, max_bytes: int | None = None) -> DocumentText:
    """Read a file into text.

    The name's ending says which files are read at all and what one is expected to be; the content
    decides what it is. A document is read as what it is whatever it is called; a web page or plain
    text that is called a document of another kind is refused.

    Args:
        path: the file.
        max_bytes: larger files are refused; by default 32 MB of text, 256 MB of other formats.

    Returns:
        The whole text, a byte-order mark dropped, newlines as LF, without NUL, with anchors: pages,
        slides, cells, seconds, or the headings of formats that have them; and the file's sha256.

    Raises:
        UnreadableFile: with one sentence for a person, which names the file without its folders.
        FileNotOpened: it is not the file's content that is to blame.
    """
    expected = _expected_kind(path)
    name = shown_name(path)
    data = _read_bytes(path, name, _most_bytes(expected) if max_bytes is None else max_bytes)
    if not data.strip():
        message = f"{name} is empty."
        raise UnreadableFile(message)
    document = _READERS[decide_kind(data, expected, name)](data, name)
    if not document.text.strip("\ufeff\u200b \t\n") or document.text.isspace():
        message = f"{name} is empty." if expected in ("text", "markdown") else f"{name} has no text."
        raise UnreadableFile(message)
    return replace(document, sha256=hashlib.sha256(data).hexdigest())


def why_too_large(path: Path, size: int) -> str | None:
    """Return the sentence for a file of more bytes than are read of its format; None for others.

    Raises:
        UnreadableFile: its ending is none that is read.
    """
    return _too_large(shown_name(path), size, _most_bytes(_expected_kind(path)))


def _most_bytes(kind: Kind) -> int:
    return DEFAULT_MAX_BYTES if kind in _TEXT_KINDS else MAX_CONTAINER_BYTES


def _too_large(name: str, size: int, limit: int) -> str | None:
    if size <= limit:
        return None
    return (
        f"{name} is {shown_size(size)}, more than the {shown_size(limit)} that are "
        "read from one file; split it into smaller files."
    )


def is_plain_text(path: Path) -> bool:
    """Whether a file is read without a parser that a crafted file could lead astray.

    A file that can not be looked at counts as plain: reading it says why.
    """
    if _KINDS.get(path.suffix.lower()) not in ("text", "markdown"):
        return path.suffix.lower() not in SUPPORTED_SUFFIXES
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return True
        with path.open("rb") as file:
            return found_kind(file.read(HEAD)) in (None, "captions")
    except (OSError, ValueError):
        return True


def _expected_kind(path: Path) -> Kind:
    suffix = path.suffix.lower()
    kind = _KINDS.get(suffix)
    if kind is not None:
        return kind
    if suffix in KNOWN_BUT_UNREAD:
        message = f"Not yet read: {suffix}"
    elif suffix:
        message = (
            f"{shown_name(path)} is not a kind of file that is read; text, Markdown, web pages, PDF, "
            "Word, PowerPoint, EPUB, notebooks and captions are."
        )
    else:
        message = f"{shown_name(path)} has no ending such as .txt or .md that says what it is."
    raise UnreadableFile(message)


def _read_bytes(path: Path, name: str, max_bytes: int) -> bytes:
    """Read the file whole, once more if it was written to meanwhile."""
    try:
        for _ in range(2):
            before = _regular_file(path, name, max_bytes)
            with path.open("rb") as file:
                data = file.read(max_bytes + 1)
                after = _size_and_time(os.fstat(file.fileno()))
            if before == after and len(data) == after[0]:
                return data
    except OSError as error:
        raise FileNotOpened(why_not_opened(error, name)) from error
    except ValueError as error:  # a NUL or an undecodable character in the path
        message = f"{name} has a name that can not be opened here; rename it."
        raise UnreadableFile(message) from error
    message = f"{name} is being written to; add it again when that is done."
    raise UnreadableFile(message)


def _regular_file(path: Path, name: str, max_bytes: int) -> _SizeAndTime:
    """Check before opening: opening a pipe would wait for ever."""
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        message = f"{name} is a folder, not a file."
        raise UnreadableFile(message)
    if not stat.S_ISREG(status.st_mode):
        message = f"{name} is not an ordinary file."
        raise UnreadableFile(message)
    reason = _too_large(name, status.st_size, max_bytes)
    if reason is not None:
        raise UnreadableFile(reason)
    return _size_and_time(status)


def _size_and_time(status: os.stat_result) -> _SizeAndTime:
    return status.st_size, status.st_mtime_ns


def why_not_opened(error: OSError, name: str) -> str:
    """Return the sentence for what the system says about a file."""
    if isinstance(error, FileNotFoundError):
        return f"{name} is no longer there."
    if isinstance(error, NotADirectoryError):
        return f"{name} is no longer there: a folder on the way to it is gone."
    if isinstance(error, PermissionError):
        return f"{name} can not be opened: you have no permission to read it."
    if isinstance(error, IsADirectoryError):
        return f"{name} is a folder, not a file."
    if error.errno == errno.ELOOP:
        return f"{name} is a link that leads to itself."
    if error.errno == errno.ENAMETOOLONG:
        return f"{name} has a name too long to be opened; rename it."
    reason = error.strerror or type(error).__name__
    return f"{name} can not be read: {reason[:1].lower()}{reason[1:]}."


def _read_plain(data: bytes, name: str) -> DocumentText:
    return DocumentText(_decoded(data, name))


def _read_markdown(data: bytes, name: str) -> DocumentText:
    text = _decoded(data, name)
    return DocumentText(text, heading_marks(text))


def _read_captions(data: bytes, name: str) -> DocumentText:
    return read_captions(_decoded(data, name), name)


def _read_notebook(data: bytes, name: str) -> DocumentText:
    return read_notebook(_decoded(data, name), name)


def _read_html(data: bytes, name: str) -> DocumentText:
    try:
        return read_html(data, name)
    except NotTextError:
        message = f"{name} is not text.{looks_like(data)}"
        raise UnreadableFile(message) from None


def _decoded(data: bytes, name: str) -> str:
    try:
        text = decode(data)
    except NotTextError:
        message = f"{name} is not text.{looks_like(data)}"
        raise UnreadableFile(message) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


_READERS: dict[Kind, Callable[[bytes, str], DocumentText]] = {
    "text": _read_plain,
    "markdown": _read_markdown,
    "html": _read_html,
    "captions": _read_captions,
    "notebook": _read_notebook,
    "pdf": read_pdf,
    "docx": read_docx,
    "pptx": read_pptx,
    "epub": read_epub,
}
_TEXT_KINDS: frozenset[Kind] = frozenset({"text", "markdown", "html", "captions"})

_KINDS: dict[str, Kind] = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".srt": "captions",
    ".vtt": "captions",
    ".ipynb": "notebook",
    ".pdf": "pdf",
    ".docx": "docx",
    ".pptx": "pptx",
    ".epub": "epub",
}

SUPPORTED_SUFFIXES: frozenset[str] = frozenset(_KINDS)
"""Endings of files that are read, in lower case with their dot."""
