"""Finds and decodes the pictures of a file; imported in the child process that does so alone.

A picture is a part of its file, embedded in its text, or a file in the folder that somebody has chosen;
nothing is fetched from elsewhere.
"""

import base64
import binascii
import hashlib
import zipfile
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from app.core.documents.document_reader import read_content
from app.core.documents.formats import expected_format, read_bytes
from app.core.documents.images import as_png, decoded, frame_sizes, is_svg, size_of
from app.core.documents.readers import ReaderError
from app.core.documents.readers.safe_archive import Archive
from app.core.documents.readers.text_builder import (
    PART,
    SIGN,
    Crop,
    FoundPicture,
    signs_for_pictures,
    without_signs,
)
from app.domain.documents import DocumentText
from app.domain.errors import UnreadableFile

_MOST_BYTES = 32 * 2**20  # of a picture
_MOST_DECODED = 50_000_000  # pixels
_MOST_SHOWN = 8_000_000
_SMALLEST = 24  # pixels of the longer side; what is smaller is an ornament
_LONGEST_ALT = 300
_BESIDE = (40, 12)  # characters by which a place is known again


@lru_cache(maxsize=4)  # since sources may come from several files in turn
def pictures_of(path: str, sha256: str, root: str) -> "DocumentPictures":
    """Return the pictures of a file whose bytes must have a digest; raises ReaderError or UnreadableFile."""
    return DocumentPictures(Path(path), sha256, Path(root))


class DocumentPictures:
    """The pictures of a file. Raises ReaderError or UnreadableFile where they cannot be read."""

    def __init__(self, path: Path, sha256: str, root: Path) -> None:
        self._path, self._root = path, root
        expected = expected_format(path)
        self._data = read_bytes(path, path.name, expected.max_bytes)
        if hashlib.sha256(self._data).hexdigest() != sha256:
            raise ReaderError
        try:
            with signs_for_pictures() as self._found:
                self._document = read_content(self._data, expected)
        except (ReaderError, MemoryError):
            raise
        except Exception as error:  # what a parser raises for damaged files has no limits
            raise ReaderError from error

    def within(self, text: str, start: int) -> Iterator[tuple[int, int, int, int, str, int | None]]:
        """Yield number, position, size, description and slide of each picture in a part of the text."""
        for n, position, slide in _places(self._document, text, start):
            if n < len(self._found):
                try:
                    width, height = self._size(self._found[n])
                except (ReaderError, UnreadableFile):
                    continue
                if max(width, height) >= _SMALLEST:
                    yield n, position, width, height, self._found[n].alt[:_LONGEST_ALT], slide

    def drawn(self, n: int, width: int, height: int) -> bytes:
        if not 0 < width * height <= _MOST_SHOWN:
            raise ReaderError
        found = self._found[n]
        data = self._bytes(found.source)
        full = _size_of(data)
        left, _, right, _ = _box(full, found.crop)
        scale = width / (right - left)
        if is_svg(data):
            data = as_png(data, max(round(full[0] * scale), 1), max(round(full[1] * scale), 1))
        image = decoded(data, max(round(max(full) * scale), 1))
        return image.resize((width, height), box=_box(image.size, found.crop)).convert("RGBA").tobytes()

    def _size(self, found: FoundPicture) -> tuple[int, int]:
        full = _size_of(self._bytes(found.source))
        if full[0] * full[1] > _MOST_DECODED:
            raise ReaderError
        left, top, right, bottom = _box(full, found.crop)
        width, height = right - left, bottom - top
        scale = found.width / width if found.width else 1
        return max(round(width * scale), 1), max(round(height * scale), 1)

    def _bytes(self, source: str) -> bytes:
        if source.startswith(PART):
            return self._part(source.removeprefix(PART))
        if source.startswith("data:"):
            kind, _, data = source[5:].partition(",")
            try:
                return base64.b64decode(unquote(data)) if kind.endswith(";base64") else unquote_to_bytes(data)
            except binascii.Error as error:
                raise ReaderError from error
        return self._neighbour(source)

    def _part(self, name: str) -> bytes:
        try:
            archive = Archive(self._data)
            if name not in archive.names or archive.size(name) > _MOST_BYTES:
                raise ReaderError
            return archive.read(name)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as error:
            raise ReaderError from error

    def _neighbour(self, target: str) -> bytes:
        """Return the content of a file that a link leads to, if it lies in the chosen folder."""
        try:
            link = urlsplit(target.strip().removeprefix("<").removesuffix(">").replace("\\", "/"))
            if link.scheme or link.netloc:
                raise ReaderError
            # Once more: two of them would lead Windows to a server, before anything is read.
            path = unquote(link.path).replace("\\", "/")
            folder = self._root if path.startswith("/") else self._path.parent
            file = (folder / path.lstrip("/")).resolve()
        except (ValueError, RuntimeError) as error:  # no address, or links in a circle
            raise ReaderError from error
        if not file.is_relative_to(self._root.resolve()):
            raise ReaderError
        return read_bytes(file, file.name, _MOST_BYTES)


def _size_of(data: bytes) -> tuple[int, int]:
    return size_of(data) if is_svg(data) else frame_sizes(data)[0]


def _box(size: tuple[int, int], crop: Crop) -> tuple[int, int, int, int]:
    """Return what is left of a picture, as left, top, right and bottom in its pixels."""
    (width, height), (left, top, right, bottom) = size, crop
    return (
        round(width * left),
        round(height * top),
        max(round(width * (1 - right)), round(width * left) + 1),
        max(round(height * (1 - bottom)), round(height * top) + 1),
    )


def _places(document: DocumentText, text: str, start: int) -> Iterator[tuple[int, int, int | None]]:
    """Yield the number, the position and the slide of each picture in ``text``.

    The signs are among the same characters as before, but white space differs.
    """
    whole = "".join(without_signs(document.text).split())
    part = "".join(text.split())
    begin = _nearest(whole, part, len("".join(document.text[:start].split())))
    letters = [at for at, sign in enumerate(text) if not sign.isspace()]
    slides = [(mark.start, mark.anchor.value) for mark in document.marks if mark.anchor.kind == "slide"]
    count = done = at = 0
    for sign in SIGN.finditer(document.text):
        count += len("".join(without_signs(document.text[done : sign.start()]).split()))
        done = sign.end()
        place = count - begin if begin >= 0 else _beside(whole, count, part, at)
        if 0 < place <= len(letters) or place == begin == 0:
            at = place
            slide = bisect_right(slides, sign.start(), key=lambda one: one[0])
            position = letters[at - 1] + 1 if at else 0
            yield int(sign.group(1)), position, int(slides[slide - 1][1]) if slide else None


def _beside(whole: str, count: int, part: str, start: int) -> int:
    """Return where the characters before or after a place are in a part that was read in another way.

    Recognized text stands in it, or an earlier version of Lectern read it. Returns -1 if neither is found.
    """
    for length in _BESIDE:
        before, behind = whole[max(count - length, 0) : count], whole[count : count + length]
        if before and (found := part.find(before, max(start - length, 0))) >= 0:
            return found + len(before)
        if behind and (found := part.find(behind, start)) >= 0:
            return found
    return -1


def _nearest(whole: str, part: str, wanted: int) -> int:
    """Return where a part stands in a whole, the nearest place to the wanted one; -1 if it does not."""
    before, behind = whole.rfind(part, 0, wanted + len(part)), whole.find(part, wanted)
    found = [at for at in (before, behind) if at >= 0]
    return min(found, key=lambda at: abs(at - wanted), default=-1)
