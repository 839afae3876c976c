"""What a file is by its content, whatever it is called."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Literal

from app.core.documents.readers.media.captions import is_captions
from app.domain.errors import UnreadableFile

Kind = Literal["text", "markdown", "html", "captions", "notebook", "pdf", "docx", "pptx", "epub"]

HEAD = 4096
"""Bytes at a file's beginning that tell what it is."""

_NAMES: dict[Kind, str] = {
    "html": "a web page",
    "captions": "a caption file",
    "notebook": "a notebook",
    "pdf": "a PDF document",
    "docx": "a Word document",
    "pptx": "a presentation",
    "epub": "an EPUB book",
}
_DOCUMENTS = frozenset({"pdf", "docx", "pptx", "epub"})
_ZIP = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_PDF = re.compile(rb"%PDF-[12]\.")
_WEB_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL
)
# First bytes of common files that are not text, to say what was found instead.
_SIGNATURES = (
    (_ZIP, "an office document or an archive"),
    (b"PK\x05\x06", "an empty archive"),
    (_COMPOUND[:4], "an old office document"),
    (b"{\\rtf1", "an RTF document"),
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


def found_kind(data: bytes) -> Kind | Literal["zip", "compound", "rtf"] | None:
    """Return what a file's first bytes say it is; None where only its text could tell."""
    head = data[:HEAD]
    if _PDF.match(head.lstrip(b"\xef\xbb\xbf \t\r\n\x00")):
        return "pdf"
    if head.startswith(_ZIP):
        return _kind_of_zip(data)
    if head.startswith(_COMPOUND):
        return "compound"
    if head.startswith(b"{\\rtf1"):
        return "rtf"
    text = _text_of(head)
    if _WEB_PAGE.match(text):
        return "html"
    return "captions" if is_captions(text) else None


def decide_kind(data: bytes, expected: Kind, name: str) -> Kind:
    """Return what to read a file as.

    Args:
        data: the file's bytes.
        expected: what its name says it is.
        name: the file's name for sentences.

    Raises:
        UnreadableFile: it is nothing that can be read, or not what it says it is.
    """
    found = found_kind(data)
    if found == "compound" and expected in _DOCUMENTS and _ENCRYPTED in data:
        message = f"{name} is protected by a password; save it without one and add it again."
        raise UnreadableFile(message)
    if found in ("pdf", "docx", "pptx", "epub"):
        return found
    if found == "rtf":
        message = f"{name} is not text. It looks like an RTF document."
        raise UnreadableFile(message)
    if expected in _DOCUMENTS or (expected == "notebook" and data.lstrip()[:1] != b"{"):
        shown = f" It looks like {_NAMES[found]}." if found in ("html", "captions") else looks_like(data)
        message = f"{name} is not {_NAMES[expected]}.{shown}"
        raise UnreadableFile(message)
    if found == "html" and expected != "notebook":
        return "html"
    if found == "captions" and expected == "text":
        return "captions"
    if expected == "captions" and found != "captions" and "-->" not in _text_of(data):
        return "text"
    if expected == "html" and not re.search(r"<[A-Za-z!/]", _text_of(data)):
        return "text"
    return expected


def looks_like(data: bytes) -> str:
    """Return a sentence, with a space before it, that says what a file looks like; empty if unknown."""
    kinds = [kind for signature, kind in _SIGNATURES if data.startswith(signature)]
    return f" It looks like {kinds[0]}." if kinds else ""


def _text_of(data: bytes) -> str:
    """Return bytes as text, good enough to look for signs that are ASCII in every encoding."""
    return data.decode("latin-1").replace("\x00", "").lstrip("\xff\xfe\xef\xbb\xbf")


def _kind_of_zip(data: bytes) -> Kind | Literal["zip"]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = frozenset(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
        names = frozenset()
    if "word/document.xml" in names:
        return "docx"
    if "ppt/presentation.xml" in names:
        return "pptx"
    if "META-INF/container.xml" in names:
        return "epub"
    return "zip"
