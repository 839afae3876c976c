"""Renders pages and pictures of files of unknown origin in a sandbox.

A file is shown only if its checksum is the one in the library.
"""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app.core.documents.formats import FORMATS, read_bytes
from app.core.documents.readers import ReaderError
from app.core.documents.text.placement import PAGE_END, places
from app.core.sandbox import ChildFailed, Sandbox
from app.domain.errors import UnreadableFile, UserError
from app.domain.figures import Figure, FigureLabel, FileVersion, PlacedPicture
from app.domain.messages import Message
from app.domain.pages import (
    Box,
    Mark,
    OutlineEntry,
    PagedFile,
    PageLink,
    PagePicture,
    PageText,
    RecognizedLine,
    Strip,
    lines_of,
    text_of_lines,
)
from app.domain.plain_text import shown_name
from app.domain.words import occurrences

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from app.core.documents.images import PicturePages
    from app.core.documents.readers.pdf.pages import PdfPages
    from app.domain.cancel import CancelToken

    Lines = Mapping[int, Sequence[RecognizedLine]]

_SECONDS = 20.0  # of processor time for a picture, or for some pages to be searched
_MOST_BYTES = next(one.max_bytes for one in FORMATS if one.kind == "pdf")

R = TypeVar("R")


class PageProcess:
    """Shows the pages of the file that was opened last. For one thread.

    ``recognized`` returns the lines that were recognized on pages of a file, by its digest. Every method
    raises UserError if the file, or one of its pages, cannot be shown, and Cancelled.
    """

    def __init__(self, sandbox: Sandbox, recognized: Callable[[str], Lines] = lambda _: {}) -> None:
        self._sandbox = sandbox
        self._recognized = recognized
        self._file = ("", "")
        self._lines: Lines = {}

    def open(self, path: str, sha256: str, token: CancelToken) -> PagedFile:
        """Open a file whose bytes must have a digest."""
        self._file = (path, sha256)
        self._lines = self._recognized(sha256)
        return self._ask(_paged_file, methodcaller("describe"), token)

    def picture(self, strip: Strip, token: CancelToken) -> PagePicture:
        pixels = self._ask(bytes, methodcaller("picture", strip), token)
        if len(pixels) != 4 * strip.width * strip.height:
            raise self._failure()
        return PagePicture(strip, pixels)

    def text(self, page: int, token: CancelToken) -> PageText:
        return self._ask(_page_text, _rounded, token, page, self._lines_on(page))

    def marks(
        self, pages: range, text: str, spans: Sequence[tuple[int, int]], token: CancelToken
    ) -> list[tuple[Mark, ...]]:
        """Return for each span of ``text``, which was read from ``pages``, the lines it takes on them."""
        return self._ask(_marks, _marked, token, pages, self._lines_on(*pages), text, spans)

    def find(self, query: str, pages: range, token: CancelToken) -> list[tuple[Mark, ...]]:
        """Return the places of some words; case, accents and line ends make no difference."""
        return self._ask(_marks, _found, token, pages, self._lines_on(*pages), query)

    def figure(
        self, pages: Sequence[int], labels: Sequence[FigureLabel], token: CancelToken
    ) -> Figure | None:
        """Return the first of the figures that is on one of the pages; None if there is none."""
        return self._ask(_figure, _first_figure, token, pages, labels)

    def seen(self, page: int, token: CancelToken) -> bytes:
        """Return a page as a JPEG of about a million pixels; nothing for one that is only text."""
        return self._ask(bytes, methodcaller("seen", page), token)

    def _lines_on(self, *pages: int) -> Lines:
        return {page: self._lines[page] for page in pages if page in self._lines}

    def _ask(
        self, made: Callable[[Any], R], work: Callable[..., object], token: CancelToken, *arguments: object
    ) -> R:
        try:
            return self._sandbox.call(
                made, with_pages, *self._file, work, *arguments, seconds=_SECONDS, token=token
            )
        except ChildFailed as error:
            raise self._failure() from error

    def _failure(self) -> UserError:
        return UserError(_not_shown(self._file[0]))


def _not_shown(path: str) -> Message:
    return Message("documents.pages_not_shown", name=shown_name(Path(path)))


def _paged_file(found: list[Any]) -> PagedFile:
    sizes = tuple((float(width), float(height)) for width, height in found[0])
    outline = (OutlineEntry(int(level), str(title), int(page)) for level, title, page in found[1])
    return PagedFile(sizes, tuple(one for one in outline if 0 < one.page <= len(sizes)))


def _page_text(found: dict[str, Any]) -> PageText:
    boxes = tuple(Box(*map(float, box)) for box in found["boxes"])
    if len(boxes) != len(found["text"]):
        raise ValueError("a character has no box")
    links = (
        PageLink(Box(*map(float, box)), str(address), int(page), float(y))
        for box, address, page, y in found["links"]
    )
    return PageText(int(found["page"]), str(found["text"]), boxes, tuple(links))


def _marks(found: list[Any]) -> list[tuple[Mark, ...]]:
    return [tuple(Mark(int(page), Box(*map(float, box))) for page, box in one) for one in found]


def _figure(found: list[Any] | None) -> Figure | None:
    if found is None:
        return None
    (kind, number), caption, page, box = found
    label = FigureLabel("table" if kind == "table" else "figure", str(number))
    return Figure(label, str(caption), int(page), Box(*map(float, box)))


# In the child


