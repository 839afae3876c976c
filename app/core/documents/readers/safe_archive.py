"""Zip archives and XML of unknown origin, opened so that they cannot fill up memory."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = 20_000
_TOTAL = 768 * 2**20  # bytes; slides with films in them are course material, the films go unread
_MARKUP = 64 * 2**20  # bytes of one part that is parsed
_MARKUP_ENDINGS = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_ENTITY_SIGNS = tuple("<!ENTITY".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def is_archive_with(data: bytes, part: str, begins: bytes = b"") -> bool:
    """Whether data is a zip archive with a part, and that part begins in some way."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if part not in archive.NameToInfo:
                return False
            if not begins:
                return True
            with archive.open(part) as file:
                return file.read(len(begins)) == begins
    except (zipfile.BadZipFile, zlib.error, ValueError, OSError, RuntimeError, EOFError):
        return False


class Archive:
    """A zip archive that fits into memory; ReaderError if it is encrypted or would unpack to too much."""

    def __init__(self, data: bytes) -> None:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = archive.infolist()
        if any(info.flag_bits & 1 for info in infos):
            raise ReaderError("documents.password")
        markup = [info.file_size for info in infos if info.filename.lower().endswith(_MARKUP_ENDINGS)]
        too_much = sum(info.file_size for info in infos) > _TOTAL or max(markup, default=0) > _MARKUP
        if too_much or sum(markup) > 4 * _MARKUP or len(infos) > _PARTS:
            raise ReaderError("documents.unpacks_too_large")
        self.names = frozenset(info.filename for info in infos)
        self.read = archive.read
        self._sizes = {info.filename: info.file_size for info in infos}

    def size(self, part: str) -> int:
        return self._sizes[part]

    def xml(self, part: str) -> _Element:
        """Return the root of an XML part, read without entities, external files or the network."""
        return parse_xml(self._markup(part))

    def markup_only(self) -> io.BytesIO:
        """Return the archive with pictures, films and fonts emptied: their damage and size do not matter."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for part in sorted(self.names):
                is_markup = part.lower().endswith((".xml", ".rels"))
                archive.writestr(part, self._markup(part) if is_markup else b"")
        return out

    def _markup(self, part: str) -> bytes:
        data = self.read(part)
        if any(sign in data for sign in _ENTITY_SIGNS):  # no course needs them, attacks do
            raise ReaderError("documents.defines_entities")
        return data


def parse_xml(data: bytes) -> _Element:
    from lxml import etree  # heavy, and needed for a few formats only

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
