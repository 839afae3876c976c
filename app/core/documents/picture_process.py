"""Finds and decodes the pictures of files of unknown origin in a child process.

A picture is a part of its file, embedded in its text, or a file in the folder that somebody has chosen;
nothing is fetched from elsewhere.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import sys
import zipfile
from bisect import bisect_right
from collections import OrderedDict
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.documents import images
from app.core.documents.document_reader import expected_format, read_bytes
from app.core.documents.formats import format_of_content
from app.core.documents.images import as_png, is_svg, size_of
from app.core.documents.readers import ReaderError
from app.core.documents.readers.pictures import PART, SIGN, signs_for_pictures, without_signs
from app.core.documents.readers.safe_archive import Archive
from app.core.documents.sandbox import DEPTH
from app.domain.errors import UnreadableFile
from app.domain.figures import PlacedPicture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.core.documents.readers.pictures import Crop, FoundPicture
    from app.domain.cancel import CancelToken
    from app.domain.documents import DocumentText
    from app.domain.figures import FileVersion

_SECONDS = 60.0  # of processor time for one file
_CLOCK_SECONDS = 120.0
_MEMORY = 2 * 2**30
_KEPT_BYTES = 64 * 2**20
_MOST_BYTES = 32 * 2**20  # of a picture
_MOST_DECODED = 50_000_000  # pixels
_MOST_SHOWN = 8_000_000
_SMALLEST = 24  # pixels of the longer side; what is smaller is an ornament
_LONGEST_ALT = 300
_BESIDE = (40, 12)  # characters by which a place is known again


class PictureProcess(AbstractContextManager["PictureProcess"]):
    """Asks a child process, started by the first request, for pictures. For one thread.

    ``folders`` returns the folders that somebody has chosen. A file that cannot be read any more has no
    pictures, nor has one on a server, whose path is not absolute. The methods raise Cancelled.
    """

    def __init__(self, folders: Callable[[], Iterable[str]]) -> None:
        self._folders = folders
        self._child = ChildProcess(
            PictureServer(), "lectern-pictures", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )

    def __exit__(self, *_: object) -> None:
        self.close()

    def placed(
        self, file: FileVersion, text: str, start: int, token: CancelToken
    ) -> tuple[PlacedPicture, ...]:
        """Return the pictures within ``text``, which begins at ``start`` of the document's text."""
        reply = self._ask(token, "list", file, text=text, start=start)
        try:
            return tuple(_placed_picture(*one) for one in json.loads(reply or b"[]"))
        except (ValueError, TypeError):
            return ()

    def pixels(self, file: FileVersion, n: int, width: int, height: int, token: CancelToken) -> bytes:
        """Return a picture in a size, on white, with four bytes a pixel: red, green, blue and 255.

        Empty if it fails.
        """
        reply = self._ask(token, "draw", file, n=n, width=width, height=height)
        return reply if len(reply) == 4 * width * height else b""

    def close(self) -> None:
        self._child.close()

    def _ask(self, token: CancelToken, what: str, file: FileVersion, **arguments: object) -> bytes:
        if not os.path.isabs(file.path):
            return b""
        around = [one for one in self._folders() if Path(file.path).is_relative_to(one)]
        root = min(around, key=len, default=os.path.dirname(file.path))
        request = {"do": what, "path": file.path, "sha256": file.sha256, "root": root, **arguments}
        try:
            return self._child.ask(json.dumps(request).encode(), token)
        except (ChildDied, ChildTimedOut, ChildOverspent):
            return b""


def _placed_picture(
    n: int, position: int, width: int, height: int, alt: str, slide: int | None
) -> PlacedPicture:
    """Make one of plain data; a file may have led the child astray."""
    if width < 1 or height < 1:
        raise ValueError("a picture without a size")
    return PlacedPicture(int(n), int(position), int(width), int(height), str(alt), slide and int(slide))


# In the child


class PictureServer:
    """Answers requests about files; keeps the last few, since sources may come from several in turn."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], _Pictures] = OrderedDict()

    def __call__(self, request: bytes, _: Callable[[bytes], None]) -> bytes:
        sys.setrecursionlimit(DEPTH)
        wanted = json.loads(request)
        try:
            pictures = self._opened(wanted["path"], wanted["sha256"], wanted["root"])
            if wanted["do"] == "draw":
                return pictures.drawn(wanted["n"], wanted["width"], wanted["height"])
            return json.dumps(list(pictures.within(wanted["text"], wanted["start"]))).encode()
        except (UnreadableFile, ReaderError, MemoryError, OSError):
            return b""

    def _opened(self, path: str, sha256: str, root: str) -> _Pictures:
        key = (path, sha256, root)
        if key not in self._kept:
            while self._kept and sum(one.size for one in self._kept.values()) > _KEPT_BYTES:
                self._kept.popitem(last=False)
            self._kept[key] = _Pictures(Path(path), sha256, Path(root))
        self._kept.move_to_end(key)
        return self._kept[key]


class _Pictures:
    def __init__(self, path: Path, sha256: str, root: Path) -> None:
        self._path, self._root = path, root
        expected = expected_format(path)
        self._data = read_bytes(path, path.name, expected.max_bytes)
        if hashlib.sha256(self._data).hexdigest() != sha256:
            raise ReaderError
        try:
            with signs_for_pictures() as self._found:
                self._document = format_of_content(self._data, expected).read(self._data)
        except (ReaderError, MemoryError):
            raise
        except Exception as error:  # what a parser raises for damaged files has no limits
            raise ReaderError from error

    @property
    def size(self) -> int:
        return len(self._data)

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
        image = images.decoded(data, max(round(max(full) * scale), 1))
        return image.resize((width, height), box=_box(image.size, found.crop)).convert("RGBA").tobytes()

    def _size(self, found: FoundPicture) -> tuple[int, int]:
        """Return the size in which the document shows a picture."""
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
    return size_of(data) if is_svg(data) else images.frame_sizes(data)[0]


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

    Signs stand among the same characters as ever, but white space differs.
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
    """Return where the characters before or behind a place stand in a part that was read in another way.

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