def with_pages(path: str, sha256: str, work: Callable[..., object], *arguments: object) -> object:
    try:
        return work(_opened(path, sha256), *arguments)
    except ReaderError as error:
        raise UserError(_not_shown(path)) from error


@lru_cache(maxsize=2)
def _opened(path: str, sha256: str) -> PdfPages | PicturePages:
    from app.core.documents.images import PicturePages
    from app.core.documents.readers.pdf.pages import PdfPages
    from app.core.documents.readers.pdf.reader import may_be_pdf

    name = shown_name(Path(path))
    data = read_bytes(Path(path), name, _MOST_BYTES)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UnreadableFile(Message("documents.pages_changed", name=name))
    return PdfPages(data) if may_be_pdf(data) else PicturePages(data)


def _rounded(pages: PdfPages | PicturePages, number: int, lines: Lines) -> object:
    text = _text(pages, number, lines)
    boxes = [[round(side, 1) for side in box] for box in text.boxes]
    return {"page": text.page, "text": text.text, "boxes": boxes, "links": list(pages.links(number))}


def _text(pages: PdfPages | PicturePages, number: int, lines: Lines) -> PageText:
    return text_of_lines(number, lines[number]) if number in lines else pages.text(number)


def _texts(pages: PdfPages | PicturePages, wanted: range, lines: Lines) -> list[PageText]:
    return [_text(pages, number, lines) for number in wanted if 0 < number <= pages.count]


def _first_figure(
    pages: PdfPages | PicturePages, wanted: Sequence[int], labels: Sequence[FigureLabel]
) -> Figure | None:
    there = [number for number in wanted if 0 < number <= pages.count]
    found = [figure for number in there for figure in pages.figures(number)]
    return next((figure for label in labels for figure in found if figure.label == label), None)


def _found(pages: PdfPages | PicturePages, wanted: range, lines: Lines, query: str) -> list[object]:
    return [
        [(text.page, line) for line in lines_of(text.boxes[start:end])]
        for text in _texts(pages, wanted, lines)
        for start, end in occurrences(text.text, query)
    ]


def _marked(
    pages: PdfPages | PicturePages, wanted: range, lines: Lines, text: str, spans: list[tuple[int, int]]
) -> list[object]:
    texts = _texts(pages, wanted, lines)
    owners = [(page, at) for page in texts for at in range(len(page.text) + 1)]  # and the page's end
    found: list[object] = []
    for indices in places(text, spans, PAGE_END.join(page.text for page in texts)):
        marks = []
        for page in texts:
            own = (page.boxes[at] for owner, at in map(owners.__getitem__, indices) if owner is page)
            marks += [(page.page, line) for line in lines_of(own)]
        found.append(marks)
    return found


_PICTURE_SECONDS = 60.0  # of processor time for one file


class PictureProcess:
    """Asks a sandbox for pictures.

    ``folders`` returns the folders that somebody has chosen. A file that cannot be read any more has no
    pictures, nor has one on a server, whose path is not absolute. The methods raise Cancelled.
    """

    def __init__(self, sandbox: Sandbox, folders: Callable[[], Iterable[str]]) -> None:
        self._sandbox = sandbox
        self._folders = folders

    def placed(
        self, file: FileVersion, text: str, start: int, token: CancelToken
    ) -> tuple[PlacedPicture, ...]:
        """Return the pictures within ``text``, which begins at ``start`` of the document's text."""
        return self._ask(_placed, (), token, file, placed, text, start)

    def pixels(self, file: FileVersion, n: int, width: int, height: int, token: CancelToken) -> bytes:
        """Return a picture in a size, on white, with four bytes a pixel: red, green, blue and 255.

        Empty if it fails.
        """
        reply = self._ask(bytes, b"", token, file, drawn, n, width, height)
        return reply if len(reply) == 4 * width * height else b""

    def _ask(
        self,
        made: Callable[[Any], R],
        otherwise: R,
        token: CancelToken,
        file: FileVersion,
        work: Callable[..., object],
        *arguments: object,
    ) -> R:
        if not os.path.isabs(file.path):
            return otherwise
        around = [one for one in self._folders() if Path(file.path).is_relative_to(one)]
        root = min(around, key=len, default=os.path.dirname(file.path))
        try:
            return self._sandbox.call(
                made, work, (*file, root), *arguments, seconds=_PICTURE_SECONDS, token=token
            )
        except (ChildFailed, UnreadableFile):
            return otherwise


def _placed(found: list[Any]) -> tuple[PlacedPicture, ...]:
    return tuple(_placed_picture(*one) for one in found)


def _placed_picture(
    n: int, position: int, width: int, height: int, alt: str, slide: int | None
) -> PlacedPicture:
    """Make one of plain data; a file may have led the child astray."""
    if width < 1 or height < 1:
        raise ValueError("a picture without a size")
    return PlacedPicture(int(n), int(position), int(width), int(height), str(alt), slide and int(slide))


# In the child


def placed(file: tuple[str, str, str], text: str, start: int) -> object:
    from app.core.documents.document_pictures import pictures_of

    try:
        return list(pictures_of(*file).within(text, start))
    except (ReaderError, OSError):
        return []


def drawn(file: tuple[str, str, str], n: int, width: int, height: int) -> bytes:
    from app.core.documents.document_pictures import pictures_of

    try:
        return pictures_of(*file).drawn(n, width, height)
    except (ReaderError, OSError):
        return b""
