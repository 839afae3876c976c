"""Files to text: one function, one reader a format.

A reader takes the bytes of a file and returns its text with anchors. It touches nothing else, so
:func:`read_document` can run in a child process: what goes in and what comes out can be pickled.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from app.core.documents.encoding import NotTextError, decode
from app.core.documents.markdown_structure import heading_marks
from app.core.documents.wording import shown_name, shown_size
from app.domain.errors import UnreadableFile
from app.domain.models import DocumentText

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEFAULT_MAX_BYTES = 32 * 2**20

KNOWN_BUT_UNREAD: frozenset[str] = frozenset(
    {
        *(".pdf", ".docx", ".doc", ".odt", ".rtf", ".pages"),
        *(".pptx", ".ppt", ".odp", ".key"),
        *(".epub", ".mobi", ".azw3", ".djvu", ".ipynb"),
        *(".html", ".htm", ".xhtml", ".tex", ".rst", ".srt", ".vtt"),
    }
)
"""Endings of course material that is recognised and refused, so that it can be listed."""

# First bytes of documents that are made of text without being the text they show.
_DOCUMENT_SIGNATURES = (
    (b"%PDF-1.", "a PDF document"),
    (b"%PDF-2.", "a PDF document"),
    (b"{\\rtf1", "an RTF document"),
)
# First bytes of common files that are not text, to say what was found instead.
_BINARY_SIGNATURES = (
    (b"PK\x03\x04", "an office document or an archive"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x1f\x8b", "a compressed file"),
    (b"7z\xbc\xaf", "a compressed file"),
    (b"Rar!", "a compressed file"),
    (b"SQLite format 3", "a database"),
    (b"ID3", "a recording"),
    (b"OggS", "a recording"),
)

_SizeAndTime = tuple[int, int]


def read_document(path: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> DocumentText:
    """Read a file into text.

    The name's ending says which reader; the content says whether it is text and in which encoding.

    Args:
        path: the file.
        max_bytes: larger files are refused.

    Returns:
        The whole text, a byte-order mark dropped, newlines as LF, without NUL; for Markdown with an
        anchor at each heading.

    Raises:
        UnreadableFile: with one sentence for a person, which names the file without its folders.
    """
    reader = _reader_for(path)
    name = shown_name(path)
    data = _read_bytes(path, name, max_bytes)
    document = reader(data, name)
    if not document.text.strip("\ufeff\u200b \t\n") or document.text.isspace():
        message = f"{name} is empty."
        raise UnreadableFile(message)
    return document


def _reader_for(path: Path) -> Callable[[bytes, str], DocumentText]:
    suffix = path.suffix.lower()
    reader = _READERS.get(suffix)
    if reader is not None:
        return reader
    if suffix in KNOWN_BUT_UNREAD:
        message = f"Not yet read: {suffix}"
    elif suffix:
        message = f"{shown_name(path)} is not a kind of file that is read; .txt and .md files are."
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
        raise UnreadableFile(_sentence_for(error, name)) from error
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
    if status.st_size > max_bytes:
        message = (
            f"{name} is {shown_size(status.st_size)}, more than the {shown_size(max_bytes)} that are "
            "read from one file; split it into smaller files."
        )
        raise UnreadableFile(message)
    return _size_and_time(status)


def _size_and_time(status: os.stat_result) -> _SizeAndTime:
    return status.st_size, status.st_mtime_ns


def _sentence_for(error: OSError, name: str) -> str:
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


def _decoded(data: bytes, name: str) -> str:
    for signature, kind in _DOCUMENT_SIGNATURES:
        if data.startswith(signature):
            message = f"{name} is not text. It looks like {kind}."
            raise UnreadableFile(message)
    try:
        text = decode(data)
    except NotTextError:
        kinds = [f" It looks like {kind}." for sign, kind in _BINARY_SIGNATURES if data.startswith(sign)]
        message = f"{name} is not text." + "".join(kinds[:1])
        raise UnreadableFile(message) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


_READERS: dict[str, Callable[[bytes, str], DocumentText]] = {
    ".txt": _read_plain,
    ".text": _read_plain,
    ".md": _read_markdown,
    ".markdown": _read_markdown,
}

SUPPORTED_SUFFIXES: frozenset[str] = frozenset(_READERS)
"""Endings of files that are read, in lower case with their dot."""
