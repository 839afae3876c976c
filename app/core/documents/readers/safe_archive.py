"""Opening zip archives and XML of unknown origin without being filled up by them."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING

from app.domain.errors import UnreadableFile

if TYPE_CHECKING:
    from lxml.etree import _Element

_PARTS = 20_000
_TOTAL = 768 * 2**20  # bytes; slides with films in them are course material, they go unread
_MARKUP = 64 * 2**20  # bytes of one part that is parsed
_MARKUP_ENDINGS = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_ENTITY_SIGNS = tuple("<!ENTITY".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


class Archive:
    """A zip archive whose contents are known to fit into memory.

    Args:
        data: the file's bytes.
        name: the file's name for sentences.
        kind: what it is thought to be, such as "a Word document".

    Raises:
        UnreadableFile: it is damaged, encrypted or would unpack to too much.
    """

    def __init__(self, data: bytes, name: str, kind: str) -> None:
        self._name = name
        self._kind = kind
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
            raise self.damaged() from error
        infos = self._zip.infolist()
        if any(info.flag_bits & 1 for info in infos):
            message = f"{name} is protected by a password; save it without one and add it again."
            raise UnreadableFile(message)
        markup = [info.file_size for info in infos if info.filename.lower().endswith(_MARKUP_ENDINGS)]
        too_much = sum(info.file_size for info in infos) > _TOTAL or max(markup, default=0) > _MARKUP
        if too_much or sum(markup) > 4 * _MARKUP or len(infos) > _PARTS:
            message = f"{name} would unpack to far more than a course document holds, so it was not opened."
            raise UnreadableFile(message)
        self.names = frozenset(info.filename for info in infos)

    def damaged(self) -> UnreadableFile:
        """Return the error that says the file is damaged."""
        return UnreadableFile(f"{self._name} can not be read as {self._kind}: the file is damaged.")

    def read(self, part: str) -> bytes:
        """Return a part's bytes.

        Raises:
            UnreadableFile: it is missing or damaged.
        """
        try:
            return self._zip.read(part)
        except (KeyError, zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError) as error:
            raise self.damaged() from error
        except (EOFError, RuntimeError) as error:
            raise self.damaged() from error

    def xml(self, part: str) -> _Element:
        """Return the root of an XML part, without entities, external files or the network.

        Raises:
            UnreadableFile: it is missing or damaged, or defines entities.
        """
        # Heavy, and needed for a few formats only.
        from lxml import etree

        data = self.read(part)
        refuse_entities(data, self._name)
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            return etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self.damaged() from error

    def markup_only(self) -> bytes:
        """Return the archive with its pictures, films and fonts emptied.

        What reads the rest neither stumbles over damage in them nor holds them in memory.

        Raises:
            UnreadableFile: an XML part is damaged or defines entities.
        """
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for part in sorted(self.names):
                content = b""
                if part.lower().endswith((".xml", ".rels")):
                    content = self.read(part)
                    refuse_entities(content, self._name)
                archive.writestr(part, content)
        return out.getvalue()


def refuse_entities(data: bytes, name: str) -> None:
    """Refuse XML that defines entities: nothing of a course needs them, attacks do.

    Raises:
        UnreadableFile: it does.
    """
    if any(sign in data for sign in _ENTITY_SIGNS):
        message = f"{name} defines XML entities, as attacks do and documents do not; it was not read."
        raise UnreadableFile(message)
