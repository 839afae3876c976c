"""Files to text: opens a file, finds its format by name and content, and has its reader make the text.

A reader takes bytes and touches nothing else, so that :func:`read_document` can run in a child process.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.formats import FORMATS, UNREAD_ENDINGS, Format, format_of_content, format_of_name
from app.core.documents.libreoffice import CONVERTED, find_libreoffice
from app.core.documents.readers import ReaderError
from app.core.documents.readers.captions import is_captions
from app.core.documents.readers.html import is_html
from app.core.documents.text.passages import document_sentences
from app.domain.errors import FileNotOpened, UnreadableFile
from app.domain.messages import Message
from app.domain.plain_text import shown_name, shown_size

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.documents import DocumentText

_SENTENCES = 500_000  # more than 32 MB of prose has; all are in memory while a document is stored
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# First bytes of common files that are not text, to say what was found instead.
_SIGNATURES = (
    ("archive", b"PK\x03\x04"),
    ("empty_archive", b"PK\x05\x06"),
    ("old_office", COMPOUND[:4]),
    ("picture", (b"\x89PNG", b"\xff\xd8\xff", b"GIF8")),
    ("compressed", (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")),
    ("database", b"SQLite format 3"),
    ("recording", (b"ID3", b"OggS")),
)

_log = logging.getLogger(__name__)


def read_document(path: Path) -> DocumentText:
    """Read a file's whole text, newlines as LF, without byte-order mark and NUL, with its anchors.

    The name's ending says which files are read at all and what one is expected to be; the content decides
    what it is. A document is read as what it is whatever it is called; a web page or plain text that is
    called a document of another format is refused.

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
        document = found.read(data)
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


def why_not_read(path: Path, size: int) -> Message | None:
    """Return why a file of this name and size is not read; None for one that is."""
    try:
        expected = expected_format(path)
    except UnreadableFile as error:
        return error.message
    return _too_large(shown_name(path), size, expected.max_bytes) if size > expected.max_bytes else None


def why_not_opened(error: OSError, name: str) -> Message:
    match error:
        case FileNotFoundError():
            return Message("documents.gone", name=name)
        case NotADirectoryError():
            return Message("documents.folder_gone", name=name)
        case PermissionError():
            return Message("documents.no_permission", name=name)
        case IsADirectoryError():
            return Message("documents.is_folder", name=name)
        case OSError(errno=errno.ELOOP):
            return Message("documents.link_to_itself", name=name)
        case OSError(errno=errno.ENAMETOOLONG):
            return Message("documents.name_too_long", name=name)
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


def _refusal(error: ReaderError, data: bytes, name: str, label: str) -> Message:
    arguments = {"name": name, "format": label, **error.arguments}
    if error.reason in ("documents.not_text", "documents.wrong_format") and (found := _looks_like(data)):
        return Message(f"{error.reason}_but", found=Message(f"documents.looks_like_{found}"), **arguments)
    return Message(error.reason, **arguments)


def _looks_like(data: bytes) -> str:
    """Return what a file looks like, as its message's id ends; empty if unknown."""
    if is_html(data):
        return "web_page"
    if is_captions(data):
        return "captions"
    return next((kind for kind, signs in _SIGNATURES if data.startswith(signs)), "")
